"""Addresses of servers, and keys that go to them."""

from __future__ import annotations

import pytest

from harmgraph.common.endpoint.address import read_address
from harmgraph.common.endpoint.key import read_key
from harmgraph.common.errors import HarmgraphError

SECRET = "sk-very-secret"


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://localhost:1/v1/", "http://localhost:1/v1"),
        ("https://api.example.org/v1/chat/completions", "https://api.example.org:443/v1"),
        ("http://[::1]:9/x", "http://[::1]:9/x"),
    ],
)
def test_an_address(text: str, reads: str) -> None:
    assert str(read_address(text)) == reads


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.0.0.1:8080",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://",
        "http://a b/",
        "http://a/?q=1",
        "http://a:x",
        "http://a\n.b",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(HarmgraphError, match="is not the address of an http or https server"):
        read_address(text)


def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(HarmgraphError) as caught:
        read_address(f"https://me:{SECRET}@example.org")
    assert SECRET not in str(caught.value)
    assert "--key-from" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"https://me:{SECRET}@host:x",
        f"me:{SECRET}@host:80/v1",
        f"https://h/v1?api_key={SECRET}",
        f"https://h/v1#{SECRET}",
    ],
)
def test_a_password_in_what_is_no_address_is_not_shown(text: str) -> None:
    with pytest.raises(HarmgraphError) as caught:
        read_address(text)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "is_loopback"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("[::1]", True),
        ("localhost", True),
        ("10.0.0.1", False),
        ("a.b", False),
    ],
)
def test_the_loopback(host: str, is_loopback: bool) -> None:
    assert read_address(f"http://{host}:1").is_loopback is is_loopback


def test_a_key_in_clear_text_goes_to_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    assert read_key("MY_KEY", read_address("http://127.0.0.1:1")) == SECRET
    assert read_key("MY_KEY", read_address("https://example.org")) == SECRET
    with pytest.raises(HarmgraphError, match="in clear text") as caught:
        read_key("MY_KEY", read_address("http://example.org"))
    assert SECRET not in str(caught.value)
    monkeypatch.delenv("MY_KEY")
    assert read_key("MY_KEY", read_address("http://example.org")) == ""


@pytest.mark.parametrize("key", [f"{SECRET}\nX-Other: 1", f"{SECRET} x", f"{SECRET}é"])
def test_a_key_that_is_none_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(HarmgraphError, match="MY_KEY has a character") as caught:
        read_key("MY_KEY", read_address("http://127.0.0.1"))
    assert SECRET not in str(caught.value)


def test_a_key_given_as_its_name_is_not_shown() -> None:
    with pytest.raises(HarmgraphError, match="not the key") as caught:
        read_key(SECRET, read_address("http://127.0.0.1"))
    assert SECRET not in str(caught.value)

"""The user's own server, from the environment."""

from __future__ import annotations

import re

import pytest

from harmgraph.common.errors import InputError
from harmgraph.graph.address import Address, from_environment
from harmgraph.graph.server import server


def test_nothing_set_means_the_embedded_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", " ")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    assert from_environment() is None


def test_all_four_variables_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j+s://db.example.org:7687")
    monkeypatch.setenv("NEO4J_USERNAME", "ada")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("NEO4J_DATABASE", "audit")
    assert from_environment() == Address("neo4j+s://db.example.org:7687", "ada", "secret", "audit", "", False)


def test_user_and_database_have_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://localhost")
    for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    assert from_environment() == Address("bolt://localhost", "neo4j", "", "neo4j", "", False)


@pytest.mark.parametrize(
    "uri",
    [
        "neo4j://ada:hunter2@db.example.org",
        "bolt://hunter2@localhost:7687",
        "neo4j+s://ada:hunter2/w@host:7687",
        "neo4j+s://ada:p?hunter2@host:7687",
        "bolt://ada:p#hunter2@host:7687",
        "bolt://ada:[hunter2@host:7687",
        "ada:hunter2@127.0.0.1:7687",
        "hunter2://ada:p@host",
        "neo4j:ada:hunter2@host",
        "neo4j+s://host:7687@hunter2",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_repeated(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    with pytest.raises(InputError, match="NEO4J_PASSWORD") as caught:
        from_environment()
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None, "its text, which -v shows, may repeat it"


@pytest.mark.parametrize("uri", ["bolt://[::1", "hunter2", "ada:hunter2", "neo4j://ada:hunter2", "127.0.0.1:7687"])
def test_no_address_is_one_clear_line_that_does_not_repeat_it(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not an address may be a password that was put into the wrong variable."""
    monkeypatch.setenv("NEO4J_URI", uri)
    with pytest.raises(InputError, match="NEO4J_URI is not an address; write it as neo4j://host:7687") as caught:
        from_environment()
    assert caught.value.__context__ is None, "its text, which -v shows, may repeat it"
    assert uri not in str(caught.value)


def test_a_routing_context_is_for_the_driver_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j+s://db.example.org:7687?region=eu&token=hunter2")
    address = from_environment()
    assert address is not None
    assert address.uri == "neo4j+s://db.example.org:7687"
    assert address.connecting == "neo4j+s://db.example.org:7687?region=eu&token=hunter2"
    assert "hunter2" not in f"{address} {address!r}"


@pytest.mark.parametrize(
    "part",
    ["?hunter2", "?token=hunter2&token=hunter2", "?=hunter2", "?token=hunter2&region=", "#hunter2", "?a=hunter2#", "?"],
)
@pytest.mark.parametrize("scheme", ["neo4j", "bolt+s"])
def test_what_the_driver_would_not_take_is_refused_and_not_repeated(
    scheme: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", f"{scheme}://host:7687{part}")
    with pytest.raises(
        InputError, match=rf"{re.escape(scheme)}://host:7687: .*part after [?#].*; .*NEO4J_URI"
    ) as caught:
        from_environment()
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_the_own_server_is_used_and_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://localhost:1")
    before = server.status().pid
    assert server.address().uri == "bolt://localhost:1"
    assert server.status().pid == before


def test_the_password_is_not_in_the_representation() -> None:
    assert "hunter2" not in repr(Address("bolt://localhost", "neo4j", "hunter2", "neo4j", "", False))

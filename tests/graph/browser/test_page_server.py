"""The page server lets in whom it should, once, and shows nothing else."""

from __future__ import annotations

import http.client
import json
import socket
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from harmgraph.common.errors import NoSpace, ServerError
from harmgraph.graph.address import Address
from harmgraph.graph.browser.guide import GUIDE
from harmgraph.graph.browser.page_server import OTHER_STORE, BrowserServer
from harmgraph.graph.browser.saved_queries import addressed, filled, saved_queries
from harmgraph.graph.browser.style import grass
from harmgraph.graph.browser.workbench import (
    QUERIES,
    STYLE,
    Workbench,
    following,
    own_browser,
    prefilled,
    served_to,
    served_with_browser,
    write,
)
from harmgraph.graph.statements import statement

PASSWORD = "correct horse battery"
ADDRESS = Address("bolt://127.0.0.1:7687", "neo4j", PASSWORD, "neo4j", "http://127.0.0.1:7474", True)
OWN = Address("neo4j://db.example:7687", "alice", PASSWORD, "harm", "", False)
STORE = "50CC0D85A2865B5F"
BENCH = Workbench("<slide>guide</slide>", grass(), saved_queries({"target": "lawyer"}), "5.26.29", "community", STORE)


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "neo4j-browser.jar", "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "secret manifest")
        archive.writestr("browser/index.html", "<html>Browser</html>")
        archive.writestr("browser/app.js", "app()")
    return tmp_path / "neo4j-browser.jar"


@pytest.fixture
def server(jar: Path) -> Iterator[BrowserServer]:
    with BrowserServer(served_with_browser(BENCH, ADDRESS, jar)) as running:
        yield running


def ask(
    server: BrowserServer, path: str, method: str = "GET", *, host: str = "127.0.0.1", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request as it stands: nothing in the path is tidied up on the way."""
    connection = http.client.HTTPConnection(host, server.port, timeout=10)
    sent = {"Host": f"localhost:{server.port}"} | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host=True)
    for name, value in sent.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def log_in(server: BrowserServer, token: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return ask(server, "/session", "POST", **{"Origin": server.origin, "X-Harmgraph-Token": token, **headers})


def test_the_token_opens_once(server: BrowserServer) -> None:
    status, headers, body = log_in(server, server.token)
    assert status == 200
    assert json.loads(body)["connections"]["connectionsById"]["$$discovery"]["password"] == PASSWORD
    assert headers["cache-control"] == "no-store"
    again, _, said = log_in(server, server.token)
    assert again == 403
    assert b"used already" in said


def test_of_many_at_once_one_gets_in(server: BrowserServer) -> None:
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: log_in(server, server.token)[0], range(8)))
    assert sorted(statuses) == [200] + [403] * 7


def test_a_wrong_token_neither_opens_nor_spends(server: BrowserServer) -> None:
    assert log_in(server, "guess")[0] == 403
    assert log_in(server, "")[0] == 403
    assert ask(server, "/session", "POST", Origin=server.origin)[0] == 403
    assert log_in(server, server.token)[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:7476", ""])
def test_another_origin_cannot_log_in(server: BrowserServer, origin: str) -> None:
    status, headers, body = log_in(server, server.token, Origin=origin)
    assert status == 403
    assert PASSWORD.encode() not in body
    assert not [name for name in headers if name.startswith("access-control")]
    assert log_in(server, server.token)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost.evil.example:80", "localhost:1", ""])
def test_a_foreign_host_name_gets_nothing(server: BrowserServer, host: str) -> None:
    for path in ("/", "/start", "/guide.html", "/browser/"):
        assert ask(server, path, Host=host)[0] == 421
    assert log_in(server, server.token, Host=host)[0] == 421
    assert ask(server, "/guide.html", "OPTIONS", Host=host)[0] == 421


@pytest.mark.parametrize(
    "path",
    [
        "/META-INF/MANIFEST.MF",
        "/browser/../META-INF/MANIFEST.MF",
        "/browser/%2e%2e/META-INF/MANIFEST.MF",
        "/browser//../../../../../../etc/passwd",
        "/../../../../etc/passwd",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/browser/..\\..\\secret",
        "/pages/start.html",
        "/harmgraph/common/errors.py",
        "/session",
        "/browser",
        "*",
        "http://localhost/etc/passwd",
    ],
)
def test_no_path_leads_out(server: BrowserServer, path: str) -> None:
    status, _, body = ask(server, path)
    assert (status, body) == (404, b"There is no such page.")


def test_no_page_holds_the_password_or_the_token(server: BrowserServer) -> None:
    paths = ("/", "/start", "/start.js", "/start.css", f"/{GUIDE}", f"/{STYLE}", f"/{QUERIES}", "/browser/")
    for path in paths:
        for method in ("GET", "HEAD", "OPTIONS"):
            status, headers, body = ask(server, path, method, Origin="http://evil.example")
            assert status in (200, 204)
            everything = f"{headers}{body!r}"
            assert PASSWORD not in everything
            assert server.token not in everything
            assert not [name for name in headers if name.startswith("access-control")]
            assert headers["x-frame-options"] == "DENY"
    assert PASSWORD not in repr(server.served)
    assert all(PASSWORD.encode() not in content for content in BENCH.files.values())
    assert PASSWORD not in server.start_page


def test_it_serves_the_browser_and_says_what_the_database_is(server: BrowserServer) -> None:
    assert ask(server, "/browser/?cmd=edit")[2] == b"<html>Browser</html>"
    assert ask(server, "/browser/")[1]["cache-control"] == "no-store", "an entry page of another version misleads"
    status, headers, body = ask(server, "/browser/app.js")
    assert (status, headers["content-type"], body) == (200, "text/javascript; charset=utf-8", b"app()")
    assert json.loads(ask(server, "/", Accept="application/json")[2])["bolt_direct"] == ADDRESS.uri
    status, headers, _ = ask(server, "/", Accept="text/html")
    assert (status, headers["location"]) == (303, "/browser/")


def test_only_the_users_own_browser_reads_guide_and_style() -> None:
    with BrowserServer(served_to(BENCH, OWN)) as server:
        theirs = "http://db.example:7474"
        for path in (f"/{GUIDE}", f"/{STYLE}"):
            asked = ask(server, path, "OPTIONS", Origin=theirs, Access_Control_Request_Headers="pragma")[1]
            assert asked["access-control-allow-headers"] == "*"
            assert ask(server, path, Origin=theirs)[1]["access-control-allow-origin"] == theirs
            for other in ("http://evil.example", "null", "https://db.example:7474"):
                assert "access-control-allow-origin" not in ask(server, path, Origin=other)[1]
        assert "access-control-allow-origin" not in ask(server, f"/{QUERIES}", Origin=theirs)[1]
        assert ask(server, "/start")[0] == 404
        assert log_in(server, server.token)[0] == 404


def followed(server: BrowserServer, link: str) -> tuple[int, bytes]:
    """What the page that a link leads to is told."""
    parts = urlsplit(link)
    assert parts.path == "/follow"
    assert ask(server, f"{parts.path}?{parts.query}")[0] == 200
    status, headers, body = ask(server, f"/statement?{parts.query}")
    assert headers["cache-control"] == "no-store"
    return status, body


def test_a_link_is_followed_in_its_own_store_alone(server: BrowserServer) -> None:
    values = {"target": 'a&b#c "%41', "source": "kb", "limit": 7}
    status, body = followed(server, following(STORE, "explore/sentences_of_target", values))
    assert status == 200
    found = json.loads(body)
    assert (found["store"], found["host"]) == (STORE, ADDRESS.uri)
    (cypher,) = parse_qs(urlsplit(found["landing"]).query)["arg"]
    assert cypher == addressed(filled(statement("explore/sentences_of_target"), values))
    assert not set("&#%") & set(cypher)
    assert PASSWORD.encode() not in body
    status, body = followed(server, following("0" * 16, "explore/sentences_of_target", values))
    assert (status, body) == (409, OTHER_STORE.encode())


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("explore/none", {}),
        ("source/drop", {}),
        ("schema/wipe", {}),
        ("../explore/targets", {}),
        ("explore/targets", {"limit": "1; MATCH (n) DETACH DELETE n"}),
        ("statistics/words", {"stop": "x"}),
    ],
)
def test_a_link_fills_in_favourites_alone(server: BrowserServer, query: str, values: dict[str, str]) -> None:
    status, body = followed(server, following(STORE, query, values))
    assert status == 404
    assert b"names no statement" in body


def test_a_page_without_links_follows_none() -> None:
    with BrowserServer(served_to(BENCH, OWN)) as server:
        assert ask(server, "/follow?store=")[0] == 404
        assert ask(server, "/statement?store=&query=explore/targets")[0] == 404


def test_a_guide_is_told_where_the_others_are(jar: Path) -> None:
    bench = replace(BENCH, guides={GUIDE: "{origin}/guide-1.html", "guide-1.html": "{origin}/guide.html"})
    with BrowserServer(served_with_browser(bench, ADDRESS, jar)) as server:
        assert ask(server, f"/{GUIDE}")[2] == f"{server.origin}/guide-1.html".encode()
        assert ask(server, "/guide-1.html")[2] == f"{server.origin}/guide.html".encode()
    with BrowserServer(served_to(bench, OWN)) as server:
        headers = ask(server, "/guide-1.html", Origin="http://db.example:7474")[1]
        assert headers["access-control-allow-origin"] == "http://db.example:7474"


def test_a_taken_port_is_passed_over(jar: Path) -> None:
    served = served_with_browser(BENCH, ADDRESS, jar)
    with BrowserServer(served) as first, BrowserServer(served, first.port) as second:
        assert second.port != first.port
        assert ask(second, f"/{GUIDE}")[0] == 200


def test_no_free_port_is_one_clear_line(server: BrowserServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harmgraph.common.loopback._PORTS_TO_TRY", 1)
    with pytest.raises(ServerError, match="choose another with --port"):
        BrowserServer(server.served, server.port).__enter__()


def test_localhost_is_ours_on_ipv6_too(server: BrowserServer) -> None:
    try:
        probe = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 on this machine")
    probe.close()
    assert ask(server, f"/{GUIDE}", host="::1")[0] == 200


def test_the_own_browser_is_prefilled_without_the_password() -> None:
    page = prefilled(OWN, "http://localhost:7476/guide.html")
    assert page == (
        "http://db.example:7474/browser/?dbms=neo4j://alice@db.example:7687&db=harm"
        "&cmd=guide&arg=http://localhost:7476/guide.html"
    )
    secure = Address("neo4j+s://[::1]:7687", "a b@c", PASSWORD, "a&b", "", False)
    assert own_browser(secure) == "https://[::1]:7473/"
    assert "dbms=neo4j+s://a%20b%40c@" in prefilled(secure, "").replace("%2B", "+")
    assert "db=a%26b" in prefilled(secure, "")


def test_files_for_by_hand(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert [path.name for path in write(BENCH, folder)] == [GUIDE, STYLE, QUERIES]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == BENCH.files
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(NoSpace, match="choose another folder"):
        write(BENCH, tmp_path / "file")

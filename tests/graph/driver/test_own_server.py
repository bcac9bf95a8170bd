"""A server of the user's own, with a certificate and users, and at the end without TLS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import (
    HarmgraphError,
    NoDatabase,
    TlsFailed,
    Unauthorised,
)
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from tests.support import own_server
from tests.support.certificates import OPENSSL, Certificates, make
from tests.support.own_server import OwnServer
from tests.support.page import blocks
from tests.support.proxy import Proxy

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl is not here to make certificates")
LINES = ("nurse\tIsA\tkind person", "nurse\tCapableOf\theal", "lawyer\tIsA\tdishonest person")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make(tmp_path_factory.mktemp("tls") / "bolt")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own") / "neo4j"


@pytest.fixture(scope="module")
def secure(folder: Path, files: Certificates) -> Iterator[OwnServer]:
    """A server that speaks TLS only, by the lines of docs/servers.md; its certificate is for localhost."""
    (lines,) = blocks("servers.md", "text")
    settings = dict(line.split("=", 1) for line in lines.splitlines())
    settings["dbms.ssl.policy.bolt.base_directory"] = str(files.key.parent)
    with own_server.start(folder, scheme="bolt+ssc", settings=settings) as server:
        yield server


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kb") / "kb.tsv"
    path.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    return path


@pytest.fixture
def trusted(files: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our authority is one that this machine trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))


def use(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user sets."""
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_USERNAME", address.username)
    monkeypatch.setenv("NEO4J_PASSWORD", address.password)
    monkeypatch.setenv("NEO4J_DATABASE", address.database)


def refused(address: Address) -> HarmgraphError:
    with pytest.raises(HarmgraphError) as caught, Graph.open(address):
        pass
    assert "\n" not in str(caught.value)
    assert caught.value.remedy
    assert not address.password or address.password not in str(caught.value)
    return caught.value


def loaded(kb: Path) -> str:
    """Loads, counts and drops as a user does; the digest of the graph before it was dropped."""
    for words in (
        ["load", "triples", str(kb), "--source", "kb", "--output", "json"],
        ["label", "vader", "--output", "json"],
        ["stats", "overgeneralization", "--output", "json"],
        ["db", "status", "--output", "json"],
    ):
        assert main(words) == 0, words
    with Graph.open() as graph:
        made = digest(graph)
    assert main(["source", "drop", "kb", "--yes"]) == 0
    return made


@pytest.mark.parametrize("scheme", ["bolt+s", "bolt+ssc", "neo4j+s", "neo4j+ssc"])
def test_the_main_job_runs_over_tls_and_routing(
    scheme: str, secure: OwnServer, kb: Path, trusted: None, monkeypatch: pytest.MonkeyPatch, digests: set[str]
) -> None:
    use(secure.called(scheme), monkeypatch)
    digests.add(loaded(kb))
    assert len(digests) == 1, "another way to the server gave another graph"


@pytest.fixture(scope="module")
def digests() -> set[str]:
    return set()


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_is_not_trusted(scheme: str, secure: OwnServer) -> None:
    error = refused(secure.called(scheme))
    assert isinstance(error, TlsFailed)
    assert "is not trusted here (unable to get local issuer certificate); name the file of its authority" in str(error)


def test_a_certificate_that_is_for_another_name(secure: OwnServer, trusted: None) -> None:
    error = refused(secure.called("bolt+s", host="127.0.0.1"))
    assert isinstance(error, TlsFailed)
    assert "is not for the name '127.0.0.1'; set NEO4J_URI to a name that stands in it" in str(error)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_no_tls_where_the_server_wants_it(scheme: str, secure: OwnServer) -> None:
    error = refused(secure.called(scheme))
    assert isinstance(error, TlsFailed)
    assert f"the server there speaks TLS only; set NEO4J_URI to {scheme}+s://" in str(error)


@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc"])
def test_a_wrong_password_and_a_wrong_database(scheme: str, secure: OwnServer) -> None:
    error = refused(secure.called(scheme, username="somebody", password="not-this-one"))
    assert isinstance(error, Unauthorised)
    assert "wrong user name or password for 'somebody'" in str(error)
    error = refused(secure.called(scheme, database="nosuchdatabase"))
    assert isinstance(error, NoDatabase)
    assert "no database named 'nosuchdatabase'; set NEO4J_DATABASE" in str(error)


def test_too_many_wrong_passwords_and_one_that_is_to_be_changed(secure: OwnServer) -> None:
    with Graph.open(secure.address) as graph:
        for name, change in (("ada", "yes"), ("eve", "no")):
            text = f"CREATE USER {name} SET PASSWORD $password SET PASSWORD CHANGE {'' if change == 'yes' else 'NOT '}REQUIRED"
            graph.driver.execute_query(text, password="a-first-password", database_="system")  # type: ignore[call-overload]
    error = refused(secure.called("bolt+ssc", username="ada", password="a-first-password"))
    assert isinstance(error, Unauthorised)
    assert "the password of 'ada' is to be changed before it can be used" in str(error)
    lines = [str(refused(secure.called("bolt+ssc", username="eve", password=f"guess-{n}"))) for n in range(5)]
    assert "wrong user name or password for 'eve'" in lines[0]
    assert "too many wrong passwords for 'eve': the server takes none for some seconds" in lines[-1]


def test_a_read_comes_after_the_writes_before_it_in_a_cluster_too(plain: OwnServer) -> None:
    """Each server of a cluster is told of the last write by its bookmark; one server that names itself stands for a cluster."""
    port = int(plain.address.uri.rpartition(":")[2])
    with Proxy(port) as way, Graph.open(plain.called("neo4j", host="127.0.0.1", port=way.port)) as graph:
        way.listen()
        graph.rows("schema/version")
        graph.rows("schema/version")
        assert way.heard is not None
        assert b"bookmarks" in bytes(way.heard)


@pytest.fixture(scope="module")
def plain(folder: Path, secure: OwnServer) -> Iterator[OwnServer]:
    """The same store without TLS."""
    secure.stop()
    with own_server.start(folder) as server:
        yield server


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+ssc"])
def test_tls_where_the_server_has_none(scheme: str, plain: OwnServer) -> None:
    error = refused(plain.called(scheme))
    assert isinstance(error, TlsFailed)
    assert "the server there speaks without TLS" in str(error)

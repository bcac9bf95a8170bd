"""Servers that harmgraph cannot use, each told in one line: what, where, what to do."""

from __future__ import annotations

import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from harmgraph.common.errors import (
    GraphError,
    HarmgraphError,
    NotAllowed,
    TlsFailed,
    TooOld,
    Unauthorised,
    Unreachable,
)
from harmgraph.graph import schema_setup
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import state
from harmgraph.graph.server.folder import state_file
from harmgraph.graph.statements import names, statement
from tests.support.certificates import OPENSSL, Certificates, make
from tests.support.fake_bolt import BOLT_4_4, BOLT_5_4, NO_VERSION, Answer, FakeBolt, Refused, Rows

PASSWORD = "not-this-one"
needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="openssl is not here to make certificates")


def at(port: int, scheme: str = "bolt", host: str = "127.0.0.1") -> Address:
    return Address(f"{scheme}://{host}:{port}", "ada", PASSWORD, "neo4j", "", False)


def refused(address: Address) -> HarmgraphError:
    with pytest.raises(HarmgraphError) as caught, Graph.open(address):
        pass
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(address.uri)
    assert caught.value.remedy, "the line does not say what to do"
    assert PASSWORD not in line
    return caught.value


def answering(number: str, others: Callable[[str], Answer] = lambda text: Rows(())) -> Callable[[str], Answer]:
    """The answers of an empty server of a version."""
    asked, names_of, form = statement("schema/version").text, statement("schema/names"), statement("schema/form")
    known = {
        asked: Rows(("name", "version", "edition"), (("Neo4j Kernel", number, "enterprise"),)),
        form.text: Rows(tuple(column.name for column in form.columns), ((None, 0),)),
        names_of.text: Rows(tuple(column.name for column in names_of.columns), (tuple([] for _ in names_of.columns),)),
    }
    return lambda text: known.get(text) or others(text)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
@pytest.mark.parametrize(
    ("agent", "bolt", "told"),
    [
        ("Neo4j/4.4.38", BOLT_4_4, "runs a Neo4j older than 5.26: it speaks Bolt 4.4"),
        ("Neo4j/5.13.0", BOLT_5_4, "runs Neo4j 5.13.0"),
    ],
)
def test_an_older_server(scheme: str, agent: str, bolt: bytes, told: str) -> None:
    with FakeBolt(agent, version=bolt) as server:
        error = refused(at(server.port, scheme))
    assert isinstance(error, TooOld)
    assert f"{told}; harmgraph needs 5.26 LTS or later" in str(error)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_with_no_version_of_bolt_in_common(scheme: str) -> None:
    with FakeBolt(version=NO_VERSION) as server:
        error = refused(at(server.port, scheme))
    assert isinstance(error, TooOld)
    assert "no version of Bolt in common" in str(error)


@pytest.mark.parametrize("number", ["5.26.0", "2026.10.1", "5.27-aura"])
def test_servers_of_these_versions_are_taken(number: str) -> None:
    with (
        FakeBolt(f"Neo4j/{number}", answer=answering(number)) as server,
        Graph.open(at(server.port)) as graph,
    ):
        assert graph.rows("schema/version")[0]["version"] == number


def test_a_product_that_is_not_neo4j() -> None:
    with FakeBolt("Memgraph/3.1") as server:
        assert "this is not Neo4j, it calls itself 'Memgraph/3.1'" in str(refused(at(server.port)))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("Neo.ClientError.Security.Unauthorized", "wrong user name or password for 'ada'"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", "too many wrong passwords for 'ada'"),
        ("Neo.ClientError.Security.CredentialsExpired", "the password of 'ada' is to be changed"),
    ],
)
def test_a_user_who_is_not_let_in(code: str, told: str) -> None:
    with FakeBolt(answer=lambda text: Refused(code, "The client is unauthorized.")) as server:
        error = refused(at(server.port))
    assert isinstance(error, Unauthorised)
    assert told in str(error)


@pytest.mark.parametrize("code", ["Unauthorized", "AuthenticationRateLimit"])
def test_the_server_of_another_home_that_took_the_port_of_one_that_was_stopped(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    with FakeBolt(answer=lambda text: Refused(f"Neo.ClientError.Security.{code}", "not this password")) as server:
        error = refused(replace(at(server.port), embedded=True))
        assert isinstance(error, Unreachable)
        assert "Neo4j was stopped while this worked ('harmgraph db stop')" in str(error)
        running = state.ServerState(os.getpid(), server.port, server.port, 0, 0, ready=True)
        state_file().parent.mkdir(parents=True)
        state.write(running)
        assert isinstance(refused(replace(at(server.port), embedded=True)), Unauthorised)
        state.write(replace(running, bolt=server.port + 1))
        assert "start it with 'harmgraph db start'" in str(refused(replace(at(server.port), embedded=True)))


FORBIDDEN = Refused(
    "Neo.ClientError.Security.Forbidden", "Schema operations are not allowed for user 'ada' with roles [reader]."
)


def reader(*indexes: str) -> FakeBolt:
    """A server whose user may make no constraints, with these indexes."""

    def answer(text: str) -> Answer:
        if text.startswith("CREATE "):
            return FORBIDDEN
        return Rows(("name",), tuple((name,) for name in indexes)) if text.startswith("SHOW INDEXES") else Rows(())

    return FakeBolt(answer=answering("5.26.0", answer))


def wanted() -> list[str]:
    return [name.removeprefix("schema/make_") for name in names("schema") if "/make_" in name]


def test_a_user_who_may_not_make_constraints_works_where_they_stand() -> None:
    with reader(*wanted()) as server, Graph.open(at(server.port)) as graph:
        schema_setup.apply(graph)


def test_a_user_who_may_not_make_constraints_is_told_which_are_missing() -> None:
    first, *others = wanted()
    with reader(*others) as server, Graph.open(at(server.port)) as graph, pytest.raises(NotAllowed) as caught:
        schema_setup.apply(graph)
    line = str(caught.value)
    assert f"'ada' may not make constraints and indexes, and 1 of {len(wanted())} are missing ({first})" in line
    assert "\n" not in line
    assert "harmgraph target load" in line


def test_what_a_user_may_not_do_is_told_in_the_server_s_words() -> None:
    with reader() as server, Graph.open(at(server.port)) as graph, pytest.raises(NotAllowed) as caught:
        graph.write("schema/make_concept_key")
    assert "the user 'ada' may not do this (Schema operations are not allowed for user 'ada'" in str(caught.value)


def test_a_cluster_whose_members_are_not_reached() -> None:
    with FakeBolt(routes=(f"127.0.0.1:{closed_port()}",)) as server:
        error = refused(at(server.port, "neo4j"))
        assert isinstance(error, Unreachable)
        assert "a server answers there, and those that it names for the database do not" in str(error)
        assert f"set NEO4J_URI to bolt://127.0.0.1:{server.port}" in str(error)


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        return port


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s", "neo4j+ssc"])
def test_nothing_listens(scheme: str) -> None:
    error = refused(at(closed_port(), scheme))
    assert isinstance(error, Unreachable)
    assert "no Neo4j answers; check NEO4J_URI and that the server runs" in str(error)


# TLS: a listener that shakes hands and then is silent stands for the server.


@contextmanager
def listening(files: Certificates | None) -> Iterator[int]:
    """A port behind which TLS is spoken, or nothing where there are no certificates."""
    context = None
    if files:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.certificate, files.key)
    with socket.create_server(("127.0.0.1", 0)) as door:
        serving = threading.Thread(target=_shake_hands, args=(door, context), daemon=True)
        serving.start()
        yield door.getsockname()[1]
        door.shutdown(socket.SHUT_RDWR)
    serving.join()


def _shake_hands(door: socket.socket, context: ssl.SSLContext | None) -> None:
    while True:
        try:
            client, _ = door.accept()
        except OSError:
            return
        with suppress(OSError), client:
            client.settimeout(5)
            if context:
                with context.wrap_socket(client, server_side=True) as secure:
                    secure.recv(1)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make(tmp_path_factory.mktemp("certificates") / "good")


@needs_openssl
@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_nobody_vouches_for(scheme: str, files: Certificates) -> None:
    with listening(files) as port:
        error = refused(at(port, scheme, "localhost"))
    assert isinstance(error, TlsFailed)
    assert "the server's certificate is not trusted here (unable to get local issuer certificate)" in str(error)
    assert "SSL_CERT_FILE" in str(error)
    assert f"{scheme}sc://… takes any certificate" in str(error)


@needs_openssl
def test_a_certificate_for_another_name(files: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))
    with listening(files) as port:
        error = refused(at(port, "bolt+s", "127.0.0.1"))
    assert isinstance(error, TlsFailed)
    assert "the server's certificate is not for the name '127.0.0.1'" in str(error)


@needs_openssl
def test_a_certificate_that_has_expired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expired = make(tmp_path / "expired", days=-1)
    monkeypatch.setenv("SSL_CERT_FILE", str(expired.authority))
    with listening(expired) as port:
        error = refused(at(port, "bolt+s", "localhost"))
    assert isinstance(error, TlsFailed)
    assert "is not valid now (certificate has expired)" in str(error)


@needs_openssl
@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_tls_is_spoken_and_not_asked_for(scheme: str, files: Certificates) -> None:
    with listening(files) as port:
        error = refused(at(port, scheme))
    assert isinstance(error, TlsFailed)
    assert f"the server there speaks TLS only; set NEO4J_URI to {scheme}+s://" in str(error)


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+ssc"])
def test_tls_is_asked_for_and_not_spoken(scheme: str) -> None:
    with FakeBolt() as server:
        error = refused(at(server.port, scheme))
    assert isinstance(error, TlsFailed)
    assert "the server there speaks without TLS" in str(error)
    assert f"set NEO4J_URI to {scheme.partition('+')[0]}://…, which sends the password" in str(error)


def test_a_port_that_ends_every_connection() -> None:
    with listening(None) as port:
        assert isinstance(refused(at(port)), Unreachable)
        assert "no encrypted connection" in str(refused(at(port, "bolt+s")))


def test_an_error_that_says_nothing_of_this_keeps_its_words() -> None:
    with FakeBolt(answer=lambda text: Refused("Neo.ClientError.Statement.SyntaxError", "Invalid input")) as server:
        address = at(server.port)
        with pytest.raises(GraphError, match="Invalid input"), Graph.open(address):
            pass

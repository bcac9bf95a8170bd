"""The one door to Neo4j: rows, frames and counts out, one clear line where the database says no."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from urllib.parse import urlsplit

import neo4j
import pytest

from harmgraph.common.errors import (
    Busy,
    GraphError,
    HarmgraphError,
    NoDatabase,
    TooOld,
    Unauthorised,
    Unreachable,
)
from harmgraph.graph import connection as door
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.driver import held_lock
from harmgraph.graph.statements import parse
from tests.support.processes import PATIENCE, wait_for

NUMBERS = parse("numbers", "UNWIND range(1, $n) AS n RETURN n, 'x' + n AS text")
NODES = parse("nodes", "UNWIND range(1, $n) AS n CREATE (m:Lock {name: 'n' + n}) RETURN m.name AS name")
BOUND = 30_000  # more than one fetch


def test_rows_are_dictionaries_in_order(graph: Graph) -> None:
    assert graph.rows(NUMBERS, n=2) == [{"n": 1, "text": "x1"}, {"n": 2, "text": "x2"}]
    assert graph.rows(NUMBERS, n=0) == []


def test_a_stream_gives_all_rows_as_lists(graph: Graph) -> None:
    seen = [row[0] for row in graph.stream(NUMBERS, n=BOUND)]
    assert seen == list(range(1, BOUND + 1))


def test_a_frame_has_its_columns_also_without_rows(graph: Graph) -> None:
    assert graph.frame(NUMBERS, n=2).to_dict("list") == {"n": [1, 2], "text": ["x1", "x2"]}
    assert list(graph.frame(NUMBERS, n=0).columns) == ["n", "text"]


def test_a_write_counts_and_returns_rows(graph: Graph) -> None:
    done = graph.write(NODES, n=3)
    assert done.rows == ({"name": "n1"}, {"name": "n2"}, {"name": "n3"})
    assert (done.counters["nodes_created"], done.counters["properties_set"]) == (3, 3)
    assert graph.autocommit("schema/wipe").counters["nodes_deleted"] == 3


def test_raw_rows_keep_nodes_as_nodes(graph: Graph) -> None:
    graph.write(NODES, n=1)
    [row] = graph.raw_rows(parse("lock", "MATCH (n:Lock {name: 'n1'}) RETURN n"))
    assert set(row["n"].labels) == {"Lock"}


def test_what_reads_cannot_write(graph: Graph) -> None:
    with pytest.raises(GraphError, match=r"(?i)writ"):
        graph.rows(NODES, n=1)
    assert graph.rows("schema/counts")[0]["nodes"] == 0


def test_an_error_of_the_server_is_one_line_with_its_code(graph: Graph) -> None:
    with pytest.raises(GraphError) as caught:
        graph.rows(parse("torn", "MATCH (n\nRETURN n"))
    assert caught.value.code == "Neo.ClientError.Statement.SyntaxError"
    assert "\n" not in str(caught.value)


def test_a_failed_write_leaves_nothing(graph: Graph) -> None:
    graph.write(NODES, n=1)
    with pytest.raises(GraphError):
        graph.write(parse("half", "CREATE (:Lock {name: 'new'}) WITH 1 AS one CREATE (:Lock {name: 'n1'})"))
    assert graph.rows("schema/counts")[0]["nodes"] == 1


def closed_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def refused(address: Address) -> HarmgraphError:
    with pytest.raises(HarmgraphError) as caught, Graph.open(address):
        pass
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value.remedy, "the line does not say what to do"
    assert address.password not in line
    assert address.password not in repr(caught.value.__dict__)
    return caught.value


def test_a_wrong_password(address: Address) -> None:
    # A name of nobody's: three wrong tries would lock the real one out for some seconds.
    error = refused(replace(address, username="somebody", password="not-this-one"))
    assert isinstance(error, Unauthorised)
    assert "'somebody'" in str(error)


def test_a_server_of_ones_own_without_a_password(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_USERNAME", "nobody-else")
    with pytest.raises(Unauthorised) as caught, Graph.open():
        pass
    assert "NEO4J_URI is set without NEO4J_PASSWORD" in str(caught.value)
    assert "'nobody-else'" in str(caught.value)
    assert "set NEO4J_PASSWORD" in caught.value.remedy


def test_a_wrong_database(address: Address) -> None:
    error = refused(replace(address, database="nosuchdatabase"))
    assert isinstance(error, NoDatabase)
    assert "'nosuchdatabase'" in str(error)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_nobody_answers(address: Address, scheme: str) -> None:
    uri = f"{scheme}://127.0.0.1:{closed_port()}"
    error = refused(replace(address, uri=uri, embedded=False))
    assert isinstance(error, Unreachable)
    assert uri in str(error)
    assert "NEO4J_URI" in str(error)


def test_a_host_that_does_not_exist(address: Address) -> None:
    error = refused(replace(address, uri="bolt://no.such.host.invalid:7687", embedded=False))
    assert isinstance(error, Unreachable)


@pytest.mark.parametrize(
    "uri", ["http://127.0.0.1:7474", "127.0.0.1:7687", "bolt://127.0.0.1:notaport", "nonsense", "file:///"]
)
def test_what_is_no_address(address: Address, uri: str) -> None:
    error = refused(replace(address, uri=uri, embedded=False))
    assert isinstance(error, Unreachable)
    assert uri in str(error)


def test_a_routing_context_reaches_the_driver_and_no_message(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    uri, told, driver = address.uri.replace("bolt", "neo4j", 1), [], neo4j.GraphDatabase.driver
    monkeypatch.setattr(neo4j.GraphDatabase, "driver", lambda to, **more: told.append(to) or driver(to, **more))
    with Graph.open(replace(address, uri=uri, routing="region=here")) as graph:
        assert graph.rows("schema/version")
    assert told == [f"{uri}?region=here"]
    nobody = f"neo4j://127.0.0.1:{closed_port()}"
    error: BaseException | None = refused(replace(address, uri=nobody, embedded=False, routing="token=hunter2"))
    assert str(error).startswith(f"{nobody}: no Neo4j answers")
    while error:
        assert "hunter2" not in str(error)
        error = error.__context__


def test_a_port_where_something_else_answers(address: Address) -> None:
    web = urlsplit(address.browser).netloc
    assert isinstance(refused(replace(address, uri=f"bolt://{web}", embedded=False)), Unreachable)


def test_a_server_that_is_too_old(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "OLDEST", (9999, 1))
    error = refused(address)
    assert isinstance(error, TooOld)
    assert "runs Neo4j 5.26" in str(error)


def test_the_lock_keeps_others_out_until_the_block_ends(graph: Graph, address: Address) -> None:
    with Graph.open(address) as other:
        with graph.holding("load a"):
            with pytest.raises(Busy, match=r"another command is changing the graph: load a \(process \d+"):
                other.holding("load b").__enter__()
            assert other.rows("lock/holders")[0]["purpose"] == "load a"
        with other.holding("load b"):
            pass


def test_who_may_not_see_the_other_command_is_told_that_it_waits(
    graph: Graph, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    taken = threading.Event()
    monkeypatch.setattr(door, "terminal", told.append)
    with Graph.open(address) as other:
        monkeypatch.setattr(other, "rows", lambda *_, **__: [])  # Community shows everybody all transactions

        def hold() -> None:
            with other.holding("load b"):
                taken.set()

        with graph.holding("load a"):
            monkeypatch.setattr(held_lock, "TOLD_S", 0.1)
            waiting = threading.Thread(target=hold)
            waiting.start()
            wait_for(lambda: bool(told))
            assert not taken.is_set()
        waiting.join(PATIENCE)
        assert taken.is_set()
    assert told == ["another command is changing the graph: waiting for it ..."]


def test_the_lock_is_free_after_a_failure(graph: Graph) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), graph.holding("load a"):
            raise ZeroDivisionError
    assert graph.rows("lock/holders") == []


def test_the_lock_leaves_no_trace_but_its_node(graph: Graph) -> None:
    with graph.holding("load a"):
        pass
    assert graph.rows("digest/nodes") == [{"labels": ["Lock"], "properties": {"name": "writer"}}]


def test_the_purpose_of_a_lock_is_text_and_nothing_else(graph: Graph, address: Address) -> None:
    purpose = "load x as '}) MATCH (n) DETACH DELETE n //`\n" + "y" * 1_000
    graph.write(NODES, n=1)
    with Graph.open(address) as other, graph.holding(purpose):
        with pytest.raises(Busy) as caught:
            other.holding("load b").__enter__()
        assert "\n" not in str(caught.value)
    assert graph.rows("schema/counts")[0]["nodes"] == 2


def test_rows_read_after_a_state_are_of_that_state(graph: Graph) -> None:
    """The server counts a large transaction before others can read all that it wrote; what is kept would be out of date."""
    graph.write(parse("made", "UNWIND range(1, 60000) AS i CREATE (:Made {v: 0})"))
    graph.write(parse("last", "CREATE (:Last {v: 0})"))
    ended = threading.Event()

    def write() -> None:
        try:
            with Graph.open(graph.address) as other:
                for number in (1, 2, 3):
                    text = f"MATCH (n:Made) SET n.v = {number} WITH count(n) AS n MATCH (q:Last) SET q.v = {number}"
                    other.write(parse("more", text))
        finally:
            ended.set()

    seen: dict[str, set[int]] = {}
    writing = threading.Thread(target=write)
    writing.start()
    while not ended.is_set():
        state = graph.state()
        [row] = graph.rows(parse("read", "MATCH (q:Last) RETURN q.v AS v"))
        if graph.state() == state:
            seen.setdefault(state, set()).add(row["v"])
    writing.join()
    assert len(seen) > 1
    assert all(len(values) == 1 for values in seen.values()), seen

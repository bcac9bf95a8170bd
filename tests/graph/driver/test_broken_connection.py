"""A connection that breaks in the middle of a load: it goes on, or ends in one line and can be run again, to the same graph."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import Busy
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.driver import attempts, held_lock
from harmgraph.graph.records import Statement, Target
from harmgraph.graph.statements import parse
from tests.support.commands import command
from tests.support.filling import fill
from tests.support.processes import wait_for
from tests.support.proxy import Proxy

NODES = parse("nodes", "UNWIND range(1, $n) AS n MERGE (m:Lock {name: 'n' + n}) RETURN count(m) AS count")
PARTS = parse(
    "parts",
    "UNWIND range(1, $n) AS n CALL (n) { MERGE (m:Lock {name: 'n' + n}) } IN TRANSACTIONS OF 100 ROWS RETURN count(*) AS count",
)
LOAD = ("load", "triples", "--source", "kb", "--no-progress")
LINES = 45_000  # several batches


@pytest.fixture
def way(address: Address, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """The run's server as one of the user's own, reached through something that breaks."""
    with Proxy(urlsplit(address.uri).port or 0) as proxy:
        monkeypatch.setenv("NEO4J_URI", f"bolt://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NEO4J_PASSWORD", address.password)
        yield proxy


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kb") / "kb.tsv"
    rows = (f"thing {n % 3_000}\tRelatedTo\tplace {n % 2_999}\n" for n in range(LINES))
    path.write_text("nurse\tIsA\tkind person\n" + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(connection: Graph, kb: Path) -> str:
    """The digest of the graph after a load that nothing disturbed."""
    connection.autocommit("schema/wipe")
    assert main([LOAD[0], LOAD[1], str(kb), *LOAD[2:]]) == 0
    return digest(connection)


def loading(kb: Path) -> subprocess.Popen[str]:
    return command(LOAD[0], LOAD[1], str(kb), *LOAD[2:])


def in_the_middle(way: Proxy, load: subprocess.Popen[str]) -> None:
    """Waits until some of the rows have been sent."""
    wait_for(lambda: way.sent > 1_000_000, load)


@pytest.mark.parametrize("how", ["cut", "stall"])
def test_a_load_goes_on(how: str, undisturbed: str, graph: Graph, kb: Path, way: Proxy) -> None:
    load = loading(kb)
    in_the_middle(way, load)
    getattr(way, how)()
    time.sleep(2)
    assert load.poll() is None, "it did not wait for the connection"
    way.mend()
    _, said = load.communicate(timeout=120)
    assert load.returncode == 0, said
    assert digest(graph) == undisturbed
    assert graph.rows("lock/holders") == []


def test_the_lock_is_taken_again_before_the_next_write(
    graph: Graph, way: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_lock, "CHECK_S", 0.0)
    with Graph.open() as ours, ours.holding("load a"):
        assert [row["purpose"] for row in graph.rows("lock/holders")] == ["load a"]
        way.cut()
        way.mend()
        wait_for(lambda: graph.rows("lock/holders") == [])
        ours.write(NODES, n=3)
        assert [row["purpose"] for row in graph.rows("lock/holders")] == ["load a"]
    assert graph.rows("lock/holders") == []


def test_another_command_that_took_the_lock_meanwhile_keeps_it(
    graph: Graph, way: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_lock, "CHECK_S", 0.0)
    with Graph.open() as ours, pytest.raises(Busy, match="another command is changing the graph: load b"):  # noqa: SIM117
        with ours.holding("load a"):
            way.cut()
            way.mend()
            wait_for(lambda: graph.rows("lock/holders") == [])
            with graph.holding("load b"):
                ours.write(NODES, n=3)
    assert graph.rows("schema/counts")[0]["nodes"] == 1, "it wrote without the lock"


def test_a_lock_whose_loss_the_server_has_not_noticed_does_not_keep_its_owner_out(
    graph: Graph, way: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_lock, "CHECK_S", 0.0)
    with Graph.open() as ours, ours.holding("load a"):
        way.lose()
        ours.write(NODES, n=3)
        assert len(graph.rows("lock/holders")) >= 1
    assert graph.rows("schema/counts")[0]["nodes"] == 4


@pytest.mark.parametrize(
    "read",
    [Graph.state, lambda graph: graph.rows("schema/counts"), lambda graph: graph.frame("schema/counts").to_dict()],
    ids=["state", "rows", "frame"],
)
def test_what_reads_waits_for_a_way_that_is_mended(
    graph: Graph, way: Proxy, read: Callable[[Graph], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "FIRST_S", 0.05)
    with Graph.open() as ours, ThreadPoolExecutor(1) as beside:
        expected = read(ours)
        way.cut()
        again = beside.submit(read, ours)
        time.sleep(1)  # longer than the first attempts take
        assert not again.done()
        way.mend()
        assert again.result(60) == expected


def test_a_session_that_ends_after_a_break_is_no_error(graph: Graph, way: Proxy) -> None:
    with Graph.open() as ours, ours.holding("load a"):
        way.cut()
        way.mend()
    assert graph.rows("lock/holders") == []


def test_a_statement_in_parts_goes_on_and_nothing_of_its_first_attempt_does(graph: Graph, way: Proxy) -> None:
    """The server does not notice that the connection broke, and would go on beside the second attempt."""
    count = 30_000
    with Graph.open() as ours, ThreadPoolExecutor(1) as beside:
        written = beside.submit(ours.write_in_parts, PARTS, n=count)
        wait_for(lambda: graph.rows("schema/counts")[0]["nodes"] > 200)
        assert not written.done()
        way.lose()
        assert written.result(120).rows == ({"count": count},)
    assert graph.rows("schema/counts")[0]["nodes"] == count


def test_targets_are_linked_by_statements_that_are_tried_again(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def once(*_: object, **__: object) -> None:
        pytest.fail("a statement that is not tried again")

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "autocommit", once)
        fill(graph, Target("nurse", "profession"), Statement("A nurse cares.", "nurse"))
        assert linker.link(graph) == linker.Links(0, 1)

"""The offline bulk load gives the graph of the Bolt load, or leaves what was there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import psutil
import pytest

from harmgraph.common.errors import (
    GraphError,
    InputError,
    StartFailed,
    StoreNotEmpty,
    TooManyRejects,
    UnreadableFile,
)
from harmgraph.common.lock import is_held
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.driver.held_lock import HeldLock
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import folder, lock_file
from harmgraph.graph.writing import bulk_import
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import bulk, default_targets, pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.exclusion import read_exclusion
from harmgraph.loader.reading.plan import Plan
from tests.support import sbic, wikidata_sample
from tests.support.processes import children_of, named, wait_for, wait_until_gone

pytestmark = pytest.mark.first
LONG = pytest.mark.long
"""Of the formats, a graph of triples and one of posts are enough in a short run."""

MANY = 9_000
CONCEPTNET = """\
/a/1\t/r/IsA\t/c/en/lawyer\t/c/en/liar\t{"weight": 1.5, "dataset": "/d/x", "surfaceText": "a \\"x\\"\\nis, a"}
/a/[/r/IsA/,/c/en/lawyer/n/,/c/en/liar/]\t/r/IsA\t/c/en/lawyer/n\t/c/en/liar\t{"weight": 1.0}
/a/[/r/CapableOf/,/c/en/muslim/,/c/en/pray/]\t/r/CapableOf\t/c/en/muslim\t/c/en/pray\t{"weight": 2.0}
/a/[/r/CapableOf/,/c/en/muslim/,/c/en/pray/]\t/r/CapableOf\t/c/en/muslim\t/c/en/pray\t{"weight": 3.0}
/a/[/r/IsA/,/c/fr/avocat/,/c/fr/homme/]\t/r/IsA\t/c/fr/avocat\t/c/fr/homme\t{"weight": 1.0}
"""
TRIPLES = """\
lawyer\tIsA\tliar\t1
the "good"\tIs A\tcaf\u00e9, noir\t0.5
lawyer\t/r/IsA\tliar\t7
lawyer\tIsA\tliar\t2
a\x0bb\tRelatedTo\tc\rd\t-1e-5
x\tRelatedTo\tx\t3
"""
GENERICS = (
    'lawyer\tLawyers, "all" of them, lie.\nlawyer\tLawyers, "all" of them, lie.\nlama\tA lama spits.\n\tNobody.\n'
)
FREEBASE = "".join(f"/m/{number % 90}\t/a/b\t/m/{number % 45}\n" for number in range(400))
FREEBASE_NAMES = "".join(f'/m/{number}\tname "{number % 7}"; \r\u00e9\n' for number in (*range(200), *range(20)))
EXCLUDED = {
    "conceptnet": "/a/1\n/a/nothing\n",
    "freebase": "/m/3\t/a/b\t/m/3\n",
    "wikidata-json": "-STATEMENT\tQ42$31\n",
}
"""What some loads leave out, as ``load --exclude``."""
FAR_APART = "".join(f"head {number % 90}\tIsA\ttail {number % 45}\t{number}\n" for number in range(400))


@pytest.fixture(scope="module")
def own_home(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A server of this module's own: it is stopped and started, and its ports may change."""
    made = tmp_path_factory.mktemp("bulk home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(made))
        server.start(heap="512m", page_cache="64m")
        yield made
        server.stop()


@pytest.fixture
def empty(own_home: Path) -> Path:
    with Graph.open() as own:
        own.autocommit("schema/wipe")
    return own_home


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a small file shows what a large one does."""
    monkeypatch.setattr("harmgraph.loader.reading.duplicates.RECENT", 10)
    monkeypatch.setattr("harmgraph.graph.writing.known_nodes.RECENT", 10)
    monkeypatch.setattr("harmgraph.graph.writing.known_nodes.OLDER", 30)
    monkeypatch.setattr("harmgraph.loader.loading.once_rows.WAITING", 4)
    monkeypatch.setattr("harmgraph.loader.loading.keyed_rows.WAITING", 4)
    monkeypatch.setattr("harmgraph.graph.writing.deferred_rows.WAITING", 3)


def plan_of(tmp_path: Path, importer: str, text: str, **facts: object) -> Plan:
    path = tmp_path / f"{importer}.txt"
    path.write_bytes(text.encode())
    names = tmp_path / "names.tsv"
    names.write_bytes(FREEBASE_NAMES.encode())
    options = {
        "triples": {"columns": "head,relation,tail,weight"},
        "freebase": {"names": str(names)},
        "wikidata-json": {"literals": "P569,P2048", "qualifiers": "P580,P582", "ranks": "all"},
    }.get(importer, {})
    left_out = None
    if importer in EXCLUDED:
        exclude = tmp_path / "exclude.txt"
        exclude.write_bytes(EXCLUDED[importer].encode())
        left_out = read_exclusion(exclude, importers.get(importer), (path,))
    return Plan(importers.get(importer), (path,), "kb", options=options, exclusion=left_out, **facts)  # type: ignore[arg-type]


def by_bolt(graph: Graph, plan: Plan) -> tuple[str, LoadReport]:
    default_targets.ensure(graph)
    report = pipeline.load(graph, plan)
    return digest(graph), report


def digest_now() -> str:
    with Graph.open() as own:
        return digest(own)


def left_over(home: Path) -> list[Path]:
    data = folder() / "data"
    return [*home.glob("bulk-*"), *data.glob("*/harmgraph-*")]


@pytest.mark.parametrize(
    ("importer", "text", "keep_duplicates"),
    [
        ("conceptnet", CONCEPTNET, False),
        pytest.param("triples", TRIPLES + FAR_APART, False, marks=LONG),
        pytest.param("genericskb", GENERICS, True, marks=LONG),
        ("sbic", sbic.table(), False),
        pytest.param("wikidata-json", wikidata_sample.dump(*wikidata_sample.EVERY), False, marks=LONG),
        pytest.param("freebase", FREEBASE, True, marks=LONG),
    ],
)
def test_same_graph_as_the_bolt_load(
    graph: Graph, empty: Path, tmp_path: Path, importer: str, text: str, keep_duplicates: bool
) -> None:
    plan = plan_of(tmp_path, importer, text, keep_duplicates=keep_duplicates)
    expected, over_bolt = by_bolt(graph, plan)
    report = bulk.load_in_bulk(plan)
    assert digest_now() == expected
    assert report.in_graph > 0
    assert bool(report.exclude_lines > report.exclude_unmatched) == (importer in EXCLUDED)
    same = (
        "exclude_unmatched",
        "skipped",
        "read",
        "records",
        "named",
        "duplicates",
        "in_graph",
        "added",
        "names",
        "entities",
        "about",
        "no_target",
    )
    for name in (*same, "import_id"):
        assert getattr(report, name) == getattr(over_bolt, name), name
    assert left_over(empty) == []
    with Graph.open() as own:
        again = pipeline.load(own, plan)
        assert digest(own) == expected
    assert (report.unchanged, again.unchanged, again.added, again.removed) == (False, True, 0, 0)


@LONG
def test_the_same_files_in_bulk_again_are_unchanged(empty: Path, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "triples", TRIPLES)
    first = bulk.load_in_bulk(plan)
    again = bulk.load_in_bulk(plan, replace=True)
    assert (first.unchanged, first.added) == (False, first.in_graph)
    assert (again.unchanged, again.added, again.in_graph) == (True, 0, first.in_graph)
    other = bulk.load_in_bulk(plan_of(tmp_path, "triples", TRIPLES + "z\tIsA\tz\t1\n"), replace=True)
    assert (other.unchanged, other.added) == (False, other.in_graph)


@pytest.mark.long
def test_what_stands_is_not_lost_unasked_and_a_killed_load_goes_on(
    graph: Graph, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Graph.open() as own:
        default_targets.ensure(own)
        pipeline.load(own, plan_of(tmp_path, "genericskb", GENERICS))
    before = digest_now()
    plan = plan_of(tmp_path, "triples", TRIPLES, keep_duplicates=True)
    with pytest.raises(StoreNotEmpty, match=r"3 Statement.*--replace"):
        bulk.load_in_bulk(plan)
    assert digest_now() == before

    class Killed(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("harmgraph.graph.contents.linker.link", kill)
        with pytest.raises(Killed):
            bulk.load_in_bulk(plan, replace=True)
    with pytest.raises(StoreNotEmpty):
        bulk.load_in_bulk(plan_of(tmp_path, "genericskb", GENERICS))
    bulk.load_in_bulk(plan)
    assert digest_now() == by_bolt(graph, plan)[0]


@pytest.mark.long
def test_no_command_gets_between_the_new_store_and_its_completion(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that waits for the server finds the lock of commands that write taken when it is let in."""
    asked: list[tuple[bool, bool]] = []
    holders: list[list[str]] = []
    holding, ensure = Graph.holding, default_targets.ensure

    def noting(graph: Graph, purpose: str) -> AbstractContextManager[HeldLock]:
        asked.append((server.running() is not None, is_held(lock_file())))
        return holding(graph, purpose)

    def looking(graph: Graph, *, held: bool = False) -> None:
        with Graph.open() as other:
            holders.append([row["purpose"] for row in other.rows("lock/holders")])
        ensure(graph, held=held)

    monkeypatch.setattr(Graph, "holding", noting)
    monkeypatch.setattr(default_targets, "ensure", looking)
    bulk.load_in_bulk(plan_of(tmp_path, "triples", TRIPLES))
    assert asked == [(True, False), (False, True)], "the second time nobody else finds the server, nor may start it"
    assert holders == [["load triples as kb"]]
    status = server.status()
    assert (status.heap, status.page_cache) == (512 << 20, 64 << 20)


def test_a_target_of_the_users_is_not_lost_unasked(empty: Path, tmp_path: Path) -> None:
    targets = tmp_path / "mine.csv"
    targets.write_text("name,category\nbisexual,orientation\n")
    with Graph.open() as own:
        pipeline.load(own, Plan(importers.get("targets"), (targets,), "mine"))
    with pytest.raises(StoreNotEmpty, match="1 Target"):
        bulk.load_in_bulk(plan_of(tmp_path, "triples", TRIPLES))


def test_a_server_of_the_users_own_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://192.0.2.1:7687")
    with pytest.raises(GraphError, match="unset NEO4J_URI"):
        bulk.load_in_bulk(plan_of(tmp_path, "triples", TRIPLES))


def test_a_target_list_is_refused(empty: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without --bulk"):
        bulk.load_in_bulk(plan_of(tmp_path, "targets", "name,category\nbisexual,orientation\n"))


@pytest.mark.parametrize(
    ("plan_facts", "text", "error"),
    [({"expect": 100}, TRIPLES, UnreadableFile), ({}, "only one column\n", TooManyRejects)],
)
def test_bad_files_leave_the_server_running_and_no_files(
    empty: Path, tmp_path: Path, plan_facts: dict[str, int], text: str, error: type[Exception]
) -> None:
    with Graph.open() as own:
        default_targets.ensure(own)
    before = digest_now()
    with pytest.raises(error):
        bulk.load_in_bulk(plan_of(tmp_path, "triples", text, **plan_facts))
    assert server.running()
    assert digest_now() == before
    assert left_over(empty) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("nodes", "edges"),
    [('"twice"\n"twice"\n', ""), ('"one"\n', '"one","IS_A","nobody"\n')],
    ids=["a node that is there twice", "an edge without an end"],
)
def test_an_importer_that_fails_leaves_the_old_store(empty: Path, tmp_path: Path, nodes: str, edges: str) -> None:
    """A row that it could leave out is an error: nothing may be missing from the new store."""
    before = digest_now()
    tables = []
    for label, header, rows in (
        ("Concept", "key:ID(Concept)", nodes),
        ("", ":START_ID(Concept),:TYPE,:END_ID(Concept)", edges),
    ):
        files = tmp_path / f"{label}.header.csv", tmp_path / f"{label}.csv"
        for file, text in zip(files, (f"{header}\n", rows), strict=True):
            file.write_text(text)
        tables.append(bulk_import.CsvTable(label, files[0], (files[1],)))
    with pytest.raises(StartFailed, match="database import ended with exit code"):
        bulk_import.replace_store(tables, tmp_path / "import.report")
    assert server.running()
    assert digest_now() == before
    assert left_over(empty) == []


def _loading(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "harmgraph", "load", "triples", str(path), "--source", "kb", "--bulk"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)


def _importers_of(child: subprocess.Popen[str]) -> list[psutil.Process]:
    """The children of a load that builds a store, once Neo4j's importer is among them."""
    while True:
        at_work = children_of(child.pid)
        if named(at_work, bulk_import.BESIDE):
            return at_work
        assert child.poll() is None, child.communicate()[1]
        time.sleep(0.02)


@pytest.mark.long
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_in_the_middle_of_the_import(graph: Graph, empty: Path, tmp_path: Path, signal_number: int) -> None:
    """Ctrl-C reaches all processes of the terminal; kill -9 the command alone, and Neo4j's importer ends with it."""
    path = tmp_path / "many.tsv"
    path.write_text("".join(f"head {number}\tIsA\ttail {number % 999}\n" for number in range(MANY)))
    plan = Plan(importers.get("triples"), (path,), "kb")
    child = _loading(path)
    if signal_number == signal.SIGINT:
        beside = folder() / "data" / "databases" / bulk_import.BESIDE
        wait_for(beside.exists, child)
        os.killpg(child.pid, signal_number)
    else:
        at_work = _importers_of(child)
        child.kill()
        wait_until_gone(*at_work)
    said = child.communicate(timeout=120)[1]
    if signal_number == signal.SIGINT:
        assert "Traceback" not in said
        assert server.running()
        assert left_over(empty) == []
        return
    report = bulk.load_in_bulk(plan)
    assert report.in_graph == MANY
    assert digest_now() == by_bolt(graph, plan)[0]
    assert left_over(empty) == []

"""A full disk does not destroy the graph: on a small file system of its own, by a limit of files, and with a log that is cut."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from harmgraph.common.errors import DatabaseFailed, GraphError, LogDamaged, NoSpace
from harmgraph.graph.address import Address
from harmgraph.graph.backup import recovery
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.driver.refusal import refusal
from harmgraph.graph.server import failures as server_failures
from harmgraph.graph.server import server
from harmgraph.graph.server import space as store_space
from harmgraph.graph.server.folder import debug_log, folder, unfinished_recovery
from harmgraph.graph.server.memory import MIB
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import bulk, default_targets, pipeline
from harmgraph.loader.loading.room import check_room
from harmgraph.loader.reading.plan import Plan
from tests.support.generated import write_triples
from tests.support.loaded import relationships

pytestmark = pytest.mark.long

LINES = 16_000
SIZE = "320m"
MANY = parse(
    "many", "UNWIND range(1, 10000000) AS i CALL (i) { CREATE (:Lock {name: 'many' + i}) } IN TRANSACTIONS OF 2000 ROWS"
)
PADDING = parse("padding", "MERGE (n:Lock {name: 'padding'}) SET n.text = $text")
NO_PADDING = parse("no padding", "MATCH (n:Lock {name: 'padding'}) DELETE n")
MADE = parse("made", "MATCH (n:Lock) WHERE n.name STARTS WITH 'many' RETURN count(n) AS nodes")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small file system of its own."""
    place = tmp_path_factory.mktemp("disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture(scope="module")
def small_home(disk: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(disk / "home"))
        patch.setenv("HARMGRAPH_HEAP", "400m")
        patch.setenv("HARMGRAPH_PAGECACHE", "64m")
        patch.setattr(server, "FULL_S", 2)  # seconds that a stop waits for room before it says so
        yield disk / "home"
        (disk / "filler").unlink(missing_ok=True)
        server.stop()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_triples(tmp_path_factory.mktemp("files") / "kb.tsv", LINES)


@pytest.fixture(scope="module")
def undisturbed(small_home: Path, file: Path) -> str:
    """Digest of a load that nobody disturbed."""
    with Graph.open() as graph:
        load(graph, file)
        return digest(graph)


@pytest.fixture
def small(undisturbed: str) -> Iterator[Graph]:
    """An empty graph on the small file system."""
    with Graph.open() as graph:
        graph.autocommit("schema/wipe")
        yield graph


def load(graph: Graph, path: Path) -> None:
    default_targets.ensure(graph)
    pipeline.load(graph, Plan(importers.get("triples"), (path,), "kb"))


@contextmanager
def filled(disk: Path, leave: int = 0) -> Iterator[None]:
    """Another program's file fills the disk."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as out:
        while (size := store_space.free(disk) - leave) > 0:
            try:
                os.posix_fallocate(out.fileno(), 0, os.fstat(out.fileno()).st_size + size)
            except OSError as error:  # the server wrote since its room was counted
                if error.errno != errno.ENOSPC:
                    raise
            else:
                break
    try:
        yield
    finally:
        filler.unlink()


def unhurt() -> bool:
    return "Database panic" not in debug_log().read_text(encoding="utf-8")


def test_no_file_grows_beyond_the_limit_of_the_server_s_process(small: Graph) -> None:
    # While the log is short: a checkpoint under this limit would hurt the server, which is what the check is there for.
    process = psutil.Process(server.status().pid)
    before = process.rlimit(psutil.RLIMIT_FSIZE)
    process.rlimit(psutil.RLIMIT_FSIZE, (4 * MIB, before[1]))
    try:
        with Graph.open() as limited, pytest.raises(NoSpace, match=r"no file may grow beyond 4 MiB \(ulimit -f\)"):
            limited.write("lock/make")
    finally:
        process.rlimit(psutil.RLIMIT_FSIZE, before)
    assert unhurt()


def test_files_that_will_surely_not_fit_are_refused_before_anything_is_written(
    small: Graph, disk: Path, tmp_path: Path
) -> None:
    large = tmp_path / "large.tsv"
    large.write_bytes(write_triples(tmp_path / "part.tsv", 40_000).read_bytes() * 120)
    plan = Plan(importers.get("triples"), (large,), "large")
    check_room(plan)
    with filled(disk, leave=store_space.MARGIN + MIB):
        with pytest.raises(
            NoSpace, match=r"large\.tsv will not fit: 1 MiB free for the graph, at least \d+ MiB needed"
        ):
            pipeline.load(small, plan)
        with pytest.raises(NoSpace, match="will not fit"):
            bulk.load_in_bulk(plan, replace=True)
        assert sources.names(small) == []


def test_a_stop_and_a_start_on_a_full_disk_are_one_line(small: Graph, disk: Path, file: Path, undisturbed: str) -> None:
    # While the store is small: later what the stop has to write has its room in the store's files.
    load(small, file)
    with filled(disk), pytest.raises(NoSpace, match="it ends as soon as there is room"):
        server.stop()
    assert server.stop() or server.running() is None
    with filled(disk), pytest.raises(NoSpace, match=r"0 MiB free, \d+ MiB needed to start Neo4j"):
        server.start()
    with Graph.open() as graph:
        assert digest(graph) == undisturbed


def test_a_write_is_refused_and_statistics_read_on_a_full_disk(small: Graph, disk: Path, file: Path) -> None:
    load(small, file)
    stands = relationships(small)
    with filled(disk):
        assert store_space.free(disk) == 0
        # Blocks that were kept for a large statement of the load serve small ones first.
        with pytest.raises(
            NoSpace, match=r"nearly full: 0 MiB free, \d+ MiB needed; .*; make room and run the same command"
        ):
            for _ in range(100):
                small.write(PADDING, text=random.randbytes(500_000).hex())
        with pytest.raises(NoSpace, match="nearly full"):
            small.autocommit("schema/wipe")
        with pytest.raises(NoSpace, match="nearly full"):
            sources.drop(small, "kb")
        assert relationships(small) == stands
        assert small.frame("statistics/coverage").shape[0] > 0
    small.write(NO_PADDING)
    assert unhurt()


def test_one_statement_of_many_transactions_is_ended_before_the_disk_is_full(small: Graph, disk: Path) -> None:
    with filled(disk, leave=100 * MIB):
        with pytest.raises(NoSpace, match="nearly full"):
            small.autocommit(MANY)
        assert store_space.free(disk) > 0
        made = small.rows(MADE)[0]["nodes"]
    assert 0 < made < 10_000_000
    assert made % 2_000 == 0
    assert unhurt()


def test_a_load_whose_disk_another_program_fills_stops_unhurt_and_run_again_is_whole(
    small: Graph, disk: Path, file: Path, undisturbed: str
) -> None:
    nearly_fill_the_log_file(small)  # in the middle of the load the server begins the next one
    first = newest_log()
    over = threading.Event()
    full = filled(disk)

    def fill() -> None:
        with Graph.open() as other:
            while not relationships(other) and not over.is_set():
                time.sleep(0.01)
        with full:
            over.wait(120)

    other_program = threading.Thread(target=fill)
    other_program.start()
    try:
        with pytest.raises(NoSpace, match="make room and run the same command again"):
            load(small, file)
        assert relationships(small) >= 0  # it still answers
    finally:
        over.set()
        other_program.join()
    assert unhurt()
    assert sources.facts(small, "kb")["state"] == "loading"
    load(small, file)
    assert digest(small) == undisturbed
    assert newest_log() != first


def test_the_file_made_for_the_next_part_of_the_log_does_not_keep_the_server_from_starting(
    small: Graph, file: Path, undisturbed: str
) -> None:
    load(small, file)
    nearly_fill_the_log_file(small)
    small.write("lock/make")
    assert store_space._next(newest_log()).stat().st_size == 0
    server.stop()
    assert not store_space._next(newest_log()).exists()
    with Graph.open() as graph:
        nearly_fill_the_log_file(graph)
        graph.write("lock/make")
    made = store_space._next(newest_log())
    assert made.stat().st_size == 0
    kill()
    with Graph.open() as graph:
        assert digest(graph) == undisturbed


def test_a_log_that_is_cut_is_told_and_recovered(
    small: Graph, small_home: Path, disk: Path, file: Path, undisturbed: str
) -> None:
    server.stop()  # a checkpoint: what follows stands in the log alone
    with Graph.open() as graph:
        load(graph, file)
        before = log_end()
        load_other(graph, file)
    kill()
    path = newest_log()
    with path.open("r+b") as log:
        log.seek((before + path.stat().st_size) // 2)
        log.write(b"\xff" * 64)
    with pytest.raises(LogDamaged, match="'harmgraph db recover' keeps a copy"):
        server.start()
    assert recovery.needs_it()

    with filled(disk, leave=8 * MIB), pytest.raises(NoSpace, match="a copy of the store is kept first"):
        recovery.recover()
    assert not unfinished_recovery().exists()

    def interrupted(line: str) -> None:
        if "letting Neo4j read" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recovery.recover(interrupted)
    with pytest.raises(LogDamaged, match="begun and not finished"):
        server.start()
    assert recovery.needs_it()

    done = recovery.recover()
    assert list(small_home.glob(f"{recovery.COPY}*")) == [Path(done.copy)]
    copied = Path(done.copy) / "data" / path.relative_to(folder() / "data")
    assert b"\xff" * 64 in copied.read_bytes()
    assert {left.source: left.state for left in done.sources}["kb"] == "complete"
    assert not recovery.needs_it()
    with Graph.open() as graph:
        load_other(graph, file)
        sources.drop(graph, "other")
        load(graph, file)
        assert digest(graph) == undisturbed


def kill() -> None:
    process = psutil.Process(server.status().pid)
    process.kill()
    process.wait()


def newest_log() -> Path:
    return store_space._log_files()[-1][0]


def nearly_fill_the_log_file(graph: Graph) -> None:
    """Writes until the server is about to begin the next file of its log, in small steps at the end."""
    while not MIB < (left := store_space.ROTATION - log_end()) < 2 * MIB:
        graph.write(PADDING, text=random.randbytes(25_000 if MIB < left < 6 * MIB else 250_000).hex())
    graph.write(NO_PADDING)


def log_end() -> int:
    return newest_log().stat().st_size


def load_other(graph: Graph, file: Path) -> None:
    pipeline.load(graph, Plan(importers.get("triples"), (file,), "other"))


EMBEDDED = Address("bolt://127.0.0.1:1", "neo4j", "", "neo4j", "", True)


def own(code: str, message: str, *, embedded: bool = True) -> Exception:
    """What becomes of an error of the server."""
    from dataclasses import replace

    import neo4j

    error = neo4j.exceptions.Neo4jError._hydrate_neo4j(code=code, message=message)
    return refusal(error, replace(EMBEDDED, embedded=embedded))


UNAVAILABLE = "Neo.TransientError.General.DatabaseUnavailable"
NOT_AVAILABLE = "The database is not currently available to serve your request, refer to the database logs."
CRITICAL = "The database has encountered a critical error, and needs to be restarted."


@pytest.mark.parametrize(
    ("log", "kind", "remedy"),
    [
        ("java.io.IOException: No space left on device", NoSpace, "make room, run 'harmgraph db stop'"),
        ("java.io.IOException: File too large", NoSpace, "make room, run 'harmgraph db stop'"),
        ("Error reading transaction logs, recovery not possible.", LogDamaged, "harmgraph db recover"),
        ("java.lang.OutOfMemoryError: Java heap space", DatabaseFailed, "harmgraph db start --heap"),
        ("Database panic: of another kind", DatabaseFailed, "harmgraph db stop"),
        ("nothing", DatabaseFailed, "harmgraph db stop"),
    ],
)
def test_errors_of_a_database_that_stopped_name_the_log_and_the_remedy(
    log: str, kind: type[Exception], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    debug_log().parent.mkdir(parents=True)
    debug_log().write_text(
        f"Logging config in use: old\njava.lang.OutOfMemoryError\nLogging config in use: new\n{log}\n", encoding="utf-8"
    )
    for code, message in ((UNAVAILABLE, NOT_AVAILABLE), ("Neo.DatabaseError.General.UnknownError", CRITICAL)):
        error = own(code, message)
        assert isinstance(error, kind)
        assert str(debug_log()) in str(error)
        assert remedy in str(error)
        assert "\n" not in str(error)


def test_of_another_server_s_database_the_log_is_its_own() -> None:
    error = own(UNAVAILABLE, NOT_AVAILABLE, embedded=False)
    assert isinstance(error, DatabaseFailed)
    assert "the database 'neo4j' is not available; SHOW DATABASES" in str(error)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "has not enough memory"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "is read-only"),
        ("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", "is read-only"),
    ],
)
def test_a_database_without_memory_or_leave_to_write_is_one_line(code: str, told: str) -> None:
    error = own(code, "No write operations are allowed on this database.")
    assert isinstance(error, DatabaseFailed)
    assert told in str(error)


def test_a_statement_that_writes_while_it_may_only_read_is_not_taken_for_it() -> None:
    error = own("Neo.ClientError.Statement.AccessMode", "Writing in read access mode not allowed.")
    assert type(error) is GraphError


def test_a_server_that_never_failed_has_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    assert server_failures.why() is None

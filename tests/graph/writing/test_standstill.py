"""Between the last look at the graph and the end of its server no other command can change it; on the server of the run."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harmgraph.common.errors import StoreNotEmpty, Unreachable
from harmgraph.common.home import home
from harmgraph.common.lock import is_held
from harmgraph.graph.backup import backup as backups
from harmgraph.graph.backup.backup import backup
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.driver.held_lock import HeldLock
from harmgraph.graph.server import lock as lock_of_the_server
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import lock_file
from harmgraph.graph.writing import standstill
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.bulk import load_in_bulk
from harmgraph.loader.reading.plan import Plan
from tests.support.backups import write
from tests.support.filling import import_triples, triple


class Reached(Exception):
    """The server would be stopped now."""


@pytest.fixture
def held(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], bool]]:
    """Who held the lock of commands that write, and whether the server's lock was held, when the server would be stopped.

    The second entry is of when it was told to end; this one does not end and takes transactions, so the lock must stay.
    """
    found: list[tuple[list[str], bool]] = []

    def look() -> None:
        found.append(([row["purpose"] for row in graph.rows("lock/holders")], is_held(lock_file())))

    def stop(*, ending: Callable[[], None] | None = None) -> bool:
        look()
        if ending:
            ending()
        look()
        raise Reached

    monkeypatch.setattr(server, "stop", stop)
    monkeypatch.setattr(standstill, "CLOSED_S", 0.1)
    return found


def test_a_backup_holds_both_locks_from_the_digest_to_the_stop(
    held: list[tuple[list[str], bool]], graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile: list[tuple[list[str], bool]] = []

    def looking(read: Graph) -> str:
        meanwhile.append(([row["purpose"] for row in graph.rows("lock/holders")], is_held(lock_file())))
        return digest(read)

    monkeypatch.setattr(backups, "digest", looking)
    with pytest.raises(Reached):
        backup(tmp_path / "graph.backup")
    assert meanwhile == [(["db backup"], True)]
    assert held == [(["db backup"], True)] * 2
    assert list(tmp_path.iterdir()) == []
    assert graph.rows("lock/holders") == []
    assert not is_held(lock_file())


@pytest.mark.parametrize("replace", [False, True])
def test_a_restore_holds_both_locks_when_the_server_is_stopped(
    replace: bool, held: list[tuple[list[str], bool]], graph: Graph, tmp_path: Path
) -> None:
    with pytest.raises(Reached):
        restore(write(tmp_path / "graph.backup"), replace=replace)
    assert held == [(["db restore"], True)] * 2
    assert graph.rows("lock/holders") == []


def test_a_bulk_load_holds_both_locks_when_the_server_is_stopped(
    held: list[tuple[list[str], bool]], graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\n", encoding="utf-8")
    with pytest.raises(Reached):
        load_in_bulk(Plan(importers.get("triples"), (path,), "kb"), replace=True)
    assert held == [(["load triples as kb"], True)] * 2
    assert graph.rows("lock/holders") == []
    assert not is_held(lock_file())


def test_a_folder_may_be_removed_by_two_loads_at_the_same_time(
    held: list[tuple[list[str], bool]], graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that has ended removes its own folder, the one whose turn it is removes what others left."""
    left = home() / "bulk-left"
    left.mkdir()
    (left / "nodes.csv").touch()
    real = shutil.rmtree

    def both(folder: Path) -> None:
        real(folder)
        if folder == left:
            raise FileNotFoundError(2, "No such file or directory", str(folder / "nodes.csv"))

    monkeypatch.setattr(shutil, "rmtree", both)
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\n", encoding="utf-8")
    with pytest.raises(Reached):
        load_in_bulk(Plan(importers.get("triples"), (path,), "kb"), replace=True)
    assert list(home().glob("bulk-*")) == []


def ways(folder: Path) -> dict[str, Callable[[], object]]:
    """All that stop the server while they hold the lock of commands that write."""
    folder.mkdir()
    (folder / "kb.tsv").write_text("lawyer\tIsA\tliar\n", encoding="utf-8")
    return {
        "backup": lambda: backup(folder / "made.backup"),
        "restore": lambda: restore(write(folder / "graph.backup"), replace=True),
        "bulk": lambda: load_in_bulk(Plan(importers.get("triples"), (folder / "kb.tsv",), "kb"), replace=True),
    }


@pytest.mark.parametrize("first", ["backup", "restore", "bulk"])
@pytest.mark.parametrize("second", ["backup", "restore", "bulk"])
def test_two_that_begin_in_the_same_instant_do_not_wait_for_each_other(
    first: str, second: str, held: list[tuple[list[str], bool]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen that nobody writes; one is quicker. It needs the server's lock too, which the other must not hold."""
    taken, real = threading.Event(), HeldLock.take
    both = threading.Barrier(2, timeout=60)

    def take(lock: HeldLock) -> None:
        both.wait()
        if threading.current_thread().name == "second":
            assert taken.wait(60)
        real(lock)
        taken.set()

    monkeypatch.setattr(HeldLock, "take", take)
    monkeypatch.setattr(lock_of_the_server, "WAIT_S", 5)
    errors: dict[str, BaseException] = {}

    def run(way: str) -> None:
        try:
            ways(tmp_path / threading.current_thread().name)[way]()
        except BaseException as error:  # noqa: BLE001 - of another thread
            errors[threading.current_thread().name] = error

    threads = [
        threading.Thread(target=run, args=(way,), name=name) for way, name in ((first, "first"), (second, "second"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {name: type(error) for name, error in errors.items()} == {"first": Reached, "second": Reached}
    assert len(held) == 4
    assert all(purposes and locked for purposes, locked in held)


def test_what_was_loaded_after_the_first_look_is_not_lost(
    held: list[tuple[list[str], bool]], graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Graph.holding

    @contextmanager
    def holding(waiting: Graph, purpose: str) -> Iterator[HeldLock]:
        import_triples(graph, triple("lawyer", "IsA", "liar"))  # another command was quicker
        with real(waiting, purpose) as lock:
            yield lock

    monkeypatch.setattr(Graph, "holding", holding)
    with pytest.raises(StoreNotEmpty, match="the graph is not empty"):
        restore(write(tmp_path / "graph.backup"))
    assert held == []


def test_the_lock_is_given_back_once_the_database_takes_no_transaction(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neo4j would wait ten seconds for the lock's own."""

    def stop(*, ending: Callable[[], None]) -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(Graph, "stream", refused)
            ending()
        assert graph.rows("lock/holders") == []
        return True

    def refused(*_: object) -> Iterator[list[object]]:
        from harmgraph.common.errors import DatabaseFailed

        raise DatabaseFailed("stopped")

    monkeypatch.setattr(server, "stop", stop)
    with graph.holding("db backup") as lock:
        standstill.stop_while_held(graph, lock)


def test_a_server_that_has_ended_meanwhile_is_told_in_one_line(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: HeldLock, *, surely: bool) -> None:
        from neo4j.exceptions import ServiceUnavailable

        raise ServiceUnavailable("Couldn't connect")

    monkeypatch.setattr(HeldLock, "keep", gone)
    with pytest.raises(Unreachable, match="no Neo4j answers; start it with"), graph.holding("db backup") as lock:
        standstill.stop_while_held(graph, lock)

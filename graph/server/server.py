"""The embedded server: Neo4j Community on the loopback interface, started on demand, one for each harmgraph home.

It outlives the command that started it. After the server or a command was killed with ``kill -9``, the next start cleans up
what is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harmgraph.common.errors import NoSpace, ServerError
from harmgraph.common.no_space import user_name, writing
from harmgraph.common.progress import Tell, bar, progress, quiet, terminal
from harmgraph.common.whole_file import delete, finish_moves
from harmgraph.graph.address import Address, from_environment
from harmgraph.graph.server import class_archive, distribution, failures, password, space
from harmgraph.graph.server import state as server_state
from harmgraph.graph.server.admin_tool import admin, admin_input, admin_output
from harmgraph.graph.server.folder import folder, of_restores, password_file, restore_note
from harmgraph.graph.server.launch import embedded, launch
from harmgraph.graph.server.lock import held
from harmgraph.graph.server.memory import MIB, memory
from harmgraph.graph.server.ports import answers
from harmgraph.graph.server.store import check_version, delete_store, store_bytes

if TYPE_CHECKING:
    import psutil

__all__ = [
    "Restart",
    "Status",
    "address",
    "admin",
    "admin_input",
    "admin_output",
    "as_before",
    "offline",
    "reset",
    "running",
    "start",
    "status",
    "stop",
]

STOP_S = 90
FULL_S = 10  # on a full disk a stop lasts until there is room
START_ROOM = 4 * MIB


class Restart(Protocol):
    """Starts a stopped server again, with the memory it had."""

    def __call__(self, first: Callable[[Address], None] | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Status:
    """What ``db status`` shows.

    Attributes:
        uri, browser: addresses, empty if no server runs.
        pid: 0 if no server runs.
        store_bytes: size of the store on disk, in bytes.
        heap, page_cache: bytes, of the running server; 0 if none runs.
    """

    running: bool
    version: str
    uri: str
    browser: str
    pid: int
    home: str
    store_bytes: int
    heap: int
    page_cache: int


def address(tell: Tell = terminal) -> Address:
    """The user's own server if ``NEO4J_URI`` is set, otherwise the embedded one, which is started if necessary.

    Raises:
        InputError: ``NEO4J_URI`` cannot be used.
        ServerError: as for ``start``.
    """
    return from_environment() or start(tell=tell)


def start(
    heap: str = "",
    page_cache: str = "",
    tell: Tell = terminal,
    settings: Mapping[str, str] | None = None,
    *,
    with_us: bool = False,
    first: Callable[[Address], None] | None = None,
) -> Address:
    """The address of the running server; starts it if it does not run.

    Args:
        heap, page_cache: sizes such as ``2g``, see ``graph.server.memory``; ignored if the server is already running.
        tell: called with a line for the user before something takes long; with ``quiet`` no progress is shown either.
        settings: Neo4j settings for this start only, used by a recovery (``graph.backup.recovery``); an unfinished recovery is
            then no error.
        with_us: whether it ends with this process, as the server that tries a restored store does.
        first: called when the server answers, before any other command can find it; not if it is already running.

    Raises:
        StartFailed: with the server's own last lines.
        LogDamaged: the store does not open, or a recovery of it was not finished.
        OtherNeo4j: another major version of Neo4j wrote the store.
        ServerLocked: another command has been starting or stopping it for minutes.
        DigestMismatch: a jar is not the one that was pinned.
        NoSpace: the folder cannot be written.
        InputError: a size that cannot be read.
    """
    there = running()
    if there:
        return there
    with bar(tell is not quiet), held(tell):
        there = running()
        if there:
            return there
        with writing(restore_note()):
            finish_moves(restore_note())  # of a restore or a bulk load that was killed at its very end
            for place in of_restores():
                delete(place)  # of a restore that was killed before
        if settings is None:
            failures.check_recovered()
        check_version()
        size = memory(heap, page_cache)
        left = _process()
        if left:
            # We hold the lock, so the command that was starting or stopping this server was killed.
            tell("ending a Neo4j that a killed command left behind ...")
            progress("ending a Neo4j that a killed command left behind", 0)
            _end(left, STOP_S)
        jars = distribution.jars(tell)
        space.release()
        _check_room()
        tell("starting Neo4j ...")
        return launch(jars, size, settings, with_us=with_us, first=first)


def _check_room() -> None:
    """Checks the disk space for a start: the server writes its log and, after a kill, what it replays from the transaction log.

    Raises:
        NoSpace: there is too little; the server might not start, or only in part.
    """
    killed = server_state.read() is not None  # a clean stop deletes it
    wanted = START_ROOM + (space.log_bytes() if killed else 0)
    left = space.free(folder())
    if left < wanted:
        raise NoSpace(
            f"the disk is nearly full: {space.shown(left)} free, {space.shown(wanted)} needed to start Neo4j",
            where=str(folder()),
            remedy="make room and run the same command again",
        )


def stop(timeout_s: float = STOP_S, *, ending: Callable[[], None] | None = None) -> bool:
    """Stops the server cleanly and waits until it is gone.

    Args:
        ending: called once when the server was told to end, before the wait.

    Returns:
        Whether one was running.

    Raises:
        ServerError: it does not end in time.
    """
    with bar(), held():
        state, there = server_state.read(), _process()
        jars = distribution.checked()
        if there:
            writes = jars is not None and class_archive.is_missing(jars)
            progress("stopping Neo4j" + (", which writes the archive of its classes, once" if writes else ""), 0)
            _end(there, timeout_s, ending)
        if there and jars and state and state.ready:
            class_archive.keep(jars)
        server_state.forget()
        space.release()
        return there is not None


def running() -> Address | None:
    """The address of the running server; None if none runs. Fast, and starts nothing.

    Raises:
        ServerError: a server runs but its password is missing.
    """
    state = server_state.read()
    if state is None or not state.ready or server_state.process(state) is None or not answers(state.bolt):
        return None
    return embedded(state.bolt, state.http, password.read(password_file()))


def status() -> Status:
    """Whether the server runs, its addresses, and the size of its store."""
    from harmgraph.common.home import home

    there, state = running(), server_state.read()
    up = state if there else None
    return Status(
        running=up is not None,
        version=distribution.NEO4J,
        uri=there.uri if there else "",
        browser=there.browser if there else "",
        pid=up.pid if up else 0,
        home=str(home()),
        store_bytes=store_bytes(),
        heap=up.heap if up else 0,
        page_cache=up.page_cache if up else 0,
    )


def reset() -> None:
    """Kills the server and deletes its store and password; the next start creates new ones."""
    import psutil

    with held():
        there = _process()
        if there:
            # Killed, not stopped: on a full disk it would wait for room to write data that is deleted anyway.
            with suppress(psutil.NoSuchProcess), _ours_to_end(there):
                there.kill()
            _end(there, STOP_S)
        server_state.forget()
        delete_store()


@contextmanager
def as_before(tell: Tell = quiet, *, ran: bool | None = None) -> Iterator[Restart]:
    """Holds the server's lock for the block, which may start and stop the server; yields what starts it again.

    Afterwards it runs if it ran before, with the same memory, and otherwise it does not. Who takes the lock of commands that
    write too takes that one first (``graph.writing.standstill``).

    Args:
        tell: called with a line if another command holds the lock.
        ran: whether it ran before, where the caller has started it since; None for whether it runs now.

    Raises:
        ServerLocked: another command has held the lock for minutes.
        ServerError: as for ``start`` and ``stop``.
    """
    with held(tell):
        before = server_state.read()
        runs_after = _process() is not None if ran is None else ran
        heap, page_cache = (f"{before.heap // MIB}m", f"{before.page_cache // MIB}m") if before else ("", "")

        def restart(first: Callable[[Address], None] | None = None) -> None:
            start(heap, page_cache, first=first)

        try:
            yield restart
        finally:
            if runs_after:
                restart()
            else:
                stop()


@contextmanager
def offline() -> Iterator[None]:
    """Stops the server for the block and holds its lock; starts it again afterwards if it was running.

    Inside the block, ``admin`` can work on the store.
    """
    with as_before():
        stop()
        yield


def _process() -> psutil.Process | None:
    state = server_state.read()
    return (server_state.process(state) if state else None) or server_state.search()


@contextmanager
def _ours_to_end(process: psutil.Process) -> Iterator[None]:
    """Wraps what ends the server.

    Raises:
        ServerError: another user of this machine started it.
    """
    import psutil

    try:
        yield
    except psutil.AccessDenied as error:
        raise ServerError(
            f"Neo4j was started by {user_name(process.uids().effective)}, and only that user may stop it",
            where=f"process {process.pid}",
            remedy="have them run 'harmgraph db stop', or set HARMGRAPH_HOME to a folder of your own",
        ) from error


def _end(process: psutil.Process, timeout_s: float, ending: Callable[[], None] | None = None) -> None:
    import psutil

    began = time.monotonic()
    with suppress(psutil.NoSuchProcess), _ours_to_end(process):  # it may have ended by itself
        process.terminate()
        if ending:
            ending()
        # wait() is not enough: a server started by another living process stays as a zombie, which counts as ended.
        while server_state.is_ours(process):
            took = time.monotonic() - began
            if took > min(FULL_S, timeout_s) and space.free(folder()) < MIB:
                raise NoSpace(
                    "the disk is full, and Neo4j cannot write its store: it ends as soon as there is room",
                    where=str(folder()),
                    remedy="make room and run this again; what was written before is safe in its log",
                )
            if took > timeout_s:
                raise ServerError(
                    f"Neo4j does not end within {timeout_s:.0f} s",
                    where=f"process {process.pid}",
                    remedy="it is still writing: wait and run this again",
                )
            with suppress(psutil.TimeoutExpired):
                process.wait(0.1)

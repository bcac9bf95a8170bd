"""Disk space for the embedded server's store: checked and reserved before anything is written.

Neo4j appends a transaction to its log before it changes the store. If the disk fills up in the middle of that, the log ends
within an entry and the database may never open again. So a writing statement is only sent if there is room for its log entry
and for the pages that the server writes at its next checkpoint (``docs/decisions/0012-full-disk.md``).
"""

from __future__ import annotations

import ctypes
import errno
import marshal
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from harmgraph.common.errors import HarmgraphError, NoSpace
from harmgraph.common.no_space import writing
from harmgraph.graph.server import state as server_state
from harmgraph.graph.server.folder import folder
from harmgraph.graph.server.memory import MIB

DATABASE = "neo4j"
MARGIN = 32 * MIB
"""Bytes that stay free for all that is not counted: index pages, the server's own logs, files of other programs."""
UNTOLD = 16 * MIB
"""Bytes assumed for a statement whose parameters do not show how much it writes."""
LOG_OF_PARAMETERS = 10
"""Bytes of log and store for each byte of parameters; 3.4 to 8.6 bytes of log were measured."""
ROTATION = 32 * MIB
"""Size in bytes at which the server begins a new log file."""
CHECKPOINT_FILES = 2
"""Number of log files after which the server makes a checkpoint and deletes older log files."""
ROOMY = 8192 * MIB
"""With this much free space when it starts, the server gets larger log files: fewer checkpoints make loads a seventh faster."""
ROOMY_TIMES = 4
CHECKPOINT_S = 30
"""Seconds to wait for a checkpoint; the server checks every 10 s whether one is due."""
KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE of Linux
UNSUPPORTED = frozenset({errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})


class StoreSpace:
    """The disk space that all running statements need together; there is one object for each connection.

    On Linux the space is not only checked: the blocks are allocated to the log file beforehand, beyond its end, so that no
    other program can take them in the meantime.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        state = server_state.read()
        self._page_cache = state.page_cache if state else 0
        self._limit = _file_limit(state.pid) if state else None
        self._rotation = _rotation_of_the_server()

    @contextmanager
    def kept(self, need: int) -> Iterator[None]:
        """Reserves space for a statement while the block runs.

        Args:
            need: bytes, see ``needed``.

        Raises:
            NoSpace: there is not enough space; nothing was written.
        """
        with self._lock:
            self._under_way += need
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._under_way -= need

    def check(self) -> None:
        """Checks and reserves the space for all running statements; waits if the server is about to delete log files.

        Raises:
            NoSpace: there is not enough space.
        """
        until = time.monotonic() + CHECKPOINT_S
        while (short := self._short()) is not None:
            if log_bytes() < CHECKPOINT_FILES * self._rotation or time.monotonic() > until:
                raise short
            time.sleep(0.5)

    def _short(self) -> NoSpace | None:
        with self._lock:
            need = self._under_way
            log = _log_files()
            total = sum(size for _, size, _ in log)
            # Pages that are only in memory; as measured, they grow the store by 0.4 to 0.8 of the log.
            reserve = (min(total, self._page_cache) if self._page_cache else total) + MARGIN
            newest = log[-1] if log else None
            next_file = _next(newest[0]) if newest else None
            # Blocks that were allocated for an earlier statement and not used.
            ahead = newest[2] + _blocks(next_file) if newest and next_file else 0
            for place, wanted in _by_device(need, reserve):
                left = free(place)
                reserved = ahead if place == _log_folder() else 0
                if left + reserved < wanted:
                    return no_room(place, wanted - reserved, left)
            if newest and self._limit is not None:
                largest = max(newest[1], *_sizes()) + need
                if largest > self._limit:
                    return NoSpace(
                        f"no file may grow beyond {shown(self._limit)} (ulimit -f), and one of the store would",
                        where=str(folder() / "data"),
                        remedy="raise the limit, run 'harmgraph db stop', then the same command again",
                    )
            if newest and next_file:
                try:
                    serves = _keep(newest[0], newest[1], need + MARGIN // 4)
                    if serves and newest[1] + need >= self._rotation:
                        _keep(next_file, 0, need + MARGIN // 4, os.O_CREAT)
                except OSError as error:
                    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                        with writing(newest[0]):
                            raise
                    return no_room(newest[0].parent, need + reserve, free(newest[0].parent))
            return None


def needed(parameters: Any) -> int:
    """The bytes that a statement with these parameters may add to the log and the store."""
    try:
        size = len(marshal.dumps(parameters, 2))  # newer versions store a repeated text once; the server does not
    except ValueError:  # a value that marshal does not support, such as a time
        size = len(str(parameters))
    return max(UNTOLD, LOG_OF_PARAMETERS * size)


def rotation() -> int:
    """The log file size, in bytes, for a server that starts now."""
    return ROTATION * (ROOMY_TIMES if free(folder()) > ROOMY else 1)


def _rotation_of_the_server() -> int:
    """The log file size of the running server; the default if its settings, from an older harmgraph, do not have it."""
    with suppress(OSError, ValueError):
        for line in (folder() / "conf" / "neo4j.conf").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            if name == "db.tx_log.rotation.size":
                return int(value.removesuffix("m")) * MIB
    return ROTATION


def release() -> None:
    """Frees the blocks that were reserved for statements; call it only while no server runs.

    This also deletes the empty file that was created for the next part of the log: a server that stopped before using it
    would take it for a damaged log.
    """
    log = _log_files()
    for path, size, ahead in log:
        if ahead:
            os.truncate(path, size)
    if log:
        with suppress(FileNotFoundError):
            _next(log[-1][0]).unlink()


def free(place: Path) -> int:
    """The bytes that can still be written below a folder, which need not exist yet; 0 if no file can be created."""
    while True:
        try:
            facts = os.statvfs(place)
        except FileNotFoundError:
            if place == place.parent:
                raise
            place = place.parent
        else:
            return 0 if facts.f_files and not facts.f_favail else facts.f_bavail * facts.f_frsize


def check_left(place: Path, more: int = 0) -> None:
    """Checks that files outside the store leave the running server its margin.

    Args:
        more: bytes that will be written.

    Raises:
        NoSpace: they do not.
    """
    left = free(place)
    if left < more + MARGIN:
        raise no_room(place, more + MARGIN, left)


def store_bytes() -> int:
    """Size of the store in bytes without its log; the next writes first fill its unused parts."""
    return sum(_sizes())


def log_bytes() -> int:
    """Size of the transaction log in bytes."""
    return sum(size for _, size, _ in _log_files())


def no_room(place: Path, wanted: int, left: int) -> NoSpace:
    """The error of a command that stops before the disk is full."""
    return NoSpace(
        f"the disk is nearly full: {shown(left)} free, {shown(wanted)} needed; stopped before the graph is hurt",
        where=str(place),
        remedy="make room and run the same command again",
    )


def shown(size: int) -> str:
    """A size as text, such as ``12 MiB``."""
    return f"{size / MIB:,.0f} MiB"


@contextmanager
def watched(check: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    """Checks the space regularly while the block writes in another process; ends that if there is none.

    Args:
        check: raises an error where too much is written.
        end: called once, from another thread, to end what writes.

    Raises:
        HarmgraphError: of ``check``: it was ended.
    """
    over = threading.Event()
    short: list[HarmgraphError] = []

    def look() -> None:
        while not over.wait(0.25):
            try:
                check()
            except HarmgraphError as error:
                short.append(error)
                end()
                return

    watcher = threading.Thread(target=look, name="harmgraph-space", daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        over.set()
        watcher.join()
        if short:
            raise short[0] from error
        raise
    finally:
        over.set()
        watcher.join()


def _by_device(need: int, reserve: int) -> list[tuple[Path, int]]:
    """The bytes that each file system must have left; usually the log and the store are on the same one."""
    log, store = _log_folder(), folder() / "data" / "databases"
    with suppress(FileNotFoundError):
        if log.stat().st_dev != store.stat().st_dev:
            return [(log, need + MARGIN), (store, reserve)]
    return [(log, need + reserve)]


def _log_folder() -> Path:
    return folder() / "data" / "transactions" / DATABASE


def _log_files() -> list[tuple[Path, int, int]]:
    """The non-empty log files, oldest first: path, size, and bytes allocated beyond the end."""
    files = []
    with suppress(FileNotFoundError):
        for path in _log_folder().glob("neostore.transaction.db.*"):
            with suppress(FileNotFoundError):  # deleted in the meantime
                facts = path.stat()
                if facts.st_size:
                    files.append((_number(path), path, facts.st_size, max(0, facts.st_blocks * 512 - facts.st_size)))
    return [(path, size, ahead) for _, path, size, ahead in sorted(files)]


def _number(path: Path) -> int:
    return int(path.suffix[1:])


def _next(path: Path) -> Path:
    """The log file that follows this one; the server uses an existing file if it is empty."""
    return path.with_suffix(f".{_number(path) + 1}")


def _blocks(path: Path) -> int:
    try:
        return path.stat().st_blocks * 512
    except FileNotFoundError:
        return 0


def _sizes() -> list[int]:
    sizes = [0]
    for path in (folder() / "data" / "databases" / DATABASE).rglob("*"):
        with suppress(FileNotFoundError):
            sizes.append(path.stat().st_size)
    return sizes


def _file_limit(pid: int) -> int | None:
    """The maximum size of the server's files (``ulimit -f``); None if there is no limit or it cannot be determined."""
    import psutil

    try:
        limit = int(psutil.Process(pid).rlimit(psutil.RLIMIT_FSIZE)[0])
    except (AttributeError, psutil.Error):  # not Linux, or gone
        return None
    return None if limit in (-1, psutil.RLIM_INFINITY) else limit


@cache
def _fallocate() -> Callable[[int, int, int, int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    call = getattr(ctypes.CDLL(None, use_errno=True), "fallocate64", None)
    if call is not None:
        call.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
    return call


def _keep(path: Path, start: int, length: int, how: int = 0) -> bool:
    """Allocates blocks to a file from ``start`` on without changing its size.

    Args:
        how: ``os.O_CREAT`` if the file may not exist yet.

    Returns:
        Whether the system supports this.

    Raises:
        OSError: no space is left.
    """
    call = _fallocate()
    if call is None:
        return False
    try:
        file = os.open(path, os.O_WRONLY | how, 0o600)
    except FileNotFoundError:
        return False  # deleted in the meantime: the next statement reserves space in the newer file
    try:
        if call(file, KEEP_SIZE, start, length):
            number = ctypes.get_errno()
            if number not in UNSUPPORTED:
                raise OSError(number, os.strerror(number), str(path))
            return False
        return True
    finally:
        os.close(file)

"""``harmgraph db backup``: the whole graph and harmgraph's models in one file, made with Neo4j's own dump."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from harmgraph.common.errors import Busy, InputError, NoSpace
from harmgraph.common.no_space import REFUSALS
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.common.version import VERSION
from harmgraph.common.whole_file import beside, followed, is_stream
from harmgraph.graph.address import from_environment
from harmgraph.graph.backup import home_files
from harmgraph.graph.backup.backup_file import CHUNK, BackupWriter, Manifest, is_backup, writing_backup
from harmgraph.graph.backup.listed import DUMP, HOME
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import FORM, digest
from harmgraph.graph.form.steps import newest
from harmgraph.graph.server import distribution, server, space
from harmgraph.graph.server.memory import MIB
from harmgraph.graph.server.store import store_bytes
from harmgraph.graph.writing.standstill import stop_while_held

DATABASE = "neo4j"
TIME = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made.

    Attributes:
        size: bytes of the file.
        removed: older backups that were deleted, as ``keep`` says.
    """

    path: Path
    size: int
    manifest: Manifest
    removed: tuple[Path, ...]


def check_ours(action: str) -> None:
    """Checks that the embedded server is in use.

    Raises:
        InputError: ``NEO4J_URI`` names another server.
    """
    address = from_environment()
    if address:
        raise InputError(
            f"this server is yours, and harmgraph does not {action} it",
            where=f"NEO4J_URI={address.uri}",
            remedy="unset NEO4J_URI to use the embedded server; for your own server see Neo4j's manual",
        )


def backup(path: Path, *, keep: int = 0, tell: Tell = quiet) -> Backup:
    """Writes a backup. The server is stopped while Neo4j dumps its store, and runs again afterwards if it ran before.

    From before the digest until then no other command starts or stops the server, and none can change the graph between the
    digest and the dump.

    Args:
        path: file to write; an older backup there is replaced when the new one is whole. A device or a FIFO gets it then.
        keep: if not 0, the time is added to the file's name, and of the backups of that name so many stay, the latest ones.
        tell: called with a line before something takes long.

    Raises:
        InputError: the file is something else than a backup, or ``NEO4J_URI`` names another server; or a model has a file that no
            backup holds, such as a link that leads out of its folder.
        Busy: another command is changing the graph.
        ServerLocked: another command has been starting or stopping the server for minutes.
        NoSpace: the disk of the backup is full, or the file cannot be written; an older backup there stays.
        ServerError: Neo4j failed.
    """
    check_ours("back up")
    if keep and is_stream(path):
        raise InputError("keeps no older backups", where=str(path), remedy="name a file, or leave out --keep")
    now = datetime.now(UTC)
    place = _dated(path, now) if keep else path
    _check_place(place)
    _remove_parts(place)
    _home_files()  # what cannot be kept is said before the server is stopped
    with ExitStack() as alone:
        facts = _read_and_stop(alone, tell)
        of_store = store_bytes()
        with _refusals(place), beside(place) as part:
            with writing_backup(part) as writer:
                _dump(writer)
                alone.close()  # the server need not stand still while models are copied
                _add_home(writer, part.parent)
                manifest = Manifest(
                    **facts,
                    harmgraph=VERSION,
                    neo4j=distribution.NEO4J,
                    store_bytes=of_store,
                    made_at=now.isoformat(timespec="seconds"),
                    files=dict(writer.files),
                )
                writer.close(manifest)
            with part.open("rb") as file:
                os.fsync(file.fileno())
            written = part.stat().st_size
    return Backup(place, written, manifest, _remove_older(path, keep))


def _read_and_stop(alone: ExitStack, tell: Tell) -> dict[str, Any]:
    """What the manifest says of the graph, as it is when the server has been stopped.

    Args:
        alone: gets the server's lock, which ends with it.

    Raises:
        Busy: another command is changing the graph, or another program changed it while it was read.
    """
    ran = server.running() is not None
    with Graph.open(older=True) as graph, graph.holding("db backup") as lock:
        alone.enter_context(server.as_before(tell, ran=ran))
        tell("reading the graph for its digest ...")
        facts = _facts(graph)
        tell("Neo4j dumps its store; the server is stopped for that time ...")
        stop_while_held(graph, lock)
        return facts


def _facts(graph: Graph) -> dict[str, Any]:
    """What the manifest says of the graph.

    Raises:
        Busy: another program changed the graph while it was read, so its digest is that of no moment.
    """
    before = graph.state()
    form = graph.form()
    counts = graph.rows("schema/counts")[0]
    facts = {
        "digest": digest(graph),
        "digest_form": FORM,
        "nodes": counts["nodes"],
        "relationships": counts["relationships"],
        "form": newest() if form is None else form,
        "sources": tuple(sources.names(graph)),
    }
    if graph.state() != before:
        raise Busy(
            "the graph was changed while it was read, by a program that does not ask (Neo4j Browser, a script)",
            where=graph.address.uri,
            remedy="run the same command again when it is done",
        )
    return facts


def _dump(writer: BackupWriter) -> None:
    done = 0
    with writer.member(DUMP) as write:

        def passed_on(chunk: bytes) -> None:
            nonlocal done
            write(chunk)
            done += len(chunk)
            progress("dumping the store, MiB", done // MIB)

        server.admin_output(passed_on, "database", "dump", "--to-stdout", DATABASE)


def _add_home(writer: BackupWriter, disk: Path) -> None:
    listed = _home_files()
    done, total = 0, sum(size for _, _, size in listed)
    for name, path, size in listed:
        space.check_left(disk, size)  # the server runs again, and its store may be on this disk
        with path.open("rb") as file, writer.member(f"{HOME}{name}") as write:
            while chunk := file.read(CHUNK):
                write(chunk)
                done += len(chunk)
                progress("copying models", done, total)


def _home_files() -> list[tuple[PurePosixPath, Path, int]]:
    """The files of the home that belong into a backup, see ``home_files.files``, with their sizes in bytes."""
    return [(name, path, path.stat().st_size) for name, path in home_files.files()]


def _check_place(place: Path) -> None:
    """Checks that the file may be written, before anything is stopped.

    Raises:
        InputError: there is something else than a backup.
        NoSpace: its folder cannot be made or read.
    """
    if is_stream(place):
        return
    with _refusals(place):
        folder = followed(place).parent
        folder.mkdir(parents=True, exist_ok=True)
        if place.exists() and place.stat().st_size and not is_backup(place):
            raise InputError("is there and is not a backup of harmgraph", where=str(place), remedy="name another file")
        with tempfile.TemporaryFile(dir=folder):
            pass  # files can be made there


@contextmanager
def _refusals(place: Path) -> Iterator[None]:
    """Turns the system's refusals into ``NoSpace`` about the backup's file."""
    try:
        yield
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        raise NoSpace(
            f"cannot be written ({error.strerror})", where=str(error.filename or place), remedy="name another file"
        ) from error


def _dated(path: Path, when: datetime) -> Path:
    return path.with_name(f"{path.stem}-{when.strftime(TIME)}{path.suffix}")


def _remove_older(path: Path, keep: int) -> tuple[Path, ...]:
    """Deletes the oldest backups with the file's name and a time; nothing that is not a backup."""
    if not keep:
        return ()
    of_this_name = re.compile(rf"{re.escape(path.stem)}-\d{{8}}T\d{{6}}Z{re.escape(path.suffix)}")
    dated = [entry for entry in path.parent.iterdir() if of_this_name.fullmatch(entry.name) and is_backup(entry)]
    older = sorted(dated, key=lambda entry: entry.name)[:-keep]
    for entry in older:
        entry.unlink()
    return tuple(older)


def _remove_parts(place: Path) -> None:
    """Deletes what backups that were killed left in the folder, dated ones of this name too."""
    import psutil

    if is_stream(place):
        return
    place = followed(place)
    stem = re.sub(r"-\d{8}T\d{6}Z$", "", place.stem)
    pattern = re.compile(rf"\.{re.escape(stem)}(-\d{{8}}T\d{{6}}Z)?{re.escape(place.suffix)}\.(\d+)\.part")
    for entry in place.parent.iterdir():
        match = pattern.fullmatch(entry.name)
        if match and not psutil.pid_exists(int(match[2])):
            entry.unlink(missing_ok=True)

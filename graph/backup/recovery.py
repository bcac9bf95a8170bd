"""Recovers a store whose transaction log is truncated or damaged: copies it, saves what is readable, lists what is missing."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.errors import InputError, LogDamaged, NoSpace, StartFailed
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.no_space import writing
from harmgraph.common.progress import Tell, quiet
from harmgraph.common.whole_file import beside, folder_beside, folder_part
from harmgraph.graph.address import from_environment
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.kept_by_state import forget_kept
from harmgraph.graph.records import Import
from harmgraph.graph.server import failures, server, space
from harmgraph.graph.server.folder import folder, password_file, unfinished_recovery
from harmgraph.graph.server.lock import held
from harmgraph.graph.server.store import store_bytes

COPY = "before-recovery-"
FORGIVING = {
    "internal.dbms.tx_log.fail_on_corrupted_log_files": "false",
    "server.http.enabled": "false",  # nobody should use it yet, and it takes half of the start time
}
DATABASES = ("neo4j", "system")


@dataclass(frozen=True, slots=True)
class SourceLeft:
    """A source after a recovery.

    Attributes:
        state: ``complete``, or ``incomplete`` if it must be loaded again.
        counted: number of triples, sentences and targets that its import counted; None if it was never finished.
        stands: how many of them are in the graph now.
    """

    source: str
    state: str
    counted: int | None
    stands: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery did.

    Attributes:
        copy: folder with the original store.
        sources: all sources in the recovered store.
    """

    copy: str
    sources: tuple[SourceLeft, ...]


def needs_it(tell: Tell = quiet) -> bool:
    """Whether the store cannot be opened and needs a recovery; if it can be opened, this starts the server.

    Raises:
        InputError: ``NEO4J_URI`` names another server.
        ServerError: the server does not start for another reason.
    """
    server_address = from_environment()
    if server_address:
        raise InputError(
            "this server is yours, and harmgraph does not recover it",
            where=f"NEO4J_URI={server_address.uri}",
            remedy="unset NEO4J_URI to use the embedded server; for your own server see Neo4j's manual",
        )
    if unfinished_recovery().exists():
        return True
    if not server.running() and isinstance(failures.why(), LogDamaged):
        return True  # as logged by the previous start
    try:
        address = server.start(tell=tell)
        with Graph.open(address, older=True) as graph:
            graph.rows("schema/version")
    except LogDamaged:
        return True
    return False


def recover(tell: Tell = quiet) -> Recovered:
    """Copies the store, lets Neo4j truncate its log after the last readable entry, and checks what is left.

    Sources that contain less than their import counted are marked, so that their next load completes them. A recovery that was
    interrupted continues with the copy that it made.

    Raises:
        NoSpace: there is no room for the copy; the store is unchanged.
        LogDamaged: the store cannot be recovered; the copy is kept.
        ServerError: the server cannot be stopped or started.
    """
    with held(tell):
        server.stop()
        copy = _kept_copy(tell)
        forget_kept()  # what the log loses takes numbers back, and later writes may come to the same ones
        tell("letting Neo4j read its log as far as it can ...")
        known = "none that can be read"
        try:
            with Graph.open(server.start(settings=FORGIVING, tell=tell), older=True) as graph:
                known = ", ".join(sources.names(graph)) or "none"
            server.stop()
            tell("checking the store ...")
            for name in DATABASES:
                server.admin("database", "check", f"--report-path={folder() / 'logs'}", name)
        except (LogDamaged, StartFailed) as error:
            server.stop()
            raise LogDamaged(
                f"the store cannot be saved ({error.what})",
                where=str(copy),
                remedy="that folder holds the store as it was; start anew with 'harmgraph db reset' and load the sources "
                f"again ({known})",
            ) from error
        with Graph.open(server.start(settings={}, tell=tell), older=True) as graph:
            left = _marked(graph)
        # Only after the sources are marked, so that a recovery that is stopped earlier is repeated.
        unfinished_recovery().unlink()
    return Recovered(str(copy), left)


def _kept_copy(tell: Tell) -> Path:
    """The copy of the original store: the one of an unfinished recovery, or a new one."""
    try:
        noted = Path(from_json(unfinished_recovery().read_text(encoding="utf-8"))["copy"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no unfinished recovery, or its note is damaged: copy the current store
    else:
        if noted.is_dir():
            return noted
    data = folder() / "data"
    needed = (
        store_bytes() + space.log_bytes() + space.MARGIN
    )  # the copy, and what Neo4j writes to the store from the log
    left = space.free(home())
    if left < needed:
        raise NoSpace(
            f"a copy of the store is kept first, and there is no room for it: {space.shown(left)} free, "
            f"{space.shown(needed)} needed",
            where=str(home()),
            remedy="make room and run 'harmgraph db recover' again",
        )
    copy = home() / f"{COPY}{time.strftime('%Y%m%d-%H%M%S')}"
    tell(f"copying the store to {copy} ...")
    with writing(copy):
        for part in home().glob(folder_part(home() / f"{COPY}*").name):  # left by a recovery that was killed
            shutil.rmtree(part)
        with folder_beside(copy) as part:
            shutil.copytree(data, part / "data")
            shutil.copy2(password_file(), part)  # the copied store only accepts this password
        with beside(unfinished_recovery()) as note:
            note.write_text(json.dumps({"copy": str(copy)}), encoding="utf-8")
    return copy


def _marked(graph: Graph) -> tuple[SourceLeft, ...]:
    """What is left of each source; a source with less than its import counted is marked as not completely loaded."""
    left = []
    for facts in sources.every(graph):
        mark = Import(facts["name"], facts.get("import_id") or "", facts.get("generation") or 1)
        stands = sources.count(graph, mark).total
        counts = facts.get("counts")
        counted = None
        if counts and facts.get("state") == "complete":
            counted = sources.total(counts)
        # A complete source without saved counts cannot be checked.
        whole = facts.get("state") == "complete" and counted in (None, stands)
        if counted is not None and not whole:
            graph.write("source/mark_incomplete", name=facts["name"])
        left.append(SourceLeft(facts["name"], "complete" if whole else "incomplete", counted, stands))
    return tuple(left)

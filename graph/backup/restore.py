"""``harmgraph db restore``: a backup takes the place of the graph, once it was loaded beside it and has the digest it had.

The dump is loaded in a folder of its own, where a server that ends with this process computes the digest. Only then the store
and the models are moved into place, by a note that the next start follows if this process is killed in between.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from harmgraph.common.errors import (
    Busy,
    GraphError,
    InputError,
    NewerGraph,
    OtherNeo4j,
    ServerError,
    StoreNotEmpty,
    UnreadableFile,
)
from harmgraph.common.home import home, instead
from harmgraph.common.lock import is_held
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_file, make_folder
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.common.version import VERSION
from harmgraph.common.whole_file import delete, finish_moves, replace_together
from harmgraph.graph import name_cache
from harmgraph.graph.backup import home_files
from harmgraph.graph.backup.backup import DATABASE, check_ours
from harmgraph.graph.backup.backup_file import BackupReader, Manifest, open_backup
from harmgraph.graph.backup.listed import DUMP, HOME, unit
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import FORM, digest
from harmgraph.graph.contents.kept_by_state import forget_kept
from harmgraph.graph.form.steps import newest
from harmgraph.graph.server import distribution, server, space
from harmgraph.graph.server.folder import WAITING, folder, of_restores, restore_note, trial_store, unfinished_recovery
from harmgraph.graph.server.lock import held
from harmgraph.graph.server.memory import MIB
from harmgraph.graph.server.store import check_version, same_series, store_bytes
from harmgraph.graph.writing.standstill import stop_while_held

TRIAL = {"server.http.enabled": "false"}  # nobody uses this server, and the page takes half of the start time
PLACES = ("databases", "transactions")
SLACK = 64 * MIB
"""Bytes of a store that are not counted: what Neo4j makes for any graph."""
REMEDY = (
    "restore it with HARMGRAPH_HOME set to another folder; or run 'harmgraph db reset', which deletes the graph that stands, and "
    "this again"
)


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore put in place.

    Attributes:
        units: folders of models that were put in place, relative to harmgraph's home, such as ``models/comet``.
        standing: those that stood there already, unchanged.
        unlisted: files of the backup that no backup of this harmgraph holds, so that they were not put in place.
        by_digest: whether the graph was checked by its digest, otherwise by its counts (see ``_check_graph``).
    """

    manifest: Manifest
    units: tuple[str, ...]
    standing: tuple[str, ...]
    unlisted: tuple[str, ...]
    by_digest: bool


def restore(path: Path, *, replace: bool = False, tell: Tell = quiet) -> Restored:
    """Puts the graph and the models of a backup in place; the server runs afterwards if it ran before.

    It also runs where it was started to look at the graph, and that is not empty. Until the restored graph has been checked, the
    old one stays as it is; so it does if this fails or is stopped.

    Args:
        path: the backup.
        replace: whether a graph that is not empty, and models of the same names, may be replaced.
        tell: called with a line before something takes long.

    Raises:
        UnreadableFile: the file is not a backup, was cut short or is damaged.
        NewerGraph, OtherNeo4j: a later harmgraph, or another major version of Neo4j made it; or another major version of Neo4j
            opened the store last that would be replaced.
        StoreNotEmpty: the graph is not empty, and ``replace`` was not given.
        InputError: a model of the same name is another one, and ``replace`` was not given; a backup lies where a model or file
            would be replaced; or ``NEO4J_URI`` names a server.
        ServerLocked: another command has been starting or stopping the server for minutes.
        Busy: another command changes the graph, or trains a model that would be replaced.
        NoSpace: there is no room beside the old store.
        ServerError: Neo4j failed, or the restored graph is not that of the backup.
    """
    check_ours("restore")
    with open_backup(path) as backup:
        manifest = backup.manifest
        _check_versions(path, manifest)
        backup.verify()
        with held(tell), writing(home()):
            finish_moves(restore_note())  # of a restore that was killed at its very end
        check_version(REMEDY)
        units = {unit(name) for name in manifest.home_files()}
        standing = {each for each in units if _is_there(each, manifest)}
        new = sorted(units - standing)
        _check_models(new, replace=replace)
        with ExitStack() as alone:
            _stop(alone, tell, replace=replace)
            forget_kept()
            _restore(backup, new, tell, replace=replace)
    name_cache.forget(None)
    return Restored(
        manifest,
        tuple(map(str, new)),
        tuple(map(str, sorted(standing))),
        tuple(map(str, manifest.unlisted())),
        manifest.digest_form == FORM,
    )


def _restore(backup: BackupReader, units: list[PurePosixPath], tell: Tell, *, replace: bool) -> None:
    manifest = backup.manifest
    space.check_left(folder(), manifest.store_bytes + sum(member.size for member in manifest.files.values()))
    distribution.jars(tell)
    stage = trial_store()
    staged = {model: _staged(model) for model in units}
    with ExitStack() as stack:
        waiting = of_restores()
        for place in waiting:
            delete(place)  # of a restore that was killed
            stack.callback(_delete_unless_moving, place)
        with writing(stage):
            make_folder(stage / "neo4j")
            shutil.copy(distribution.stamp_file(), stage / "neo4j")  # the jars were checked just now
            _unpack(backup, staged)
        with instead(stage):
            tell("Neo4j loads the backup beside the store ...")
            loaded = _progressing(backup.chunks(DUMP), manifest.files[DUMP].size)
            check = partial(_check_size, backup, folder() / "data")
            server.admin_input(loaded, "database", "load", "--from-stdin", DATABASE, check=check)
            _check_graph(manifest, tell)
            new = [folder() / "data" / place / DATABASE for place in PLACES]
        moves = [*zip(new, (folder() / "data" / place / DATABASE for place in PLACES), strict=True)]
        moves += [(staged[model], home() / model) for model in units]
        _check_models(units, replace=replace)  # again: one may have been trained in the minutes since
        with writing(home()):
            replace_together(restore_note(), moves, remove=[*waiting, home() / "cache", unfinished_recovery()])


def _check_size(backup: BackupReader, data: Path) -> None:
    """Checks that the store does not become much larger than the backup says.

    Earlier backups give its size before the server had written all of it.

    Raises:
        UnreadableFile: it does.
    """
    if store_bytes(data) > 2 * backup.manifest.store_bytes + SLACK:
        raise UnreadableFile(
            backup.path,
            f"its graph is larger than it says ({space.shown(backup.manifest.store_bytes)}), and nothing was restored",
            remedy="take another backup",
        )


def _check_graph(manifest: Manifest, tell: Tell) -> None:
    """Starts a server on the loaded store and compares the graph's digest with that of the backup.

    A harmgraph whose digest has another form cannot compute that of the backup: then the counts alone are compared. The dump is
    whole in any case, by its SHA-256.

    Raises:
        ServerError: they differ.
    """
    comparable = manifest.digest_form == FORM
    if comparable:
        tell("checking the restored graph ...")
    else:
        tell(f"the digest of the backup is that of harmgraph {manifest.harmgraph}: counting the restored graph ...")
    progress("starting Neo4j to check the restored graph", 0)
    try:
        with Graph.open(server.start(settings=TRIAL, tell=quiet, with_us=True), older=True) as graph:
            counts = graph.rows("schema/counts")[0]
            restored = digest(graph) if comparable else manifest.digest
    finally:
        server.stop()
    counted = (counts["nodes"], counts["relationships"])
    if (*counted, restored) != (manifest.nodes, manifest.relationships, manifest.digest):
        raise ServerError(
            f"the restored graph is not that of the backup: {counted[0]:,} nodes and {counted[1]:,} relationships, "
            + (f"digest {restored[:12]}, " if comparable else "")
            + f"in place of {manifest.nodes:,} and {manifest.relationships:,}"
            + (f", digest {manifest.digest[:12]}" if comparable else ""),
            remedy="the graph that stood is unchanged; take another backup",
        )


def _check_versions(path: Path, manifest: Manifest) -> None:
    if manifest.form > newest():
        raise NewerGraph(
            f"its graph has form {manifest.form} and was made by a later harmgraph, {manifest.harmgraph}; this one, "
            f"{VERSION}, knows {newest()}",
            where=str(path),
            remedy="restore it with that harmgraph",
        )
    if not same_series(manifest.neo4j, distribution.NEO4J):
        raise OtherNeo4j(
            f"was made by Neo4j {manifest.neo4j}, and this harmgraph, which runs {distribution.NEO4J}, does not read it",
            where=str(path),
            remedy=f"restore it with harmgraph {manifest.harmgraph}",
        )


def _stop(alone: ExitStack, tell: Tell, *, replace: bool) -> None:
    """Stops the server, after a look that nothing is lost and that nobody is changing the graph.

    Args:
        alone: gets the server's lock, which ends with it.

    Raises:
        StoreNotEmpty: something is in the graph, and ``replace`` was not given.
        Busy: another command is changing the graph.
    """
    stands = (folder() / "data" / "databases" / DATABASE).exists()
    ran = server.running() is not None
    if ran or (stands and not replace):
        try:
            with Graph.open(older=True) as graph:
                if not replace:
                    _check_empty(graph)  # before the lock, which makes a node
                with graph.holding("db restore") as lock:
                    alone.enter_context(server.as_before(tell, ran=ran))
                    if not replace:
                        _check_empty(graph)  # again: another command may have loaded something in the meantime
                    stop_while_held(graph, lock)
        except (Busy, StoreNotEmpty):
            raise
        except GraphError:
            if not replace:  # otherwise a graph that cannot be read, or of a later harmgraph, is replaced too
                raise
        else:
            return
    alone.enter_context(held(tell))
    if not ran and server.running() is not None:
        alone.close()  # another command has started it meanwhile, and may be changing the graph
        _stop(alone, tell, replace=replace)
        return
    alone.enter_context(server.as_before(ran=ran))
    server.stop()


def _check_empty(graph: Graph) -> None:
    """Checks that nothing is lost when the store is replaced.

    Raises:
        StoreNotEmpty: something is in the graph; the message names it.
    """
    standing = graph.rows("source/held", targets="", source="", import_id="")
    if standing:
        contents = ", ".join(f"{row['count']:,} {row['label']}" for row in standing)
        raise StoreNotEmpty(
            f"the graph is not empty ({contents})",
            where=str(folder()),
            remedy="give --replace to put the backup in its place (a copy before it: 'harmgraph db backup FILE')",
        )


def _is_there(model: PurePosixPath, manifest: Manifest) -> bool:
    """Whether the folder of a model stands in harmgraph's home just as it is in the backup."""
    place = home() / model
    if not place.is_dir():
        return False
    wanted = {
        str(name): manifest.files[f"{HOME}{name}"].sha256 for name in manifest.home_files() if unit(name) == model
    }
    try:
        return home_files.digests(place) == wanted
    except InputError:
        return False  # it has links, as no backup holds them


def _check_models(units: list[PurePosixPath], *, replace: bool) -> None:
    for model in units:
        place = home() / model
        if is_held(place / ".lock"):
            raise Busy("another command trains this model", where=str(model), remedy="wait until it is done")
        kept = home_files.backup_in(place)
        if kept:
            raise InputError(
                "a backup lies there, and this would put something else in its place",
                where=str(kept),
                remedy="move it to another folder and run this again",
            )
        if not replace and os.path.lexists(place):
            raise InputError(
                "is there already, and is not as in the backup",
                where=str(place),
                remedy="give --replace to put that of the backup in its place, or rename it",
            )


def _staged(model: PurePosixPath) -> Path:
    """Where the folder of a model waits: beside its place, since that folder may be a link to another disk."""
    return (home() / model).parent / WAITING / model.name


def _unpack(backup: BackupReader, staged: dict[PurePosixPath, Path]) -> None:
    for name in backup.manifest.home_files():
        model = unit(name)
        if model not in staged:
            continue
        place = staged[model] / name.relative_to(model)
        make_folder(place.parent)
        make_file(place, exist_ok=False)
        with place.open("wb") as file:
            for chunk in backup.chunks(f"{HOME}{name}"):
                file.write(chunk)
        progress("copying models", 0)


def _progressing(chunks: Iterator[bytes], total: int) -> Iterator[bytes]:
    done = 0
    for chunk in chunks:
        yield chunk
        done += len(chunk)
        progress("loading the store", done, total)


def _delete_unless_moving(place: Path) -> None:
    """Removes what waits; not while it is being moved, since the next start finishes that."""
    if not restore_note().exists():
        delete(place)

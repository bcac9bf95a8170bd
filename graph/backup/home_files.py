"""The files of harmgraph's home that belong into a backup: models, scorers and whatever else is not of this machine alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harmgraph.graph.backup.backup_file import is_backup
from harmgraph.graph.common.home import home
from harmgraph.graph.server.distribution import sha256

OF_THIS_MACHINE = frozenset(
    {"neo4j", "password", "names.json", "pages-port", "spark.log", "cache", "jobs", "rejects", "restore.json"}
)
"""The store (its dump is in the backup), its password, and what is made again when it is needed."""
OTHER_COPIES = ("before-recovery-", "bulk-")
STAGED = ".restoring"
"""Folder, beside the place of a restored file or folder, in which it waits until all of them are whole."""


def files() -> Iterator[tuple[PurePosixPath, Path]]:
    """The files that belong into a backup, sorted: path relative to the home, and path. Links are followed.

    Other backups do not, wherever they lie: each would hold all those before it.
    """
    base = home()
    for folder, names, inside in os.walk(base, followlinks=True):
        place = Path(folder)
        top = place == base
        names[:] = sorted(name for name in names if not _is_left_out(name, top=top))
        for name in sorted(inside):
            path = place / name
            if not _is_left_out(name, top=top) and path.is_file() and not is_backup(path):
                yield PurePosixPath(path.relative_to(base).as_posix()), path


def unit(path: PurePosixPath) -> PurePosixPath:
    """What is restored together with a file: the folder of one model, such as ``models/comet``; or the file alone."""
    return PurePosixPath(*path.parts[:2]) if len(path.parts) > 1 else path


def digests(place: Path) -> dict[str, str]:
    """SHA-256 of the files of a unit that stands in the home, by their paths relative to the home."""
    base = home()
    if place.is_file():
        return {place.relative_to(base).as_posix(): sha256(place)}
    return {
        path.relative_to(base).as_posix(): sha256(path)
        for path in place.rglob("*")
        if path.is_file() and not _is_left_out(path.name, top=False) and not is_backup(path)
    }


def backup_in(place: Path) -> Path | None:
    """A backup that lies in a unit's place, or is it; None if there is none."""
    inside = [place] if place.is_file() else sorted(place.rglob("*"))
    return next((path for path in inside if path.is_file() and is_backup(path)), None)


def _is_left_out(name: str, *, top: bool) -> bool:
    if name in (STAGED, ".lock") or name.endswith((".lock", ".part")):
        return True
    return top and (name in OF_THIS_MACHINE or name.startswith(OTHER_COPIES))

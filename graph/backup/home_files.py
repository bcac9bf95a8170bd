"""The files of harmgraph's home that belong into a backup, by the list in ``graph.backup.listed``: what was trained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from harmgraph.common.errors import InputError
from harmgraph.common.home import TRAINED, home
from harmgraph.graph.backup.backup_file import is_backup
from harmgraph.graph.backup.listed import fault, is_listed, is_unit
from harmgraph.graph.server.distribution import sha256


def files() -> Iterator[tuple[PurePosixPath, Path]]:
    """The files that belong into a backup, sorted: path relative to the home, and path.

    The folder of a model may be a link, such as one to another disk. Within it, links are followed that stay in it. Other backups
    do not belong into one: each would hold all those before it.

    Raises:
        InputError: a link leads out of the folder of its model, or nowhere; or a name or a file is of a kind that cannot be kept.
    """
    base = home()
    for kind in sorted(TRAINED):
        for place in sorted((base / kind).iterdir()) if (base / kind).is_dir() else ():
            if is_unit(PurePosixPath(place.relative_to(base).as_posix())) and (place.is_dir() or place.is_symlink()):
                yield from _of_unit(place)


def digests(place: Path) -> dict[str, str]:
    """SHA-256 of the files of a unit that stands in the home, by their paths relative to the home.

    Raises:
        InputError: as for ``files``.
    """
    return {str(name): sha256(path) for name, path in _of_unit(place)}


def backup_in(place: Path) -> Path | None:
    """A backup that lies in a unit's place, or is it; None if there is none."""
    inside = [place] if place.is_file() else sorted(place.rglob("*"))
    return next((path for path in inside if path.is_file() and is_backup(path)), None)


def _of_unit(place: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    root = place.resolve()
    if not root.is_dir():
        raise InputError(
            "is a link to a folder that is not there", where=str(place), remedy="mend the link, or remove it"
        )
    base = home().resolve()
    if base.is_relative_to(root) or (
        root.is_relative_to(base) and not any(root.is_relative_to(base / kind) for kind in TRAINED)
    ):
        raise InputError(f"is a link into harmgraph's own files ({root})", where=str(place), remedy="remove the link")
    return _below(place, root, (root,))


def _below(place: Path, root: Path, above: tuple[Path, ...]) -> Iterator[tuple[PurePosixPath, Path]]:
    """The files in a folder that belong into a backup.

    Args:
        root: the folder of the model. above: this folder and those that it lies in, down from ``root``; all without links.
    """
    for path in sorted(place.iterdir()):
        name = PurePosixPath(path.relative_to(home()).as_posix())
        if not is_listed(name):
            continue
        why = fault(str(name))
        if why:
            raise InputError(f"the name {path.name!a} {why}", where=str(place), remedy="rename the file")
        real = path.resolve()
        if not real.is_relative_to(root) or real in above:
            raise InputError(
                f"is a link that leads out of the folder of its model ({real})"
                if real not in above
                else "is a link in a circle",
                where=str(path),
                remedy="put the file itself there; only the whole folder of a model may be a link",
            )
        if path.is_dir():
            yield from _below(path, root, (*above, real))
        elif not path.is_file():
            raise InputError(
                "is not a file" if path.exists() else "is a link to nothing",
                where=str(path),
                remedy="remove it",
            )
        elif not is_backup(path):
            yield name, path

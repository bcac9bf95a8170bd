"""What a backup may hold: the one list by which it is written and read. What is not in it is put in place nowhere."""

from __future__ import annotations

from pathlib import PurePosixPath

from harmgraph.common.home import TRAINED

DUMP, MANIFEST, HOME = "neo4j.dump", "manifest.json", "home/"
UNFINISHED = ".training"
"""Ending of the hidden folder with the checkpoints of an unfinished training."""
MOST_NAME, MOST_PATH = 255, 1024  # bytes that file systems take; of a path below the home


def is_listed(path: PurePosixPath) -> bool:
    """Whether a file of harmgraph's home, by its path relative to it, belongs into a backup.

    These are the files in the folder of what was trained, such as ``models/comet/weights``. Hidden ones are harmgraph's own:
    locks, and what is being written or replaced.
    """
    return len(path.parts) > len(unit(path).parts) and is_unit(unit(path)) and not _hides(path.parts[2:])


def is_unit(place: PurePosixPath) -> bool:
    """Whether it is the folder of one model, scorer or populator, such as ``models/comet``."""
    return (
        len(place.parts) == 2
        and place.parts[0] in TRAINED
        and (not _hides(place.parts[1:]) or (place.name.endswith(UNFINISHED) and place.name != UNFINISHED))
    )


def unit(path: PurePosixPath) -> PurePosixPath:
    """What is restored together with a file: the folder of one model."""
    return PurePosixPath(*path.parts[:2])


def fault(name: str) -> str:
    """What is wrong with the name of a file in an archive or in the home; empty if nothing is."""
    size = len(name.encode("utf-8", "surrogatepass"))
    parts = name.split("/")
    if not name.isprintable():
        return "has control characters"
    if size > MOST_PATH or any(len(part.encode()) > MOST_NAME for part in parts):
        return "is too long"
    if "\\" in name or any(part in ("", ".", "..") for part in parts):
        return "is not that of a file below a folder"
    return ""


def _hides(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") for part in parts)

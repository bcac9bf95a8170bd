"""Atomic writing: a file, a folder or several of them appear complete or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from harmgraph.graph.common.errors import NoSpace
from harmgraph.graph.common.json_text import from_json
from harmgraph.graph.common.no_space import writing


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside ``path``; when the block succeeds, the temporary file replaces ``path``.

    A reader sees either the old file or the new one. If the block fails, the old file stays and the temporary one is deleted.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def folder_beside(path: Path, *, mode: int = 0o777) -> Iterator[Path]:
    """Yields a new temporary folder beside ``path``; when the block succeeds, it replaces the folder ``path``.

    Only one process at a time may write a folder, under a lock of the caller's: what an earlier one left is removed first.
    If the block fails, the old folder stays and the temporary one is deleted.

    Args:
        mode: of the folder.
    """
    part = folder_part(path)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True, mode=mode)
    try:
        yield part
        shutil.rmtree(path, ignore_errors=True)
        part.replace(path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def folder_part(path: Path) -> Path:
    """The temporary folder of ``folder_beside``, which stays if the process is killed."""
    return path.with_name(f".{path.name}.part")


def write_whole(path: Path, content: bytes, *, remedy: str) -> None:
    """Writes a file atomically; missing folders are created and an existing file is replaced.

    Args:
        remedy: what the user can do if it fails.

    Raises:
        NoSpace: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise NoSpace(f"cannot be written ({error.strerror})", where=str(path), remedy=remedy) from error


@contextmanager
def written(path: Path) -> Iterator[IO[str]]:
    """Yields a temporary file open for writing; it replaces ``path`` when the block succeeds."""
    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            yield file


def replace_together(note: Path, moves: Sequence[tuple[Path, Path]], remove: Sequence[Path] = ()) -> None:
    """Puts new files and folders in the places of others, all of them or none.

    A note of the moves is written first. If the process is killed after that, ``finish_moves`` does what is left.

    Args:
        note: file of the note.
        moves: pairs of a new path and its place, on one file system; what is in the place is deleted after all moves.
        remove: files and folders that are deleted last.
    """
    plan = {"moves": [[str(new), str(place)] for new, place in moves], "remove": [str(path) for path in remove]}
    with beside(note) as part, part.open("w", encoding="utf-8") as file:
        json.dump(plan, file)
        file.flush()
        os.fsync(file.fileno())
    finish_moves(note)


def finish_moves(note: Path) -> bool:
    """Does what is left of the moves of a note; returns whether there was one."""
    try:
        plan = from_json(note.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    moves = [(Path(new), Path(place)) for new, place in plan["moves"]]
    for new, place in moves:
        if not new.exists():
            continue  # was moved before
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            delete(_old(place))
            place.rename(_old(place))
        new.rename(place)
    for path in (*(_old(place) for _, place in moves), *map(Path, plan["remove"])):
        delete(path)
    note.unlink()
    return True


def delete(path: Path) -> None:
    """Deletes a file, or a folder with all that is in it; does nothing if it is missing."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _old(place: Path) -> Path:
    return place.with_name(f".{place.name}.old")

"""Atomic writing: a file, a folder or several of them appear complete or not at all.

Every whole file goes through ``beside``, which minds what stands at its path. A regular file is replaced. A symbolic link stays,
and the file that it leads to is replaced. A device, a FIFO or an open file (``/dev/stdout``) gets the content once it is whole;
a terminal gets it clean.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from harmgraph.common.clean_text import clean
from harmgraph.common.errors import InputError
from harmgraph.common.json_text import from_json
from harmgraph.common.no_space import writing
from harmgraph.common.private import close_all, make_file, make_folder
from harmgraph.common.terminal import CleanStream

STDOUT = Path("/dev/stdout")
REMEDY = "name another file"
LONGEST_NAME = 200  # bytes of a name that the name of its temporary file repeats; 255 are allowed
_REFUSED = {stat.S_IFDIR: "is a folder", stat.S_IFBLK: "is a disk", stat.S_IFSOCK: "is a socket"}


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yields a temporary path; when the block succeeds, its content takes the place of ``path``.

    A reader sees either the old file or the new one. If the block fails, the old file stays and the temporary one is deleted;
    a device, a FIFO or an open file gets nothing.

    Raises:
        InputError: at the path is a folder, a disk, a socket, or a link that leads nowhere.
    """
    if is_stream(path):
        with tempfile.TemporaryDirectory(prefix="harmgraph-") as folder:
            yield (part := Path(folder) / "part")
            _pass_on(part, path)
        return
    place = followed(path)
    part = place.with_name(f".{_start(place.name)}.{os.getpid()}.part")
    try:
        make_file(part)
        yield part
        part.replace(place)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)  # the name that the user knows
        raise
    finally:
        part.unlink(missing_ok=True)


def check_place(path: Path) -> None:
    """Checks that a file can stand at a path, before anything is computed or written.

    Raises:
        InputError: as ``beside``.
    """
    is_stream(path)


def is_stream(path: Path) -> bool:
    """Whether what is written to a path passes on and cannot be replaced: a device, a FIFO, or an open file of this process.

    Raises:
        InputError: no file can be written there, as at the path of a folder.
    """
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError("is a link that leads to itself", where=str(path), remedy=REMEDY) from error
        return False  # nothing is there; who writes it learns what else is wrong
    if kind in _REFUSED:
        raise InputError(_REFUSED[kind], where=str(path), remedy=REMEDY)
    return kind != stat.S_IFREG or descriptor(path) is not None


def followed(path: Path) -> Path:
    """The path without symbolic links; of a link, the path that it leads to."""
    return Path(os.path.realpath(path))


def descriptor(path: Path) -> int | None:
    """The number of this process's open file that a path stands for, as 1 for ``/dev/stdout``; None for other paths."""
    open_files = {Path("/dev/fd"), followed(Path("/dev/fd"))}
    here = path.absolute()
    while True:
        if here.name.isdecimal() and followed(here.parent) in open_files:
            return int(here.name)
        if not here.is_symlink():
            return None
        here = here.parent / here.readlink()


def opened(path: Path, *, errors: str = "strict", newline: str = "\n") -> IO[Any]:
    """Opens a text file that is written piece by piece, for lines that must not wait for the end; what is there is replaced.

    Of an open file such as ``/dev/stdout`` it is a copy, which goes on where that is instead of at its start.

    Raises:
        InputError: as ``beside``.
        OSError: it cannot be opened.
    """
    if not is_stream(path):
        followed(path).parent.mkdir(parents=True, exist_ok=True)
    file = _open(path, "w", encoding="utf-8", errors=errors, newline=newline)
    return cast(IO[Any], CleanStream(file)) if file.isatty() else file


def _pass_on(part: Path, path: Path) -> None:
    """Copies a temporary file into a device, a FIFO or an open file."""
    if sys.stdout:
        sys.stdout.flush()  # what was printed before stands before it
    with part.open("rb") as content, _open(path, "wb") as to:
        if to.isatty():
            to.write(clean(content.read().decode(errors="backslashreplace")).encode())
        else:
            shutil.copyfileobj(content, to)


def _open(
    path: Path, mode: str, encoding: str | None = None, errors: str | None = None, newline: str | None = None
) -> IO[Any]:
    number = descriptor(path) if is_stream(path) else None
    if number is None:
        return path.open(mode, encoding=encoding, errors=errors, newline=newline)
    return os.fdopen(os.dup(number), mode, encoding=encoding, errors=errors, newline=newline)


def _start(name: str) -> str:
    return os.fsdecode(os.fsencode(name)[:LONGEST_NAME])


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """Yields a new temporary folder beside ``path``; when the block succeeds, it replaces the folder ``path``.

    Only one process at a time may write a folder, under a lock of the caller's: what an earlier one left is removed first.
    If the block fails, the old folder stays and the temporary one is deleted.
    """
    part = folder_part(path)
    shutil.rmtree(part, ignore_errors=True)
    make_folder(part)
    try:
        yield part
        close_all(part)
        delete(path)  # of a link only the link: what it leads to is not ours
        part.replace(path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def folder_part(path: Path) -> Path:
    """The temporary folder of ``folder_beside``, which stays if the process is killed."""
    return path.with_name(f".{path.name}.part")


def write_whole(path: Path, content: bytes, *, remedy: str = REMEDY) -> None:
    """Writes a file atomically; missing folders are created and an existing file is replaced.

    Args:
        remedy: what the user can do if it fails.

    Raises:
        InputError: as ``beside``.
        NoSpace: it cannot be written.
    """
    with writing(path, remedy=remedy):
        make_folder(followed(path).parent)
        with beside(path) as part:
            part.write_bytes(content)


@contextmanager
def written(path: Path, *, remedy: str = REMEDY, newline: str = "\n") -> Iterator[IO[str]]:
    """Yields a temporary text file open for writing; its content takes the place of ``path`` when the block succeeds.

    Raises:
        InputError: as ``beside``.
        NoSpace: it cannot be written.
    """
    with writing(path, remedy=remedy):
        make_folder(followed(path).parent)
        with beside(path) as part, part.open("w", encoding="utf-8", newline=newline) as file:
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
        make_folder(place.parent)
        if os.path.lexists(place):
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

"""Atomic writing: a file appears complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from harmgraph.graph.common.errors import NoSpace
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

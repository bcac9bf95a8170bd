"""Files that appear whole or not at all."""

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
    """A place beside a file, to be written in the block; what stands there takes the file's place when the block ends well.

    Whoever reads the file meanwhile sees the old one or the new one; a block that fails leaves the old one and nothing else.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, *, remedy: str) -> None:
    """Writes beside the place of a file and then puts it there; folders are made, what stood there is replaced.

    Args:
        remedy: what the user can do where it fails.

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
    """The file, open for writing beside its place; it takes it when the block ends well."""
    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            yield file

"""Writes weights: what safetensors says of a full disk becomes the error that every other file gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harmgraph.common.errors import NoSpace
from harmgraph.common.no_space import writing


@contextmanager
def saving(where: Path) -> Iterator[None]:
    """A context for writing weights below ``where``.

    Raises:
        NoSpace: the disk is full, or a file or folder may not be written.
    """
    from safetensors import SafetensorError

    try:
        with writing(where):
            yield
    except SafetensorError as error:
        raise NoSpace(
            f"cannot be written ({error})",
            where=str(where),
            remedy="make room, or set HARMGRAPH_HOME to another folder",
        ) from error

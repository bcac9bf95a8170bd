"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

from graph.errors import NoSpace
from graph.whole_file import beside


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

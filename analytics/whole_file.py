"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from graph.errors import NoSpace


def write_whole(path: Path, content: bytes, *, remedy: str) -> None:
    """Writes beside the place of a file and then puts it there; folders are made, what stood there is replaced.

    Args:
        remedy: what the user can do where it fails.

    Raises:
        NoSpace: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(content)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise NoSpace(f"cannot be written ({error.strerror})", where=str(path), remedy=remedy) from error

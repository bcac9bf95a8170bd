"""The content of a user's file, and a digest that shows whether it changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from harmgraph.graph.common.errors import UnreadableFile


def content(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UnreadableFile: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(path, f"cannot be read ({error.strerror})", remedy="check the path") from error


def short_digest(path: Path) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of a file: enough to tell its versions apart.

    Raises:
        UnreadableFile: it cannot be read.
    """
    return hashlib.sha256(content(path)).hexdigest()[:12]

"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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

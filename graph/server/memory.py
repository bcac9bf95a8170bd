"""How much memory the embedded server gets: a share of the machine's, or what the user sets."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.errors import InputError

MIB = 1 << 20
_SIZE = re.compile(r"(\d+)\s*([kmg]?)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": MIB, "g": 1 << 30}
# The memory limit of a container: control groups version 2, then version 1.
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes for the Java heap and for Neo4j's page cache."""

    heap: int
    page_cache: int


def memory(heap: str = "", page_cache: str = "") -> Memory:
    """A quarter of the machine for the heap (512 MiB to 4 GiB), an eighth for the page cache (128 MiB to 4 GiB).

    The arguments, or ``HARMGRAPH_HEAP`` and ``HARMGRAPH_PAGECACHE``, override these: ``2g``, ``512m``.

    Raises:
        InputError: a size that cannot be read, or a heap below 128 MiB.
    """
    heap = heap or os.environ.get("HARMGRAPH_HEAP", "")
    page_cache = page_cache or os.environ.get("HARMGRAPH_PAGECACHE", "")
    total = _total()
    chosen = Memory(
        size(heap) if heap else min(max(total // 4, 512 * MIB), 4096 * MIB),
        size(page_cache) if page_cache else min(max(total // 8, 128 * MIB), 4096 * MIB),
    )
    if chosen.heap < 128 * MIB or chosen.page_cache < 8 * MIB:
        raise InputError("too little memory for Neo4j", remedy="give it a heap of 128m and a page cache of 8m at least")
    return chosen


def size(text: str) -> int:
    """The number of bytes of a size such as ``512m`` or ``2g``.

    Raises:
        InputError: it cannot be read.
    """
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise InputError(f"{text!r} is not a size of memory", remedy="write 512m or 2g")
    return int(match[1]) * _UNITS[match[2].lower()]


def _total() -> int:
    """The machine's memory, or the container's limit if that is lower, in bytes."""
    import psutil

    total: int = psutil.virtual_memory().total
    for path in _LIMITS:
        try:
            limit = path.read_text().strip()
        except OSError:
            continue  # no such limit on this machine
        if limit.isdigit():
            total = min(total, int(limit))
    return total

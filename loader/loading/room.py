"""Checks, before anything is written, whether files are certainly too large for the disk of the embedded server."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from harmgraph.common.errors import HarmgraphError, NoSpace
from harmgraph.graph.records import Statement, Triple
from harmgraph.graph.server import space
from harmgraph.graph.server.folder import folder
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.plan import Plan

SAMPLE = 20_000  # records
SMALLEST = 75
"""Minimum bytes in the store per triple or sentence: the records of a relationship and of its first properties. Measured
with names and indexes it takes 205 to 450."""
CERTAIN = 2
"""Divides the estimate, because the rest of a file may have fewer records than its beginning."""


def check_room(plan: Plan, reusable: int = 0) -> None:
    """Estimates a minimum size from the first records of each file and compares it with the free space on the disk.

    A load that passes can still run out of space; run it again when there is more.

    Args:
        reusable: bytes of the store that may be free, and are filled before it grows.

    Raises:
        NoSpace: the files will not fit; nothing was written.
    """
    place = folder()
    left = max(0, space.free(place) - space.MARGIN)
    if plan.limit or sum(_size(path) for path in plan.paths) * 100 < left:
        return  # a limit may stop early; and no file, compressed or not, becomes a store a hundred times its size
    least = sum(_least(plan, path) for path in plan.paths)
    if least > left + reusable:
        raise NoSpace(
            f"{', '.join(path.name for path in plan.paths)} will not fit: {space.shown(left)} free for the graph, at least "
            f"{space.shown(least)} needed; nothing was written",
            where=str(place),
            remedy="make room, or load a part with --limit",
        )


def _least(plan: Plan, path: Path) -> int:
    """Minimum bytes of a file in the store, estimated from its first records; equal ones count once."""
    try:
        with open_lines(path, plan.importer.longest_line) as lines:
            seen: set[tuple[str, ...]] = set()
            taken = islice(plan.importer.read(lines, plan.importer.chosen(plan.options)), SAMPLE)
            for record in taken:
                if isinstance(record, Triple):
                    seen.add((record.head.key, record.relation, record.tail.key, record.assertion))
                elif isinstance(record, Statement):
                    seen.add((record.term, record.text))
            if not lines.position:
                return 0
            if lines.position >= lines.size:
                return len(seen) * SMALLEST
            return int(len(seen) * lines.size / lines.position * SMALLEST / CERTAIN)
    except (HarmgraphError, OSError):
        return 0  # the load itself will report the error


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

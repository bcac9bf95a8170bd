"""Whether files will surely not fit on the disk of the embedded server: told before anything is written."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from harmgraph.graph.common.errors import HarmgraphError, NoSpace
from harmgraph.graph.records import Statement, Triple
from harmgraph.graph.server import space
from harmgraph.graph.server.folder import folder
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.plan import Plan

SAMPLE = 20_000  # records
SMALLEST = 75
"""Bytes of the store for a triple or sentence, at least: the records of one relationship and of its first properties alone
take that; measured with names and indexes, 205 to 450."""
CERTAIN = 2
"""The rest of a file may give fewer records than its beginning: so many times fewer are believed."""


def check_room(plan: Plan, reusable: int = 0) -> None:
    """Looks whether the first records of each file promise more than the disk can take, by a low estimate.

    A load that passes may still stop for want of room; run again once there is some, it goes on.

    Args:
        reusable: bytes of the store that may be empty, and are filled before it grows.

    Raises:
        NoSpace: the files will not fit; nothing was written.
    """
    place = folder()
    left = max(0, space.free(place) - space.MARGIN)
    if plan.limit or sum(_size(path) for path in plan.paths) * 100 < left:
        return  # a limit is reached anywhere; and no file of lines, packed or not, gives a store a hundred times its size
    least = sum(_least(plan, path) for path in plan.paths)
    if least > left + reusable:
        raise NoSpace(
            f"{', '.join(path.name for path in plan.paths)} will not fit: {space.shown(left)} free for the graph, at least "
            f"{space.shown(least)} needed; nothing was written",
            where=str(place),
            remedy="make room, or load a part with --limit",
        )


def _least(plan: Plan, path: Path) -> int:
    """Bytes of the store that a file takes at least, by its first records; equal ones count once."""
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
        return 0  # reading it for the load says what is wrong


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

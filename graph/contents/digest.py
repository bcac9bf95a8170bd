"""A digest of the whole graph: equal graphs have equal digests, whatever order they were written in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.schema import VOLATILE

FORM = 1
"""Raise it when the digest of an unchanged graph changes: backups note it, and older ones are then compared by their counts."""
_SPACE = 1 << 256
_OFTEN = 10_000


def digest(graph: Graph) -> str:
    """Digest of all nodes and relationships with their labels, types, ends and properties.

    Times (``graph.schema.VOLATILE``) are left out. The digests of the nodes and relationships are added up, so the order in
    which they are read does not matter, and memory does not grow with the graph. The version of the graph's
    form is no part of it.

    Returns:
        64 hexadecimal digits.
    """
    total = 0
    counts = graph.rows("schema/counts")[0]
    every = counts["nodes"] + counts["relationships"]
    for done, part in enumerate(_parts(graph), 1):
        total += part
        if done % _OFTEN == 0:
            progress("reading the graph for its digest", done, every)
    return f"{total % _SPACE:064x}"


def _parts(graph: Graph) -> Iterator[int]:
    for labels, properties in graph.stream("digest/nodes"):
        yield _part("node", sorted(labels), properties)
    for start, kind, end, properties in graph.stream("digest/relationships"):
        yield _part("relationship", [start, kind, end], properties)


def _part(kind: str, identity: list[Any], properties: dict[str, Any]) -> int:
    stable = {name: value for name, value in properties.items() if name not in VOLATILE}
    text = json.dumps([kind, identity, stable], sort_keys=True, ensure_ascii=True, default=str)
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

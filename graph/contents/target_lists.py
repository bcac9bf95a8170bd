"""Keeps the lists of targets up to date: the groups that posts bring, and the digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.common.json_text import from_json
from harmgraph.graph.connection import Graph


def renew(graph: Graph) -> None:
    """Brings the lists up to date: groups of posts, lists that hold nothing, digests."""
    graph.write("link/groups_of_sources")
    graph.write("link/stale_lists")
    for row in graph.rows("link/lists"):
        of = row["of"] or from_json(row["made_for"] or "{}").get("made_for")
        digest = _digest(row["held"])
        if (of, digest) != (row["of"], row["digest"]):
            graph.write("link/note_list", list=row["list"], of=of, digest=digest)


def _digest(held: Sequence[Mapping[str, Any]]) -> str:
    """The digest of what a list holds."""
    facts = [
        [one["name"], one["category"], sorted(one["names"]), one["language"], sorted(one["parts"])] for one in held
    ]
    return hashlib.sha256(json.dumps(sorted(facts), ensure_ascii=True).encode()).hexdigest()

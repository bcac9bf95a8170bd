"""Keeps a filtered set as a source of its own in the graph."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from harmgraph.analytics.filtering.filter import rows
from harmgraph.graph import schema_setup
from harmgraph.graph.common.errors import BadName
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker, sources
from harmgraph.graph.records import Import
from harmgraph.graph.writing.writer import Writer

IMPORTER = "filter@1"


def keep_as(
    graph: Graph, name: str, source: str, measures: Sequence[str], keep: Sequence[str], *, progress: Progress = silent
) -> int:
    """Writes what is kept of a source under another name; the same again gives the same. Labels are not copied.

    Returns:
        Number of triples and sentences that stand under the name.

    Raises:
        BadName: the name is the source's own, or something else stands under it.
        Busy: another command is changing the graph.
    """
    if not name.strip() or name == source:
        raise BadName("source", name, "cannot take what is left of itself: choose another name")
    schema_setup.apply(graph)
    facts = sources.facts(graph, source)
    of = [source, facts.get("import_id"), sorted(measures), sorted(keep)]
    identity = hashlib.blake2b(json.dumps(of).encode(), digest_size=8).hexdigest()
    with graph.holding(f"filter {source} into {name}"):
        other = sources.find(graph, name)
        if other and other.get("importer") != IMPORTER:
            raise BadName("source", name, "was loaded from files: choose another name, or drop it first")
        mark = Import(name, identity, sources.generation(graph, name, identity))
        told = {
            **{fact: facts.get(fact) for fact in ("version", "licence", "url", "sha256", "files") if facts.get(fact)},
            "importer": IMPORTER,
            "options": json.dumps({"of": source, "measures": list(measures), "keep": list(keep)}, sort_keys=True),
        }
        standing = sources.begin(graph, mark, told)
        number = 0
        with Writer(graph, mark) as writer:
            writer.empty_source = standing == "nothing"
            for row in rows(graph, source, measures):
                if row.stays(keep):
                    number += 1
                    # Where duplicates were kept, sentences differ by their line alone.
                    writer.add(row.record, "" if row.relation else row.key)
                    progress(f"writing {name}", number)
            writer.flush()
        if standing == "other":
            sources.sweep(graph, mark)
        linker.link(graph)
        counts = sources.count(graph, mark)
        kept = {
            "read": number,
            "records": number,
            "relations": dict(sorted(counts.relations.items())),
            "statements": counts.statements,
            "targets": 0,
        }
        sources.finish(graph, mark, kept, kept | {"import_id": identity})
        return counts.total

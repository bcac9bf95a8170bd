"""Writes filtered statements into the graph as a new source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from harmgraph.analytics.filtering.filter import own_names, rows
from harmgraph.common.errors import BadName
from harmgraph.common.progress import progress
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.writing.import_run import ImportRun

IMPORTER = "filter@1"


def keep_as(graph: Graph, name: str, source: str, measures: Sequence[str], keep: Sequence[str]) -> int:
    """Writes the kept statements of a source under another name, without labels. Repeating it changes nothing.

    Returns:
        Number of triples and sentences of the new source.

    Raises:
        BadName: the name is that of the source itself, or of a source that was loaded from files.
        Busy: another command is changing the graph.
    """
    if not name.strip() or name == source:
        raise BadName("source", name, "cannot be filtered into itself: choose another name")
    schema_setup.apply(graph)
    facts = sources.facts(graph, source)
    with graph.holding(f"filter {source} into {name}"):
        other = sources.replaceable(graph, name, IMPORTER)
        identity = _digest(graph, source, measures, keep)
        options = {"of": source, "measures": list(measures), "keep": list(keep)}
        mark, import_facts = sources.derived(graph, name, identity, facts, importer=IMPORTER, options=options)
        number = 0
        # Properties of an earlier import that this one does not have are removed.
        properties = own_names(graph.rows("filter/properties", source=name)[0]["names"]) if other else ()
        with ImportRun(graph, mark, import_facts, properties=properties) as run:
            for row in rows(graph, source, measures):
                if row.stays(keep):
                    number += 1
                    # If duplicates were kept, sentences may differ only by their line.
                    run.add(row.record, "" if row.relation else row.key)
                    progress(f"writing {name}", number)
            return run.complete({"read": number, "records": number}, {}).counts.total


def _digest(graph: Graph, source: str, measures: Sequence[str], keep: Sequence[str]) -> str:
    """Identifies this import by its content, because the labels may have changed since the last time."""
    digest = hashlib.blake2b(json.dumps([source, sorted(measures), sorted(keep)]).encode(), digest_size=8)
    for number, row in enumerate(rows(graph, source, measures)):
        if row.stays(keep):
            digest.update(repr((row.key, row.record)).encode())
            progress(f"reading {source}", number)
    return digest.hexdigest()

"""Records into a graph, past the files that they would come from."""

from __future__ import annotations

import hashlib

from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker, sources
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Concept, Import, Statement, Target, Triple
from harmgraph.graph.writing.writer import Writer


def fill(graph: Graph, *records: Triple | Statement | Target, source: str = "s") -> None:
    """Writes and links records of one source, whose import goes on."""
    writer = Writer(graph, Import(source, "i"), (), phrase)
    for record in records:
        writer.add(record)
    writer.flush()
    graph.write("source/begin", name=source, import_id="i", facts={})
    linker.link(graph)


def import_triples(graph: Graph, *records: Triple, source: str = "kb", import_id: str = "") -> None:
    """Loads triples as one complete import, whose id is a digest of them as that of a real one is."""
    schema_setup.apply(graph)
    import_id = import_id or hashlib.sha256(repr(records).encode()).hexdigest()[:16]
    mark = Import(source, import_id)
    sources.begin(graph, mark, {"importer": "test@1"})
    with Writer(graph, mark, ("split",)) as writer:
        for record in records:
            writer.add(record)
        writer.flush()
    sources.finish(graph, mark, {}, {})


def triple(head: str, relation: str, tail: str, weight: float | None = None) -> Triple:
    """A triple of two English phrases."""
    return Triple(Concept(head), relation, Concept(tail), properties={} if weight is None else {"weight": weight})

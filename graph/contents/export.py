"""Writes a source as two tables, of nodes and of triples, for programs that read no graph database."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.progress import progress
from harmgraph.common.whole_file import check_place, written
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources

NODES, TRIPLES = "nodes.tsv", "edges.tsv"
NODE_COLUMNS = ("key", "text", "labels", "language", "outgoing", "incoming")
TRIPLE_COLUMNS = ("head", "relation", "tail", "type", "assertion", "weight", "properties")
TELL_EVERY = 20_000


@dataclass(frozen=True, slots=True)
class ExportedSource:
    """What was written.

    Attributes:
        nodes, triples: rows of each table.
    """

    nodes: int
    triples: int


def export(graph: Graph, source: str, folder: Path) -> ExportedSource:
    """Writes ``nodes.tsv`` and ``edges.tsv``: UTF-8, a header line, columns separated by tabs and quoted where they need it.

    Each file appears whole or not at all, and replaces one that is there. Memory does not grow with the source.

    Raises:
        NotFound: no source of that name.
        InputError: where a table belongs is a folder, a disk or a socket.
        NoSpace: the folder cannot be written.
    """
    for name in (NODES, TRIPLES):
        check_place(folder / name)
    expected = sources.triples_of(graph, source)
    nodes = _write(
        folder / NODES,
        NODE_COLUMNS,
        (
            [key, text, " ".join(sorted(labels)), language, *degrees]
            for key, text, labels, language, *degrees in graph.stream("source/export_nodes", source=source)
        ),
        "writing nodes",
        None,
    )
    triples = _write(
        folder / TRIPLES,
        TRIPLE_COLUMNS,
        (
            [*columns, _json(properties)]
            for *columns, properties in graph.stream("source/export_triples", source=source)
        ),
        "writing triples",
        expected,
    )
    return ExportedSource(nodes, triples)


def _write(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    stage: str,
    expected: int | None,
) -> int:
    count = 0
    with written(path, remedy="choose another folder with --out", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(columns)
        for row in rows:
            table.writerow(row)
            count += 1
            if count % TELL_EVERY == 0:
                progress(stage, count, expected)
        progress(stage, count, count)
    return count


def _json(properties: dict[str, object]) -> str:
    present = {name: value for name, value in sorted(properties.items()) if value is not None}
    return json.dumps(present, ensure_ascii=False) if present else ""

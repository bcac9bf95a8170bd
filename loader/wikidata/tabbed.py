"""A triple of Wikidata's ids on a line, separated by tabs, as benchmarks have it."""

from __future__ import annotations

from harmgraph.graph.records import Triple
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.wikidata.ids import entity, wikidata_property


def tabbed_triple(line: str, line_number: int, split: str) -> Triple:
    """The triple of ``Q108946 TAB P161 TAB Q39792``.

    Args:
        split: of the file; empty for none.

    Raises:
        BadRecord: it has another number of columns, or a column is not such an id.
    """
    cells = line.split("\t")
    if len(cells) != 3:
        raise BadLine(f"{len(cells)} columns where 3 are expected")
    head, relation, tail = (cell.strip(" ") for cell in cells)
    # A triple can be in two splits of a benchmark: the split distinguishes them.
    properties = {"split": split} if split else {}
    return Triple(entity(head), wikidata_property(relation), entity(tail), split, properties, line_number)

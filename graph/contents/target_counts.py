"""Counts of each target, which several statistics begin with, counted once and kept until triples, labels or targets change."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.kept_by_state import KeptByState
from harmgraph.graph.driver.kept_file import COUNTS_OF_TARGETS, Rows
from harmgraph.graph.statements import CypherStatement, statement

if TYPE_CHECKING:
    import pandas

KEPT = KeptByState(COUNTS_OF_TARGETS, 4)
UNTIL = frozenset({"triples", "labels", "targets"})
COUNTS = "target_counts"  # the parameter with the counts

BLOCKS = {
    "counts of each target": ("statistics/overgeneralization", "measure/kept_of_targets"),
    "counts of each target and source": ("statistics/compare", "measure/kept_of_targets_and_sources"),
}
"""By name: the statement where a block of text that counts is written, and the one with the block that stands in its place if
counts are given."""
END = "// end of shared\n"


def frame(graph: Graph, query: CypherStatement, **parameters: Any) -> pandas.DataFrame:
    """The same as ``graph.frame``; if the statement begins with one of ``BLOCKS``, with the counts that are kept."""
    query, parameters = prepared(graph, query, parameters)
    return graph.frame(query, **parameters)


def prepared(
    graph: Graph, query: CypherStatement, parameters: dict[str, Any]
) -> tuple[CypherStatement, dict[str, Any]]:
    """The statement and its parameters, with the counts that are kept if it begins with one of ``BLOCKS``."""
    counting = with_counts(query)
    if counting is None:
        return query, parameters
    parameters = graph.filled(query, parameters)
    given = query.arguments(parameters)
    counts = kept(graph, given["measure"], given["lists"])
    return (query, parameters) if counts is None else (counting, {**parameters, COUNTS: counts})


def with_counts(query: CypherStatement) -> CypherStatement | None:
    """The statement that takes the counts as a parameter instead of counting; None if it does not begin with such a block."""
    for name in query.notes.get("shared", ()):
        home_of, instead = BLOCKS.get(name, ("", ""))
        block, end, rest = query.text.partition(END)
        # A statement of somebody else's may count in another way under the same name.
        if home_of and end and block == statement(home_of).text.partition(END)[0]:
            kept_block = statement(instead)
            counts = next(parameter for parameter in kept_block.parameters if parameter.name == COUNTS)
            text = kept_block.text.partition(END)[0] + rest
            return replace(query, parameters=(*query.parameters, counts), text=text)
    return None


def kept(graph: Graph, measure: str, lists: list[str] | None) -> Rows | None:
    """The counts of a measure as they are now, as rows of ``measure/target_counts``.

    Args:
        lists: names of the target lists; every target if None.

    Returns:
        None if they cannot be had for one state of the graph, see ``KeptByState.rows``.
    """

    def count() -> Rows:
        return [list(row.values()) for row in graph.rows("measure/target_counts", measure=measure, lists=lists)]

    return KEPT.rows(graph, json.dumps([measure, lists]), UNTIL, count)

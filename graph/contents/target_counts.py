"""Counts of each target, which several statistics begin with, counted once and kept until the graph changes.

They are kept in a file of harmgraph's home under the state of the database (``Graph.state``). Any write gives another state,
also one by hand in Neo4j Browser, so what is kept is never out of date.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import NotAllowed
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import CypherStatement, statement

if TYPE_CHECKING:
    import pandas

FILE = "target-counts.json"
FORM = 2  # of the file and of the counts; another number makes all counts that are kept void
COUNTS = "target_counts"  # the parameter with the counts

BLOCKS = {
    "counts of each target": ("statistics/overgeneralization", "measure/kept_of_targets"),
    "counts of each target and source": ("statistics/compare", "measure/kept_of_targets_and_sources"),
}
"""By name: the statement where a block of text that counts is written, and the one with the block that stands in its place if
counts are given."""
END = "// end of shared\n"

Rows = list[list[Any]]


@dataclass(slots=True)
class _Here:
    """What this process knows, so that the statistics of a report need not ask again."""

    state: str = ""
    counts: dict[str, Rows] = field(default_factory=dict)


_here = _Here()


def frame(graph: Graph, query: CypherStatement, **parameters: Any) -> pandas.DataFrame:
    """The same as ``graph.frame``; if the statement begins with one of ``BLOCKS``, with the counts that are kept."""
    counting = with_counts(query)
    if counting is None:
        return graph.frame(query, **parameters)
    parameters = graph.filled(query, parameters)
    given = query.arguments(parameters)
    counts = kept(graph, given["measure"], given["lists"])
    if counts is None:
        return graph.frame(query, **parameters)
    return graph.frame(counting, **parameters, **{COUNTS: counts})


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
        None if they cannot be had for one state of the graph: the server names none, or somebody writes at the same time.
    """
    before = graph.state()
    if not before:
        return None
    name = json.dumps([measure, lists])
    if before == _here.state and name in _here.counts:
        return _here.counts[name]
    try:
        state = json.dumps([before, graph.rows("measure/state")])
    except NotAllowed:
        return None
    known = _read(state)
    if name not in known:
        rows = [list(row.values()) for row in graph.rows("measure/target_counts", measure=measure, lists=lists)]
        if graph.state() != before:
            return None
        known |= {name: rows}
        with suppress(OSError, TypeError):  # a full disk, or a source whose name is not a text: then they are not kept
            _write(state, known)
    _here.state, _here.counts = before, known
    return known[name]


def forget() -> None:
    """Drops what is kept, so that the next statistic counts again."""
    _here.state, _here.counts = "", {}
    (home() / "cache" / FILE).unlink(missing_ok=True)


def _read(state: str) -> dict[str, Rows]:
    """The counts of that state by measure and target lists; none if the file is missing, damaged or of another state."""
    try:
        content = from_json((home() / "cache" / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict) or (content.get("form"), content.get("state")) != (FORM, state):
        return {}
    return dict(content["counts"])


def _write(state: str, counts: dict[str, Rows]) -> None:
    content = json.dumps({"form": FORM, "state": state, "counts": counts})
    place = home() / "cache" / FILE
    make_folder(place.parent)
    with beside(place) as part:
        part.write_text(content, encoding="utf-8")

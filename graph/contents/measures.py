"""The harm measures that occur as labels in the graph.

No list of them is kept, since a label can also be removed by a load, by a scorer without an opinion or by a user's own
statement; they are queried from the graph. The store's property names rule out measures that were never used. Then the
statements about targets are searched, and all other statements only if no label of the measure is found there.
"""

from __future__ import annotations

from collections.abc import Iterable

from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement

AXES = "axes"
"""The parameter with measures that label only the statements with a word of an axis; the rows say which they are of."""
NAMES = ("measure", "measures", "against", AXES)
"""The names of statement parameters that take one or several measures."""


def measures(graph: Graph) -> tuple[str, ...]:
    """The harm measures with at least one label in the graph, sorted."""
    return _standing(graph, [row["measure"] for row in graph.rows("measure/named")])


def stands(graph: Graph, name: str) -> bool:
    """Whether at least one statement has a label of a measure."""
    return any(row["measure"] == name for row in graph.rows("measure/named")) and bool(_standing(graph, [name]))


def known_measure(graph: Graph, name: str) -> str:
    """Returns the name if the graph has labels of this measure.

    Raises:
        NotFound: it has none; lists similar names, or says that nothing is labelled.
    """
    if stands(graph, name):
        return name
    known = measures(graph)
    remedy = "'harmgraph label --list' shows what can label" if known else "nothing is labelled: run 'harmgraph label'"
    raise NotFound("measure", name, known, remedy=remedy)


def _standing(graph: Graph, names: Iterable[str]) -> tuple[str, ...]:
    wanted = list(names)
    present: set[str] = set()
    for query in map(statement, ("measure/about_targets", "measure/anywhere")):
        left = [name for name in wanted if name not in present]
        if left:
            present |= {row["measure"] for row in graph.rows(query, measures=left)}
    return tuple(sorted(present))

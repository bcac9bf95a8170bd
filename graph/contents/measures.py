"""The harm measures that stand as labels in the graph.

The graph itself is asked, and no list of them is kept: a label is also removed by a load, by a scorer without an opinion and
by a statement of the user's own. The store's property names say at once what nobody ever labelled; a label of a measure that
stands is found among the statements about targets, and only of a measure that was removed all statements are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from harmgraph.graph.common.errors import NotFound
from harmgraph.graph.connection import Graph

NAMES = ("measure", "measures", "against")
"""What a statement's parameter is called that takes a measure, or several."""


def measures(graph: Graph) -> tuple[str, ...]:
    """The harm measures of which at least one label stands, sorted."""
    return _standing(graph, [row["measure"] for row in graph.rows("measure/named")])


def stands(graph: Graph, name: str) -> bool:
    """Whether at least one statement carries a label of a measure."""
    return any(row["measure"] == name for row in graph.rows("measure/named")) and bool(_standing(graph, [name]))


def known_measure(graph: Graph, name: str) -> str:
    """The name itself, where it is a measure that stands.

    Raises:
        NotFound: no label of it stands; lists near names, or says that nothing is labelled.
    """
    if stands(graph, name):
        return name
    known = measures(graph)
    remedy = "'harmgraph label --list' shows what can label" if known else "nothing is labelled: run 'harmgraph label'"
    raise NotFound("measure", name, known, remedy=remedy)


def _standing(graph: Graph, names: Iterable[str]) -> tuple[str, ...]:
    wanted = list(names)
    present: set[str] = set()
    for statement in ("measure/about_targets", "measure/anywhere"):
        left = [name for name in wanted if name not in present]
        if left:
            present |= {row["measure"] for row in graph.rows(statement, measures=left)}
    return tuple(sorted(present))

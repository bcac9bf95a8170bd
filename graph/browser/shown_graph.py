"""The neighbourhood of a target as an interactive picture for notebooks, with the colours of Neo4j Browser (extra ``viz``)."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.clean_text import clean
from harmgraph.common.errors import InputError, MissingExtra
from harmgraph.common.whole_file import write_whole
from harmgraph.graph.browser.style import NODES, RELATIONSHIPS, NodeRule, RelationshipRule
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.contents.targets import check_standing
from harmgraph.graph.records import normalise

if TYPE_CHECKING:
    import neo4j.graph
    from neo4j_viz import Node, Relationship, VisualizationGraph

NOTICE = "Quotes statements of knowledge bases, including stereotypes and slurs."
HEIGHT = 600
MEASURE = "sentiment"
NO_STORAGE = (
    "<script>for (const name of ['localStorage', 'sessionStorage']) try { window[name] } catch { Object.defineProperty("
    "window, name, { value: { getItem: () => null, setItem: () => {}, removeItem: () => {} } }) }</script>"
)
"""A frame without rights has no storage, and neo4j_viz ends where it asks for it."""
LONGEST = 200
"""Characters of a text in the picture; the longest sentences are a paragraph."""
SMALLER = 4
"""The diameters of Neo4j Browser by those of the picture."""


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """An interactive picture. A notebook shows it; drag nodes, and click one to see its properties.

    Attributes:
        graph: that of the package neo4j_viz, for other layouts and renderers.
        target: the name of the target in the middle.
        statements: how many triples and sentences it shows.
    """

    graph: VisualizationGraph
    target: str
    statements: int

    def page(self) -> str:
        """The picture as a page that needs nothing else, about 4 MB of HTML."""
        page: str = self.graph.render(width="100%", height=f"{HEIGHT - 20}px").data
        return page.replace("<head>", f"<head>{NO_STORAGE}", 1)

    def save(self, path: str | Path) -> Path:
        """Writes the page into a file; returns its path.

        Raises:
            NoSpace: the file cannot be written.
        """
        write_whole(Path(path), self.page().encode())
        return Path(path)

    def _repr_html_(self) -> str:
        # In a frame without rights: texts of a knowledge base can do nothing to the notebook, and pictures keep apart.
        name = escape(clean(self.target), quote=True)
        return (
            f"<p><small>{name}: {self.statements:,} statements. {NOTICE}</small></p>"
            f'<iframe sandbox="allow-scripts" title="the neighbourhood of {name}" '
            f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #ccc" srcdoc="{escape(self.page(), quote=True)}">'
            "</iframe>"
        )

    def __repr__(self) -> str:
        return f"ShownGraph({self.target!r}, {self.statements:,} statements); a notebook shows it, save() writes a page"


def neighbourhood(
    graph: Graph,
    target: str,
    *,
    label: str | None = None,
    measure: str = MEASURE,
    source: str | None = None,
    limit: int = 50,
) -> ShownGraph:
    """The neighbourhood of a target: the statements about it that a scorer judged most strongly, then others.

    Args:
        label: only statements with this label of the measure; all if None, unlabelled ones too.
        limit: most statements.

    Raises:
        MissingExtra: the package neo4j_viz is not installed.
        NotFound: there is no such target, source or measure.
        InputError: nothing is said about the target, or the limit is none.
    """
    try:
        from neo4j_viz import VisualizationGraph
    except ModuleNotFoundError as error:
        raise MissingExtra("neo4j_viz", "viz") from error
    name = normalise(target)
    check_standing(graph, "target", [name])
    if source is not None:
        from harmgraph.graph.contents.sources import facts

        facts(graph, source)
    if label is not None or measure != MEASURE:  # a graph without any label has not even the usual measure
        known_measure(graph, measure)
    if limit < 1:
        raise InputError("the limit must be 1 or more", where=f"limit={limit!r}")
    rows = graph.raw_rows(
        "explore/statements_of_target", target=name, label=label, measure=measure, source=source, limit=limit
    )
    if not rows:
        raise InputError(
            "there is no such statement about the target", where=name, remedy="leave label and source out, or load more"
        )
    nodes: dict[str, Node] = {}
    relationships: dict[str, Relationship] = {}
    statements = set()
    for row in rows:
        # A triple between two names of the target is two paths.
        path = row["path"]
        statements.add(path.relationships[-1].element_id if len(path.relationships) > 1 else path.nodes[-1].element_id)
        for node in row["path"].nodes:
            nodes[node.element_id] = nodes.get(node.element_id) or _node(node)
        for relationship in row["path"].relationships:
            relationships[relationship.element_id] = _relationship(relationship)
    return ShownGraph(VisualizationGraph([*nodes.values()], [*relationships.values()]), name, len(statements))


def _node(node: neo4j.graph.Node) -> Node:
    from neo4j_viz import Node as Shown

    rule = next((rule for rule in NODES if rule.label in node.labels), _OTHER)
    facts: dict[str, Any] = {
        "id": node.element_id,
        "caption": _short(" ".join(str(node[name]) for name in rule.caption if name in node)),
        "size": rule.diameter / SMALLER,
        "color": rule.colour,
        "properties": {"labels": ", ".join(sorted(node.labels)), **_properties(node)},
    }
    return Shown(**facts)


def _relationship(relationship: neo4j.graph.Relationship) -> Relationship:
    from neo4j_viz import Relationship as Shown

    rule = _BY_TYPE.get(relationship.type, _BY_TYPE[""])
    start, end = relationship.nodes
    assert start is not None
    assert end is not None
    facts: dict[str, Any] = {
        "id": relationship.element_id,
        "source": start.element_id,
        "target": end.element_id,
        "caption": relationship.type,
        "color": rule.colour,
        "width": rule.width,
        "properties": _properties(relationship),
    }
    return Shown(**facts)


def _properties(of: neo4j.graph.Entity) -> dict[str, Any]:
    return {
        name: _short(value)
        if isinstance(value, str)
        else value
        if isinstance(value, int | float)
        else _short(str(value))
        for name, value in of.items()
    }


def _short(text: str) -> str:
    return clean(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


_OTHER = NodeRule("", "#A6ACBA", "#7C8394", "#2A2C34", 64, 10, ("name",))
_BY_TYPE: dict[str, RelationshipRule] = {rule.type: rule for rule in RELATIONSHIPS}

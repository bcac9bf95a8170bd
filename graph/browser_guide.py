"""The guide in Neo4j Browser's sidebar: six slides, from the most harmed target to its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib import resources
from string import Template

from graph.browser_style import NODES
from graph.connection import Graph, Row
from graph.saved_queries import filled
from graph.statements import statement

NOTHING_LABELLED = "Nothing is labelled yet. Run <code>harmgraph label vader</code>, then open this again."
NO_TARGET = "nobody yet"


@dataclass(frozen=True, slots=True)
class Findings:
    """What the guide tells of one graph.

    Attributes:
        worst: the first row of ``explore/most_harmed``, None where nothing is labelled negative.
        favoured: name of the target with the most positive statements, empty where there is none.
        statements: statement-target pairs with a label.
        targets: targets that have at least one.
        sources: names of the loaded sources.
    """

    worst: Row | None
    favoured: str
    statements: int
    targets: int
    sources: tuple[str, ...]

    @property
    def target(self) -> str:
        """Name of the most harmed target, empty where there is none."""
        return str(self.worst["target"]) if self.worst else ""


def findings(graph: Graph) -> Findings:
    """Asks the graph for what the guide tells.

    Raises:
        GraphError: the graph cannot be read.
    """
    ranked = graph.rows("explore/most_harmed", limit=1_000_000)
    worst = next((row for row in ranked if row["negative"]), None)
    favoured = max(ranked, key=lambda row: int(row["positive"]), default=None)
    return Findings(
        worst,
        str(favoured["target"]) if favoured and favoured["positive"] else "",
        sum(int(row["n"]) for row in ranked),
        len(ranked),
        tuple(str(row["source"]) for row in graph.rows("explore/labels_by_source")),
    )


def guide(found: Findings) -> str:
    """The guide as HTML; names from the graph are text or quoted strings in it, whatever they hold."""
    pages = resources.files("graph").joinpath("pages", "guide.html").read_text(encoding="utf-8")
    return Template(pages).substitute(
        statements=f"{found.statements:,}",
        targets=f"{found.targets:,}",
        sources=escape(_listed(found.sources)),
        target=escape(found.target or NO_TARGET),
        finding=_finding(found.worst),
        favoured=f", of which <b>{escape(found.favoured)}</b> has most" if found.favoured else "",
        legend=_legend(),
        harm_map=_block("explore/harm_map"),
        most_harmed=_block("explore/most_harmed"),
        statements_of_target=_block("explore/statements_of_target", target=found.target),
        sentences_of_target=_block("explore/sentences_of_target", target=found.target),
        favour_map=_block("explore/harm_map", label="positive"),
        said_of_several=_block("explore/said_of_several"),
        sources_statement=_block("explore/sources"),
        labels_by_source=_block("explore/labels_by_source"),
    )


def _block(name: str, **given: str) -> str:
    return escape(filled(statement(name), given))


def _listed(names: tuple[str, ...]) -> str:
    if len(names) > 4:
        return f"{len(names)} sources"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return "".join(names) or "no source yet"


def _finding(worst: Row | None) -> str:
    if worst is None:
        return NOTHING_LABELLED
    return (
        f"Here it is <b>{escape(str(worst['target']))}</b> ({escape(str(worst['category']))}): "
        f"{worst['negative']:,} of {worst['n']:,} statements are negative, {worst['o_minus']} %, "
        f"at least {worst['at_least']} %. The next slides follow it down."
    )


def _legend() -> str:
    return "<br>".join(
        f'<span style="color:{node.colour};font-size:1.4em;-webkit-text-stroke:1px {node.border}">●</span> '
        f"<b>{node.label}</b> {node.meaning}"
        for node in NODES
        if node.meaning
    )

"""The guide in Neo4j Browser's sidebar: six slides, from the most harmed target to its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

from harmgraph.common.clean_text import clean
from harmgraph.graph.browser.saved_queries import filled
from harmgraph.graph.browser.style import NODES
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import ExploreMostHarmedRow, ExploreWorstBySourceRow

GUIDE = "guide.html"
NOTHING_LABELLED = "Nothing is labelled yet. Run <code>harmgraph label vader</code>, then open this again."
NO_TARGET = "nobody yet"
ANY_WORD = "bad"
"""The example word if no word is used about several targets."""
ORIGIN = "{origin}"
"""Placeholder for the page server's address, which the server fills in: Neo4j Browser requires absolute addresses."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the guide shows about the graph, or about one source in it.

    Attributes:
        worst: target, category, n, negative, o_minus and at_least of the most harmed target, None if nothing is labelled
            negative.
        favoured: name of the target with the most positive statements, empty if there is none.
        pairs: number of pairs of a statement and a target.
        targets: number of targets in at least one of them.
        sources: names of the sources included.
        source: the source, if this is about one source; empty if it is about all.
        word: a word used about several targets, for "who is called so?".
        alone: the findings of each source, by name, if there are several.
    """

    worst: ExploreMostHarmedRow | ExploreWorstBySourceRow | None
    favoured: str
    pairs: int
    targets: int
    sources: tuple[str, ...]
    source: str = ""
    word: str = ANY_WORD
    alone: tuple[Findings, ...] = ()

    @property
    def target(self) -> str:
        """Name of the most harmed target, empty if there is none."""
        return str(self.worst["target"]) if self.worst else ""


def findings(graph: Graph) -> Findings:
    """Queries the graph for the findings of all sources together and of each source.

    Raises:
        GraphError: the graph cannot be read.
    """
    ranked = graph.rows("explore/most_harmed", limit=1_000_000)
    worst = next((row for row in ranked if row["negative"]), None)
    favoured = max(ranked, key=lambda row: int(row["positive"]), default=None)
    shared = graph.rows("explore/said_of_several", limit=1, each=1)
    word = str(shared[0]["path"][-1]["text"]) if shared else ANY_WORD
    by_source = graph.rows("explore/worst_by_source")
    return Findings(
        worst,
        str(favoured["target"]) if favoured and favoured["positive"] else "",
        sum(int(row["n"]) for row in ranked),
        len(ranked),
        tuple(str(row["source"]) for row in by_source),
        word=word,
        alone=tuple(_alone(row, word) for row in by_source) if len(by_source) > 1 else (),
    )


def _alone(row: ExploreWorstBySourceRow, word: str) -> Findings:
    return Findings(
        row if row["target"] is not None else None,
        str(row["favoured"] or ""),
        int(row["pairs"]),
        int(row["targets"]),
        (str(row["source"]),),
        str(row["source"]),
        word,
    )


def guides(findings: Findings) -> dict[str, str]:
    """The guides for the page server: one to all sources together and one to each source; readers can switch between them.

    Returns:
        HTML by file name.
    """
    files = {"": GUIDE} | {of_source.source: f"guide-{place}.html" for place, of_source in enumerate(findings.alone, 1)}
    return {
        files[of_source.source]: guide(of_source, files if findings.alone else {})
        for of_source in (findings, *findings.alone)
    }


def guide(findings: Findings, choice: Mapping[str, str] | None = None) -> str:
    """The guide as HTML; names from the graph are clean and escaped, whatever they contain.

    Args:
        choice: file names of the guides by source, with an empty name for all sources; without it no choice is shown.
    """
    pages = resources.files(__package__).joinpath("pages", "guide.html").read_text(encoding="utf-8")
    source = {"source": findings.source} if findings.source else {}
    page = Template(pages).substitute(
        pairs=f"{findings.pairs:,}",
        targets=f"{findings.targets:,}",
        sources=escape(_listed(findings.sources)),
        choice=_choice(findings.source, choice or {}),
        target=escape(findings.target or NO_TARGET),
        word=escape(findings.word),
        finding=_finding(findings.worst),
        favoured=f", of which <b>{escape(findings.favoured)}</b> has most" if findings.favoured else "",
        legend=_legend(),
        harm_map=_block("explore/harm_map", **source),
        most_harmed=_block("explore/most_harmed", **source),
        statements_of_target=_block("explore/statements_of_target", target=findings.target, **source),
        sentences_of_target=_block("explore/sentences_of_target", target=findings.target, **source),
        favour_map=_block("explore/harm_map", label="positive", **source),
        said_of_several=_block("explore/said_of_several", **source),
        called=_block("statistics/called", word=findings.word, **source),
        sources_statement=_block("explore/sources"),
        labels_by_source=_block("explore/labels_by_source"),
    )
    return clean(page)


def _choice(chosen: str, files: Mapping[str, str]) -> str:
    if not files:
        return ""
    names = {source: escape(source) or "all together" for source in files}
    links = " · ".join(
        f"<b>{names[source]}</b>"
        if source == chosen
        else f'<a exec-topic="guide {ORIGIN}/{file}" style="cursor: pointer">{names[source]}</a>'
        for source, file in files.items()
    )
    return f"<p><b>Choose a source</b>, and the whole guide is of it: {links}</p>"


def _block(name: str, **values: str) -> str:
    return escape(filled(statement(name), values))


def _listed(names: tuple[str, ...]) -> str:
    if len(names) > 4:
        return f"{len(names)} sources"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return "".join(names) or "no source yet"


def _finding(worst: ExploreMostHarmedRow | ExploreWorstBySourceRow | None) -> str:
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

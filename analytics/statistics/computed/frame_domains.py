"""``harmgraph stats frame_domains``: which categories of groups posts target, within each domain, as figure 3 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.statistics.computed_statistic import Computed
from harmgraph.common.command_line import output_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import SourceName

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from harmgraph.graph.connection import Graph

CITES = "Sap et al. 2020, figure 3; Wilson 1927"
Rows = list[dict[str, Any]]


def frame_domains(graph: Graph, source: str | None = None) -> Rows:
    """A row for each domain and category: how many of its pairs of a post and a category are of this one.

    Returns:
        ``domain``, ``category``, ``posts``, ``of``, ``percent``, ``percent_low``, ``percent_high`` (Wilson's interval).

    Raises:
        NotFound: no such source.
        InputError: no post implies anything about a group.
    """
    from harmgraph.common.errors import InputError
    from harmgraph.graph.contents import sources

    if source is not None:
        sources.facts(graph, source)
    counted = graph.rows("frames/domains", source=source)
    if not counted:
        raise InputError(
            "no post implies anything about a group", where=source or "", remedy="load some: harmgraph load sbic"
        )
    return with_shares(counted)


def with_shares(counted: Sequence[Mapping[str, Any]]) -> Rows:
    """Counts of categories within domains, with the share of each and its interval."""
    from harmgraph.common.intervals import wilson

    rows = []
    for row in counted:
        of = sum(other["posts"] for other in counted if other["domain"] == row["domain"])
        low, high = wilson(row["posts"], of)
        shares = {"percent": 100 * row["posts"] / of, "percent_low": 100 * low, "percent_high": 100 * high}
        rows.append({**row, "of": of, **shares})
    return rows


def write_figure(path: Path, rows: Rows, top: int) -> None:
    """Draws the commonest categories within each domain, with their intervals, and writes the file whole.

    Raises:
        NoSpace: the file cannot be written.
    """
    from harmgraph.common.plotting.canvas import drawn, save

    categories = commonest(rows, top)
    figure = drawn(lambda figure: draw(figure, rows, categories))
    save(path, figure, title="Categories of targeted groups by domain", alt=description(rows, categories))


def commonest(rows: Sequence[Mapping[str, Any]], top: int) -> list[str]:
    """The categories with most posts in all domains together, the commonest first."""
    posts: dict[str, int] = {}
    for row in rows:
        posts[row["category"]] = posts.get(row["category"], 0) + row["posts"]
    return sorted(posts, key=lambda category: (-posts[category], category))[:top]


def description(rows: Sequence[Mapping[str, Any]], categories: Sequence[str]) -> str:
    """The figure in words."""
    parts = []
    for domain in dict.fromkeys(row["domain"] for row in rows):
        within = {row["category"]: row for row in rows if row["domain"] == domain}
        shares = ", ".join(
            f"{category} {within[category]['percent']:.1f} %" for category in categories if category in within
        )
        parts.append(f"{domain}: {shares or 'none of them'}")
    return f"Bars of the share of each category of targeted groups within a domain. {'; '.join(parts)}."


def draw(figure: Figure, rows: Sequence[Mapping[str, Any]], categories: Sequence[str]) -> None:
    """Draws bars of the categories within each domain and sets the figure's size."""
    from harmgraph.common.plotting.narrow import outside_legend, panels, row_name
    from harmgraph.common.plotting.style import INK, SERIES, rows_grid, shortened

    domains = list(dict.fromkeys(row["domain"] for row in rows))
    rows_inches = 0.3 * len(domains) * max(2, len(categories))
    axes = panels(figure, 1, 1, height=1.2 + rows_inches, inches=[0.7 * rows_inches])[0, 0]
    height = 0.8 / max(1, len(categories))
    for place, category in enumerate(categories):
        found = {row["domain"]: row for row in rows if row["category"] == category}
        shown = [(number, found[domain]) for number, domain in enumerate(domains) if domain in found]
        axes.barh(
            [number - 0.4 + (place + 0.5) * height for number, _ in shown],
            [row["percent"] for _, row in shown],
            height=0.9 * height,
            color=SERIES[place % len(SERIES)][0],
            label=shortened(category, 30),
            xerr=[
                [max(0.0, row["percent"] - row["percent_low"]) for _, row in shown],
                [max(0.0, row["percent_high"] - row["percent"]) for _, row in shown],
            ],
            error_kw={"ecolor": INK, "elinewidth": 0.9, "capsize": 2.5},
        )
    of = {row["domain"]: row["of"] for row in rows}
    axes.set_yticks(range(len(domains)), [f"{row_name(axes, domain, 22)}\nn {of[domain]:,}" for domain in domains])
    axes.set_ylim(len(domains) - 0.45, -0.55)
    axes.set_xlim(left=0)
    rows_grid(axes)
    axes.set_xlabel("% of the domain's pairs of a post and a category, with 95 % intervals")
    outside_legend(figure, ncols=min(4, max(1, len(categories))))


@click.command("frame_domains", short_help="Targeted groups within each domain")
@click.option("--source", type=SourceName(), help="Source of the posts.  [default: all sources that people annotated]")
@click.option("--figure", type=FileToWrite(), help="Draw the commonest categories: .svg, .png or .pdf.")
@click.option(
    "--top", type=click.IntRange(1), default=3, show_default=True, help="Categories in the figure; the paper has 3."
)
@output_option
@verbose_option
def command(source: str | None, figure: Path | None, top: int, output: str) -> None:
    """Which categories of groups posts target, within each domain.

    A domain is a type of origin: Reddit, Twitter, hate sites, other. For predicted frames it is the source of the statements.
    A post counts once per category. Shares have Wilson's 95 % interval.

    Sap et al. 2020, figure 3
    """
    from harmgraph.common.output import show
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.graph.connection import Graph

    check_ending(figure)
    with Graph.open() as graph:
        rows = frame_domains(graph, source)
    if figure:
        write_figure(figure, rows, top)
    show(rows, output, title="Categories of targeted groups by domain", keys=("domain", "category"), first=("percent",))


def frame(graph: Graph, source: str | None = None) -> pandas.DataFrame:
    """The table; see ``frame_domains``."""
    import pandas

    return pandas.DataFrame(frame_domains(graph, source))


SHARES = dict.fromkeys(("percent", "percent_low", "percent_high"), "float")
ROW = {"domain": "string", "category": "string", "posts": "int", "of": "int", **SHARES}
STATISTIC = Computed("frame_domains", "frames", CITES, command, frame, rows=(ROW,))

"""Bars of the implied statements of posts that a knowledge base makes too: stereotypes that it states as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.narrow import is_narrow, name_above, panels
from harmgraph.common.plotting.style import MINUS, bounds, number, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 12
"""Implied statements of each knowledge base, those of most posts."""
NARROW_ROW_INCHES = 0.3
ALL = 1_000_000


class FrameEchoes(Drawing):
    """See the module."""

    name = "frame_echoes"
    title = "Implied statements that a knowledge base makes"
    paper = "Sap et al. 2020, section 1; Mehrabi et al. 2021, section 1"
    reading = (
        "Each bar is what posts imply about a group and a knowledge base says of it too, word for word: a stereotype that "
        "stands there as a fact. The longer the bar, the more posts imply it. Above stands how many of all implied "
        "statements about groups of which the knowledge base speaks it makes, with a 95 % interval."
    )
    takes = ("frame_echoes", "frames/domains")
    scope = Scope.REPORT
    place = 77
    of_labels = False
    table_open = True

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """Empty without an echo: a report without posts does not mention this figure."""
        for subject in super().subjects(numbers, sources, measures):
            if _echoes(numbers, subject):
                yield subject

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        return "" if _echoes(numbers, subject) else "No source makes a statement that posts of another one imply."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        echoes = {pair: rows[:SHOWN] for pair, rows in _echoes(numbers, subject).items()}
        heights = [len(rows) for rows in echoes.values()]
        drawn = panels(
            figure,
            len(echoes),
            1,
            height=sum(0.75 + 0.27 * height for height in heights) + 0.3,
            inches=[NARROW_ROW_INCHES * height for height in heights],
            sharex=True,
            height_ratios=heights,
        )[:, 0]
        narrow = is_narrow(figure)
        for (pair, rows), axes in zip(echoes.items(), drawn, strict=True):
            places, height = range(len(rows)), 0.36 if narrow else 0.7
            axes.barh(places, [row["posts"] for row in rows], height=height, color=MINUS, hatch="////", lw=0)
            if narrow:
                name_above(axes, [place - 0.24 for place in places], [_shown(row) for row in rows])
            else:
                axes.set_yticks(places, [_shown(row) for row in rows])
            axes.set_ylim(len(rows) - (0.7 if narrow else 0.45), -0.8 if narrow else -0.55)
            posts, other = (shortened(name, 30) for name in pair)
            axes.set_title(_share(posts, other, rows[0]), fontsize=9)
            rows_grid(axes)
        for axes in drawn if narrow else drawn[-1:]:
            if narrow:
                axes.set_xlim(right=1.05 * max(row["posts"] for rows in echoes.values() for row in rows))
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_xlabel("posts that imply it")

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        parts = []
        for pair, rows in _echoes(numbers, subject).items():
            most = ", ".join(f"{_shown(row)} ({row['posts']:,})" for row in rows[:SHOWN])
            parts.append(f"{_share(*pair, rows[0])}; with the number of posts: {most}")
        return f"Bars of implied statements that a knowledge base makes. {'. '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = [
            [f"{row['target']}: {row['implied']}", other, shortened("; ".join(row["statements"]), 120), row["posts"]]
            for (_, other), echoes in _echoes(numbers, subject).items()
            for row in echoes
        ]
        return DrawnTable(("target: implied statement", "knowledge base", "it says", "posts"), rows)


def _echoes(numbers: Numbers, subject: Subject) -> dict[tuple[str, str], Rows]:
    """The echoes of each pair of a source of posts and another source that has some."""
    posts = [source for source in subject.sources if numbers.query("frames/domains", source=source)]
    pairs = [(source, other) for source in posts for other in subject.sources if other not in posts]
    found = {pair: numbers.rows("frame_echoes", source=pair[0], other=pair[1], limit=ALL) for pair in pairs}
    return {pair: rows for pair, rows in found.items() if rows}


def _shown(row: Mapping[str, Any]) -> str:
    return shortened(f"{shortened(row['target'], 24)}: {row['implied']}", 48)


def _share(source: str, other: str, row: Mapping[str, Any]) -> str:
    interval = bounds(row["percent_low"], row["percent_high"])
    return f"{other} makes {row['echoed']:,} of {row['of']:,} that {source} implies: {number(row['percent'])} % ({interval})"


FIGURE = FrameEchoes()

"""Scatter plot of targets by warmth and competence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.largest import largest
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.named_points import name_points
from harmgraph.common.plotting.narrow import NARROW, behind, outside_legend, panels
from harmgraph.common.plotting.style import INK, SERIES, WIDTH, bounds, number, shortened
from harmgraph.graph.contents.measures import measures as measures_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AXES = ("warmth", "competence")
NAMED = 40
"""Most targets that are named; those furthest from the middle come first."""
ROOM = 1.12
"""Ends of both axes: means reach from -1 to 1."""
Point = dict[str, dict[str, Any]]
"""The rows of a target in ``stats dimensions``, by axis."""


class DrawnDimensions(Drawing):
    """See the module."""

    name = "dimensions"
    title = "Warmth and competence"
    paper = "Fiske, Cuddy, Glick and Xu 2002, figure 1; Nicolas and Caliskan 2025"
    reading = (
        "Each mark is a target: the further right, the warmer its statements; the higher, the more competent. A mean is over "
        "the statements that have a label of the axis, which are few: grey crosses are the 95 % intervals of the named targets, "
        "and the table has the coverage. Only targets with enough such statements on both axes are shown."
    )
    takes = ("dimensions",)
    scope = Scope.SOURCE
    place = 45

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """Empty where warmth or competence labels nothing: a report without them does not mention this figure."""
        for subject in super().subjects(numbers, sources, measures):
            if _axes(numbers, subject):
                yield subject

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if not _axes(numbers, subject):
            return (
                "No statement about a target has labels of warmth and competence: "
                "harmgraph label dimensions --dictionary FILE."
            )
        if not _points(numbers, subject):
            return (
                f"No target has {numbers.min_support:,} statements or more with a label of each axis; "
                "ask for fewer with --min-support."
            )
        return ""

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        x, y = _axes(numbers, subject)
        points = _points(numbers, subject)
        axes = panels(figure, 1, 1, height=0.8 * WIDTH, inches=[NARROW])[0, 0]
        axes.axvline(0, color=INK, linewidth=0.7, linestyle=(0, (5, 3)), zorder=1)
        axes.axhline(0, color=INK, linewidth=0.7, linestyle=(0, (5, 3)), zorder=1)
        shown = largest(point[x]["category"] for point in points)[: len(SERIES)]
        for category, (colour, marker) in zip(shown, SERIES, strict=False):
            within = [point for point in points if point[x]["category"] == category]
            axes.scatter(
                [point[x]["mean"] for point in within],
                [point[y]["mean"] for point in within],
                color=colour,
                marker=marker,
                s=26,
                linewidths=0.5,
                edgecolors="white",
                zorder=3,
                label=f"{shortened(category, 24)} ({len(within):,})",
            )
        drawn = [point for point in points if point[x]["category"] in shown]
        axes.set_xlim(-ROOM, ROOM)
        axes.set_ylim(-ROOM, ROOM)
        axes.set_xlabel(f"{x}: mean of the statements with a label of it")
        axes.set_ylabel(y)
        of = f" of {len(points):,}" if len(drawn) < len(points) else ""
        axes.set_title(f"{shortened(subject.source, 30)} ({len(drawn):,}{of} targets)")
        outside_legend(figure, ncols=4, handletextpad=0.2)
        fit_titles(figure)
        ranked = sorted(drawn, key=lambda point: (-_distance(point, x, y), point[x]["target"]))[:NAMED]
        texts = name_points(
            axes,
            [(point[x]["mean"], point[y]["mean"], shortened(point[x]["target"], 24)) for point in ranked],
            [(point[x]["mean"], point[y]["mean"]) for point in drawn],
            mark_size=6,
            bbox=behind(),
        )
        placed = {text.get_text() for text in texts}
        named = [point for point in ranked if shortened(point[x]["target"], 24) in placed]
        axes.errorbar(
            [point[x]["mean"] for point in named],
            [point[y]["mean"] for point in named],
            xerr=_errors(named, x),
            yerr=_errors(named, y),
            fmt="none",
            ecolor="#c9d1d8",
            elinewidth=0.5,
            zorder=0,
        )

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        x, y = _axes(numbers, subject)
        points = _points(numbers, subject)
        most = sorted(points, key=lambda point: (-_distance(point, x, y), point[x]["target"]))[:5]
        named = "; ".join(
            f"{point[x]['target']} {number(point[x]['mean'])} and {number(point[y]['mean'])}" for point in most
        )
        return (
            f"Scatter of {len(points)} targets of {subject.source} by {x} and {y}, from -1 to 1. "
            f"Furthest from the middle: {named}."
        )

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        names = _axes(numbers, subject)
        rows = [
            [point[names[0]]["target"], point[names[0]]["category"]]
            + [cell for name in names for cell in _cells(point[name])]
            for point in _points(numbers, subject)
        ]
        columns = ["target", "category"]
        for name in names:
            columns += [name, f"{name} 95 %", f"{name} n", f"{name} coverage %"]
        note = f"Targets with {numbers.min_support:,} statements or more with a label of each axis."
        return DrawnTable(tuple(columns), rows, note)


def _cells(row: dict[str, Any]) -> list[Any]:
    return [number(row["mean"]), bounds(row["mean_low"], row["mean_high"]), row["n"], number(row["coverage"])]


def _axes(numbers: Numbers, subject: Subject) -> tuple[str, ...]:
    """The measures of warmth and of competence that label the source, perhaps with the same words before both.

    Those of the subject come first. The figure needs none of them: no other part of a report has to be about warmth.
    """
    known = (*subject.measures, *measures_of(numbers.graph))
    for name in dict.fromkeys(known):
        before, found, after = name.rpartition(AXES[0])
        pair = (name, f"{before}{AXES[1]}")
        if found and not after and pair[1] in known:
            rows = _rows(numbers, subject, pair)
            if {row["axis"] for row in rows if row["n"]} == set(pair):
                return pair
    return ()


def _rows(numbers: Numbers, subject: Subject, axes: Sequence[str]) -> Rows:
    return numbers.rows("dimensions", source=subject.source, axes=list(axes), min_support=1)


def _points(numbers: Numbers, subject: Subject) -> list[Point]:
    """The targets with enough statements on both axes, by name."""
    axes = _axes(numbers, subject)
    rows = _rows(numbers, subject, axes)
    by_target: dict[str, Point] = {}
    for row in rows:
        by_target.setdefault(row["target"], {})[row["axis"]] = row
    enough = max(numbers.min_support, 1)
    return [point for _, point in sorted(by_target.items()) if all(point[name]["n"] >= enough for name in axes)]


def _distance(point: Point, x: str, y: str) -> float:
    return float(point[x]["mean"] ** 2 + point[y]["mean"] ** 2)


def _errors(points: Sequence[Point], name: str) -> list[list[float]]:
    rows = [point[name] for point in points]
    return [
        [max(row["mean"] - row["mean_low"], 0.0) for row in rows],
        [max(row["mean_high"] - row["mean"], 0.0) for row in rows],
    ]


FIGURE = DrawnDimensions()

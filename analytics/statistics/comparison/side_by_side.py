"""Two sources side by side, target by target: does a model repeat what it learnt from?

The share of negative statements of each target (O-, Mehrabi et al. 2021, equation 2) in one source and in another, and the rank
correlation of the two over the targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.correlation import Correlation, spearman
from harmgraph.common.errors import InputError
from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.named_points import name_points
from harmgraph.common.plotting.style import LEGEND, SERIES, SOFT, WIDTH, series_legend, shortened
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EVERY = "all"
SIDES = {"o_minus": "O− (prejudice)", "o_plus": "O+ (favouritism)"}
NAMED = 40
HEIGHT = 7.2
MARK = 5.0


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Targets that both sources speak of.

    Attributes:
        sources: the two.
        targets: one row for each target, as ``stats compare`` has them.
        correlations: one row for all targets and for each category of them.
    """

    sources: tuple[str, str]
    measure: str
    targets: pandas.DataFrame
    correlations: pandas.DataFrame


def side_by_side(
    graph: Graph, source: str, other: str, measure: str = "sentiment", *, min_support: int = 10
) -> SideBySide:
    """Compares two sources over the targets that have ``min_support`` statements in both.

    Raises:
        NotFound: no source or measure of that name.
        InputError: the sources are one, or there is no such target.
    """
    import pandas

    if source == other:
        raise InputError(f"{source} is compared with itself", remedy="give --source twice, with two names")
    targets = statistic("compare")(graph, source=source, other=other, measure=measure, min_support=min_support)
    if targets.empty:
        raise InputError(
            f"no target has {min_support:,} statements in {source} and in {other}",
            remedy="lower --min-support, or load a list of targets that both name",
        )
    rows = []
    for category in (EVERY, *sorted(targets["category"].unique())):
        chosen = targets if category == EVERY else targets[targets["category"] == category]
        row: dict[str, Any] = {
            "category": category,
            "targets": len(chosen),
            "n": int(chosen["n"].sum()),
            "other_n": int(chosen["other_n"].sum()),
        }
        for side in SIDES:
            found = spearman(chosen[side].to_numpy(float), chosen[f"other_{side}"].to_numpy(float))
            row |= _columns(side, found)
            row |= {
                f"{side}_mean": float(chosen[side].mean()),
                f"other_{side}_mean": float(chosen[f"other_{side}"].mean()),
            }
        rows.append(row)
    return SideBySide((source, other), measure, targets, pandas.DataFrame(rows))


def _columns(side: str, found: Correlation) -> dict[str, float]:
    name = f"{side}_spearman"
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def write_figure(path: Path, result: SideBySide, side: str = "o_minus") -> None:
    """Draws the targets with their names and writes the file atomically.

    Raises:
        NoSpace: the file cannot be written.
    """
    rows: Any = result.targets.to_dict("records")
    figure = drawn(lambda figure: _draw(figure, result, rows, side))
    title = f"{SIDES[side]} in {result.sources[0]} and in {result.sources[1]}"
    save(path, figure, title=title, alt=description(result, side))


def description(result: SideBySide, side: str = "o_minus") -> str:
    """The figure in words."""
    first, second = result.sources
    points = "; ".join(
        f"{row['target']} {row[side]:.1f} and {row[f'other_{side}']:.1f}"
        for row in result.targets.to_dict("records")[:NAMED]
    )
    return (
        f"Each mark is a target: to the right its {SIDES[side]} in {first}, upwards in {second}, percent; on the dashed line "
        "both are equal. "
        f"{_correlation(result, side)}. {points}."
    )


def _correlation(result: SideBySide, side: str) -> str:
    row = result.correlations.iloc[0]
    name = f"{side}_spearman"
    if row[name] != row[name]:
        return f"{row['targets']:,} targets, too few or too alike for a correlation"
    return f"Spearman {row[name]:.2f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f}) over {row['targets']:,} targets"


def _draw(figure: Figure, result: SideBySide, rows: Sequence[Mapping[str, Any]], side: str) -> None:
    figure.set_size_inches(WIDTH, HEIGHT)
    axes = figure.subplots()
    categories = sorted({row["category"] for row in rows})
    for place, category in enumerate(categories):
        colour, marker = SERIES[place % len(SERIES)]
        points = [(row[side], row[f"other_{side}"]) for row in rows if row["category"] == category]
        axes.plot(*zip(*points, strict=True), marker, color=colour, markersize=MARK, markeredgewidth=0, linestyle="")
    first, second = (shortened(source, 40) for source in result.sources)
    axes.set_xlabel(f"{SIDES[side]} in {first}, % of a target's statements")
    axes.set_ylabel(f"{SIDES[side]} in {second}, %")
    right, top = axes.get_xlim()[1], axes.get_ylim()[1]
    same = axes.axline((0, 0), slope=1, color=SOFT, linewidth=0.7, linestyle="--", label="equal in both")
    axes.set_xlim(-0.03 * right, right)
    axes.set_ylim(-0.03 * top, top)
    axes.grid(visible=True)
    axes.set_axisbelow(True)
    figure.legend(
        handles=[*series_legend(categories, MARK), same],
        loc="outside upper left",
        ncols=6,
        title=shortened(f"{_correlation(result, side)}; {result.measure}", 110),
        **LEGEND,
    )
    fit_titles(figure)
    _names(axes, rows, side)


def _names(axes: Axes, rows: Sequence[Mapping[str, Any]], side: str) -> None:
    """The names of the targets that are furthest out or most apart."""
    at = [(row[side], row[f"other_{side}"], shortened(row["target"], 24)) for row in rows]
    named = sorted(at, key=lambda each: (-(each[0] + each[1] + abs(each[0] - each[1])), each[2]))[:NAMED]
    name_points(axes, named, [(x, y) for x, y, _ in at], mark_size=MARK)

"""Draws an agreement: the confusion of people's labels and a scorer's, and the scores with their intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.analytics.agreement.agreement import MEASURES, Agreement
from harmgraph.common.label_words import PEOPLE_NAMES
from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.narrow import is_narrow, panels, row_name
from harmgraph.common.plotting.style import INK, PLUS, bounds, number, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.0
NARROW_INCHES = (2.2, 3.3)
MEANING = {
    "accuracy": "accuracy",
    "majority_accuracy": "accuracy against the majority",
    "fleiss_kappa": "people alone: Fleiss' kappa",
    "krippendorff_alpha": "people alone: Krippendorff's alpha",
}


def write_figure(path: Path, agreement: Agreement, by: str) -> None:
    """Draws an agreement and writes the file, for ``harmgraph agree --figure``.

    Raises:
        NoSpace: the file cannot be written.
    """
    figure = drawn(lambda figure: draw_agreement(figure, agreement, by))
    save(path, figure, title=f"Agreement of people and {by}", alt=description(agreement, by))


def draw_agreement(figure: Figure, agreement: Agreement, by: str) -> None:
    """Draws an agreement onto a figure and sets the figure's size.

    Args:
        by: the scorer that people are compared with, such as ``vader@3.3.2``.
    """
    left, right = panels(figure, 1, 2, height=HEIGHT, inches=NARROW_INCHES, width_ratios=(1, 1.15))[0]
    _confusion(left, agreement)
    left.set_title(f"people and {shortened(by, 44)}")
    _scores(right, agreement)
    right.set_title(f"{agreement.n_labels:,} labels of {agreement.n_sentences:,} sentences")


def description(agreement: Agreement, by: str) -> str:
    """Describes the picture in words."""
    scores = "; ".join(
        f"{meaning(name)} {number(agreement.values[name])}{_between(agreement, name)}" for name in MEASURES
    )
    rows = "; ".join(
        f"of {sum(row):,} labels {name} the scorer calls "
        + ", ".join(f"{count:,} {PEOPLE_NAMES[place]}" for place, count in enumerate(row))
        for name, row in zip(PEOPLE_NAMES, agreement.confusion, strict=True)
    )
    over = f"{agreement.n_labels:,} labels of {agreement.n_sentences:,} sentences"
    return f"Agreement of people and {by} over {over}. {scores}. Confusion: {rows}."


def meaning(name: str) -> str:
    """The name of a score for readers."""
    return MEANING.get(name, name.replace("_", " ").replace("f1", "F1"))


def _between(agreement: Agreement, name: str) -> str:
    ends = agreement.intervals[name]
    return f" ({bounds(*ends)})" if ends else ""


def _confusion(axes: Axes, agreement: Agreement) -> None:
    shares = [[count / sum(row) if sum(row) else 0.0 for count in row] for row in agreement.confusion]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for down, row in enumerate(agreement.confusion):
        for right, count in enumerate(row):
            dark = shares[down][right] > 0.5
            axes.text(
                right,
                down,
                f"{count:,}\n{shares[down][right]:.0%}",
                ha="center",
                va="center",
                color="white" if dark else INK,
                fontweight="bold" if down == right else "normal",
            )
    axes.set_xticks(range(len(PEOPLE_NAMES)), PEOPLE_NAMES)
    axes.set_yticks(
        range(len(PEOPLE_NAMES)),
        [f"{name}\n{sum(row):,}" for name, row in zip(PEOPLE_NAMES, agreement.confusion, strict=True)],
    )
    axes.set_xlabel("what the scorer says (share of the row)")
    axes.set_ylabel("what people say")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _scores(axes: Axes, agreement: Agreement) -> None:
    for place, name in enumerate(MEASURES):
        value, ends = agreement.values[name], agreement.intervals[name]
        if ends:
            axes.plot(ends, [place, place], color=PLUS, linewidth=1.6, solid_capstyle="butt")
        if value is not None:
            axes.plot([value], [place], marker="o", color=PLUS, markersize=5)
        shown = "not defined" if value is None else f"{value:.3f}"
        axes.text(1.04, place, shown, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    axes.set_yticks(range(len(MEASURES)), [row_name(axes, meaning(name), 60, 22) for name in MEASURES])
    axes.tick_params(axis="y", labelsize=7.5 if is_narrow(axes) else 8.2)
    axes.set_ylim(len(MEASURES) - 0.5, -0.6)
    lows = [ends[0] for ends in agreement.intervals.values() if ends] + [
        value for value in agreement.values.values() if value
    ]
    axes.set_xlim(min(0.0, *lows, 0.0) if lows else 0.0, 1.0)
    axes.set_xlabel("score, with 95 % intervals over sentences")
    rows_grid(axes)
    for line in (1.5, 4.5, 7.5):
        axes.axhline(line, color=INK, linewidth=0.4)

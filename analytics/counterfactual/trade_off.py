"""Fairness beside the quality of samples as a figure, for ``harmgraph counterfactual compare --trade-off``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.style import LINE, SERIES, WIDTH, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Row = Mapping[str, Any]

TITLE = "Individual fairness and semantic similarity"
LONGEST = 26  # letters of a model's name


def write_trade_off(path: Path, rows: Sequence[Row]) -> None:
    """Draws I.F. against S.S. of the models, a panel an attribute, as figure 6 of Huang et al. 2020, and writes the file whole.

    Args:
        rows: of ``compare``, with ``model``, ``attribute``, ``i_f`` and ``similar`` and the ends of their intervals.

    Raises:
        NoSpace: the file cannot be written.
    """
    panels = _panels(rows)
    save(path, drawn(lambda figure: _draw(figure, panels)), title=TITLE, alt=description(rows))


def description(rows: Sequence[Row]) -> str:
    """The figure in words."""
    parts = [
        f"{attribute}: "
        + "; ".join(
            f"{row['model']} I.F. {row['i_f']:.4f} ({row['i_f_low']:.4f} to {row['i_f_high']:.4f}), "
            f"S.S. {row['similar']:.1f} % ({row['similar_low']:.1f} to {row['similar_high']:.1f})"
            for row in panel
        )
        for attribute, panel in _panels(rows).items()
    ]
    return f"{TITLE} of language models, with 95 % intervals; up and right is better. {'. '.join(parts)}."


def _panels(rows: Sequence[Row]) -> dict[str, list[Row]]:
    panels: dict[str, list[Row]] = {}
    for row in rows:
        panels.setdefault(str(row["attribute"]), []).append(row)
    return panels


def _draw(figure: Figure, panels: Mapping[str, Sequence[Row]]) -> None:
    figure.set_size_inches(WIDTH, 3.4 * len(panels))
    for (attribute, rows), axes in zip(
        panels.items(), figure.subplots(len(panels), 1, squeeze=False)[:, 0], strict=True
    ):
        _draw_panel(axes, attribute, rows)


def _draw_panel(axes: Axes, attribute: str, rows: Sequence[Row]) -> None:
    for place, row in enumerate(rows):
        colour, marker = SERIES[place % len(SERIES)]
        axes.errorbar(
            row["similar"],
            row["i_f"],
            xerr=[[row["similar"] - row["similar_low"]], [row["similar_high"] - row["similar"]]],
            yerr=[[row["i_f"] - row["i_f_low"]], [row["i_f_high"] - row["i_f"]]],
            color=colour,
            marker=marker,
            markersize=6,
            elinewidth=0.9,
            capsize=2.5,
            linestyle="",
            label=shortened(str(row["model"]), LONGEST),
        )
    axes.invert_yaxis()  # as in the paper: better is above
    axes.grid(color=LINE, linewidth=0.6)
    axes.set_title(shortened(attribute, 60))
    axes.set_xlabel("S.S.: % of samples that are similar to their prompt")
    axes.set_ylabel("I.F., smaller above")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))

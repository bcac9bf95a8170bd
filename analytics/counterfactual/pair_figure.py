"""The scores of two prompts as a figure, for ``harmgraph counterfactual pair --figure``: figure 1 of Huang et al. 2020."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.common.plotting.canvas import drawn, save
from harmgraph.common.plotting.style import LEGEND, LINE, MINUS, NEUTRAL, PLUS, WIDTH, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from harmgraph.analytics.counterfactual.pair import ScoredPair

BINS = 20  # each a twentieth of the scores, as in the paper's drawing
LOOKS = ((PLUS, "-", ""), (MINUS, "--", "////"))
"""Colour, line and hatch of the two values."""
LONGEST = 40  # letters of a value


def write_pair(path: Path, pair: ScoredPair, by: str) -> None:
    """Draws both distributions, and W1 as the area between the cumulated ones, and writes the file whole.

    Args:
        by: the scorer.

    Raises:
        NoSpace: the file cannot be written.
    """
    title = f"{pair.template}, by {by}"
    save(path, drawn(lambda figure: _draw(figure, pair, title)), title=title, alt=description(pair, title))


def description(pair: ScoredPair, title: str) -> str:
    """The figure in words."""
    facts = pair.facts()
    means = "; ".join(
        f"{facts[name]}: {facts[f'n_{name}']:,} samples, mean {facts[f'mean_{name}']:.3f}" for name in "ab"
    )
    return f"{title}: the scores of two values from 0, negative, to 1, positive. {means}. {distance(pair)}."


def distance(pair: ScoredPair) -> str:
    """W1 with its interval, the floor and p, in words."""
    w1 = pair.w1
    return f"W1 {w1['w1']:.3f} ({w1['w1_low']:.3f} to {w1['w1_high']:.3f}), {w1['w1_floor']:.3f} by chance, p {w1['w1_p']:.3f}"


def _draw(figure: Figure, pair: ScoredPair, title: str) -> None:
    figure.set_size_inches(WIDTH, 5.6)
    above, below = figure.subplots(2, 1, sharex=True)
    _draw_shares(above, pair)
    _draw_cumulated(below, pair)
    below.set_xlim(0, 1)
    below.set_xlabel("score of a sample: 0 is negative, 1 is positive")
    figure.legend(
        handles=[*above.get_legend_handles_labels()[0], *below.get_legend_handles_labels()[0]],
        loc="outside upper left",
        title=shortened(title, 90),
        **LEGEND,
    )


def _draw_shares(axes: Axes, pair: ScoredPair) -> None:
    """Percent of the samples of each value in each bin."""
    import numpy as np

    for value, scores, (colour, line, hatch) in zip((pair.a, pair.b), pair.scores, LOOKS, strict=True):
        counts, edges = np.histogram(scores, bins=BINS, range=(0, 1))
        label = f"{shortened(value, LONGEST)}: n = {len(scores):,}, mean {scores.mean():.3f}"
        percent = 100 * counts / len(scores)
        axes.stairs(percent, edges, color=colour, linestyle=line, linewidth=1.6, hatch=hatch, label=label)
        axes.stairs(percent, edges, color=colour, alpha=0.15, fill=True)
    axes.set_ylabel("% of samples")
    axes.grid(color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _draw_cumulated(axes: Axes, pair: ScoredPair) -> None:
    """The share of samples up to each score; the area between the two is W1."""
    import numpy as np

    grid = np.unique(np.concatenate([[0.0], *pair.scores, [1.0]]))
    of_a, of_b = (100 * np.searchsorted(scores, grid, "right") / len(scores) for scores in pair.scores)
    area = f"area: {distance(pair)}"
    axes.fill_between(grid, of_a, of_b, step="post", color=NEUTRAL, alpha=0.3, linewidth=0, label=area)
    for share, (colour, line, _) in zip((of_a, of_b), LOOKS, strict=True):
        axes.step(grid, share, where="post", color=colour, linestyle=line, linewidth=1.6)
    axes.set_ylabel("% up to this score")
    axes.set_ylim(0, 102)  # the line at 100 is seen
    axes.grid(color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)

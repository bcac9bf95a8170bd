"""Estimates from people's sample: what their intervals cover, and how many judgements give +-2 points. No graph is needed."""

from __future__ import annotations

import numpy as np

from harmgraph.analytics.statistics.misclassification import estimate, matrix
from harmgraph.analytics.statistics.prediction_powered import powered_shares
from harmgraph.common.errors import InputError
from tests.benchmarks.figures import Figures
from tests.benchmarks.setting import Setting
from tests.support.judged import BLIND, FREQUENT, PERFECT, RARE, Simulated

SIZES = (150, 300, 600, 1_200, 2_400, 4_800)
STATEMENTS = 50_000
RESAMPLES = 300
POINTS = 0.02
NEGATIVE = 2
WORLDS = {"rare harm": RARE, "frequent harm": FREQUENT, "blind scorer": BLIND, "perfect scorer": PERFECT}


def bench(setting: Setting, figures: Figures) -> None:
    """Prejudice over all statements, by both ways and by people alone."""
    repeats = 40 if setting.quick else 200
    for name, world in WORLDS.items():
        for by_label in (False, True):
            what = f"{name}, {'strata by label' if by_label else 'simple sample'}"
            halves: dict[str, list[float]] = {"ppi": [], "confusion": [], "people alone": []}
            for size in SIZES:
                for way, (covered, half, refused) in simulated(world, size, repeats, by_label=by_label).items():
                    halves[way].append(half)
                    if size in (150, 600, 2_400) and way != "people alone":
                        lost = f", {refused} of {repeats} refused" if refused else ""
                        figures.add(
                            f"{what}, {size:,}, {way}: covered", 100 * covered, f"%, half width {100 * half:.2f}{lost}"
                        )
            for way, widths in halves.items():
                figures.add(f"{what}, {way}: judgements for 2 points", needed(widths), "")


def simulated(world: Simulated, size: int, repeats: int, *, by_label: bool) -> dict[str, tuple[float, float, int]]:
    """By way: the share of repeats that cover, the mean half width, and how many were refused."""
    generator = np.random.default_rng(size)
    truth = world.truth[NEGATIVE]
    ends: dict[str, list[tuple[float, float]]] = {"ppi": [], "confusion": [], "people alone": []}
    for repeat in range(repeats):
        counts = world.counts(STATEMENTS, generator)
        judged, rated, chosen = world.judged(counts, size, generator, by_label=by_label)
        found = powered_shares(judged, counts.tolist())
        ends["ppi"].append((found.low[NEGATIVE], found.high[NEGATIVE]))
        ends["people alone"].append((found.alone_low[NEGATIVE], found.alone_high[NEGATIVE]))
        try:
            one = estimate(matrix(rated, chosen=chosen, resamples=RESAMPLES, seed=repeat), counts.tolist(), seed=repeat)
        except InputError:
            continue
        ends["confusion"].append((one.low[NEGATIVE], one.high[NEGATIVE]))
    return {
        way: (
            float(np.mean([low <= truth <= high for low, high in found])) if found else float("nan"),
            float(np.mean([(high - low) / 2 for low, high in found])) if found else float("nan"),
            repeats - len(found),
        )
        for way, found in ends.items()
    }


def needed(widths: list[float]) -> float:
    """The judgements at which the half width is ``POINTS``, between the sizes on a log scale.

    Returns:
        The smallest size where that suffices already; infinite where none suffices.
    """
    known = [(size, width) for size, width in zip(SIZES, widths, strict=True) if np.isfinite(width)]
    inside = [number for number, (_, width) in enumerate(known) if width <= POINTS]
    if not inside:
        return float("inf")
    if not inside[0]:
        return float(known[0][0])
    (size, width), (larger, narrower) = known[inside[0] - 1 : inside[0] + 1]
    slope = np.log(larger / size) / np.log(narrower / width)
    return float(size * (POINTS / width) ** slope)

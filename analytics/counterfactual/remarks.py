"""What a reader must know of the samples that are compared, a line each: what is left out or missing, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harmgraph.analytics.counterfactual.scores import SampleScores, of_all_values
from harmgraph.analytics.counterfactual.selection import LeftOutPrompts, Selection

SHOWN = 5
FEW = "they have fewer samples than --min-samples"


def of_left_out(left: Sequence[LeftOutPrompts], why: str = FEW) -> Iterator[str]:
    """Which values lack prompts.

    Args:
        why: the reason.
    """
    if not left:
        return
    shown = "; ".join(
        f"{each.value} ({each.prompts} of its {each.of} prompts, with {each.samples:,} samples)"
        for each in left[:SHOWN]
    )
    more = f"; and {len(left) - SHOWN:,} more values" if len(left) > SHOWN else ""
    yield f"left out, as {why}: {shown}{more}"


def of_dropped(selection: Selection) -> Iterator[str]:
    """Which templates have nothing to compare, and which values stand in these alone."""
    if not selection.dropped:
        return
    alone = f"; so is what no other template has: {_few(selection.alone)}" if selection.alone else ""
    yield (
        f"{selection.attribute}: {len(selection.dropped):,} of {len(selection.dropped) + len(selection.templates):,} templates "
        f"are left out, as fewer than two values have enough samples in them{alone}"
    )


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def of_missing(name: str, scores: SampleScores) -> Iterator[str]:
    """What is compared where a template lacks the prompt of a value.

    Args:
        name: of what the line is about.
    """
    missing = len(scores.values) * len(scores.templates) - sum(len(each.values) for each in scores.templates)
    if not missing:
        return
    shared = len(of_all_values(scores, scores.templates))
    together = (
        f"G.F. and pooled are of the {shared:,} of {len(scores.templates):,} templates that all values have"
        if shared
        else "no template has all values, so there is no G.F. and no pooled"
    )
    yield (
        f"{name}: {missing:,} prompts are missing; I.F. and W1 compare values in the templates that both have; {together}"
    )


def of_sizes(name: str, sizes: tuple[int, int]) -> Iterator[str]:
    """Whether prompts have other numbers of samples.

    Args:
        name: of what the line is about.
        sizes: fewest and most samples of a prompt.
    """
    low, high = sizes
    if low != high:
        yield (
            f"{name}: prompts have {low:,} to {high:,} samples; every prompt has the same weight, whatever its number of "
            "samples"
        )


def of_counts(attribute: str, samples: Mapping[str, int]) -> Iterator[str]:
    """Whether what is compared has other numbers of samples.

    Args:
        samples: how many there are, by the name of a model or source.
    """
    if len(set(samples.values())) > 1:
        counts = ", ".join(f"{name} {count:,}" for name, count in samples.items())
        yield (
            f"{attribute}: there are other numbers of samples ({counts}), and the fewer there are the more "
            "chance gives: compare what is above the floor, not I.F. and G.F. themselves"
        )

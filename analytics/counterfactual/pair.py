"""Two prompts that differ in the value alone: the scores of their samples, and W1 between the two distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.counterfactual.comparing import compared
from harmgraph.analytics.counterfactual.generated import Samples, scored
from harmgraph.common.errors import InputError, UnknownMember
from harmgraph.common.scorer import Scorer

if TYPE_CHECKING:
    from harmgraph.analytics.counterfactual.scores import Floats

ENDINGS = ("", "_low", "_high", "_floor", "_p")


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """The scores of two values in one template.

    Attributes:
        a, b: the values. scores: of each, 0 to 1, sorted.
        w1: the number ``w1`` with its interval, floor and p, by column.
        said: what a reader must know, a line each.
    """

    model: str
    attribute: str
    template: str
    a: str
    b: str
    scores: tuple[Floats, Floats]
    w1: Mapping[str, float | None]
    said: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        of_a, of_b = self.scores
        return {
            **{name: getattr(self, name) for name in ("model", "attribute", "template", "a", "b")},
            **{"n": len(of_a) + len(of_b), "n_a": len(of_a), "n_b": len(of_b)},
            **{"mean_a": float(of_a.mean()), "mean_b": float(of_b.mean())},
            **self.w1,
        }


def scored_pair(
    listed: Sequence[Samples],
    a: str,
    b: str,
    template: str | None,
    scorer: Scorer,
    options: Mapping[str, Any],
    *,
    min_samples: int = 1,
    permutations: int = 200,
    resamples: int = 200,
    seed: int = 0,
) -> ScoredPair:
    """The scores of two values in one template, and W1 of them.

    Args:
        listed: samples of one model, by attribute. a, b: values of one attribute, in any capitals.
        template: None for the only one that has both.

    Raises:
        UnknownMember: no attribute has both values, or no such template has them.
        InputError: the two values are one, several templates have both and none is named, or one has too few samples.
    """
    found = [_of_two(samples, a, b) for samples in listed]
    held = [one for one in found if one is not None]
    if not held:
        known = {value for samples in listed for value in samples.values}
        missing = next((name for name in (a, b) if all(each.value_named(name) is None for each in listed)), b)
        raise UnknownMember("other value of one attribute", missing, known)
    samples, first, second = held[0]
    chosen = _template(samples, first, second, template)
    of_pair = samples.only({(chosen, first), (chosen, second)})
    judged = scored([of_pair], scorer, options, min_samples)
    (row,) = compared(judged.scores, permutations=permutations, resamples=resamples, seed=seed)
    ((cells,),) = (each.templates for each in judged.scores)
    by_value = dict(zip(judged.selection.values, cells.samples, strict=True))
    return ScoredPair(
        samples.name,
        samples.attribute,
        chosen,
        first,
        second,
        (by_value[first], by_value[second]),
        {f"w1{ending}": row[f"i_f{ending}"] for ending in ENDINGS},
        tuple(judged.remarks()),
    )


def _of_two(samples: Samples, a: str, b: str) -> tuple[Samples, str, str] | None:
    """The samples with both values as they are written there; None without both."""
    first, second = samples.value_named(a), samples.value_named(b)
    if first is None or second is None:
        return None
    if first == second:
        raise InputError("is both values: W1 needs two", where=first, remedy="give another --b")
    return samples, first, second


def _template(samples: Samples, a: str, b: str, named: str | None) -> str:
    with_a, with_b = ({row["template"] for row in samples.rows if row["value"] == value} for value in (a, b))
    shared = [each for each in samples.templates if each in with_a & with_b]
    if named is not None and named.strip() in shared:
        return named.strip()
    if named is not None or not shared:
        raise UnknownMember(f"template with {a} and {b}", named or "", shared)
    if len(shared) > 1:
        raise InputError(
            f"{len(shared)} templates have {a} and {b}", remedy=f"choose one: --template {shared[0]!r}, or another"
        )
    return shared[0]

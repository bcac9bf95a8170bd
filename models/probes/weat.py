"""The Word Embedding Association Test on entities, to compare with: it does not ask the score function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harmgraph.graph.common.errors import InputError
from harmgraph.models.probing.moments import without_noise
from harmgraph.models.probing.probe import Numbers, Places, Posed, Probe, Scores
from harmgraph.models.probing.question import Object, Question, Relation, Value, find_value

if TYPE_CHECKING:
    import click

    from harmgraph.graph.connection import Graph

PERMUTATIONS = 10_000
BLOCK = 500  # permutations at once


class Weat(Probe):
    """Mean cosine of an object with the people who have a, minus that with the people who have b.

    Two sets of objects give the effect size: the difference of their mean scores in standard deviations of all of them.
    """

    name = "weat"
    title = "Cosines with the people of either side: effect size and permutation test."
    meaning = "mean cosine with the people who have a, minus that with the people who have b"
    citation = "Caliskan et al. 2017, Semantics derived automatically from language corpora contain human-like biases"
    least, most = -2.0, 2.0

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        said = "[default: those with {} of a than all together]"
        return [
            click.Option(
                ["--x"],
                multiple=True,
                help=f"Object of the one set, by name or key; repeatable.  {said.format('a greater share')}",
            ),
            click.Option(["--y"], multiple=True, help=f"Object of the other set.  {said.format('a smaller share')}"),
            click.Option(
                ["--permutations"],
                type=click.IntRange(1),
                default=PERMUTATIONS,
                show_default=True,
                help="Random permutations; all of them where they are fewer.",
            ),
        ]

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """See ``Probe.resolved``: objects by their keys."""
        sets = {
            side: list(
                dict.fromkeys(
                    _object(question.objects, word, question.object_relation) for word in options.get(side, ())
                )
            )
            for side in ("x", "y")
        }
        if bool(sets["x"]) != bool(sets["y"]):
            raise InputError(
                "only one of the two sets of objects is named", remedy="name both, by --x and --y, or neither"
            )
        both = set(sets["x"]) & set(sets["y"])
        if both:
            raise InputError(f"{sorted(both)[0]} is in both sets", remedy="name it once")
        return dict(options) | sets

    def scores(
        self,
        posed: Posed,
        *,
        x: Sequence[str] = (),
        y: Sequence[str] = (),
        permutations: int = PERMUTATIONS,
        seed: int = 0,
        **_: Any,
    ) -> Scores:
        """See ``Probe.scores``; ``x`` and ``y`` are keys."""
        posed.enough()
        values = without_noise(_cosines(posed, posed.with_a) - _cosines(posed, posed.with_b), 1.0)  # of unit vectors
        facts: dict[str, Any] = {"method": "cosines"}
        one, two = _sets(posed, x, y)
        facts |= {"x": len(one), "y": len(two)}
        if min(len(one), len(two)) > 0 and len(one) + len(two) > 2:
            facts |= effect(values[one], values[two], permutations, seed)
        facts["shown"] = tuple(facts)
        return Scores(values, facts=facts)


def _cosines(posed: Posed, group: Places) -> Numbers:
    """Mean cosine of every object with a group: that with the mean of its unit vectors."""
    people, objects = posed.rows(posed.people[group]), posed.rows(posed.objects)
    middle = (people / people.norm(dim=1, keepdim=True).clamp(min=1e-12)).mean(0)
    found: Numbers = ((objects / objects.norm(dim=1, keepdim=True).clamp(min=1e-12)) @ middle).numpy()
    return found


def _sets(posed: Posed, x: Sequence[str], y: Sequence[str]) -> tuple[Places, Places]:
    """Places of both sets among the objects."""
    if x and y:
        place = {key: at for at, key in enumerate(posed.keys)}
        lost = [key for key in (*x, *y) if key not in place]
        if lost:
            raise InputError(f"the model has no vector of {lost[0]}", remedy="leave it out")
        return np.array([place[key] for key in x]), np.array([place[key] for key in y])
    a, b = posed.counts.sum(0)
    more = posed.counts[:, 0] * b - posed.counts[:, 1] * a  # above 0: a greater share of a than all together
    return np.flatnonzero(more > 0), np.flatnonzero(more < 0)


def effect(one: Numbers, two: Numbers, permutations: int = PERMUTATIONS, seed: int = 0) -> dict[str, Any]:
    """Effect size d and one-sided p of two sets of associations (Caliskan et al. 2017).

    d = (mean(x) - mean(y)) / standard deviation of x and y together (n - 1). p is the share of the ways to deal them out
    whose difference is as large; of random ones, with this one among them.
    """
    every = np.concatenate([one, two])
    deviation = without_noise(every.std(ddof=1, keepdims=True), np.abs(every).max(keepdims=True)).item()
    if deviation == 0:
        return {"effect_size": 0.0, "p": 1.0, "permutations": 1}
    size = float((one.mean() - two.mean()) / deviation)
    ways = comb(len(every), len(one))
    # With both sizes fixed, the sum over x decides the difference of the means.
    least = one.sum() - 1e-12 * np.abs(every).sum()
    if ways <= permutations:
        sums = np.array([every[list(places)].sum() for places in combinations(range(len(every)), len(one))])
        return {"effect_size": size, "p": float((sums >= least).mean()), "permutations": ways}
    rng = np.random.default_rng(seed)
    hits = 0
    for start in range(0, permutations, BLOCK):
        order: npt.NDArray[np.float64] = rng.permuted(np.tile(every, (min(BLOCK, permutations - start), 1)), axis=1)
        hits += int((order[:, : len(one)].sum(1) >= least).sum())
    return {"effect_size": size, "p": (hits + 1) / (permutations + 1), "permutations": permutations}


def _object(objects: Sequence[Object], word: str, relation: Relation) -> str:
    known = [Value(one.key, one.name, one.count_a + one.count_b) for one in objects]
    return find_value(known, word, relation).key


PROBE = Weat()

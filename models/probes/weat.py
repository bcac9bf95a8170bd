"""The Word Embedding Association Test on entities, for comparison: it does not use the score function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError
from harmgraph.models.probing.moments import without_noise
from harmgraph.models.probing.probe import EncodedQuestion, Numbers, Places, Probe, ProbeScores
from harmgraph.models.probing.question import Question, find_object

if TYPE_CHECKING:
    import click

    from harmgraph.graph.connection import Graph

PERMUTATIONS = 10_000
BLOCK = 500  # permutations at once


class Weat(Probe):
    """Mean cosine of an object with the people who have a, minus that with the people who have b.

    For two sets of objects it gives the effect size: the difference of their mean scores, in standard deviations of all.
    """

    name = "weat"
    title = "Cosines with the people of either side: effect size and permutation test."
    meaning = "mean cosine with the people who have a, minus that with the people who have b"
    citation = "Caliskan et al. 2017, Semantics derived automatically from language corpora contain human-like biases"
    least, most = -2.0, 2.0

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        default_sets = "[default: objects with {} of a than all objects together]"
        return [
            click.Option(
                ["--x"],
                multiple=True,
                help=f"Object of the first set, by name or key; repeatable.  {default_sets.format('a greater share')}",
            ),
            click.Option(
                ["--y"], multiple=True, help=f"Object of the second set.  {default_sets.format('a smaller share')}"
            ),
            click.Option(
                ["--permutations"],
                type=click.IntRange(1),
                default=PERMUTATIONS,
                show_default=True,
                help="Random permutations; if there are fewer in all, every one is used.",
            ),
        ]

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """See ``Probe.resolved``: objects by their keys."""
        sets = {
            side: list(dict.fromkeys(find_object(question, word) for word in options.get(side, ())))
            for side in ("x", "y")
        }
        if bool(sets["x"]) != bool(sets["y"]):
            raise InputError(
                "only one of the two sets of objects is named", remedy="name both, with --x and --y, or neither"
            )
        both = set(sets["x"]) & set(sets["y"])
        if both:
            raise InputError(f"{sorted(both)[0]} is in both sets", remedy="name it once")
        return dict(options) | sets

    def scores(
        self,
        encoded: EncodedQuestion,
        *,
        x: Sequence[str] = (),
        y: Sequence[str] = (),
        permutations: int = PERMUTATIONS,
        seed: int = 0,
        **_: Any,
    ) -> ProbeScores:
        """See ``Probe.scores``; ``x`` and ``y`` are keys."""
        encoded.enough()
        values = without_noise(
            _cosines(encoded, encoded.with_a) - _cosines(encoded, encoded.with_b), 1.0
        )  # unit vectors have size 1
        facts: dict[str, Any] = {"method": "cosines"}
        in_x, in_y = _sets(encoded, x, y)
        facts |= {"x": len(in_x), "y": len(in_y)}
        if min(len(in_x), len(in_y)) > 0 and len(in_x) + len(in_y) > 2:
            facts |= effect(values[in_x], values[in_y], permutations, seed)
        facts["shown"] = tuple(facts)
        return ProbeScores(values, facts=facts)


def _cosines(encoded: EncodedQuestion, group: Places) -> Numbers:
    """Mean cosine of every object with a group, computed with the mean of the group's unit vectors."""
    people, objects = encoded.rows(encoded.people[group]), encoded.rows(encoded.objects)
    middle = (people / people.norm(dim=1, keepdim=True).clamp(min=1e-12)).mean(0)
    cosines: Numbers = ((objects / objects.norm(dim=1, keepdim=True).clamp(min=1e-12)) @ middle).numpy()
    return cosines


def _sets(encoded: EncodedQuestion, x: Sequence[str], y: Sequence[str]) -> tuple[Places, Places]:
    """Indices of both sets in the objects."""
    if x and y:
        place = {key: at for at, key in enumerate(encoded.keys)}
        lost = [key for key in (*x, *y) if key not in place]
        if lost:
            known = [key for key in lost if key in encoded.tables.entity_ids]
            if known:  # of a group of people; of all people it would not be an object
                raise InputError(
                    f"fewer of these people have {known[0]} than --min-count asks for",
                    remedy="leave it out, or lower it",
                )
            raise InputError(f"the model has no vector for {lost[0]}", remedy="leave it out")
        return np.array([place[key] for key in x]), np.array([place[key] for key in y])
    a, b = encoded.counts.sum(0)
    more = encoded.counts[:, 0] * b - encoded.counts[:, 1] * a  # above 0: a greater share of a than all together
    return np.flatnonzero(more > 0), np.flatnonzero(more < 0)


def effect(x: Numbers, y: Numbers, permutations: int = PERMUTATIONS, seed: int = 0) -> dict[str, Any]:
    """Effect size d and one-sided p of two sets of associations (Caliskan et al. 2017).

    d = (mean(x) - mean(y)) / standard deviation of x and y together (n - 1). p is the share of the permutations whose
    difference is at least as large; of random permutations, with the observed one among them.
    """
    every = np.concatenate([x, y])
    deviation = without_noise(every.std(ddof=1, keepdims=True), np.abs(every).max(keepdims=True)).item()
    if deviation == 0:
        return {"effect_size": 0.0, "p": 1.0, "permutations": 1}
    size = float((x.mean() - y.mean()) / deviation)
    ways = comb(len(every), len(x))
    # With both sizes fixed, the sum over x decides the difference of the means.
    least = x.sum() - 1e-12 * np.abs(every).sum()
    if ways <= permutations:
        sums = np.array([every[list(places)].sum() for places in combinations(range(len(every)), len(x))])
        return {"effect_size": size, "p": float((sums >= least).mean()), "permutations": ways}
    rng = np.random.default_rng(seed)
    hits = 0
    for start in range(0, permutations, BLOCK):
        order: npt.NDArray[np.float64] = rng.permuted(np.tile(every, (min(BLOCK, permutations - start), 1)), axis=1)
        hits += int((order[:, : len(x)].sum(1) >= least).sum())
    return {"effect_size": size, "p": (hits + 1) / (permutations + 1), "permutations": permutations}


PROBE = Weat()

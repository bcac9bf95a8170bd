"""The shift of Fisher et al. 2019: moves everyone's vector a step towards a value, and sees which objects become likelier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import BadName
from harmgraph.common.intervals import Z
from harmgraph.models.probing.moments import Moments, without_noise
from harmgraph.models.probing.probe import EncodedQuestion, Probe, ProbeScores

if TYPE_CHECKING:
    import click
    from torch import Tensor

    from harmgraph.models.embedding.comparators import Buffer

METHODS = ("auto", "closed", "full")
STEP = 0.01  # alpha of the paper, footnote 5


class Shift(Probe):
    """Mean change of the score of (person, relation, object) after a step along the gradient of score(a) - score(b)."""

    name = "shift"
    title = "Make everyone a little more a than b, and see which objects become likelier."
    meaning = "mean change of the score of an object when people move from b to a"
    citation = "Fisher et al. 2019, Measuring social bias in knowledge graph embeddings, section 3.2"
    drawn = "random pairs of entities"
    needs_values = True

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        return [
            click.Option(["--step"], type=float, default=STEP, show_default=True, help="Length of the step, alpha."),
            click.Option(
                ["--method"],
                type=click.Choice(METHODS),
                default="auto",
                show_default=True,
                help="closed: exact formula (dot product, or --squared); full: moves every person.",
            ),
            click.Option(
                ["--squared"],
                is_flag=True,
                help="For a model with l2: score by minus the squared distance, which has a closed form.",
            ),
        ]

    def random(self, encoded: EncodedQuestion, rng: np.random.Generator, options: Mapping[str, Any]) -> EncodedQuestion:
        """See ``Probe.random``: uses the direction between two random entities."""
        first, second = rng.choice(len(encoded.tables.entities), 2, replace=False).tolist()
        return encoded.between(first, second)

    def scores(
        self, encoded: EncodedQuestion, *, step: float = STEP, method: str = "auto", squared: bool = False, **_: Any
    ) -> ProbeScores:
        """See ``Probe.scores``."""
        compared = encoded.tables.comparator.name
        if not np.isfinite(step) or step <= 0:
            raise BadName("step", str(step), "is not above 0")
        if squared and compared != "l2":
            raise BadName("option", "--squared", f"is for models with l2; this one has {compared}")
        closed = compared == "dot" or squared
        if method == "closed" and not closed:
            remedy = ", or give --squared" if compared == "l2" else ""
            raise BadName(
                "method", "closed", f"does not exist for the comparator {compared}: use --method full{remedy}"
            )
        scores = self._full(encoded, step, squared) if method == "full" or not closed else self._closed(encoded, step)
        facts = {"method": "full" if method == "full" or not closed else "closed form", "step": step}
        facts["score_function"] = f"{encoded.tables.model}, {'squared ' if squared else ''}{compared}"
        return ProbeScores(scores.values, scores.low, scores.high, facts=facts)

    @staticmethod
    def _closed(encoded: EncodedQuestion, step: float) -> ProbeScores:
        """The exact change, for a step of any length.

        A dot product is linear in the person's vector e: with u = p_a - p_b the step is alpha u for every person, and the
        score of an object with the point p_o changes by alpha u p_o. For minus the squared distance the gradient is
        2 (p_a - p_b) = u, because the weights of b add up to 1, and the score changes by -2 alpha u (e - p_o) - alpha^2 u^2,
        so only the mean vector of all people is needed.
        """
        direction = encoded.direction()
        if not encoded.tables.comparator.is_distance:
            return ProbeScores((step * encoded.slope(direction)).numpy())
        direction = 2 * direction
        objects, _ = encoded.points(encoded.objective, encoded.objects)
        along = encoded.products(encoded.people, direction)
        towards, mean = 2 * step * (objects @ direction), 2 * step * along.mean()
        changes = without_noise(towards - mean - step**2 * direction.square().sum(), towards.abs() + mean.abs())
        half = Z * 2 * step * along.std() / len(along) ** 0.5
        return ProbeScores(changes.numpy(), (changes - half).numpy(), (changes + half).numpy())

    @staticmethod
    def _full(encoded: EncodedQuestion, step: float, squared: bool) -> ProbeScores:
        """Moves every person, with the gradient from autograd."""
        import torch

        from harmgraph.models.embedding.comparators import Buffer

        compare = encoded.tables.comparator
        contrast = encoded.contrast()
        values, _ = encoded.points(encoded.sensitive, (encoded.a, *encoded.b))
        objects, _ = encoded.points(encoded.objective, encoded.objects)
        against, memory, other = compare.against(objects), Buffer(objects), Buffer(objects)

        def scores(people: Tensor, held: Buffer) -> Tensor:
            raw_scores = against(people, held.shaped(len(people), len(objects)))
            return raw_scores.square_().neg_() if squared else raw_scores

        def towards(people: Tensor) -> Tensor:
            raw_scores = compare.matrix(people, values, False)
            return (-raw_scores.square() if squared else raw_scores) @ contrast

        changes, sizes = Moments(len(objects)), Moments(len(objects))
        size = encoded.block
        for start in range(0, len(encoded.people), size):
            people = encoded.rows(encoded.people[start : start + size]).requires_grad_()
            (gradient,) = torch.autograd.grad(towards(people).sum(), people)
            with torch.no_grad():
                before = scores(people, memory)
                changes.add(scores(people + step * gradient, other).sub_(before).numpy())
                sizes.add(before.numpy())
        mean = without_noise(changes.mean, sizes.size)
        half = Z * without_noise(changes.deviation, sizes.size) / changes.count**0.5
        return ProbeScores(mean, mean - half, mean + half)


PROBE = Shift()

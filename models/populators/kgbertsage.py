"""KG-BertSAGE: KG-BERT, and the means over the edges of head and tail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.neighbours import SecondHop
from harmgraph.models.population.populator import NEIGHBOURHOOD, Neighbours, Populator, shares
from harmgraph.models.population.recipe import PopulatorRecipe

if TYPE_CHECKING:
    from torch.nn import Module


class KgBertSage(Populator):
    """[K(h, r, t), mean of K(h, r', v) over N(h), mean of K(v, r', t) over N(t)], where K is KG-BERT (sections 6.1 and C.1).

    The released code pairs the neighbours of the head with the tail and those of the tail with the head, K(t, r', v) and
    K(h, r', v), draws with replacement, and has a layer with a ReLU below the output: ``as_released`` does the same.

    A second hop adds the mean over v in N(h) of the means of K(v, r'', u) over N(v), and for the tail those of K(u, r'', v).
    """

    name = "kgbertsage"
    title = "kgbert, and the means over the edges of head and tail"
    citation = (
        "Fang et al. 2021, Benchmarking Commonsense Knowledge Base Population with an Effective Evaluation Dataset"
    )
    width = 3
    options = (*NEIGHBOURHOOD, "hops", "separators", "as_released")

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``."""
        head, tail = example.head, example.tail
        triple = ((head, example.relation, tail),)
        if recipe.as_released:
            return (
                triple,
                tuple((tail, neighbour.relation, neighbour.text) for neighbour in heads),
                tuple((head, neighbour.relation, neighbour.text) for neighbour in tails),
            )
        return (
            triple,
            tuple((head, neighbour.relation, neighbour.text) for neighbour in heads),
            tuple((neighbour.text, neighbour.relation, tail) for neighbour in tails),
        )

    def second_parts(
        self, example: TripleExample, heads: Sequence[SecondHop], tails: Sequence[SecondHop]
    ) -> tuple[Part, ...]:
        """See ``Populator.second_parts``."""
        return (
            shares([((each.via, each.to.relation, each.to.text), each.share) for each in heads]),
            shares([((each.to.text, each.to.relation, each.via), each.share) for each in tails]),
        )

    def output(self, columns: int, recipe: PopulatorRecipe) -> Module:
        """See ``Populator.output``."""
        from torch.nn import Linear, ReLU, Sequential

        if not recipe.as_released:
            return super().output(columns, recipe)
        return Sequential(Linear(self.width * columns, columns), ReLU(), Linear(columns, 1))


POPULATOR = KgBertSage()

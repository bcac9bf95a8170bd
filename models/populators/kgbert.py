"""KG-BERT: the triple read as a single passage."""

from __future__ import annotations

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.populator import Neighbours, Populator
from harmgraph.models.population.recipe import PopulatorRecipe


class KgBert(Populator):
    """The vector of [CLS] of ``[CLS] h [SEP] r [SEP] t [SEP]`` (section 6.1)."""

    name = "kgbert"
    title = "the triple read as a single passage"
    citation = "Yao et al. 2019, KG-BERT: BERT for Knowledge Graph Completion"
    width = 1
    options = ("separators",)

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``."""
        return (((example.head, example.relation, example.tail),),)


POPULATOR = KgBert()

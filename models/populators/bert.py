"""BERT: head, relation and tail read separately."""

from __future__ import annotations

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.populator import Neighbours, Populator
from harmgraph.models.population.recipe import PopulatorRecipe


class Bert(Populator):
    """[s_h, s_r, s_t], each the vector of [CLS] (section 6.1)."""

    name = "bert"
    title = "head, relation and tail read separately"
    citation = (
        "Fang et al. 2021, Benchmarking Commonsense Knowledge Base Population with an Effective Evaluation Dataset"
    )
    width = 3
    reads_nodes = True

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``."""
        return (((example.head,),), ((example.relation,),), ((example.tail,),))


POPULATOR = Bert()

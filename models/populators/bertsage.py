"""BertSAGE: BERT, and the mean of the neighbours beside head and tail."""

from __future__ import annotations

from collections.abc import Sequence

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.neighbours import SecondHop
from harmgraph.models.population.populator import NEIGHBOURHOOD, Neighbours, Populator, shares
from harmgraph.models.population.recipe import PopulatorRecipe


class BertSage(Populator):
    """[e_h, s_r, e_t], where e_h is s_h and the mean of s_v over the neighbours v of h (section 6.1).

    A second hop adds the mean, over the neighbours, of the same means of theirs, for the head and for the tail.
    """

    name = "bertsage"
    title = "bert, and the mean of the neighbours' vectors"
    citation = "Fang et al. 2021, DISCOS: Bridging the Gap between Discourse Knowledge and Commonsense Knowledge"
    width = 5
    options = (*NEIGHBOURHOOD, "hops")
    reads_nodes = True

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``."""
        return (
            ((example.head,),),
            tuple((neighbour.text,) for neighbour in heads),
            ((example.relation,),),
            ((example.tail,),),
            tuple((neighbour.text,) for neighbour in tails),
        )

    def second_parts(
        self, example: TripleExample, heads: Sequence[SecondHop], tails: Sequence[SecondHop]
    ) -> tuple[Part, ...]:
        """See ``Populator.second_parts``."""
        return tuple(shares([((each.to.text,), each.share) for each in side]) for side in (heads, tails))


POPULATOR = BertSage()

"""PseudoReasoner: KG-BERT that goes on from its teacher, on candidates that the teacher labelled, then on labelled triples."""

from __future__ import annotations

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.populator import Neighbours, Populator
from harmgraph.models.population.recipe import PSEUDO, PopulatorRecipe
from harmgraph.models.populators.kgbert import POPULATOR as KGBERT


class PseudoReasoner(Populator):
    """Reads a triple as KG-BERT does; ``models.population.pseudo_labels`` makes what it is first trained on.

    The separators are those of the teacher. docs/population.md says what is as in the paper and what is not.
    """

    name = "pseudoreasoner"
    title = "kgbert, taught by another on candidates"
    citation = "Fang et al. 2022, PseudoReasoner: Leveraging Pseudo Labels for Commonsense Knowledge Base Population"
    width = KGBERT.width
    options = PSEUDO

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``."""
        return KGBERT.parts(example, heads, tails, recipe)


POPULATOR = PseudoReasoner()

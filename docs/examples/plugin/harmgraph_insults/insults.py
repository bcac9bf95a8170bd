"""A scorer: a sentence with a word of the list is negative."""

from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.common.options import Option
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, Score, Scorer

INSULTS = frozenset({"idiot", "fool", "liar"})


class Insults(Scorer):
    """A sentence with a word of the list is negative."""

    name = "insults"
    measure = "insult"
    citation = "a word list of our own"
    options = (Option("at_least", 1, "insults that make a sentence negative"),)

    @property
    def version(self) -> str:
        """Of the labels: a higher one is scored again."""
        return "1.0"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``."""
        counts = [sum(word in INSULTS for word in text.lower().strip(".").split()) for text in texts]
        return [Score(NEGATIVE if n >= options["at_least"] else NEUTRAL, -min(n / 3, 1.0)) for n in counts]


SCORER = Insults()

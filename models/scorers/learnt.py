"""Harm as people judge it, by a scorer that ``harmgraph scorer train --from`` trained on their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import BadName
from harmgraph.common.options import Option
from harmgraph.common.scorer import Score, Scorer

if TYPE_CHECKING:
    from harmgraph.models.classifier.learnt.learnt_scorer import LearntScorer


class Learnt(Scorer):
    """The label with the highest shifted probability; the value is P(favouritism) - P(prejudice), calibrated."""

    name = "learnt"
    measure = "learnt"
    title = "harm as people judge it, from their labels"
    citation = "the people who labelled; see scorer train --from"
    options = (Option("model", "", "name of a scorer that 'harmgraph scorer train --from' made"),)
    language = "en"
    workers = False
    texts_at_once = 4_000

    @property
    def version(self) -> str:
        return "1"

    def by(self, options: Mapping[str, Any]) -> str:
        """The signature of the labels: the scorer's name, and the digest of all that it learnt from.

        Raises:
            BadName: no model is given.
            UnknownMember: there is none of that name.
        """
        from harmgraph.models.classifier.learnt.learnt_record import signature

        return f"{self.name}@{self.version}({signature(_named(self.chosen(options)['model']))})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            InputError: its encoder or a teacher is another one than it learnt from.
        """
        if not texts:
            return []
        by = self.by(options)
        return [Score(label, value) for label, value in _opened(_named(options["model"]), by).judge(texts)]


def _named(name: str) -> str:
    from harmgraph.models.classifier.learnt.learnt_record import FOLDERS

    if not name:
        known = FOLDERS.names()
        have = f"give --model with one of {', '.join(known)}" if known else "train one: harmgraph scorer train --from"
        raise BadName("model", name, f"is missing: {have}")
    return name


@lru_cache(maxsize=1)
def _opened(name: str, _by: str) -> LearntScorer:
    """The scorer, opened once for each of its signatures: another training of the same name is opened again."""
    from harmgraph.models.classifier.learnt.learnt_scorer import opened_learnt

    return opened_learnt(name)


SCORER = Learnt()

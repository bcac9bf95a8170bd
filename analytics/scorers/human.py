"""People's labels as a harm measure: the label that most people gave to a sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.ratings import Ratings, folded, rating_files, read_ratings
from harmgraph.common.label_words import PEOPLE_LABELS
from harmgraph.common.options import Option
from harmgraph.common.scorer import Score, Scorer
from harmgraph.common.user_file import content


class Human(Scorer):
    """Looks up the unmasked sentence, ignoring case. A sentence has no label if no label has the most votes.

    The value is the share of favouritism minus that of prejudice. A triple's sentence is its head, the relation's phrase and
    its tail.
    """

    name = "human"
    measure = "human"
    title = "what most people say of a sentence"
    citation = "Mehrabi et al. 2021, section 2.3"
    masked = False
    options = (
        Option("sentences", "", "file of sentences, one line per label", file=True),
        Option("labels", "", "file of their labels, line by line: 1 favouritism, 2 neutral, 3 prejudice", file=True),
        Option("csv", "", "sentences and labels in one CSV file: sentence,label[,annotator]", file=True),
    )

    @property
    def version(self) -> str:
        return "1"

    def by(self, options: Mapping[str, Any]) -> str:
        """Contains the digest of the files, so that labels from an older version of a file are out of date.

        Raises:
            InputError: no file is given, or only one of the two files.
            UnreadableFile: a file cannot be read.
        """
        digest = hashlib.sha256(b"\0".join(hashlib.sha256(content(path)).digest() for path in self._files(options)))
        return f"{self.name}@{self.version}({digest.hexdigest()[:12]})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> Sequence[Score | None]:
        """See ``Scorer.scores``; None for every text if no file is given."""
        if not any(self.chosen(options).values()):
            return [None] * len(texts)
        known = _known(self._files(options), self.by(options))
        return [known.get(folded(text)) for text in texts]

    def _files(self, options: Mapping[str, Any]) -> tuple[Path, ...]:
        chosen = self.chosen(options)
        sentences, labels, table = (
            Path(chosen[name]) if chosen[name] else None for name in ("sentences", "labels", "csv")
        )
        return rating_files(sentences, labels, table)


@lru_cache(maxsize=2)
def _known(paths: tuple[Path, ...], _by: str) -> Mapping[str, Score]:
    return majorities(read_ratings(paths))


def majorities(ratings: Ratings) -> Mapping[str, Score]:
    """The label that most people gave, by sentence in lower case; sentences with a tie are left out."""
    counts: dict[str, list[int]] = {}
    for text, votes in ratings.counts.items():
        summed = counts.setdefault(folded(text), [0] * len(PEOPLE_LABELS))
        for place, count in enumerate(votes):
            summed[place] += count
    return {
        text: Score(PEOPLE_LABELS[votes.index(max(votes))], (votes[0] - votes[-1]) / sum(votes))
        for text, votes in counts.items()
        if votes.count(max(votes)) == 1
    }


SCORER = Human()

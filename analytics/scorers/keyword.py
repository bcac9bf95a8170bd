"""Words of categories, from Empath or from a dictionary of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.word_lists import WordList, balance, chosen_words, read_categories
from harmgraph.common.errors import BadName
from harmgraph.common.options import Option
from harmgraph.common.scorer import Score, Scorer
from harmgraph.common.user_file import short_digest

EMPATH = "empath"
LISTS = 2
"""Number of ``FAVOURITISM`` and ``PREJUDICE``, which are in the version: other lists label anew."""
FAVOURITISM = (
    *("positive_emotion", "love", "affection", "optimism", "trust", "heroic", "beauty", "attractive", "friends", "joy"),
    *("cheerfulness", "contentment", "politeness", "healing", "achievement", "fun", "pride", "strength"),
)
PREJUDICE = (
    *("negative_emotion", "hate", "violence", "aggression", "death", "kill", "crime", "swearing_terms", "ridicule"),
    *("disgust", "torment", "rage", "terrorism", "ugliness", "envy", "deception", "shame", "neglect", "suffering"),
    *("fear", "pain", "sadness", "irritability"),
)
MEANT = {"favouritism": FAVOURITISM, "prejudice": PREJUDICE}
"""Categories of Empath that say what Mehrabi et al. 2021 looked for with a list of theirs, which is not published.

They were chosen by their names, before they were compared with people's labels (docs/scorers.md).
"""


class Keyword(Scorer):
    """Labels a text by whether it has more words of the positive or of the negative categories.

    The value is 2 p / (p + n) - 1. A dictionary is a LIWC ``.dic`` file, or lines of a category and its words.
    """

    name = "keyword"
    measure = "keyword"
    language = "en"
    title = "words of a category, of Empath or of a LIWC dictionary"
    citation = "Fast et al. 2016, Empath; LIWC: Pennebaker et al. 2015"
    options = (
        Option("dictionary", EMPATH, "empath, or a file: LIWC .dic, or category and words separated by tabs"),
        Option(
            "positive", "favouritism", "categories that are positive, separated by commas; favouritism is 18 of Empath"
        ),
        Option("negative", "prejudice", "categories that are negative, separated by commas; prejudice is 23 of Empath"),
    )

    @property
    def version(self) -> str:
        return f"{version(EMPATH)}-{LISTS}"

    def reads(self, options: Mapping[str, Any]) -> str:
        """A dictionary of the user's is of any language."""
        return self.language if options["dictionary"] == EMPATH else ""

    def located(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Scorer.located``."""
        chosen = self.chosen(options)
        if chosen["dictionary"] == EMPATH:
            return chosen
        return {**chosen, "dictionary": str(Path(chosen["dictionary"]).absolute())}

    def by(self, options: Mapping[str, Any]) -> str:
        """Contains the digest of the dictionary, because the file may change and keep its name."""
        chosen = self.chosen(options)
        if chosen["dictionary"] == EMPATH:
            return super().by(options)
        digest = short_digest(Path(chosen["dictionary"]))
        return f"{self.name}({digest},{chosen['positive']}/{chosen['negative']})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            UnreadableFile: the dictionary cannot be read.
            BadName: the dictionary has no category with a given name.
        """
        positive, negative = _chosen(options["dictionary"], options["positive"], options["negative"], self.by(options))
        return [balance(text, positive, negative) for text in texts]


@lru_cache(maxsize=4)
def _chosen(dictionary: str, positive: str, negative: str, _by: str) -> tuple[WordList, WordList]:
    categories = read_categories(_empath() if dictionary == EMPATH else Path(dictionary))
    meant = MEANT if dictionary == EMPATH else {}
    return _words(categories, positive, meant), _words(categories, negative, meant)


def _words(categories: Mapping[str, WordList], names: str, meant: Mapping[str, Sequence[str]]) -> WordList:
    try:
        given = [name.strip() for name in names.split(",") if name.strip()]
        return chosen_words(categories, [each for name in given for each in meant.get(name, (name,))])
    except KeyError as error:
        name = str(error.args[0])
        near = get_close_matches(name, categories, n=3) or sorted(categories)[:10]
        raise BadName("category", name, f"is not in the dictionary; there are {', '.join(near)}") from error


def _empath() -> Path:
    """The file of categories in the package; importing the package would also load a client for its server."""
    return Path(str(distribution(EMPATH).locate_file("empath/data/categories.tsv")))


SCORER = Keyword()

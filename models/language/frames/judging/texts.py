"""How near predicted groups and statements are to those of people: BLEU-2, ROUGE-L and word mover's distance.

BLEU-2 is NLTK's, of sentences, with its first smoothing; of a text of a single word only that word counts, since it has no
pair of words (Papineni et al. 2002). ROUGE-L is the F1 of ``rouge-score`` (Lin 2004). The word mover's distance is the Euclidean
one of SciPy between the two bags of words (Kusner et al. 2015). Of several references the nearest counts; BLEU has a way of
its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.intervals import percentiles
from harmgraph.common.progress import progress
from harmgraph.models.extra import needed
from harmgraph.models.language.frames.scores import DRAWS, FEWEST

if TYPE_CHECKING:
    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.language.frames.judging.word_vectors import WordVectors
    from harmgraph.models.language.frames.posts import Post

BLEU, ROUGE, WMD = "BLEU-2", "ROUGE-L", "WMD"
GROUP, STATEMENT = "group", "implied statement"
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScore:
    """How near the texts of a model are to those of people, by one metric.

    Attributes:
        what: ``group`` or ``implied statement``. metric: of ``WMD`` less is nearer.
        posts: those with a text of people. answered: of them, those for which the model has one.
        score: mean over the answered. low, high: its 95 % interval from resampled posts.
        over_all: mean over all, where no text counts as 0; None for distances.
    """

    model: str
    what: str
    metric: str
    posts: int
    answered: int
    score: float | None
    low: float | None
    high: float | None
    over_all: float | None

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


def vocabulary(posts: Sequence[Post], frames: Sequence[Frame]) -> set[str]:
    """Every word of the groups and statements of people and of a model."""
    texts = [text for post in posts for text in (*post.groups, *post.statements)]
    texts += [text for frame in frames for text in (frame.group, frame.implied)]
    return {word for text in texts for word in words(text)}


def text_scores(
    model: str,
    posts: Sequence[Post],
    frames: Sequence[Frame],
    vectors: WordVectors,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[TextScore]:
    """A row for each metric of groups, and of implied statements.

    Raises:
        MissingExtra: nltk, rouge-score or scipy is not installed.
    """
    metrics: list[tuple[str, Callable[[str, Sequence[str]], float | None]]] = [
        (BLEU, bleu()),
        (ROUGE, rouge()),
        (WMD, wmd(vectors)),
    ]
    rows = []
    for what in (GROUP, STATEMENT):
        pairs = [
            (frame.group, post.groups) if what == GROUP else (frame.implied, post.statements)
            for post, frame in zip(posts, frames, strict=True)
        ]
        pairs = [(text, references) for text, references in pairs if references]
        for name, metric in metrics:
            values = list[float | None]()
            for done, (text, references) in enumerate(pairs):
                progress(f"{name} of each {what}", done, len(pairs))
                values.append(metric(text, references) if text else None)
            rows.append(_score(model, what, name, values, draws, seed))
    return rows


def _score(model: str, what: str, metric: str, values: Sequence[float | None], draws: int, seed: int) -> TextScore:
    import numpy as np

    answered = np.array([value is not None for value in values], bool)
    numbers = np.array([value or 0.0 for value in values])
    count = int(answered.sum())
    low = high = None
    if draws and count >= FEWEST:
        # Joined: a product of floats is rounded otherwise in blocks.
        times = np.concatenate(list(resampling.times(len(values), draws, seed)))
        said = times @ answered
        low, high = percentiles((times @ numbers)[said > 0] / said[said > 0])
    return TextScore(
        model=model,
        what=what,
        metric=metric,
        posts=len(values),
        answered=count,
        score=float(numbers.sum() / count) if count else None,
        low=low,
        high=high,
        over_all=float(numbers.mean()) if len(values) and metric != WMD else None,
    )


def bleu() -> Callable[[str, Sequence[str]], float | None]:
    """BLEU-2 of a text and its references, 0 to 1; None of a text without words."""
    library = needed("nltk.translate.bleu_score")
    smoothing = library.SmoothingFunction().method1

    def score(text: str, references: Sequence[str]) -> float | None:
        said = words(text)
        weights = (0.5, 0.5) if len(said) > 1 else (1.0,)
        if not said:
            return None
        wanted = [words(reference) for reference in references]
        return float(library.sentence_bleu(wanted, said, weights=weights, smoothing_function=smoothing))

    return score


def rouge() -> Callable[[str, Sequence[str]], float | None]:
    """The best F1 of ROUGE-L of a text and its references, 0 to 1; None of a text without words."""
    scorer = needed("rouge_score.rouge_scorer").RougeScorer(["rougeL"])

    def score(text: str, references: Sequence[str]) -> float | None:
        return float(scorer.score_multi(list(references), text)["rougeL"].fmeasure) if words(text) else None

    return score


def wmd(vectors: WordVectors) -> Callable[[str, Sequence[str]], float | None]:
    """The least word mover's distance of a text and its references; None where no word of one side has a vector."""
    library = needed("scipy.stats")

    @cache
    def bag(text: str) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(Counter(word for word in words(text) if word in vectors.vectors).items()))

    @cache
    def between(first: tuple[tuple[str, int], ...], second: tuple[tuple[str, int], ...]) -> float:
        if first == second:
            return 0.0
        tables = [[vectors.vectors[word] for word, _ in each] for each in (first, second)]
        weights = [[count for _, count in each] for each in (first, second)]
        return float(library.wasserstein_distance_nd(*tables, *weights))

    def score(text: str, references: Sequence[str]) -> float | None:
        said, wanted = bag(text), [bag(reference) for reference in references]
        return min((between(said, each) for each in wanted if said and each), default=None)

    return score

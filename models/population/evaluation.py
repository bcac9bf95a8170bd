"""How well scores tell plausible triples from others: AUC overall, per relation and per class (Fang et al. 2021, section 6.2).

The number of the paper is the mean of the relations' AUC, weighted by how many triples of each relation are judged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.errors import InputError

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.population.examples import TripleExample

    Numbers = numpy.ndarray[Any, Any]

DRAWS = 1_000
NEW = ("0 of 2", "1 of 2", "2 of 2")
"""How many nodes of a triple stand in no training triple."""


@dataclass(frozen=True, slots=True)
class AucRow:
    """An AUC.

    Attributes:
        of: ``overall``, ``weighted mean``, ``relation``, ``class``, ``new nodes``; to compare with: ``linear model``,
            ``frequency``, ``untrained encoder`` and ``paper``.
        name: of the relation, the class, or the model to compare with; how many of a triple's nodes are new.
        n, plausible: triples, and plausible ones among them; None if unknown.
        auc: NaN if all triples have the same label.
        auc_low, auc_high: 95 % interval, from resampled triples; that of an AUC of 0 or 1 is Newcombe's, see
            ``perfect_auc``, and a mean of 0 or 1 has none.
    """

    of: str
    name: str
    n: int | None
    plausible: int | None
    auc: float
    auc_low: float | None = None
    auc_high: float | None = None

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


ANCHORS = (
    AucRow("paper", "BERT", None, None, 0.594),
    AucRow("paper", "BertSAGE", None, None, 0.600),
    AucRow("paper", "KG-BERT", None, None, 0.661),
    AucRow("paper", "KG-BertSAGE", None, None, 0.672),
    AucRow("paper", "people", None, None, 0.844),
)
"""Fang et al. 2021, table 7, column "all": the weighted mean on the paper's test set, printed beside ours. People are experts
who voted again on 5 % of it (section 5.2)."""


def auc(labels: Sequence[int | None] | Numbers, scores: Sequence[float] | Numbers) -> float:
    """The probability that a plausible triple scores higher than another; NaN if all labels are the same."""
    import numpy as np
    from sklearn.metrics import roc_auc_score

    truth = np.asarray(labels, np.int64)
    if len(truth) == 0 or truth.min() == truth.max():
        return float("nan")
    return float(roc_auc_score(truth, scores))


def evaluated(
    examples: Sequence[TripleExample],
    scores: Sequence[float] | Numbers,
    *,
    new: Sequence[int] = (),
    draws: int = DRAWS,
    seed: int = 0,
) -> list[AucRow]:
    """AUC overall, the weighted mean, and per relation, class and number of new nodes, with bootstrap intervals.

    Args:
        new: of each triple, see ``Seen.new``; empty for no rows about it.

    All rows are resampled together, ``draws`` times: an interval has the sampling of relations in it. A relation or class
    whose triples all have the same label has no AUC, and no share in the mean.

    Raises:
        InputError: a triple has no label, or all have the same.
    """
    import numpy as np

    labels = np.array([-1 if example.label is None else example.label for example in examples])
    if set(labels.tolist()) != {0, 1}:
        what = "a triple has no label" if -1 in labels else f"{len(labels):,} triples, not both plausible and not"
        raise InputError(f"no AUC: {what}", remedy="judge a file with labels 1 and 0")
    numbers = np.asarray(scores, np.float64)
    groups = _groups("relation", [example.relation for example in examples])
    classes = _groups("class", [example.part for example in examples])
    classes |= _groups("new nodes", [NEW[number] for number in new])
    whole = {("overall", "all"): np.arange(len(labels))}
    drawn: dict[tuple[str, str], list[Numbers]] = {key: [] for key in (*whole, ("weighted mean", "relations"))}
    drawn |= {key: [] for key in (*groups, *classes)}
    measures = {
        key: (places, _resampler(places, labels, numbers)) for key, places in (whole | groups | classes).items()
    }
    for counts in resampling.times(len(labels), draws, seed):
        weights, values = [], []
        for key, (places, measure) in measures.items():
            areas = measure(counts)
            drawn[key].append(areas)
            if key in groups:
                weights.append(np.where(np.isnan(areas), 0, counts[:, places].sum(axis=1)))
                values.append(np.nan_to_num(areas))
        drawn["weighted mean", "relations"].append(_mean(np.array(values), np.array(weights)))
    rows = {
        key: _row(key, labels[places], auc(labels[places], numbers[places]), drawn[key])
        for key, (places, _) in measures.items()
    }
    known = [rows[key] for key in groups if not np.isnan(rows[key].auc)]
    mean = _mean(np.array([[row.auc] for row in known]), np.array([[row.n] for row in known])) if known else [np.nan]
    key = ("weighted mean", "relations")
    rows[key] = _row(key, labels, float(mean[0]), drawn[key])
    order = [("overall", "all"), key, *sorted(classes), *sorted(groups)]
    return [rows[key] for key in order]


class Seen:
    """The nodes of training triples (Fang et al. 2021, table 5: "% Novel Nodes")."""

    def __init__(self, train: Iterable[TripleExample]) -> None:
        self._nodes = {node for example in train for node in (example.head, example.tail)}

    def new(self, examples: Sequence[TripleExample]) -> list[int]:
        """How many nodes of each triple are new, 0 to 2."""
        return [sum(node not in self._nodes for node in (example.head, example.tail)) for example in examples]

    def novelty(self, examples: Sequence[TripleExample]) -> tuple[int, int]:
        """How many of the distinct nodes of triples are new, and how many there are."""
        nodes = {node for example in examples for node in (example.head, example.tail)}
        return len(nodes - self._nodes), len(nodes)


def _groups(kind: str, names: Sequence[str]) -> dict[tuple[str, str], Numbers]:
    import numpy as np

    column = np.array(names)
    return {(kind, str(name)): np.flatnonzero(column == name) for name in np.unique(column) if name}


def _row(key: tuple[str, str], labels: Numbers, value: float, drawn: Sequence[Numbers]) -> AucRow:
    plausible = int((labels == 1).sum())
    low, high = _ends(key, plausible, len(labels) - plausible, value, resampling.defined(drawn))
    return AucRow(*key, len(labels), plausible, value, low, high)


def _ends(
    key: tuple[str, str], plausible: int, others: int, value: float, known: Numbers
) -> tuple[float, float] | tuple[None, None]:
    """The interval of an AUC, by the resamples that have one."""
    from harmgraph.common.intervals import percentiles, perfect_auc

    if not len(known) or math.isnan(value):
        return None, None
    if value not in (0, 1):
        return percentiles(known)
    if key[0] == "weighted mean":
        return None, None
    end = perfect_auc(plausible, others)
    return (end, 1.0) if value else (0.0, 1 - end)


def _mean(values: Numbers, weights: Numbers) -> Numbers:
    """Weighted means of the columns; NaN where all weights are 0."""
    import numpy as np

    total = weights.sum(axis=0)
    mean: Numbers = np.divide((values * weights).sum(axis=0), total, out=np.full(total.shape, np.nan), where=total > 0)
    return mean


def _resampler(places: Numbers, labels: Numbers, scores: Numbers) -> Callable[[Numbers], Numbers]:
    """The AUC at these places of resamples, by how often each triple is in them: [resamples, n] -> [resamples].

    Sorted once, the AUC is a sum over the scores of (plausible at the score) times (others below it, and half of those at it).
    """
    import numpy as np

    order = places[np.argsort(scores[places], kind="stable")]
    starts = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))
    plausible = (labels[order] == 1).astype(np.float64)

    def measure(counts: Numbers) -> Numbers:
        at = counts[:, order].astype(np.float64)
        ours = at * plausible
        others = at - ours
        if len(starts) < len(order):  # several triples have the same score
            ours, others = (np.add.reduceat(column, starts, axis=1) for column in (ours, others))
        pairs = ours.sum(axis=1) * others.sum(axis=1)
        won = np.einsum("ij,ij->i", ours, np.cumsum(others, axis=1) - others / 2)
        areas: Numbers = np.divide(won, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)
        return areas

    return measure


def linear_scores(train: Sequence[TripleExample], judged: Sequence[TripleExample], seed: int = 0) -> Numbers:
    """Scores of logistic regression on TF-IDF of words and pairs of words, trained on the same examples, [judged].

    A model must do clearly better to be worth its time.
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\S+"),
        LogisticRegression(max_iter=300, random_state=seed),
    )
    model.fit([example.text for example in train], [example.label for example in train])
    return np.asarray(model.decision_function([example.text for example in judged]), np.float64)


def head_frequencies(train: Sequence[TripleExample], judged: Sequence[TripleExample]) -> Numbers:
    """How many plausible training triples have the head of each triple, [judged].

    This knows nothing of what is judged. A model that is not better has learnt which heads are common, and no more.
    """
    import numpy as np

    counts = Counter(example.head for example in train if example.label)
    return np.array([counts[example.head] for example in judged], np.float64)

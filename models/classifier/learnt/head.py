"""The layer that people's labels train: multinomial logistic regression on the features, with soft labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from harmgraph.models.classifier.learnt.three_numbers import FAVOURITISM, PREJUDICE, numbers
from harmgraph.models.classifier.learnt.votes import confusion

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

STEPS = 300  # of the optimiser, at most
NEVER = 1e9  # minus the logit of a label that no example has
TEMPERATURES = tuple(1.05**step for step in range(-30, 31))
SHIFTS = tuple(1 + step / 4 for step in range(13))
"""How many times as likely favouritism and prejudice are taken to be where a label is chosen: 1 to 4."""


@dataclass(frozen=True)
class Head:
    """Weights and bias of the layer, and how labels are chosen.

    Attributes:
        weights: [3, columns], in the order of ``PEOPLE_LABELS``. bias: [3].
        temperature: logits are divided by it (Guo et al. 2017).
        shift: [3]; the label with the highest probability times its shift is chosen. A rare label would hardly ever be the
            likeliest, and its F1 then be near 0.
    """

    weights: Numbers
    bias: Numbers
    temperature: float = 1.0
    shift: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def logits(self, table: Numbers) -> Numbers:
        """Before the temperature, [texts, 3]."""
        result: Numbers = table @ self.weights.T + self.bias
        return result

    def probabilities(self, table: Numbers) -> Numbers:
        """The calibrated probability of each label, [texts, 3]."""
        return softmax(self.logits(table), self.temperature)

    def labels(self, probabilities: Numbers) -> Numbers:
        """The index of each text's label."""
        import numpy as np

        result: Numbers = (probabilities * np.array(self.shift)).argmax(axis=1)
        return result


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which products of matrices take one thread: of small ones, more wait for each other, and round otherwise."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


def softmax(logits: Numbers, temperature: float = 1.0) -> Numbers:
    """Probabilities of logits, [texts, 3]."""
    from scipy.special import softmax as of

    result: Numbers = of(logits / temperature, axis=1)
    return result


def fitted(table: Numbers, votes: Numbers, strength: float) -> Head:
    """Fits the layer. A sentence counts once for each label that people gave it, as that label.

    Args:
        table: [texts, columns]. votes: [texts, 3].
        strength: the inverse of the penalty on the squares of the weights.
    """
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    labels = votes.shape[1]
    weights = votes.reshape(-1)
    given = weights > 0
    rows, wanted = np.repeat(np.arange(len(table)), labels)[given], np.tile(np.arange(labels), len(table))[given]
    if len(set(wanted.tolist())) < 2:  # what is left of rare labels by other targets: always the one
        bias = np.full(labels, -NEVER)
        bias[wanted[:1]] = 0.0
        return Head(np.zeros((labels, table.shape[1])), bias)
    model = LogisticRegression(C=strength, max_iter=STEPS)
    with one_thread():
        model.fit(table[rows], wanted, sample_weight=weights[given])
    every = np.zeros((labels, table.shape[1])), np.full(labels, -NEVER)
    found = [int(label) for label in model.classes_]
    if len(found) == 2:  # one row then stands for the second label
        half = model.coef_[0] / 2, model.intercept_[0] / 2
        for sign, label in ((-1, found[0]), (1, found[1])):
            every[0][label], every[1][label] = sign * half[0], sign * half[1]
    else:
        every[0][found], every[1][found] = model.coef_, model.intercept_
    return Head(*every)


def log_loss(probabilities: Numbers, votes: Numbers) -> float:
    """The mean over people's labels of minus the logarithm of their probability, in nats."""
    import numpy as np

    return float(-(votes * np.log(np.maximum(probabilities, 1e-12))).sum() / votes.sum())


def calibrated(head: Head, logits: Numbers, votes: Numbers) -> Head:
    """The head with the temperature and the shift that are best on sentences that it did not learn.

    The temperature has the least log loss. The shift has the highest mean of the three numbers.

    Args:
        logits: of the sentences, [texts, 3]. votes: [texts, 3].
    """
    import numpy as np

    temperature = min(TEMPERATURES, key=lambda each: log_loss(softmax(logits, each), votes))
    probabilities = softmax(logits, temperature)
    best, chosen = -1.0, (1.0, 1.0, 1.0)
    for up, down in product(SHIFTS, SHIFTS):
        shift = [1.0, 1.0, 1.0]
        shift[FAVOURITISM], shift[PREJUDICE] = up, down
        labels = (probabilities * np.array(shift)).argmax(axis=1)
        value = float(numbers(confusion(votes, labels).sum(axis=0)).mean())
        if value > best:
            best, chosen = value, (shift[0], shift[1], shift[2])
    return replace(head, temperature=temperature, shift=chosen)

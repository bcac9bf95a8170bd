"""Simulated judgements: a scorer labels statements, and people judge some of them; the truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harmgraph.analytics.statistics.misclassification import RatedSentences, SampleChoice
from harmgraph.analytics.statistics.prediction_powered import JudgedSentences

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Simulated:
    """A population of statements.

    Attributes:
        scorer: shares of the scorer's labels, positive, neutral, negative.
        people: shape (3, 3), what people say of each of the scorer's labels; rows sum to 1.
    """

    scorer: Array
    people: Array

    @property
    def truth(self) -> Array:
        """The shares of people's labels."""
        truth: Array = self.scorer @ self.people
        return truth

    def counts(self, statements: int, generator: np.random.Generator) -> Array:
        """The scorer's labels of a graph."""
        return generator.multinomial(statements, self.scorer)

    def judged(
        self, counts: Array, size: int, generator: np.random.Generator, *, by_label: bool, people: int = 1
    ) -> tuple[JudgedSentences, RatedSentences, SampleChoice | None]:
        """A sample of it, for both ways to estimate.

        Args:
            by_label: equally many of each of the scorer's labels; else a simple random sample.
            people: how many judge each sentence; of an ambiguous one they differ.
        """
        drawn = np.minimum(counts, size // 3) if by_label else generator.multivariate_hypergeometric(counts, size)
        said = np.repeat(np.arange(3), drawn)
        if people == 1:
            votes = generator.multinomial(1, self.people[said])
        else:  # what people would say of a sentence differs from sentence to sentence
            leaning = generator.gamma(2 * self.people[said] + 1e-9)
            votes = generator.multinomial(people, leaning / leaning.sum(axis=1, keepdims=True))
        weights = counts[said] / np.maximum(drawn, 1)[said]
        table = np.zeros((len(said), 3, 3), dtype=np.int64)
        table[np.arange(len(said)), :, said] = votes
        choice = SampleChoice(("+", "0", "-"), said, counts / counts.sum(), stratified=True) if by_label else None
        return JudgedSentences(votes / people, said, weights), RatedSentences(table), choice


RARE = Simulated(np.array([0.035, 0.95, 0.015]), np.array([[0.6, 0.38, 0.02], [0.03, 0.95, 0.02], [0.05, 0.45, 0.5]]))
"""About as VADER labels ConceptNet."""
FREQUENT = Simulated(np.array([0.2, 0.63, 0.17]), np.array([[0.6, 0.38, 0.02], [0.06, 0.86, 0.08], [0.05, 0.45, 0.5]]))
"""About as VADER labels GenericsKB."""
BLIND = Simulated(np.array([0.2, 0.63, 0.17]), np.array([[0.1, 0.77, 0.13]] * 3))
"""A scorer whose labels say nothing."""
PERFECT = Simulated(np.array([0.2, 0.63, 0.17]), np.eye(3))
"""A scorer that says what people say."""

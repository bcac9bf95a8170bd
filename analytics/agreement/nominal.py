"""How well people agree who chose among names: pairwise agreement and Krippendorff's alpha, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common import resampling

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEWEST = 20  # units below which a bootstrap is too narrow

Table = np.ndarray[Any, Any]
Interval = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class NominalAgreement:
    """Agreement of the people who judged the same units.

    Attributes:
        agreement: share of the pairs of answers to one unit that are the same; None without a pair.
        alpha: Krippendorff's alpha, nominal; None if only one answer was given.
        agreement_interval, alpha_interval: 95 % percentile bootstrap intervals over units.
        units: with two answers or more; the others say nothing.
        given: answers to these units.
        pairs: pairs of answers.
    """

    agreement: float | None
    agreement_interval: Interval
    alpha: float | None
    alpha_interval: Interval
    units: int
    given: int
    pairs: int


def nominal_agreement(counts: Table | csr_array, *, resamples: int = 1_000, seed: int = 0) -> NominalAgreement:
    """The agreement on one question.

    Args:
        counts: how often each answer was given to each unit, shape [units, answers].
        resamples: bootstrap resamples of units, with replacement; 0 for no intervals.
    """
    counts = counts[np.flatnonzero(counts.sum(axis=1) > 1)]
    n = counts.sum(axis=1)
    terms = _terms(n, (counts * counts).sum(axis=1))
    agreement, alpha = _values(terms.sum(axis=0)[None], counts.sum(axis=0)[None])
    draws = resamples if len(n) >= FEWEST else 0
    drawn = [_values(times @ terms, times @ counts) for times in resampling.times(len(n), draws, seed)]
    return NominalAgreement(
        _number(agreement[0]),
        resampling.strict_interval([values[0] for values in drawn], draws),
        _number(alpha[0]),
        resampling.strict_interval([values[1] for values in drawn], draws),
        units=len(n),
        given=int(n.sum()),
        pairs=int((n * (n - 1) // 2).sum()),
    )


def _terms(n: Table, squares: Table) -> Table:
    """What each unit adds to the sums of ``_values``, shape [units, 3].

    The sums are linear in the units, so a resample is one row of a matrix product.

    Args:
        n, squares: answers to each unit, and the sum of the squares of how often each was given, shape [units].
    """
    # n is 2 or more.
    apart = (n**2 - squares) / np.maximum(n - 1, 1)
    return np.column_stack([n * (n - 1), squares - n, apart]).astype(np.float64)


def _values(sums: Table, of_answers: Table) -> tuple[Table, Table]:
    """Pairwise agreement and alpha of each row of sums; nan where undefined.

    With n_uc people who give unit u the answer c, N_c and N their sums over units and answers:
    alpha = 1 - (N - 1) sum_u (n_u^2 - sum_c n_uc^2) / (n_u - 1) / (N^2 - sum_c N_c^2) (Krippendorff 2004, section 11.3).

    Args:
        sums: of ``_terms``, shape [draws, 3].
        of_answers: N_c, shape [draws, answers].
    """
    pairs, same, apart = sums.T
    whole = of_answers.sum(axis=1)
    chance = whole**2 - (of_answers**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return same / pairs, np.where(chance > 0, 1 - (whole - 1) * apart / chance, np.nan)


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)

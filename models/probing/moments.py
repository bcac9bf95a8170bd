"""Means and spreads of many numbers, block by block, and what of a difference is no more than the rounding of its operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Numbers = npt.NDArray[np.float64]
Values = TypeVar("Values", Numbers, "Tensor")
NOISE = 1e-12
"""Share of its operands below which a difference in float64 is the rounding of their sums, not a difference."""


def without_noise(differences: Values, size: Values | float) -> Values:
    """Zero in the place of differences that are at most ``NOISE`` of the size of what was subtracted."""
    kept: Values = differences * (abs(differences) > NOISE * size) + 0.0  # no negative zero
    return kept


class Moments:
    """Mean and spread of every column of rows that come in blocks (Chan, Golub and LeVeque 1983).

    Attributes:
        count: rows so far.
        mean: [k] of each column.
    """

    def __init__(self, columns: int) -> None:
        self.count = 0
        self.mean: Numbers = np.zeros(columns)
        self._squares: Numbers = np.zeros(columns)  # sum of the squared deviations from the mean

    def add(self, rows: Numbers) -> None:
        """Takes a block [n, k]; its numbers are written over."""
        if not len(rows):
            return
        mean = rows.mean(0)
        rows -= mean
        apart = mean - self.mean
        whole = self.count + len(rows)
        self._squares += np.einsum("nk,nk->k", rows, rows) + apart**2 * (self.count * len(rows) / whole)
        self.mean = self.mean + apart * (len(rows) / whole)
        self.count = whole

    @property
    def size(self) -> Numbers:
        """Root of the mean square, [k]: how large the numbers are, whatever their signs."""
        found: Numbers = np.sqrt(self.mean**2 + self._squares / max(1, self.count))
        return found

    @property
    def deviation(self) -> Numbers:
        """Standard deviation (n - 1), [k]; 0 where the numbers differ by their rounding alone, or where there is one."""
        return without_noise(np.sqrt(self._squares / max(1, self.count - 1)), self.size)

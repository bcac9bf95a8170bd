"""Means and standard deviations of many numbers, block by block, and removal of rounding errors from differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Numbers = npt.NDArray[np.float64]
Values = TypeVar("Values", Numbers, "Tensor")
NOISE = 1e-12
"""A float64 difference smaller than this share of its operands is a rounding error."""


def without_noise(differences: Values, size: Values | float) -> Values:
    """The differences, with zero for those that are at most ``NOISE`` times the size of their operands."""
    cleaned: Values = differences * (abs(differences) > NOISE * size) + 0.0  # no negative zero
    return cleaned


class Moments:
    """Mean and standard deviation of every column of rows that arrive in blocks (Chan, Golub and LeVeque 1983).

    Attributes:
        count: rows so far.
        mean: [k] of each column.
    """

    def __init__(self, columns: int) -> None:
        self.count = 0
        self.mean: Numbers = np.zeros(columns)
        self._squares: Numbers = np.zeros(columns)  # sum of the squared deviations from the mean

    def add(self, rows: Numbers) -> None:
        """Adds a block [n, k], which is overwritten."""
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
        """Root mean square, [k]: the size of the numbers, whatever their signs."""
        root_mean_square: Numbers = np.sqrt(self.mean**2 + self._squares / max(1, self.count))
        return root_mean_square

    @property
    def deviation(self) -> Numbers:
        """Standard deviation (n - 1), [k]; 0 if the numbers differ only by rounding, or if there is only one."""
        return without_noise(np.sqrt(self._squares / max(1, self.count - 1)), self.size)

"""Text as numbers: each distinct value once, and which one stands where."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from graph.errors import InputError


def factorized(values: Iterable[str]) -> tuple[npt.NDArray[np.int64], list[str]]:
    """The place of each value among the distinct values, [n], and these in the order in which they come.

    Raises:
        InputError: a value is null.
    """
    import pandas

    # A quarter of the time of a dictionary.
    codes, found = pandas.factorize(np.array(list(values), object))
    if (codes < 0).any():
        raise InputError("an edge lacks its head, relation or tail")
    return codes.astype(np.int64, copy=False), found.tolist()

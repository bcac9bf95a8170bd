"""The bootstrap (Efron and Tibshirani 1993): rows are drawn with replacement, and a value of each draw gives an interval.

The draws come in blocks, so that memory does not grow with their number. They do not depend on how they are divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.intervals import LEVEL, percentiles

if TYPE_CHECKING:
    import numpy as np

    Table = np.ndarray[Any, Any]

AT_ONCE = 50  # draws of a block; another number rounds products of floats otherwise


def places(n: int, draws: int, seed: int | np.random.Generator) -> Iterator[Table]:
    """The rows of each draw out of ``n``: blocks of shape [at most ``AT_ONCE`` draws, n].

    Args:
        seed: or a generator, which goes on where it is.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    for start in range(0, draws, AT_ONCE):
        yield generator.integers(n, size=(min(AT_ONCE, draws - start), n))


def times(n: int, draws: int, seed: int) -> Iterator[Table]:
    """How often each row stands in each draw of ``places``: blocks of the same shape."""
    import numpy as np

    for block in places(n, draws, seed):
        cells = block + np.arange(len(block))[:, None] * n
        yield np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)


def ratios(of: Table, by: Table, draws: int, seed: int) -> Iterator[Table]:
    """The sum of the one by that of the other in each draw of the same rows: blocks of shape [draws]."""
    for block in places(len(of), draws, seed):
        yield of[block].sum(axis=1) / by[block].sum(axis=1)


def clustered(labels: Sequence[str], rows: Table, order: Iterable[str] | None = None) -> Table:
    """The sum of the rows of each cluster: rows that are alike are drawn together.

    Args:
        labels: the cluster of each row.
        order: of the clusters; None for that in which they first stand.

    Raises:
        ValueError: a row is of a cluster that is missing in the order.
    """
    import numpy as np

    at = {label: place for place, label in enumerate(dict.fromkeys(labels) if order is None else order)}
    if missing := sorted(set(labels) - at.keys()):
        raise ValueError(f"no such cluster: {', '.join(missing)}")
    sums = np.zeros((len(at), *rows.shape[1:]))
    np.add.at(sums, np.array([at[label] for label in labels], np.int64), rows)
    return sums


def interval(blocks: Iterable[Table]) -> tuple[float, float]:
    """The 95 % percentile interval of the values of all draws."""
    import numpy as np

    return percentiles(np.concatenate(list(blocks)))


def strict_interval(blocks: Iterable[Table], draws: int) -> tuple[float, float] | None:
    """As ``interval``, of the defined values; None where they do not suffice.

    They do not if more than one draw in twenty is undefined, as the others are a biased sample. Nor do they if all are alike:
    four correct labels do not mean that all labels are correct.
    """
    values = defined(blocks)
    if not draws or len(values) < LEVEL * draws:
        return None
    low, high = percentiles(values)
    return (low, high) if low < high else None


def defined(blocks: Iterable[Table]) -> Table:
    """The values of all draws without NaN."""
    import numpy as np

    values: Table = np.concatenate([np.empty(0), *blocks])
    return values[~np.isnan(values)]

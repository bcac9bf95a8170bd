"""Adds p, q and the least difference to the rates of a statistic whose header says so, and partial pooling where it is asked for.

    // tests: o_minus of n                                          each row's rate against the other rows of its category
    // tests: o_minus_change = other_o_minus of other_n against o_minus of n           two rates of a row
    // tests: o_minus of n against parts_o_minus of parts_n         the mean of several rates; the statement has p and q itself

A rate is in percent. The first kind can be pooled, see ``partial_pooling``. The other rows are those that the statement gives
with the parameters of ``WHOLE``: so p, q and what is pooled do not depend on which target is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.statistics.chance import corrected_for_number, fisher, least_excess, least_rise
from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.statements import Column, CypherStatement

if TYPE_CHECKING:
    import numpy
    import pandas

    Array = numpy.ndarray[Any, Any]

WHOLE: Mapping[str, Any] = {
    "target": None,
    "category": None,
    "min_support": 1,
    "limit": 2**31 - 1,
    "every": True,
    "examples": 0,
}
"""The parameters with which a statement leaves out no target."""
ENDS = ("_p", "_q", "_least_difference")
POOLED = ("_pooled", "_pooled_low", "_pooled_high")
MEANINGS = (
    "p of the rate against that of {others}: Fisher's exact test (1935)",
    "p corrected for the number of targets (Benjamini and Hochberg 1995); null of a target that could not differ beyond chance",
    "the smallest rise above {others}, in percentage points, that so many statements show in 80 % of all cases",
)
_TEST = re.compile(r"(?:(\w+) = )?(\w+) of (\w+)(?: against (\w+) of (\w+))?")


@dataclass(frozen=True, slots=True)
class TestedRate:
    """A rate to test.

    Attributes:
        name: what the names of the added columns begin with.
        rate, n: columns of the rate, in percent, and of the statements that it is of.
        other_rate, other_n: the columns that it is compared with; None for the other rows of its category.
        mean: whether those are lists, and the comparison is with the mean of the rates.
    """

    name: str
    rate: str
    n: str
    other_rate: str | None
    other_n: str | None
    mean: bool

    @property
    def among_rows(self) -> bool:
        """Whether it is compared with the other rows."""
        return self.other_rate is None

    def added(self) -> tuple[Column, ...]:
        """The columns that it adds."""
        others = "the others of the category" if self.among_rows else "what it is compared with"
        columns = [
            Column(f"{self.name}{end}", "float|null", text.format(others=others))
            for end, text in zip(ENDS, MEANINGS, strict=True)
        ]
        return tuple(columns[2:] if self.mean else columns)

    def place(self, names: Iterable[str]) -> int:
        """Where the next added column is inserted: behind the rate, its interval and what was added before."""
        behind = [f"{self.name}{end}" for end in ("", "_low", "_high", *ENDS)]
        return 1 + max(place for place, name in enumerate(names) if name in behind)


def with_added(columns: Iterable[Column], tests: Iterable[TestedRate]) -> tuple[Column, ...]:
    """The columns of a statement with those that its tests add, each in its place."""
    every = list(columns)
    for test in tests:
        for added in test.added():
            every.insert(test.place(column.name for column in every), added)
    return tuple(every)


def tested_rates(statement: CypherStatement) -> tuple[TestedRate, ...]:
    """Reads the header lines ``tests``.

    Raises:
        UnreadableFile: a line cannot be read, or names what is not a column.
    """
    types = {column.name: column.type for column in statement.columns}
    found = []
    for line in statement.notes.get("tests", ()):
        match = _TEST.fullmatch(line)
        named = [name for name in match.groups()[1:] if name] if match else []
        if not match or not set(named) <= types.keys():
            raise UnreadableFile(
                statement.name,
                f"cannot read the header line 'tests: {line}'",
                remedy="write 'tests: RATE of N' or 'tests: NAME = RATE of N against RATE of N', with names of columns",
            )
        if not match[4] and not statement.keys:
            raise UnreadableFile(
                statement.name,
                f"has the header line 'tests: {line}' and no line 'keys:'",
                remedy="name the columns that tell rows apart",
            )
        mean = bool(match[4]) and types[match[4]].startswith("list")
        found.append(TestedRate(match[1] or match[2], match[2], match[3], match[4], match[5], mean))
    return tuple(found)


def with_no_tests(frame: pandas.DataFrame, tests: Iterable[TestedRate]) -> pandas.DataFrame:
    """A frame without rows, with the columns that its tests add."""
    result = frame.copy()
    for test in tests:
        for added in test.added():
            result.insert(test.place(result.columns), added.name, [])
    return result


def with_tests(
    frame: pandas.DataFrame,
    tests: tuple[TestedRate, ...],
    keys: tuple[str, ...],
    asked: Mapping[str, Any],
    whole: Callable[[], pandas.DataFrame],
) -> pandas.DataFrame:
    """The frame with the columns of ``ENDS`` beside each tested rate.

    Args:
        keys: columns that identify a row.
        asked: the parameters of the statement.
        whole: gives the rows without the parameters of ``WHOLE``.
    """

    result = frame.copy()
    for test in tests:
        if test.among_rows:
            every = whole()
            columns = _picked(_among_rows(every, test, asked), every, frame, keys)
        elif test.mean:
            columns = [_against_mean(frame, test)]
        else:
            columns = _within_row(frame, test)
        for added, values in zip(test.added(), columns, strict=True):
            result.insert(test.place(result.columns), added.name, values)
    return result


def with_pooled(
    frame: pandas.DataFrame, tests: tuple[TestedRate, ...], keys: tuple[str, ...], whole: Callable[[], pandas.DataFrame]
) -> pandas.DataFrame:
    """The frame with ``<rate>_pooled`` and its interval behind each rate that can be pooled.

    The rows come in the order of the lower ends of the first: so the surest come first, as in the report.

    Args:
        keys, whole: as in ``with_tests``.
    """
    import numpy as np

    from harmgraph.analytics.statistics.partial_pooling import pooled

    result = frame.copy()
    every = whole()
    groups = groups_of(every)
    names = [test.name for test in tests if test.among_rows]
    for test in tests:
        if not test.among_rows:
            continue
        counts, n = counts_of(every, test.rate, test.n)
        found = np.full((3, len(every)), np.nan)
        for group in np.unique(groups):
            inside = groups == group
            found[:, inside] = 100 * np.stack(pooled(counts[inside], n[inside]))
        place = max(at for at, column in enumerate(result.columns) if column in (test.name, f"{test.name}_high"))
        for end, values in zip(POOLED, _picked(list(found), every, frame, keys), strict=True):
            place += 1
            result.insert(place, f"{test.name}{end}", values)
    return result.sort_values(f"{names[0]}{POOLED[1]}", ascending=False, kind="stable", ignore_index=True)


def _picked(
    columns: list[Array], every: pandas.DataFrame, frame: pandas.DataFrame, keys: tuple[str, ...]
) -> list[Array]:
    """The values of every row for the rows of a frame; not-a-number for a row that is missing in every row."""
    import numpy as np

    places = {key: place for place, key in enumerate(_keys(every, keys))}
    at = np.array([places.get(key, -1) for key in _keys(frame, keys)], dtype=np.int64)
    return [np.append(column, np.nan)[at] for column in columns]


def counts_of(frame: pandas.DataFrame, rate: str, n: str) -> tuple[Array, Array]:
    """The counts behind a rate in percent, and the numbers of statements, as whole numbers of shape (rows,)."""
    import numpy as np

    sizes = frame[n].to_numpy(dtype=float)
    return np.rint(frame[rate].to_numpy(dtype=float) * sizes / 100).astype(np.int64), sizes.astype(np.int64)


def groups_of(frame: pandas.DataFrame) -> Array:
    """The category of each row as a number, shape (rows,); one for all where the rows have none."""
    import numpy as np

    if "category" not in frame:
        return np.zeros(len(frame), dtype=np.int64)
    return np.unique(frame["category"].astype(str).to_numpy(), return_inverse=True)[1]


def _keys(frame: pandas.DataFrame, keys: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return list(frame[list(keys)].itertuples(index=False, name=None))


def _among_rows(frame: pandas.DataFrame, test: TestedRate, asked: Mapping[str, Any]) -> list[Array]:
    """p, q and least difference of every row, against the other rows of its category, or all others if it has none."""
    import numpy as np

    counts, n = counts_of(frame, test.rate, test.n)
    others, others_n = _others(counts, n, groups_of(frame))
    p, least = fisher(counts, n, others, others_n)
    family = n >= (asked.get("min_support") or 1)
    if asked.get("category") is not None:
        family &= frame["category"].to_numpy() == asked["category"]
    q = np.full(len(frame), np.nan)
    q[family] = corrected_for_number(p[family], least[family])
    return [_known(p, others_n), q, _difference(n, others, others_n)]


def _others(counts: Array, n: Array, groups: Array) -> tuple[Array, Array]:
    import numpy as np

    inside, inside_n = (np.bincount(groups, weights=x).astype(np.int64)[groups] - x for x in (counts, n))
    alone = inside_n == 0
    return np.where(alone, counts.sum() - counts, inside), np.where(alone, n.sum() - n, inside_n)


def _within_row(frame: pandas.DataFrame, test: TestedRate) -> list[Array]:
    assert test.other_rate and test.other_n
    counts, n = counts_of(frame, test.rate, test.n)
    others, others_n = counts_of(frame, test.other_rate, test.other_n)
    p, least = fisher(counts, n, others, others_n)
    return [_known(p, others_n), corrected_for_number(p, least), _difference(n, others, others_n)]


def _known(p: Array, others_n: Array) -> Array:
    import numpy as np

    known: Array = np.where(others_n > 0, p, np.nan)
    return known


def _difference(n: Array, others: Array, others_n: Array) -> Array:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        difference: Array = 100 * (least_rise(n, others, others_n) - others / others_n)
    return difference


def _against_mean(frame: pandas.DataFrame, test: TestedRate) -> Array:
    import numpy as np

    from harmgraph.common.intervals import wilson_arrays

    rows = []
    for n, rates, sizes in frame[[test.n, test.other_rate, test.other_n]].itertuples(index=False, name=None):
        shares, numbers = np.array(rates) / 100, np.array(sizes)
        _, high = wilson_arrays(np.rint(shares * numbers), numbers)
        above = float(np.sqrt(((high - shares) ** 2).sum()) / len(shares))
        rows.append(100 * (least_excess(int(n), float(shares.mean()), above) - float(shares.mean())))
    return np.array(rows, dtype=float)

"""Bootstrap intervals of means and variances over targets: the targets are resampled, as they are the population of
equations 3 and 4 of Mehrabi et al. 2021.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.statements import CypherStatement

if TYPE_CHECKING:
    import numpy
    import pandas

    Table = numpy.ndarray[Any, Any]

ROUNDING = 1e-12  # values that lie within so much of their size of one another are equal
KINDS = {"mean": "mean", "variance": "var"}  # numpy's name of each
_COUNTS = re.compile(r"(\w+) = (\w+(?: \w+)*)")
_INTERVAL = re.compile(r"(\w+) = (mean|variance) of (100 )?(\w+)(?: / (\w+))?(?: less (100 )?(\w+)(?: / (\w+))?)?")


@dataclass(frozen=True, slots=True)
class Quotient:
    """A number of each target.

    Attributes:
        factor: 100 where it is a percentage.
        count, per: places in a target's counts; it is the first alone where ``per`` is None, else their quotient.
    """

    factor: int
    count: int
    per: int | None

    def values(self, counts: Table) -> Table:
        """The numbers, [targets], from counts [targets, places]."""
        values: Table = self.factor * counts[:, self.count]
        return values if self.per is None else values / counts[:, self.per]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a population variance over targets, or the difference of two of the same targets.

    Attributes:
        column: of the statistic.
        kind: ``mean`` or ``variance``.
        of: what it is taken of.
        less: what the one is taken of that is subtracted; None without.
    """

    column: str
    kind: str
    of: Quotient
    less: Quotient | None = None


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """What a statement's header says of its bootstrap.

    Attributes:
        column: holds the counts of each target; it is not shown.
        estimates: the columns that get an interval.
    """

    column: str
    estimates: tuple[Estimate, ...]


def bootstrap_of(statement: CypherStatement) -> Bootstrap | None:
    """Reads the header lines ``bootstrap: COLUMN = COUNT …`` and ``interval: COLUMN = variance of 100 COUNT / COUNT``.

    Returns:
        None where the statement has no such lines.

    Raises:
        UnreadableFile: a line cannot be read, or names what is not there.
    """
    lines = statement.notes.get("bootstrap", ())
    intervals = statement.notes.get("interval", ())
    if not lines and not intervals:
        return None
    match = _COUNTS.fullmatch(lines[0]) if len(lines) == 1 else None
    if not match:
        raise UnreadableFile(statement.name, "intervals need one header line 'bootstrap: COLUMN = COUNT ...'")
    column, places = match[1], match[2].split()
    columns = {each.name for each in statement.columns}
    estimates = []
    for line in intervals:
        match = _INTERVAL.fullmatch(line)
        named = {match[at] for at in (4, 5, 7, 8) if match[at]} if match else set()
        if not match or not {match[1], column} <= columns or not named <= set(places):
            raise UnreadableFile(statement.name, f"cannot read the header line 'interval: {line}'")
        first, second = (
            Quotient(
                100 if match[at] else 1,
                places.index(match[at + 1]),
                places.index(match[at + 2]) if match[at + 2] else None,
            )
            if match[at + 1]
            else None
            for at in (3, 6)
        )
        assert first is not None, "the pattern has it"
        estimates.append(Estimate(match[1], match[2], first, second))
    return Bootstrap(column, tuple(estimates))


def with_intervals(frame: pandas.DataFrame, bootstrap: Bootstrap, *, resamples: int, seed: int) -> pandas.DataFrame:
    """The frame with ``<column>_low`` and ``<column>_high`` beside each estimate, and without the counts.

    Args:
        frame: rows of a statistic over targets.
        resamples: how often the targets are drawn again, with replacement.

    Returns:
        Percentile intervals at 95 %, None where a row rests on fewer than three targets.
    """
    import numpy

    estimates = bootstrap.estimates
    bounds: dict[str, list[float | None]] = {
        f"{estimate.column}_{end}": [] for estimate in estimates for end in ("low", "high")
    }
    for counts in frame[bootstrap.column]:
        table = numpy.asarray(counts, dtype=float).reshape(len(counts), -1)
        generator = numpy.random.default_rng(seed)
        for estimate in estimates:
            less = None if estimate.less is None else estimate.less.values(table)
            low, high = interval(estimate.of.values(table), KINDS[estimate.kind], resamples, generator, less)
            bounds[f"{estimate.column}_low"].append(low)
            bounds[f"{estimate.column}_high"].append(high)
    extended = frame.drop(columns=[bootstrap.column])
    for estimate in estimates:
        name = estimate.column
        place: Any = extended.columns.get_loc(name)
        extended.insert(place + 1, f"{name}_low", bounds[f"{name}_low"])
        extended.insert(place + 2, f"{name}_high", bounds[f"{name}_high"])
    return extended


def interval(
    values: Table, estimate: str, resamples: int, generator: numpy.random.Generator, less: Table | None = None
) -> tuple[float | None, float | None]:
    """Percentile bootstrap interval of a mean or a population variance (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: shape (targets,).
        estimate: ``mean`` or ``var``.
        less: of the same targets, shape (targets,): the interval is of the estimate of the values less that of these.

    Returns:
        Lower and upper end; None where there are fewer than three values.
    """
    if len(values) < 3:
        return None, None
    return resampling.interval(
        _estimates(values[places], estimate) - (0.0 if less is None else _estimates(less[places], estimate))
        for places in resampling.places(len(values), resamples, generator)
    )


def _estimates(drawn: Table, estimate: str) -> Table:
    """The estimate of each resample, [resamples], of [resamples, targets]."""
    import numpy

    estimates: Table = getattr(drawn, estimate)(axis=1)
    if estimate == "var":
        # Of equal values the variance is 0; their mean is rounded, which leaves 1e-28.
        estimates = numpy.where(numpy.ptp(drawn, axis=1) <= ROUNDING * numpy.abs(drawn).max(axis=1), 0.0, estimates)
    return estimates

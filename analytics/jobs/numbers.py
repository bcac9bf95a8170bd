"""The numbers of a job's run, and how they changed since the previous run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harmgraph.analytics.statistics.saved_number import Change, Number
from harmgraph.graph.connection import Graph


def changes(graph: Graph, run: str) -> list[Change]:
    """The numbers of a run, each with the same number of the job's latest earlier run that has it."""
    now = [Number.from_row(row) for row in graph.rows("job/numbers", run=run)]
    return paired(now, [Number.from_row(row) for row in graph.rows("job/numbers_before", run=run)])


def paired(now: Sequence[Number], before: Sequence[Number]) -> list[Change]:
    """Pairs each number with the earlier number of the same identity; of the same step where several steps measure it."""
    several = {name for name, count in Counter(number.identity for number in now).items() if count > 1}
    by_step = {(number.step, *number.identity): number for number in before}
    earlier: dict[object, Number] = {}
    for number in before:
        earlier.setdefault(number.identity, number)
    return [
        Change(
            number,
            by_step.get((number.step, *number.identity))
            or (None if number.identity in several else earlier.get(number.identity)),
        )
        for number in now
    ]


def largest_first(changes: Sequence[Change]) -> list[Change]:
    """Numbers over all targets first, then those of single targets, sorted by change relative to the metric's largest."""
    largest: dict[str, float] = {}
    for change in changes:
        if change.now.target is not None:
            largest[change.now.metric] = max(largest.get(change.now.metric, 0.0), abs(change.amount or 0))

    def size(change: Change) -> float:
        return abs(change.amount or 0) / (largest[change.now.metric] or 1) if change.now.target is not None else 0.0

    return sorted(changes, key=lambda change: (change.now.target is not None, -size(change)))


def worth_a_row(changes: Sequence[Change]) -> list[Change]:
    """The changes as ``largest_first`` sorts them, without the numbers of single targets that did not change."""
    return [change for change in largest_first(changes) if change.now.target is None or change.amount != 0]

"""A cluster in this process: what is sent between its workers goes the way of plain values, all at the end.

As on a real cluster, the workers run in another folder than whoever started the command.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import chdir

from harmgraph.common.engines.engine import PLACE, Cluster, Item, Keyed, Note, Result

ELSEWHERE = "/"  # the workers' folder


class MemoryCluster(Cluster):
    """Runs the tasks in any order, some of them twice, and reduces in several calls."""

    def __init__(self, workers: int = 3) -> None:
        self.workers = workers

    def mapped(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        with chdir(ELSEWHERE):
            return [work(item) for item in items]

    def reduced(
        self,
        work: Callable[[Item], Generator[Keyed, None, Note]],
        reduce: Callable[[Iterable[Keyed]], Iterator[bytes]],
        items: Sequence[Item],
        least: int = 1,
    ) -> tuple[list[Note], Iterator[bytes]]:
        chosen = random.Random(5)
        notes: dict[int, Note] = {}
        parts: list[list[Keyed]] = [[] for _ in range(self.workers)]
        numbers = list(range(len(items)))
        chosen.shuffle(numbers)
        for number in numbers:
            for _ in range(chosen.randrange(1, 3)):
                with chdir(ELSEWHERE):
                    rows = _run(work(items[number]), notes, number)
            for row in rows:
                parts[sum(row[0][:PLACE]) % self.workers].append(row)
        chosen.shuffle(parts)
        noted = [notes[number] for number in range(len(items))]
        return noted, (content for part in parts for content in _reduced(reduce, sorted(part)))


def _run(task: Generator[Keyed, None, Note], notes: dict[int, Note], number: int) -> list[Keyed]:
    rows = []
    while True:
        try:
            rows.append(next(task))
        except StopIteration as end:
            notes[number] = end.value
            return rows


def _reduced(reduce: Callable[[Iterable[Keyed]], Iterator[bytes]], rows: list[Keyed]) -> list[bytes]:
    with chdir(ELSEWHERE):
        return list(reduce(rows))

"""Filtered ranking of the entities of a triple, and the numbers made of the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from harmgraph.graph.common.progress import Progress, silent
from harmgraph.models.embedding.buffer import Buffer
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.threads import Threads

Floats = npt.NDArray[np.float64]
HITS = (1, 3, 10)
SIDES = ("head", "tail")
BLOCK, GPU_BLOCK = 1 << 20, 1 << 25  # scores of one block; on a processor as many as its cache holds
EXACT = 1 << 24  # ones that a float32 adds up without a rounding
LEAST = 32  # questions of one block: for each the whole table is read


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of the right entity among all that would not make another known triple, from 1; ties count by their mean.

    Attributes:
        relation: [t] ids of the relations.
        head, tail: [t] rank of the head given relation and tail, and of the tail given head and relation.
    """

    relation: Integers
    head: Floats
    tail: Floats


class Known:
    """The right answers of every question (entity, relation), to be left out of a ranking.

    Args:
        triples: [t, 3] all known triples: train, valid and test.
    """

    def __init__(self, triples: Integers, relations: int) -> None:
        self._relations = relations
        self._sides = {
            "tail": self._sorted(triples[:, 0], triples[:, 1], triples[:, 2]),
            "head": self._sorted(triples[:, 2], triples[:, 1], triples[:, 0]),
        }

    def _sorted(self, given: Integers, relation: Integers, answer: Integers) -> tuple[Integers, Integers]:
        question = given * self._relations + relation
        order = np.lexsort((answer, question))
        return question[order], answer[order]

    def answers(self, side: str, given: Integers, relation: Integers) -> tuple[Integers, Integers]:
        """The answers of some questions, flat: place of the question, and entity."""
        questions, answers = self._sides[side]
        asked = given * self._relations + relation
        start, end = np.searchsorted(questions, asked, "left"), np.searchsorted(questions, asked, "right")
        counts = end - start
        place = np.repeat(np.arange(len(asked)), counts)
        inside = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return place, answers[np.repeat(start, counts) + inside]


def ranks(
    tables: Tables, triples: Integers, known: Known, *, threads: Threads | None = None, progress: Progress = silent
) -> Ranks:
    """Ranks of both ends of some triples.

    Args:
        triples: [t, 3] ids.
        known: what is left out, apart from the triple itself.
        threads: looks now and then whether one thread ranks a block quicker than all.
    """
    ranking = _Ranking(tables, known)
    head, tail = np.empty(len(triples)), np.empty(len(triples))
    for start in range(0, len(triples), ranking.size):
        part = slice(start, start + ranking.size)
        work = partial(ranking.of, triples[part], head[part], tail[part])
        if threads:
            threads.look(work)
        work()
        progress("ranking", min(start + ranking.size, len(triples)), len(triples))
    return Ranks(triples[:, 1], head, tail)


class _Ranking:
    """Ranks one block of triples after the other, in the same memory.

    Attributes:
        size: triples of a block.
    """

    def __init__(self, tables: Tables, known: Known) -> None:
        table = tables.entities.detach()
        block = BLOCK if table.device.type == "cpu" else GPU_BLOCK
        self.size = max(LEAST, block // max(1, len(table)))
        self._tables = tables
        self._known = known
        self._against = tables.comparator.against(table)
        self._scores, self._flags = Buffer(table), Buffer(table)

    def of(self, triples: Integers, head: Floats, tail: Floats) -> float:
        """Writes the ranks of the heads and of the tails of a block [b, 3]; gives the number of triples."""
        heads, relations, tails = (np.ascontiguousarray(column) for column in triples.T)
        tail[:] = self._ranked("tail", heads, relations, tails)
        head[:] = self._ranked("head", tails, relations, heads)
        return len(triples)

    def _ranked(self, side: str, given: Integers, relation: Integers, answer: Integers) -> Floats:
        device, shape = self._tables.entities.device, (len(given), len(self._tables.entities))
        ids, kinds = torch.from_numpy(given).to(device), torch.from_numpy(relation).to(device)
        with torch.no_grad():
            query, offset = self._tables.query(side, ids, kinds)
            scores = self._against(query, self._scores.shaped(*shape))
            if offset is not None:
                scores += offset.unsqueeze(1)
            others = self._known.answers(side, given, relation)
            return ranked(scores, torch.from_numpy(answer).to(device), *others, flags=self._flags.shaped(*shape))


def ranked(scores: Tensor, answer: Tensor, place: Integers, others: Integers, *, flags: Tensor | None = None) -> Floats:
    """Ranks of the right answers: 1 + how many score more + half of how many score the same.

    A score that is not a number counts as the worst: such a model must not look good.

    Args:
        scores: [q, n], is written over.
        answer: [q] the right entity.
        place, others: flat, entities that are right too; the answer itself may be among them.
        flags: [q, n] memory of the kind of the scores, is written over; made where None.
    """
    scores = torch.nan_to_num_(scores, nan=-torch.inf)
    right = scores.gather(1, answer.unsqueeze(1))
    # What is left out is neither more nor the same: not-a-number compares so, and needs no mask.
    scores[torch.from_numpy(place).to(scores.device), torch.from_numpy(others).to(scores.device)] = torch.nan
    scores.scatter_(1, answer.unsqueeze(1), torch.nan)
    flags = torch.empty_like(scores) if flags is None else flags
    more = _counted(torch.gt(scores, right, out=flags))
    same = _counted(torch.eq(scores, right, out=flags))
    found: Floats = (1 + more + same / 2).cpu().numpy()
    return found


def _counted(flags: Tensor) -> Tensor:
    """How many ones stand in each row of zeros and ones, [q]: a sum of truth values would first make whole numbers of all."""
    parts = [part.sum(1).double() for part in flags.split(EXACT, dim=1)]
    return torch.stack(parts).sum(0)


def summary(ranks: Ranks, chosen: npt.NDArray[np.bool_] | None = None) -> dict[str, float | int]:
    """MRR, MR and hits with their normal 95 % intervals over triples, both sides together.

    The two ranks of a triple are one observation, because they are not independent.

    Returns:
        ``mrr``, ``mr``, ``hits@k``, each with ``_low`` and ``_high``; ``n`` ranks of ``triples`` triples.
    """
    pick = slice(None) if chosen is None else chosen
    return of_ranks(np.stack([ranks.head[pick], ranks.tail[pick]], axis=1))


def of_ranks(found: Floats) -> dict[str, float | int]:
    """The same of ranks [t, sides]."""
    row: dict[str, float | int] = {}
    metrics: Mapping[str, Floats] = {
        "mrr": 1 / found,
        "mr": found,
        **{f"hits@{k}": (found <= k).astype(np.float64) for k in HITS},
    }
    for name, values in metrics.items():
        each = values.mean(1)
        mean = float(each.mean()) if len(each) else float("nan")
        error = float(1.96 * each.std(ddof=1) / np.sqrt(len(each))) if len(each) > 1 else float("nan")
        low, high = mean - error, mean + error
        row |= {name: mean, f"{name}_low": max(low, 1.0 if name == "mr" else 0.0), f"{name}_high": high}
        if name != "mr":
            row[f"{name}_high"] = min(high, 1.0)
    return row | {"n": int(found.size), "triples": len(found)}

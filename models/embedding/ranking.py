"""Filtered ranking of the heads and tails of triples, and the metrics of the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from harmgraph.common.intervals import Z, wilson
from harmgraph.common.progress import progress
from harmgraph.models.embedding.comparators import Buffer
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph.spans import spans
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.threads import Threads

Floats = npt.NDArray[np.float64]
HITS = (1, 3, 10)
SIDES = ("head", "tail")
BLOCK, GPU_BLOCK = 1 << 20, 1 << 25  # scores per block; on a CPU as many as its cache holds
EXACT = 1 << 24  # the largest count that a float32 sum of ones has exactly
LEAST = 32  # fewest questions per block: each block reads the whole table


@dataclass(frozen=True, slots=True)
class Ranks:
    """Filtered ranks of the right entities, from 1; ties get their mean rank.

    Attributes:
        relation: [t] ids of the relations.
        head, tail: [t] rank of the head given relation and tail, and of the tail given head and relation.
    """

    relation: Integers
    head: Floats
    tail: Floats


class KnownAnswers(Protocol):
    """Known answers, wherever they are: ``Known`` has them in memory."""

    def answers(self, side: str, entity: Integers, relation: Integers) -> tuple[Integers, Integers]:
        """See ``Known.answers``."""


class Known:
    """The known answers of every question (entity, relation), which a filtered ranking leaves out.

    Args:
        triples: [t, 3] all known triples: train, valid and test.
        relations: how many there are.
    """

    def __init__(self, triples: Integers, relations: int) -> None:
        self._relations = relations
        self._sides = {
            "tail": self._sorted(triples[:, 0], triples[:, 1], triples[:, 2]),
            "head": self._sorted(triples[:, 2], triples[:, 1], triples[:, 0]),
        }

    def _sorted(self, entity: Integers, relation: Integers, answer: Integers) -> tuple[Integers, Integers]:
        question = entity * self._relations + relation
        order = np.lexsort((answer, question))
        return question[order], answer[order]

    def answers(self, side: str, entity: Integers, relation: Integers) -> tuple[Integers, Integers]:
        """The answers of some questions: the index of the question and the entity, one pair for each answer."""
        questions, answers = self._sides[side]
        wanted = entity * self._relations + relation
        start, end = np.searchsorted(questions, wanted, "left"), np.searchsorted(questions, wanted, "right")
        place, found = spans(start, end - start)
        return place, answers[found]


def ranks(tables: Tables, triples: Integers, known: KnownAnswers, *, threads: Threads | None = None) -> Ranks:
    """Ranks of the heads and tails of some triples.

    Args:
        triples: [t, 3] ids.
        known: answers that are left out, apart from the triple's own.
        threads: checks now and then whether one thread ranks a block faster than all.
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
    """Ranks triples block by block, in the same memory.

    Attributes:
        size: triples per block.
    """

    def __init__(self, tables: Tables, known: KnownAnswers) -> None:
        table = tables.entities.detach()
        block = BLOCK if table.device.type == "cpu" else GPU_BLOCK
        self.size = max(LEAST, block // max(1, len(table)))
        self._tables = tables
        self._known = known
        self._against = tables.comparator.against(table)
        self._scores, self._flags = Buffer(table), Buffer(table)

    def of(self, triples: Integers, head: Floats, tail: Floats) -> float:
        """Writes the ranks of the heads and tails of a block [b, 3]; returns the number of triples."""
        heads, relations, tails = (np.ascontiguousarray(column) for column in triples.T)
        tail[:] = self._ranked("tail", heads, relations, tails)
        head[:] = self._ranked("head", tails, relations, heads)
        return len(triples)

    def _ranked(self, side: str, entity: Integers, relation: Integers, answer: Integers) -> Floats:
        device, shape = self._tables.entities.device, (len(entity), len(self._tables.entities))
        ids, kinds = torch.from_numpy(entity).to(device), torch.from_numpy(relation).to(device)
        with torch.no_grad():
            query, offset = self._tables.query(side, ids, kinds)
            scores = self._against(query, self._scores.shaped(*shape))
            if offset is not None:
                scores += offset.unsqueeze(1)
            others = self._known.answers(side, entity, relation)
            return ranked(scores, torch.from_numpy(answer).to(device), *others, flags=self._flags.shaped(*shape))


def ranked(scores: Tensor, answer: Tensor, place: Integers, others: Integers, *, flags: Tensor | None = None) -> Floats:
    """Ranks of the right answers: 1 + how many score more + half of how many score the same.

    NaN counts as the worst score, so that a model with NaN scores ranks badly.

    Args:
        scores: [q, n]; overwritten.
        answer: [q] the right entity.
        place, others: the other known answers: index of the question and entity; the answer itself may be among them.
        flags: [q, n] memory of the same type, which is overwritten; allocated if None.
    """
    scores = torch.nan_to_num_(scores, nan=-torch.inf)
    right = scores.gather(1, answer.unsqueeze(1))
    # Filtered entities get NaN, which is neither greater nor equal, so no mask is needed.
    scores[torch.from_numpy(place).to(scores.device), torch.from_numpy(others).to(scores.device)] = torch.nan
    scores.scatter_(1, answer.unsqueeze(1), torch.nan)
    flags = torch.empty_like(scores) if flags is None else flags
    more = _counted(torch.gt(scores, right, out=flags))
    same = _counted(torch.eq(scores, right, out=flags))
    answer_ranks: Floats = (1 + more + same / 2).cpu().numpy()
    return answer_ranks


def _counted(flags: Tensor) -> Tensor:
    """How many ones each row of zeros and ones has, [q]; summing booleans would first convert all of them to integers."""
    parts = [part.sum(1).double() for part in flags.split(EXACT, dim=1)]
    return torch.stack(parts).sum(0)


def summary(ranks: Ranks, chosen: npt.NDArray[np.bool_] | None = None) -> dict[str, float | int]:
    """MRR, MR and hits with normal 95 % intervals over triples, both sides together.

    The two ranks of a triple count as one observation, because they are not independent. Where all ranks hit, or none, the
    interval is Wilson's: a normal one would have no width.

    Returns:
        ``mrr``, ``mr``, ``hits@k``, each with ``_low`` and ``_high``; ``n`` ranks of ``triples`` triples.
    """
    pick = slice(None) if chosen is None else chosen
    return of_ranks(np.stack([ranks.head[pick], ranks.tail[pick]], axis=1))


def of_ranks(ranks: Floats) -> dict[str, float | int]:
    """The metrics of ``summary`` for ranks [t, sides]."""
    row: dict[str, float | int] = {}
    metrics: Mapping[str, Floats] = {
        "mrr": 1 / ranks,
        "mr": ranks,
        **{f"hits@{k}": (ranks <= k).astype(np.float64) for k in HITS},
    }
    for name, values in metrics.items():
        triple_means = values.mean(1)
        mean = float(triple_means.mean()) if len(triple_means) else float("nan")
        error = (
            float(Z * triple_means.std(ddof=1) / np.sqrt(len(triple_means))) if len(triple_means) > 1 else float("nan")
        )
        low, high = mean - error, mean + error
        if name.startswith("hits") and mean in (0, 1):
            low, high = wilson(mean * len(ranks), len(ranks))
        row |= {name: mean, f"{name}_low": max(low, 1.0 if name == "mr" else 0.0), f"{name}_high": high}
        if name != "mr":
            row[f"{name}_high"] = min(high, 1.0)
    return row | {"n": int(ranks.size), "triples": len(ranks)}

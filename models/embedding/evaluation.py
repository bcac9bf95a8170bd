"""Link prediction and triple classification of a trained embedding."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.common.intervals import wilson
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.models.embedding.ranking import SIDES, Known, of_ranks, ranks, summary
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph import keys
from harmgraph.models.subgraph.split import SPLITS, Integers
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.threads import Threads

BLOCK = 1 << 12  # triples that are scored at once


def aligned(tables: Tables, subgraph: Subgraph, triples: Integers) -> Integers:
    """Triples of a subgraph with the ids of the tables, [t, 3]; -1 where the tables lack an entity or relation."""
    entities = np.array([tables.entity_ids.get(key, -1) for key in subgraph.entities], np.int64)
    relations = np.array([tables.relation_ids.get(name, -1) for name in subgraph.relations], np.int64)
    return np.stack([entities[triples[:, 0]], relations[triples[:, 1]], entities[triples[:, 2]]], axis=1)


def link_prediction(
    tables: Tables,
    subgraph: Subgraph,
    *,
    split: str = "test",
    sample: int = 0,
    seed: int = 0,
    threads: Threads | None = None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Filtered ranks of the triples of a split: all of the subgraph's triples are left out as rivals.

    Args:
        sample: how many of the split's triples are ranked, drawn at random by ``seed``; 0 for all of them.
        threads: looks now and then whether one thread ranks quicker than all.

    Returns:
        ``mrr``, ``mr``, ``hits@1``, ``hits@3``, ``hits@10`` with their intervals, ``n`` ranks of ``triples`` triples;
        ``drawn_from``, how many of the split could be ranked, and ``seed``, null where all were;
        ``left_out`` triples with an entity or relation without a vector; ``sides`` and ``relations`` the same for each.

    Raises:
        InputError: the split has no triple that can be ranked.
    """
    every = aligned(tables, subgraph, subgraph.triples())
    asked = aligned(tables, subgraph, subgraph.triples(SPLITS.index(split)))
    if not len(asked):
        raise InputError(f"the split {split} has no triples", remedy="choose another --split")
    whole = (asked >= 0).all(1)
    if not whole.any():
        raise InputError(
            f"the split {split} has no triple whose entities and relation have vectors ({len(asked):,} without)",
            remedy="choose another --split, or check that the keys of the model are those of the source",
        )
    known = Known(every[(every >= 0).all(1)], len(tables.relation_names))
    ranked = asked[whole]
    chosen = sampled(ranked, sample, seed) if sample else ranked
    found = ranks(tables, chosen, known, threads=threads, progress=progress)
    sides = {side: of_ranks(getattr(found, side)[:, None]) for side in SIDES}
    relations = [
        {"relation": tables.relation_names[kind]} | summary(found, found.relation == kind)
        for kind in np.unique(found.relation).tolist()
    ]
    return summary(found) | {
        "split": split,
        "drawn_from": len(ranked),
        "seed": seed if len(chosen) < len(ranked) else None,
        "left_out": int((~whole).sum()),
        "candidates": len(tables.entities),
        "sides": sides,
        "relations": relations,
    }


def sampled(triples: Integers, count: int, seed: int) -> Integers:
    """``count`` of the triples [t, 3] at random, without repeats and in their order; all where there are no more."""
    if count >= len(triples):
        return triples
    places = np.random.default_rng(seed).permutation(len(triples))[:count]
    return triples[np.sort(places)]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Triples that are true or false: ids [t, 3] and truth [t]."""

    triples: Integers
    true: npt.NDArray[np.bool_]
    left_out: int = 0


def labelled(tables: Tables, subgraph: Subgraph, split: str, negatives: Path) -> Labelled:
    """The triples of a split as true ones, and those of a file as false ones.

    Args:
        negatives: head, relation and tail, separated by tabs, in the graph's keys or the data set's own.

    Raises:
        UnreadableFile: it cannot be read, or none of its triples is of this graph.
    """
    positive = aligned(tables, subgraph, subgraph.triples(SPLITS.index(split)))
    negative = _read(tables, negatives)
    triples = np.concatenate([positive, negative])
    true = np.arange(len(triples)) < len(positive)
    whole = (triples >= 0).all(1)
    if not (whole & ~true).any():
        raise UnreadableFile(negatives, "names no triple whose entities and relation have vectors")
    return Labelled(triples[whole], true[whole], int((~whole).sum()))


def _read(tables: Tables, path: Path) -> Integers:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(path, f"cannot be read ({error})") from error
    rows = []
    for number, line in enumerate(lines, 1):
        parts = line.split("\t")
        if len(parts) != 3:
            raise UnreadableFile(path, f"{len(parts)} columns where 3 are expected", line=number)
        head, tail = (keys.entity(part, tables.entity_ids) or "" for part in (parts[0], parts[2]))
        kind = keys.relation(parts[1], tables.relation_ids) or ""
        rows.append(
            (tables.entity_ids.get(head, -1), tables.relation_ids.get(kind, -1), tables.entity_ids.get(tail, -1))
        )
    return np.array(rows, np.int64).reshape(-1, 3)


def classification(tables: Tables, valid: Labelled, test: Labelled) -> dict[str, Any]:
    """Accuracy and F1 of calling a triple true whose score reaches its relation's threshold (Safavi and Koutra 2020, section 5).

    The threshold is the one with the best accuracy on valid; a relation without triples of both kinds there has the one of
    all relations together.

    Returns:
        ``accuracy`` and ``f1`` with ``accuracy_low`` and ``accuracy_high`` (Wilson, 95 %), ``n``, ``left_out``.
    """
    scored, tested = _scores(tables, valid.triples), _scores(tables, test.triples)
    common = best_threshold(scored, valid.true)
    thresholds = np.full(len(tables.relation_names), common)
    for kind in np.unique(valid.triples[:, 1]):
        own = valid.triples[:, 1] == kind
        if len(set(valid.true[own].tolist())) == 2:
            thresholds[kind] = best_threshold(scored[own], valid.true[own])
    called = tested >= thresholds[test.triples[:, 1]]
    right = int((called == test.true).sum())
    hit = int((called & test.true).sum())
    wrong = int((called != test.true).sum())
    low, high = wilson(right, len(called))
    return {
        "accuracy": right / len(called),
        "accuracy_low": low,
        "accuracy_high": high,
        "f1": 2 * hit / (2 * hit + wrong) if hit or wrong else 0.0,
        "n": len(called),
        "true": int(test.true.sum()),
        "left_out": valid.left_out + test.left_out,
    }


def _scores(tables: Tables, triples: Integers) -> npt.NDArray[np.float64]:
    found = np.empty(len(triples))
    for start in range(0, len(triples), BLOCK):
        part = triples[start : start + BLOCK]
        found[start : start + BLOCK] = tables.score(*torch.from_numpy(part.T.copy())).double().cpu().numpy()
    return found


def best_threshold(scores: npt.NDArray[np.float64], true: npt.NDArray[np.bool_]) -> float:
    """The score from which calling triples true is most often right; midway between two of the given scores.

    Of equally good ones the lowest.
    """
    order = np.argsort(scores, kind="stable")
    ordered, truth = scores[order], true[order]
    # Threshold before place i: everything from i on is called true.
    right = np.concatenate([[0], np.cumsum(~truth)]) + np.concatenate([np.cumsum(truth[::-1])[::-1], [0]])
    possible = np.ones(len(right), bool)
    possible[1:-1] = ordered[1:] > ordered[:-1]
    place = int(np.argmax(np.where(possible, right, -1)))
    if place == 0:
        return float(ordered[0]) - 1.0
    return float(ordered[-1]) + 1.0 if place == len(ordered) else float(ordered[place - 1] + ordered[place]) / 2

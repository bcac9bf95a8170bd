"""Link prediction and triple classification of a trained embedding."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.intervals import wilson
from harmgraph.common.user_file import tab_rows
from harmgraph.models.embedding.graph_model import GraphModel
from harmgraph.models.embedding.ranking import SIDES, Known, KnownAnswers, Ranks, of_ranks, ranks, summary
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph import keys
from harmgraph.models.subgraph.split import SPLITS, TRAIN, Integers
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.threads import Threads

BLOCK = 1 << 12  # triples that are scored at once


def aligned(tables: Tables | GraphModel, subgraph: Subgraph, triples: Integers) -> Integers:
    """Triples of a subgraph with the ids of the model, [t, 3]; -1 for an entity or relation that it lacks."""
    entities = np.array([tables.entity_ids.get(key, -1) for key in subgraph.entities], np.int64)
    relations = np.array([tables.relation_ids.get(name, -1) for name in subgraph.relations], np.int64)
    return np.stack([entities[triples[:, 0]], relations[triples[:, 1]], entities[triples[:, 2]]], axis=1)


def link_prediction(
    tables: Tables | GraphModel,
    subgraph: Subgraph,
    *,
    split: str = "test",
    sample: int = 0,
    seed: int = 0,
    learnt: Subgraph | None = None,
    familiar: Collection[str] | None = None,
    threads: Threads | None = None,
) -> dict[str, Any]:
    """Filtered link prediction on a split: candidates that form another triple of the subgraph are not ranked.

    Args:
        sample: how many of the split's triples are ranked, drawn at random by ``seed``; 0 for all of them.
        learnt: what the model was trained on, if that is another subgraph: triples that it learnt are not ranked.
        familiar: keys of the entities that the model was trained on, if others are among those here.
        threads: checks now and then whether one thread is faster than all.

    Returns:
        ``mrr``, ``mr``, ``hits@1``, ``hits@3``, ``hits@10`` with their intervals, ``n`` ranks of ``triples`` triples;
        ``drawn_from``, how many of the split could be ranked, and ``seed``, None if all were;
        ``left_out``, triples with an entity or relation without a vector; ``seen``, triples that were learnt;
        ``sides`` and ``relations``, the metrics of each; with ``familiar`` also ``entities``, those of triples with an entity
        that training never saw, and of the others.

    Raises:
        InputError: the split has no triple that can be ranked.
    """
    all_triples = aligned(tables, subgraph, subgraph.triples())
    split_triples = aligned(tables, subgraph, subgraph.triples(SPLITS.index(split)))
    return judged(
        tables,
        split_triples,
        Known(all_triples[(all_triples >= 0).all(1)], len(tables.relation_names)),
        _learnt(tables, split_triples, learnt) if learnt else np.zeros(len(split_triples), bool),
        split=split,
        sample=sample,
        seed=seed,
        familiar=None if familiar is None else np.array([key in familiar for key in subgraph.entities]),
        threads=threads,
    )


def judged(
    tables: Tables | GraphModel,
    split_triples: Integers,
    known: KnownAnswers,
    seen: npt.NDArray[np.bool_],
    *,
    split: str,
    sample: int = 0,
    seed: int = 0,
    familiar: npt.NDArray[np.bool_] | None = None,
    threads: Threads | None = None,
) -> dict[str, Any]:
    """What ``link_prediction`` returns, of triples that need not come from a subgraph.

    Args:
        split_triples: all triples of the split, [t, 3] ids of the model; -1 for what has no vector.
        known: answers that are not ranked.
        seen: which of the triples the model learnt [t]: they are not ranked.
        familiar: which entities of the model it was trained on; None where this is not asked.

    Raises:
        InputError: as ``link_prediction``.
    """
    if not len(split_triples):
        raise InputError(f"the split {split} has no triples", remedy="choose another --split")
    with_vectors = (split_triples >= 0).all(1)
    if not with_vectors.any():
        raise InputError(
            f"the split {split} has no triple whose entities and relation have vectors ({len(split_triples):,} without)",
            remedy="choose another --split, or check that the keys of the model are those of the source",
        )
    seen = with_vectors & seen
    rankable = with_vectors & ~seen
    ranked = split_triples[rankable]
    if not len(ranked):
        raise InputError(f"all triples of the split {split} are among those that the model learnt")
    chosen = split_triples[_drawn(rankable, sample, seed)] if sample else ranked
    if isinstance(tables, Tables):
        split_ranks = ranks(tables, chosen, known, threads=threads)
    else:
        split_ranks = tables.ranks(chosen, known, threads=threads)
    sides = {side: of_ranks(getattr(split_ranks, side)[:, None]) for side in SIDES}
    relations = [
        {"relation": tables.relation_names[kind]} | summary(split_ranks, split_ranks.relation == kind)
        for kind in np.unique(split_ranks.relation).tolist()
    ]
    return summary(split_ranks) | {
        "split": split,
        "drawn_from": len(ranked),
        "seed": seed if len(chosen) < len(ranked) else None,
        "left_out": int((~with_vectors).sum()),
        "seen": int(seen.sum()),
        "candidates": len(tables.entity_ids),
        "sides": sides,
        **({"entities": _by_entities(split_ranks, chosen, familiar)} if familiar is not None else {}),
        "relations": relations,
    }


def _by_entities(
    split_ranks: Ranks, triples: Integers, familiar: npt.NDArray[np.bool_]
) -> dict[str, dict[str, float | int]]:
    """The metrics of triples with an unseen entity, and of the others; what no triple is of is left out."""
    both = familiar[triples[:, 0]] & familiar[triples[:, 2]]
    groups = {"seen": both, "unseen": ~both}
    return {name: summary(split_ranks, chosen) for name, chosen in groups.items() if chosen.any()}


def sampled(triples: Integers, count: int, seed: int) -> Integers:
    """``count`` random triples [t, 3], without repeats, in their original order; all of them if there are no more."""
    return triples if count >= len(triples) else triples[_drawn(np.ones(len(triples), bool), count, seed)]


def _drawn(allowed: npt.NDArray[np.bool_], count: int, seed: int) -> Integers:
    """The places of ``count`` random allowed triples, in their order; all allowed ones if there are no more.

    The order of drawing is that of all places, so models that lack different triples rank the same ones, as far as they can.
    """
    order = np.random.default_rng(seed).permutation(len(allowed))
    return np.sort(order[allowed[order]][:count])


def _learnt(tables: Tables | GraphModel, triples: Integers, subgraph: Subgraph) -> npt.NDArray[np.bool_]:
    """Which triples [t, 3], with the ids of the tables, a subgraph has in train; shape [t]."""
    trained = aligned(tables, subgraph, subgraph.triples(TRAIN))
    rows = {tuple(row) for row in trained.tolist()}
    return np.array([tuple(row) in rows for row in triples.tolist()], bool)


@dataclass(frozen=True, slots=True)
class LabelledTriples:
    """Triples that are true or false: ids [t, 3] and truth [t]."""

    triples: Integers
    true: npt.NDArray[np.bool_]
    left_out: int = 0


def labelled(tables: Tables, subgraph: Subgraph, split: str, negatives: Path) -> LabelledTriples:
    """The triples of a split, labelled true, and those of a file, labelled false.

    Args:
        negatives: head, relation and tail, separated by tabs, as keys of the graph or of the data set.

    Raises:
        UnreadableFile: it cannot be read, or none of its triples is of this graph.
    """
    positive = aligned(tables, subgraph, subgraph.triples(SPLITS.index(split)))
    negative = _read(tables, negatives)
    triples = np.concatenate([positive, negative])
    true = np.arange(len(triples)) < len(positive)
    with_vectors = (triples >= 0).all(1)
    if not (with_vectors & ~true).any():
        raise UnreadableFile(negatives, "names no triple whose entities and relation have vectors")
    return LabelledTriples(triples[with_vectors], true[with_vectors], int((~with_vectors).sum()))


def _read(tables: Tables, path: Path) -> Integers:
    rows = []
    for row in tab_rows(path):
        parts = row.cells
        if len(parts) != 3:
            raise UnreadableFile(path, f"{len(parts)} columns where 3 are expected", line=row.line)
        head, tail = (keys.entity(part, tables.entity_ids) or "" for part in (parts[0], parts[2]))
        kind = keys.relation(parts[1], tables.relation_ids) or ""
        rows.append(
            (tables.entity_ids.get(head, -1), tables.relation_ids.get(kind, -1), tables.entity_ids.get(tail, -1))
        )
    return np.array(rows, np.int64).reshape(-1, 3)


def classification(tables: Tables, valid: LabelledTriples, test: LabelledTriples) -> dict[str, Any]:
    """Triple classification: a triple counts as true if its score reaches its relation's threshold.

    The threshold is the one with the best accuracy on valid. A relation without both true and false triples there uses the
    threshold of all relations together (Safavi and Koutra 2020, section 5).

    Returns:
        ``accuracy`` and ``f1`` with ``accuracy_low`` and ``accuracy_high`` (Wilson, 95 %), ``n``, ``left_out``.
    """
    scored, tested = _scores(tables, valid.triples), _scores(tables, test.triples)
    common = best_threshold(scored, valid.true)
    thresholds = np.full(len(tables.relation_names), common)
    for kind in np.unique(valid.triples[:, 1]):
        of_relation = valid.triples[:, 1] == kind
        if len(set(valid.true[of_relation].tolist())) == 2:
            thresholds[kind] = best_threshold(scored[of_relation], valid.true[of_relation])
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
    scores = np.empty(len(triples))
    for start in range(0, len(triples), BLOCK):
        part = triples[start : start + BLOCK]
        scores[start : start + BLOCK] = tables.score(*torch.from_numpy(part.T.copy())).double().cpu().numpy()
    return scores


def best_threshold(scores: npt.NDArray[np.float64], true: npt.NDArray[np.bool_]) -> float:
    """The threshold with the best accuracy, midway between two of the scores; the lowest of equally good ones."""
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

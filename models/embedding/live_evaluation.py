"""Link prediction on a source whose edges stay in Neo4j. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.graph.statements import statement
from harmgraph.models.embedding.evaluation import judged
from harmgraph.models.embedding.ranking import Known
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.reader import pages_of_heads, read_paged
from harmgraph.models.subgraph.split import Integers
from harmgraph.models.threads import Threads

AT_ONCE = 20_000
"""Triples that are looked up at once."""


@dataclass(frozen=True, slots=True)
class LearntSource:
    """The source that a model was trained on: its training edges are not ranked.

    Attributes:
        source: its name; None for every source.
    """

    source: str | None


@dataclass(frozen=True, eq=False)
class LiveAnswers:
    """See ``ranking.KnownAnswers``: read for each block of questions, with all splits.

    Attributes:
        tables: whose rows the ids are.
    """

    live: LiveGraph
    entities: LiveEntities
    tables: Tables

    @cached_property
    def rows(self) -> Integers:
        """The row of each entity in the table; -1 for none."""
        ids = self.tables.entity_ids
        return np.array([ids.get(key, -1) for key in self.entities.entities], np.int64)

    @cached_property
    def _nodes(self) -> Integers:
        """The id of the node of each row."""
        nodes = np.full(len(self.tables.entity_keys), -1)
        there = self.rows >= 0
        nodes[self.rows[there]] = self.entities.nodes[there]
        return nodes

    def answers(self, side: str, entity: Integers, relation: Integers) -> tuple[Integers, Integers]:
        """See ``Known.answers``."""
        # Of equal questions one is asked.
        asked = np.unique(np.stack([entity, relation], axis=1), axis=0)
        [found] = self.live.graph.raw_rows(
            "subgraph/answers",
            nodes=self._nodes[asked[:, 0]].tolist(),
            relations=[self.tables.relation_names[kind] for kind in asked[:, 1].tolist()],
            heads=side == "head",
            source=self.live.source,
        )
        of, answer = np.array(found["place"], np.int64), self.rows[self.entities.ids(found["answer"])]
        of, answer = of[answer >= 0], answer[answer >= 0]
        ends = (answer, asked[of, 0]) if side == "head" else (asked[of, 0], answer)
        triples = np.stack([ends[0], asked[of, 1], ends[1]], axis=1)
        return Known(triples, len(self.tables.relation_names)).answers(side, entity, relation)


def check_split(live: LiveGraph, *, learnt: bool) -> None:
    """Checks that a source has triples to rank, before vectors are made, which takes a while.

    Args:
        learnt: whether the model was trained on this source.

    Raises:
        InputError: it has no split of its own, so all its edges are training edges.
    """
    if live.place["valid"] or live.place["test"]:
        return
    raise InputError(
        "has no split of its own, so live subgraphs take all its edges as training edges and there is nothing to rank",
        where=live.source or "the graph",
        remedy="load its valid and test triples too"
        if learnt
        else "give --subgraphs cached, which draws a split at random",
    )


def live_link_prediction(
    tables: Tables,
    live: LiveGraph,
    entities: LiveEntities,
    *,
    split: str = "test",
    sample: int = 0,
    seed: int = 0,
    learnt: LearntSource | None = None,
    familiar: Collection[str] | None = None,
    threads: Threads | None = None,
) -> dict[str, Any]:
    """See ``evaluation.link_prediction``, which gives the same numbers of a graph in memory.

    In memory are the vectors of all candidates and the triples of the split.

    Args:
        learnt: what the model was trained on, if some of its triples or entities may be among those here.
        familiar: keys of the entities that the model was trained on. Empty if it kept none: then they are those of ``learnt``.
            None where this is not asked.

    Raises:
        InputError: the split has no triple that can be ranked. Busy: the graph changed.
    """
    known = LiveAnswers(live, entities, tables)
    triples, names = triples_of(live, entities, split)
    relations = np.array([tables.relation_ids.get(name, -1) for name in names], np.int64)
    rows = known.rows
    of_model = np.stack([rows[triples[:, 0]], relations[triples[:, 1]], rows[triples[:, 2]]], axis=1)
    seen = np.zeros(len(triples), bool)
    of_training = np.array([key in (familiar or ()) for key in tables.entity_keys], bool)
    for start in range(0, len(triples) if learnt else 0, AT_ONCE):
        part = triples[start : start + AT_ONCE]
        [found] = live.graph.raw_rows(
            "subgraph/learnt",
            heads=entities.nodes[part[:, 0]].tolist(),
            relations=[names[kind] for kind in part[:, 1].tolist()],
            tails=entities.nodes[part[:, 2]].tolist(),
            source=learnt.source if learnt else None,
        )
        seen[start + np.array(found["learnt"], np.int64)] = True
        if not familiar:
            known_here = rows[entities.ids(found["familiar"])]
            of_training[known_here[known_here >= 0]] = True
    return judged(
        tables,
        of_model,
        known,
        seen,
        split=split,
        sample=sample,
        seed=seed,
        familiar=None if familiar is None else of_training,
        threads=threads,
    )


def triples_of(live: LiveGraph, entities: LiveEntities, split: str) -> tuple[Integers, tuple[str, ...]]:
    """The triples of a split [t, 3], in the order of a ``Subgraph``, and the relations of their ids."""
    found: list[Integers] = [np.empty((0, 3), np.int64)]
    if live.place["valid" if split == "valid" else "test"]:
        asked = {"split": split, "source": live.source}
        for records in read_paged(live.graph, statement("subgraph/split_triples"), asked, pages_of_heads(live.graph)):
            for block in records:
                ends = (entities.ids(block[name]) for name in ("head", "tail"))
                found.append(np.stack([live.kinds(block["relation"]), *ends], axis=1))
    rows = np.unique(np.concatenate(found), axis=0)
    return np.ascontiguousarray(rows[:, [1, 0, 2]]), live.relations

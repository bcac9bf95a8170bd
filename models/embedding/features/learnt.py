"""Learnt: a vector of each entity of the training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.models.embedding.beginning import LEARNT, AskedFeatures, Features, OwnValues

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from harmgraph.models.embedding.bound_graph import BoundGraph


class LearntFeatures(Features):
    """A row of a table for each entity of the training's graph, by its key. An entity without a row begins with zeros."""

    name = LEARNT
    title = "a learnt vector of its own"
    nothing = -1

    def chosen(self, asked: AskedFeatures) -> tuple[Mapping[str, Any], OwnValues]:
        """See ``Features.chosen``. The keys are kept with those of every model."""
        count = len(asked.subgraph.entities)
        return {"rows": count}, OwnValues(np.arange(count, dtype=np.int64))

    def read(self, asked: AskedFeatures, facts: Mapping[str, Any]) -> OwnValues:
        """See ``Features.read``: the row of each entity, -1 for none."""
        entities = asked.subgraph.entities
        rows = {key: row for row, key in enumerate(asked.keys)}
        values = np.array([rows.get(key, -1) for key in entities], np.int64)
        lost = int((values < 0).sum())
        if lost == len(entities):
            raise InputError(
                "none of the entities was in the training, and the model begins with a learnt vector of each",
                where=asked.source or "the graph",
                remedy="train one with --features relations, text or properties",
            )
        remark = f"{lost:,} of {len(entities):,} entities were not in the training, and begin with zeros"
        return OwnValues(values, remark=remark if lost else "")

    def module(self, facts: Mapping[str, Any], columns: int) -> Module:
        """See ``Features.module``."""
        from torch.nn import Embedding

        return Embedding(int(facts["rows"]), columns)

    def begin(self, module: Any, bound: BoundGraph) -> Tensor:
        """See ``Features.begin``."""
        assert bound.own is not None
        rows: Tensor = module.weight.index_select(0, bound.own.clamp(min=0))
        return rows * (bound.own >= 0).unsqueeze(1).to(rows.dtype)


FEATURES = LearntFeatures()

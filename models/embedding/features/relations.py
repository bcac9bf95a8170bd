"""Relations: which of them meet an entity, so nothing of the entity itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harmgraph.models.embedding.beginning import RELATIONS, AskedFeatures, Features, OwnValues

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from harmgraph.models.embedding.bound_graph import BoundGraph


class RelationFeatures(Features):
    """The mean of a vector for each relation that meets the entity, one for either end of the relation.

    So nothing of the entity itself is learnt, and an entity that training never saw begins like any other.
    """

    name = RELATIONS
    title = "the relations that meet it"
    by_edges = True

    def chosen(self, asked: AskedFeatures) -> tuple[Mapping[str, Any], OwnValues]:
        """See ``Features.chosen``."""
        return {}, OwnValues()

    def read(self, asked: AskedFeatures, facts: Mapping[str, Any]) -> OwnValues:
        """See ``Features.read``."""
        return OwnValues()

    def module(self, facts: Mapping[str, Any], columns: int) -> Module | None:
        """See ``Features.module``: the encoder made a vector of each relation."""
        return None

    def begin(self, module: Any, bound: BoundGraph) -> Tensor:
        """See ``Features.begin``."""
        return bound.means(bound.sums_by_relation(module.weight))


FEATURES = RelationFeatures()

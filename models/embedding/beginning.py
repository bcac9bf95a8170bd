"""What an entity begins with, before any message is passed.

Each kind is a module in ``models/embedding/features`` that defines ``FEATURES``. No encoder knows of it. The modules do not
import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError
from harmgraph.common.registry import Registry
from harmgraph.models.options import ENCODER

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from harmgraph.graph.connection import Graph
    from harmgraph.graph.statements import CypherStatement
    from harmgraph.models.config import Origin
    from harmgraph.models.embedding.bound_graph import BoundGraph
    from harmgraph.models.subgraph.subgraph import Subgraph

RELATIONS, LEARNT, TEXT, PROPERTIES = "relations", "learnt", "text", "properties"
BEGIN = "begin"
"""The name of what entities begin with among the weights of a model, and among the node features of a subgraph."""
THREADS = "threads"
"""Among what is kept of features: with how many threads they were computed. It is no part of what is trained."""
Values = npt.NDArray[Any]


class OfEntities(Protocol):
    """Entities of a graph: a ``Subgraph``, or those of a graph whose edges are not in memory."""

    @property
    def entities(self) -> tuple[str, ...]: ...
    @property
    def entity_ids(self) -> dict[str, int]: ...
    @property
    def origin(self) -> Origin | None: ...


@dataclass(frozen=True, kw_only=True)
class AskedFeatures:
    """Whose features are wanted.

    Attributes:
        subgraph: whose entities these are.
        graph: where texts and properties are read; None if it is not open.
        text_encoder: its name. statement, parameters: return the properties. A training chooses these, and its model keeps them.
        keys: the entities of the training, for a trained model.
        device: where texts are read.
    """

    subgraph: OfEntities
    graph: Graph | None = None
    text_encoder: str = ENCODER
    statement: CypherStatement | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    keys: Sequence[str] = ()
    device: str = "cpu"

    @property
    def source(self) -> str | None:
        """The name of the source; None for every source."""
        return self.subgraph.origin.source if self.subgraph.origin else None

    def opened(self) -> Graph:
        """The graph.

        Raises:
            InputError: it is not open.
        """
        if self.graph is None:
            raise InputError("what entities begin with is read from the graph, which is not open", remedy="give graph=")
        return self.graph


@dataclass(frozen=True)
class OwnValues:
    """What features know of the entities of a graph.

    Attributes:
        values: [entities, ...]; None if nothing of an entity itself counts.
        digest: of what they were made of; a training goes on only with equal ones.
        remark: how many entities have nothing of their own, as a line; empty if all have it.
    """

    values: Values | None = None
    digest: str = ""
    remark: str = ""


class Features(ABC):
    """What entities begin with.

    Attributes:
        name: on the command line. title: what it is, in a line.
        by_edges: whether the edges of an entity are all that counts.
        nothing: the value of an entity of which nothing is known.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    by_edges: ClassVar[bool] = False
    nothing: ClassVar[float] = 0.0

    @abstractmethod
    def chosen(self, asked: AskedFeatures) -> tuple[Mapping[str, Any], OwnValues]:
        """What a training keeps of its features as JSON values, and what they know of its entities.

        Raises:
            InputError: there is nothing that entities could begin with.
        """

    @abstractmethod
    def read(self, asked: AskedFeatures, facts: Mapping[str, Any]) -> OwnValues:
        """What the features of a trained model know of the entities of a graph.

        Args:
            facts: see ``chosen``.

        Raises:
            InputError: they know nothing of any of them, or are not those of the training any more.
        """

    @abstractmethod
    def module(self, facts: Mapping[str, Any], columns: int) -> Module | None:
        """New weights, drawn from torch's random numbers; None for those that the encoder made.

        Args:
            facts: see ``chosen``. columns: of the vector that an entity begins with.
        """

    @abstractmethod
    def begin(self, module: Any, bound: BoundGraph) -> Tensor:
        """The vectors that entities begin with, [entities, columns]."""


features: Registry[Features] = Registry("features", "harmgraph.models.embedding.features", "FEATURES")


def with_values(subgraph: Subgraph, own: OwnValues) -> Subgraph:
    """A subgraph with what its entities begin with."""
    if own.values is None:
        return subgraph
    return replace(subgraph, node_features={**subgraph.node_features, BEGIN: own.values})


def values_around(kind: Features, values: Values, places: npt.NDArray[np.int64]) -> Values:
    """The values of some entities, and of one more, of which nothing is known.

    Args:
        places: ids of the entities.
    """
    nobody = np.full((1, *values.shape[1:]), kind.nothing, values.dtype)
    return np.concatenate([values[places], nobody])

"""Encoders of graphs: message passing over the edges gives what is known of each entity.

Each is a module in ``models/encoders`` that defines ``ENCODER``. It has no table of entities, so it serves entities that training
never saw. Its weights are torch's modules, which it makes and is given back.

The modules do not import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from harmgraph.common.registry import Registry

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import ModuleDict

    from harmgraph.models.subgraph.back_end import Sums
    from harmgraph.models.subgraph.message_graph import MessageGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundGraph:
    """A graph that messages are passed on.

    Attributes:
        graph: its edges. sums: sums messages over them.
        pair_entity, pair_relation: those of the graph, as tensors [pairs].
        target: the entity that each edge enters [edges].
        kept: [edges] 1 for an edge that carries messages, 0 for one that does not.
    """

    graph: MessageGraph
    sums: Sums
    pair_entity: Tensor
    pair_relation: Tensor
    target: Tensor
    kept: Tensor

    def degrees(self) -> Tensor:
        """How many edges that carry messages enter each entity, [entities]."""
        return self.kept.new_zeros(self.graph.entities).index_add(0, self.target, self.kept)


class Encoder(ABC):
    """An encoder.

    Attributes:
        name: its name on the command line. title: what it is, in a line. citation: the paper it comes from.
        options: names of the training options that it uses.
        defaults: training options that have another default for this encoder.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    options: ClassVar[tuple[str, ...]]
    defaults: ClassVar[dict[str, float | int | str | bool]] = {}

    @abstractmethod
    def weights(self, relations: int, columns: int, layers: int) -> ModuleDict:
        """New weights, drawn from torch's random numbers.

        Args:
            relations: how many, with the inverses. columns: of every vector. layers: how often messages are passed.
        """

    @abstractmethod
    def scores(self, weights: ModuleDict, bound: BoundGraph, entities: Tensor, relations: Tensor) -> Tensor:
        """How likely each entity is the answer to each question, [b, entities]; larger is more likely.

        Args:
            entities, relations: ids [b] of what is asked: the other end of an edge of this relation from this entity. The inverse
                of a relation asks for heads.
        """


encoders: Registry[Encoder] = Registry("encoder", "harmgraph.models.encoders", "ENCODER", "encoders")

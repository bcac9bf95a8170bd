"""Encoders of graphs: message passing over the edges gives what is known of each entity.

Each is a module in ``models/encoders`` that defines ``ENCODER``. It has no table of entities, so it serves entities that training
never saw. Its weights are torch's modules, which it makes and is given back. An ``Encoder`` makes scores, a ``VectorEncoder``
vectors, of which a score function makes scores.

The modules do not import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from harmgraph.common.registry import Registry
from harmgraph.models.embedding.score_function import score_functions

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module, ModuleDict

    from harmgraph.models.subgraph.back_end import Sums
    from harmgraph.models.subgraph.message_graph import MessageGraph


class OfEncoder(Protocol):
    """The options of a training that encoders use; see ``EmbeddingOptions``."""

    @property
    def model(self) -> str: ...
    @property
    def chosen_comparator(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def dropout(self) -> float: ...
    @property
    def composition(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class BoundGraph:
    """A graph that messages are passed on.

    Attributes:
        graph: its edges. sums: sums messages over them.
        pair_entity, pair_relation: those of the graph, as tensors [pairs].
        target: the entity that each edge enters [edges].
        kept: [edges] 1 for an edge that carries messages, 0 for one that does not.
        relation_sums: makes what sums messages of relations over the edges of ``graph.by_relation``.
        usual: the mean logarithm that degrees are measured against; None for that of this graph.
    """

    graph: MessageGraph
    sums: Sums
    pair_entity: Tensor
    pair_relation: Tensor
    target: Tensor
    kept: Tensor
    relation_sums: Callable[[], Sums]
    usual: Tensor | None = None

    @cached_property
    def degrees(self) -> Tensor:
        """How many edges that carry messages enter each entity, [entities]."""
        return self.kept.new_zeros(self.graph.entities).index_add(0, self.target, self.kept)

    @cached_property
    def mean_logarithm(self) -> Tensor:
        """The mean over entities of the logarithm of one more than the degree, or ``usual``."""
        return (self.degrees + 1).log().mean() if self.usual is None else self.usual

    def changed(self, kept: Tensor) -> BoundGraph:
        """The graph with other edges that carry messages, whose degrees are measured against those of this one.

        So an edge changes nothing where its messages do not arrive.
        """
        return replace(self, kept=kept, usual=self.mean_logarithm)

    @cached_property
    def relation(self) -> Tensor:
        """The relation of each edge, [edges]."""
        import torch

        return self.pair_relation[torch.from_numpy(self.graph.pair).to(self.kept.device)]

    def sums_by_relation(self, messages: Tensor) -> Tensor:
        """The sum of what arrives at each entity if each edge carries the message of its relation.

        Args:
            messages: [relations, d].

        Returns:
            [entities, d].
        """
        import torch

        graph, place = self.graph.by_relation
        at = torch.from_numpy(place).to(self.kept.device)
        return self.relation_sums()(messages, self.kept.new_zeros(len(graph)).index_add(0, at, self.kept))

    def means(self, messages: Tensor) -> Tensor:
        """The mean of the messages [pairs, d] that arrive at each entity, [entities, d]; zeros where none does."""
        return self.sums(messages, self.kept) / self.degrees.clamp(min=1).unsqueeze(1)


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
    def weights(self, relations: int, training: OfEncoder) -> ModuleDict:
        """New weights, drawn from torch's random numbers.

        Args:
            relations: how many, with the inverses.
        """

    @abstractmethod
    def scores(
        self, weights: ModuleDict, training: OfEncoder, bound: BoundGraph, entities: Tensor, relations: Tensor
    ) -> Tensor:
        """How likely each entity is the answer to each question, [b, entities]; larger is more likely.

        Args:
            entities, relations: ids [b] of what is asked: the other end of an edge of this relation from this entity. The inverse
                of a relation asks for heads.
        """


class VectorEncoder(Encoder):
    """An encoder that gives a vector of each entity and relation, whatever is asked.

    An entity begins with the mean of a vector for each relation that meets it, one for either end of the relation. So nothing of
    the entity itself is learnt, and an entity that training never saw begins like any other.
    """

    options: ClassVar[tuple[str, ...]] = (
        *("model", "comparator", "dim", "layers", "epochs", "epoch_triples", "batch", "lr", "dropout", "seed"),
        *("valid_sample", "patience", "fanout", "negatives", "subgraphs"),
    )
    defaults: ClassVar[dict[str, float | int | str | bool]] = {
        **{"dim": 100, "layers": 2, "epochs": 30, "batch": 500, "lr": 0.005, "valid_sample": 1_000},
    }

    @abstractmethod
    def layer(self, relations: int, columns: int, training: OfEncoder) -> Module:
        """The weights of a layer."""

    @abstractmethod
    def passed(
        self, layer: Any, training: OfEncoder, bound: BoundGraph, state: Tensor, kinds: Tensor, last: bool
    ) -> tuple[Tensor, Tensor]:
        """The vectors of entities [entities, d] and relations [relations, d] after a layer.

        Args:
            layer: its weights. state, kinds: the vectors before it. last: whether it is the last layer.
        """

    def weights(self, relations: int, training: OfEncoder) -> ModuleDict:
        """See ``Encoder.weights``."""
        from torch.nn import Embedding, Linear, ModuleDict, ModuleList

        width = score_functions.get(training.model).relation_width(training.dim)
        layers = [self.layer(relations, training.dim, training) for _ in range(training.layers)]
        return ModuleDict(
            {
                "begin": Embedding(relations, training.dim),
                "relations": Embedding(relations, training.dim),
                "layers": ModuleList(layers),
                "decoded": Linear(training.dim, width),
            }
        )

    def vectors(self, weights: ModuleDict, training: OfEncoder, bound: BoundGraph) -> tuple[Tensor, Tensor]:
        """The vectors of entities [entities, d] and of relations [relations, d'], as the score function takes them."""
        from torch.nn.functional import dropout

        tables: list[Tensor] = [next(weights[name].parameters()) for name in ("begin", "relations")]
        state, kinds = bound.means(tables[0].index_select(0, bound.pair_relation)), tables[1]
        layers = list(weights["layers"].children())
        for number, layer in enumerate(layers, 1):
            state = dropout(state, training.dropout, weights.training)
            state, kinds = self.passed(layer, training, bound, state, kinds, number == len(layers))
        return state, weights["decoded"](kinds)

    def scores(
        self, weights: ModuleDict, training: OfEncoder, bound: BoundGraph, entities: Tensor, relations: Tensor
    ) -> Tensor:
        """See ``Encoder.scores``: the score function's."""
        from harmgraph.models.embedding.comparators import comparator

        function = score_functions.get(training.model)
        state, kinds = self.vectors(weights, training, bound)
        query = function.tail_query(state.index_select(0, entities), kinds.index_select(0, relations))
        return comparator(training.chosen_comparator, paired=function.paired).matrix(query, state, False)


encoders: Registry[Encoder] = Registry("encoder", "harmgraph.models.encoders", "ENCODER", "encoders")

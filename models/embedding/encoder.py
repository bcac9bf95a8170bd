"""Encoders of graphs: message passing over the edges gives what is known of each entity.

Each is a module in ``models/encoders`` that defines ``ENCODER``. Its weights are torch's modules, which it makes and is given
back. What entities begin with is another matter (``models/embedding/beginning.py``). So an encoder serves entities that training
never saw, unless these begin with a learnt table. An ``Encoder`` makes scores, a ``VectorEncoder`` vectors, of which a score
function makes scores.

The modules do not import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from harmgraph.common.registry import Registry
from harmgraph.models.embedding.beginning import features
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.score_function import score_functions

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module, ModuleDict

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
    @property
    def features(self) -> str: ...


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

    def questions_at_once(self, training: OfEncoder, graph: MessageGraph) -> int:
        """How many questions of a graph to ask at once, where each takes memory of its own; 0 for all."""
        return 0


class VectorEncoder(Encoder):
    """An encoder that gives a vector of each entity and relation, whatever is asked.

    What an entity begins with is no matter of the encoder, see ``beginning.Features``.
    """

    options: ClassVar[tuple[str, ...]] = (
        *("model", "comparator", "dim", "layers", "epochs", "epoch_triples", "batch", "lr", "dropout", "seed"),
        *("valid_sample", "patience", "plateau_factor", "plateau_patience"),
        *("fanout", "negatives", "subgraphs", "features", "text_encoder"),
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
        """See ``Encoder.weights``. Entities begin with their relations, unless ``begin`` is replaced."""
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
        state, kinds = self.begun(weights, training, bound)
        for number in range(training.layers):
            state, kinds = self.after(weights, training, number, bound, state, kinds)
        return state, weights["decoded"](kinds)

    def begun(self, weights: ModuleDict, training: OfEncoder, bound: BoundGraph) -> tuple[Tensor, Tensor]:
        """The vectors of entities [entities, d] and of relations [relations, d] before the first layer."""
        kinds: Tensor = next(weights["relations"].parameters())
        return features.get(training.features).begin(weights["begin"], bound), kinds

    def after(
        self, weights: ModuleDict, training: OfEncoder, number: int, bound: BoundGraph, state: Tensor, kinds: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The vectors after a layer, which is counted from 0; see ``passed``."""
        from torch.nn.functional import dropout

        layers = list(weights["layers"].children())
        state = dropout(state, training.dropout, weights.training)
        return self.passed(layers[number], training, bound, state, kinds, number + 1 == len(layers))

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

"""NBFNet: messages start at the entity that is asked about, so each entity gets the paths from there to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import Encoder, OfEncoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import ModuleDict

    from harmgraph.models.subgraph.message_graph import MessageGraph

AT_ONCE = 4_000_000  # numbers of the messages of a layer: more take more memory, and no less time
FEW = 8  # a message to a pair of entity and question costs this many times as much as one among all pairs


@dataclass(frozen=True, slots=True)
class _Reached:
    """Where messages have arrived so far; everywhere else all entities have the same vector, whatever is asked.

    After one layer these are few, and a layer from them costs a fraction of one over all edges.

    Attributes:
        at: entity times questions, plus question [n]. rest: the vector of the others [columns]; None for zeros.
    """

    at: Tensor
    rest: Tensor | None = None

    def sums(self, bound: BoundGraph, state: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor] | None:
        """What arrives after the next layer, as the state is, and where it differs from what arrives elsewhere [m].

        None if messages have arrived nearly everywhere.

        Args:
            state: vectors of entities [entities, questions, columns]. vectors: of relations [relations, questions, columns].
        """
        import torch

        _, batch, columns = state.shape
        edges, sender = bound.graph.edges_from((self.at // batch).cpu().numpy())
        if len(edges) * FEW > len(bound.graph) * batch:
            return None
        edge, place = (torch.from_numpy(each).to(state.device) for each in (edges, sender))
        question = (self.at % batch).index_select(0, place)
        differing = state.reshape(-1, columns).index_select(0, self.at)
        kinds = bound.relation.index_select(0, edge) * batch + question
        everywhere = torch.zeros_like(state)
        if self.rest is not None:
            differing = differing - self.rest
            everywhere = bound.sums_by_relation((self.rest * vectors).reshape(len(vectors), -1))
        messages = differing.index_select(0, place) * vectors.reshape(-1, columns).index_select(0, kinds)
        ends = bound.target.index_select(0, edge) * batch + question
        kept = bound.kept.index_select(0, edge).unsqueeze(1)
        total = everywhere.reshape(-1, columns).index_add(0, ends, messages * kept)
        return total.view_as(state), ends


class Nbfnet(Encoder):
    """Zhu et al. 2021, section 3.

    The entity that is asked about begins with a vector of the relation that is asked for, and all others with zeros (INDICATOR,
    equation 5). A layer multiplies what an entity has by a vector of the edge's relation, which depends on the relation that is
    asked for (DistMult). Then what arrives is averaged with where it began (equation 4). The paper's best aggregation is
    principal neighbourhood aggregation, four statistics with three scales each. Here it is the mean, as it is and times the
    logarithm of the degree. A linear layer with layer normalisation and a shortcut follows. Two linear layers make a score of
    the result and the relation that is asked for.
    """

    name = "nbfnet"
    title = "paths from the entity that is asked about; no table of entities"
    citation = (
        "Zhu et al. 2021, Neural Bellman-Ford Networks: A General Graph Neural Network Framework for Link Prediction"
    )
    options = (
        *("dim", "layers", "epochs", "epoch_triples", "batch", "lr", "seed", "valid_sample", "patience"),
        *("plateau_factor", "plateau_patience"),
    )
    defaults: ClassVar[dict[str, float | int | str | bool]] = {
        **{"dim": 32, "epochs": 5, "epoch_triples": 4_000, "batch": 8, "lr": 0.005, "valid_sample": 500},
    }

    def weights(self, relations: int, training: OfEncoder) -> ModuleDict:
        """See ``Encoder.weights``."""
        from torch.nn import Embedding, LayerNorm, Linear, ModuleDict, ModuleList

        columns, layers = training.dim, training.layers
        return ModuleDict(
            {
                "question": Embedding(relations, columns),
                "relations": ModuleList([Linear(columns, relations * columns) for _ in range(layers)]),
                "own": ModuleList([Linear(columns, columns) for _ in range(layers)]),
                "arrived": ModuleList([Linear(columns, 2 * columns, bias=False) for _ in range(layers)]),
                "norms": ModuleList([LayerNorm(columns) for _ in range(layers)]),
                "reached": Linear(columns, 2 * columns),
                "sought": Linear(columns, 2 * columns, bias=False),
                "score": Linear(2 * columns, 1),
            }
        )

    def questions_at_once(self, training: OfEncoder, graph: MessageGraph) -> int:
        """See ``Encoder.questions_at_once``: no question has anything of another, but each has a vector of every entity."""
        return max(1, AT_ONCE // (len(graph.pair_entity) * training.dim))

    def scores(
        self, weights: ModuleDict, training: OfEncoder, bound: BoundGraph, entities: Tensor, relations: Tensor
    ) -> Tensor:
        """See ``Encoder.scores``."""
        import torch

        asked: Tensor = weights["question"](relations)
        batch, columns = asked.shape
        count = bound.graph.entities
        places = torch.arange(batch, device=asked.device)
        begin = asked.new_zeros(count, batch, columns).index_put((entities, places), asked)
        degrees = (bound.degrees + 1).view(-1, 1, 1)
        scale = degrees.log() / bound.mean_logarithm.clamp(min=1e-6)
        state = begin
        reached: _Reached | None = _Reached(entities * batch + places)
        # A linear layer of vectors side by side is a sum of linear layers, which needs no array of all of them.
        layers = (list(weights[name].children()) for name in ("relations", "own", "arrived", "norms"))
        for number, (of_relation, own, arrived, norm) in enumerate(zip(*layers, strict=True)):
            vectors = of_relation(asked).view(batch, -1, columns).transpose(0, 1)
            if reached is None or (found := reached.sums(bound, state, vectors)) is None:
                total = bound.sums_of_products(state.flatten(1), vectors.flatten(1)).view_as(state)
                reached = None
            else:
                total, ends = found
                rest = torch.relu(norm(own(asked.new_zeros(columns))))
                reached = _Reached(torch.cat([reached.at, ends]).unique(), rest) if number == 0 else None
            mean, scaled = arrived((total + begin) / degrees).chunk(2, dim=2)
            state = state + torch.relu(norm(own(state) + mean + scaled * scale))
        answers: Tensor = (
            weights["score"](torch.relu(weights["reached"](state) + weights["sought"](asked))).squeeze(2).T
        )
        return answers


ENCODER = Nbfnet()

"""NBFNet: messages start at the entity that is asked about, so each entity gets the paths from there to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harmgraph.models.embedding.encoder import BoundGraph, Encoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import ModuleDict

    from harmgraph.models.embedding.options import EmbeddingOptions


class Nbfnet(Encoder):
    """Zhu et al. 2021, section 3.

    The entity that is asked about begins with a vector of the relation that is asked for, and all others with zeros (equation 2).
    A layer multiplies what an entity has by a vector of the edge's relation, which depends on the relation that is asked for
    (DistMult, section 3.2). What arrives is averaged with where it began; the average and the average times the logarithm of
    the degree, two of the statistics of principal neighbourhood aggregation, go into a linear layer with layer normalisation
    and a shortcut. Two linear layers make a score of the result and the relation that is asked for (section 3.3).
    """

    name = "nbfnet"
    title = "paths from the entity that is asked about; no table of entities"
    citation = (
        "Zhu et al. 2021, Neural Bellman-Ford Networks: A General Graph Neural Network Framework for Link Prediction"
    )
    options = ("dim", "layers", "epochs", "epoch_triples", "batch", "lr", "seed", "valid_sample", "patience")
    defaults: ClassVar[dict[str, float | int | str | bool]] = {
        **{"dim": 32, "epochs": 5, "epoch_triples": 4_000, "batch": 8, "lr": 0.005, "valid_sample": 500},
        "precision": "fp32",
    }

    def weights(self, relations: int, training: EmbeddingOptions) -> ModuleDict:
        """See ``Encoder.weights``."""
        from torch.nn import Embedding, LayerNorm, Linear, ModuleDict, ModuleList, ReLU, Sequential

        columns, layers = training.dim, training.layers
        return ModuleDict(
            {
                "question": Embedding(relations, columns),
                "relations": ModuleList([Linear(columns, relations * columns) for _ in range(layers)]),
                "layers": ModuleList([Linear(3 * columns, columns) for _ in range(layers)]),
                "norms": ModuleList([LayerNorm(columns) for _ in range(layers)]),
                "output": Sequential(Linear(2 * columns, 2 * columns), ReLU(), Linear(2 * columns, 1)),
            }
        )

    def scores(
        self, weights: ModuleDict, training: EmbeddingOptions, bound: BoundGraph, entities: Tensor, relations: Tensor
    ) -> Tensor:
        """See ``Encoder.scores``."""
        import torch

        asked: Tensor = weights["question"](relations)
        batch, columns = asked.shape
        count = bound.graph.entities
        places = torch.arange(batch, device=asked.device)
        begin = asked.new_zeros(count, batch, columns).index_put((entities, places), asked)
        degrees = (bound.degrees() + 1).view(-1, 1, 1)
        logarithm = degrees.log()
        scale = logarithm / logarithm.mean().clamp(min=1e-6)
        state = begin
        layers = (list(weights[name].children()) for name in ("relations", "layers", "norms"))
        for of_relation, layer, norm in zip(*layers, strict=True):
            vectors = of_relation(asked).view(batch, -1, columns).transpose(0, 1)
            messages = state[bound.pair_entity] * vectors[bound.pair_relation]
            arrived = bound.sums(messages.reshape(len(messages), -1), bound.kept).view(count, batch, columns)
            mean = (arrived + begin) / degrees
            state = state + torch.relu(norm(layer(torch.cat([state, mean, mean * scale], dim=2))))
        whole = torch.cat([state, asked.expand(count, batch, columns)], dim=2)
        answers: Tensor = weights["output"](whole).squeeze(2).T
        return answers


ENCODER = Nbfnet()

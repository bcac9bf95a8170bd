"""Vectors of the entities of a source by a trained encoder, whose edges stay out of memory. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict

from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.beginning import AskedFeatures, Values, features, values_around
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import bound_graph, nothing_known, read_encoder
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.subgraph import live_edges
from harmgraph.models.subgraph.live_edges import EnteringEdges, LiveEdges
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.message_graph import edge_graph
from harmgraph.models.subgraph.split import Integers


@dataclass(frozen=True, kw_only=True)
class LiveVectors:
    """The vectors, and what is to be said of them.

    Attributes:
        tables: vectors of the entities and of the relations that the model knows, as an embedding has them.
        unknown: how many training edges have a relation that the model does not know, and carry no messages.
        alone: how many entities no edge enters that carries messages.
        remarks: further lines for the user.
    """

    tables: Tables
    unknown: int
    alone: int
    remarks: tuple[str, ...]


def live_vectors(
    name: str, known: EmbeddingConfig, live: LiveGraph, entities: LiveEntities, device: str = "cpu"
) -> LiveVectors:
    """The vectors that a model gives the entities of a source, layer by layer and in each layer part by part.

    A layer needs the vectors of the layer before, of all entities, and the edges of some. So two tables of vectors are in memory,
    what the entities begin with, and the edges of a part. Every edge carries messages, also where the training drew some: the
    vectors are those of the whole graph. Of an entity with more than ``live_edges.MOST`` edges so many are drawn, by the seed
    of the training.

    Raises:
        InputError: the encoder has no vectors, or as ``load_graph_model``. UnreadableFile: as ``load_graph_model``.
    """
    check_vectors(known)
    training, relations, keys, weights = read_encoder(name, known)
    asked = AskedFeatures(subgraph=entities, graph=live.graph, keys=keys, device=device)
    own = features.get(training.features).read(asked, known.features)
    found = vectors(training, weights.to(device), relations, live, entities, own.values, device)
    return replace(found, remarks=(own.remark, *found.remarks)) if own.remark else found


def vectors(
    training: EmbeddingOptions,
    weights: ModuleDict,
    relations: tuple[str, ...],
    live: LiveGraph,
    entities: LiveEntities,
    own: Values | None = None,
    device: str = "cpu",
) -> LiveVectors:
    """See ``live_vectors``, by weights that are in memory.

    Args:
        relations: those that the model knows. own: what the entities begin with, if that is something of their own.

    Raises:
        InputError: no edge has a relation that the model knows.
    """
    ids = {relation: place for place, relation in enumerate(relations)}
    kinds = np.array([ids.get(relation, -1) for relation in live.relations], np.int64)
    source = live.source or "the graph"
    if (kinds < 0).all():
        raise nothing_known(source, relations)
    strange = [relation for relation in live.relations if relation not in ids]
    # Not of the edges that are read: of a hub these are some.
    counted = live.graph.rows("subgraph/count_of_relations", relations=strange, source=live.source) if strange else []
    unknown = sum(row["edges"] for row in counted)
    with LiveEdges.of(live, entities, training.seed) as edges, torch.no_grad():
        layers = _Layers(training, weights.eval(), kinds, len(relations), own, edges, entities, device)
        state, of_relations = layers.vectors()
    if not layers.arrived:
        raise nothing_known(source, relations)
    remarks = []
    if edges.drawn:
        remarks.append(
            f"entities with {live_edges.MOST:,} edges or more: {edges.drawn:,}; so many of the edges of each were drawn"
        )
    if not live.place["valid"] and not live.place["test"]:
        remarks.append(f"{source} has no split of its own: all its edges carry messages")
    tables = Tables(
        training.model,
        training.chosen_comparator,
        state,
        of_relations,
        entities.entities,
        relations,
        reciprocal=True,
    )
    return LiveVectors(tables=tables, unknown=unknown, alone=layers.alone, remarks=tuple(remarks))


def check_vectors(known: EmbeddingConfig) -> None:
    """Checks that the encoder of a model has vectors.

    Raises:
        InputError: it has none, and needs the whole graph in memory.
    """
    if not isinstance(encoders.get(known.encoder), VectorEncoder):
        raise InputError(
            f"the encoder {known.encoder} has no vectors of entities, and needs the whole graph in memory",
            remedy="leave out --subgraphs live, or train sage, rgcn or compgcn",
        )


@dataclass
class _Layers:
    """One computation.

    Attributes:
        kinds: the model's id of each relation of the graph; -1 for one that it does not know.
        relations: how many the model knows.
        alone: see ``LiveVectors``. arrived: how many edges carry messages.
    """

    training: EmbeddingOptions
    weights: ModuleDict
    kinds: Integers
    relations: int
    own: Values | None
    edges: LiveEdges
    entities: LiveEntities
    device: str
    alone: int = field(default=0, init=False)
    arrived: int = field(default=0, init=False)

    def vectors(self) -> tuple[Tensor, Tensor]:
        """Those of all entities [entities, d], and of the relations as the score function takes them."""
        encoder = encoders.get(self.training.encoder)
        assert isinstance(encoder, VectorEncoder)
        count, training, weights = len(self.entities.entities), self.training, self.weights
        state = torch.empty(count, training.dim, device=self.device)
        of_relations = torch.empty(0)
        for part, _, bound in self._bound("the beginning", own=True):
            begun, of_relations = encoder.begun(weights, training, bound)
            state[part.first : part.last] = begun[: part.last - part.first]
            within = bound.degrees[: part.last - part.first]
            self.alone += int((within == 0).sum())
            self.arrived += int(within.sum())
        after = torch.empty_like(state)
        for number in range(training.layers):
            further = of_relations
            for part, rows, bound in self._bound(f"layer {number + 1} of {training.layers}"):
                near = state[torch.from_numpy(rows).to(self.device)]
                passed, further = encoder.after(weights, training, number, bound, near, of_relations)
                after[part.first : part.last] = passed[: part.last - part.first]
            state, after, of_relations = after, state, further
        return state, weights["decoded"](of_relations)

    def _bound(self, stage: str, *, own: bool = False) -> Iterator[tuple[EnteringEdges, Integers, BoundGraph]]:
        """Each part, the entities of its graph, and the graph: first come those of the part, then those at the other ends.

        Args:
            own: whether what the entities begin with is in it.
        """
        for part in self.edges:
            others, place = np.unique(part.source, return_inverse=True)
            rows = np.concatenate([np.arange(part.first, part.last), others])
            size = part.last - part.first
            relation, inverse = self.kinds[part.relation % len(self.kinds)], part.relation >= len(self.kinds)
            known = relation >= 0
            graph, times = edge_graph(
                (size + place)[known],
                (relation + self.relations * inverse)[known],
                part.target[known] - part.first,
                len(rows),
                self.relations,
            )
            bound = bound_graph(graph, times, self.device)
            if own and self.own is not None:
                values = values_around(features.get(self.training.features), self.own, rows)[:-1]
                bound = replace(bound, own=torch.from_numpy(values).to(self.device))
            yield part, rows, bound
            progress(f"encoding, {stage}", part.last, len(self.entities.entities))

"""A trained encoder, and what it says of the entities of a graph. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import ModuleDict

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.checkpoint import load_weights, read_tensors
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.beginning import (
    BEGIN,
    AskedFeatures,
    Features,
    Values,
    features,
    values_around,
    with_values,
)
from harmgraph.models.embedding.bound_graph import BoundGraph
from harmgraph.models.embedding.encoder import Encoder, VectorEncoder, encoders
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.ranking import SIDES, Floats, KnownAnswers, Ranks, ranked, ranks
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.record import read_json
from harmgraph.models.subgraph.back_end import chosen_back_end
from harmgraph.models.subgraph.cached_neighbours import CachedNeighbours
from harmgraph.models.subgraph.message_graph import MessageGraph, edge_graph, message_graph
from harmgraph.models.subgraph.neighbourhood import KHopNeighbourhood, Neighbours
from harmgraph.models.subgraph.split import TRAIN, Integers
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.threads import Threads

BATCH = 2_000  # entities encoded at once, with a fan-out
QUESTIONS = 16  # ranked at most at once


def new_weights(training: EmbeddingOptions, relations: int, facts: Mapping[str, Any] | None = None) -> ModuleDict:
    """The weights that a training begins with, which its seed decides; torch's random numbers stay as they were.

    Args:
        relations: how many, without the inverses.
        facts: of the features, see ``Features.chosen``.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(training.seed)
        weights = encoders.get(training.encoder).weights(2 * relations, training)
        begin = features.get(training.features).module(facts or {}, training.dim)
        if begin is not None:
            weights[BEGIN] = begin
        return weights


def bound_to(triples: Integers, entities: int, relations: int, device: str) -> BoundGraph:
    """The graph of some triples [t, 3], ready for messages.

    Args:
        relations: how many, without the inverses.
    """
    graph = message_graph(triples, entities, relations)
    bound = bound_graph(graph, np.ones(len(graph), np.int64), device)
    return replace(bound, relation_sums=cache(lambda: chosen_back_end(device).sums(graph.by_relation[0], device)))


def bound_graph(graph: MessageGraph, times: Integers, device: str) -> BoundGraph:
    """A graph ready for messages.

    Args:
        times: how often each edge is there [edges].
    """

    def moved(ids: Integers) -> Tensor:
        return torch.from_numpy(ids.copy()).to(device)

    return BoundGraph(
        graph=graph,
        sums=chosen_back_end(device).sums(graph, device),
        pair_entity=moved(graph.pair_entity),
        pair_relation=moved(graph.pair_relation),
        target=moved(graph.target),
        kept=moved(times).float(),
        relation_sums=None,
    )


def bound_around(near: KHopNeighbourhood, ids: Integers, relations: int, device: str) -> BoundGraph:
    """A neighbourhood ready for messages: its entities, and one more, from which those come that have no number.

    Args:
        ids: the model's ids of the neighbourhood's relations; -1 for one that it does not know.
        relations: how many it knows.
    """
    relation, inverse = ids[near.relation % near.relations], near.relation >= near.relations
    known = relation >= 0
    kinds = (relation + relations * inverse)[known]
    graph, times = edge_graph(near.source[known], kinds, near.target[known], len(near.entities) + 1, relations)
    return bound_graph(graph, times, device)


def questions(triples: Integers, side: str, relations: int) -> tuple[Integers, Integers, Integers]:
    """What is asked for the ``head`` or the ``tail`` of triples [t, 3]: entities, relations and answers, [t] each."""
    head, relation, tail = (np.ascontiguousarray(column) for column in triples.T)
    return (head, relation, tail) if side == "tail" else (tail, relation + relations, head)


def nothing_known(source: str, relations: Sequence[str]) -> InputError:
    """The error about a graph that has no training edge of the relations of a model."""
    return InputError(
        "has no training edge of a relation that the model knows, so there is nothing to go by",
        where=source,
        remedy=f"choose a graph with some of these relations: {', '.join(relations[:5])}",
    )


@dataclass(frozen=True)
class GraphModel:
    """A trained encoder that looks at a graph, which need not be that of its training.

    Attributes:
        relation_names: those that it knows; the id of a relation is its index.
        subgraph: whose training edges carry the messages, with what its entities begin with.
        facts: of the features, see ``Features.chosen``.
        remark: about entities that begin with nothing of their own, as a line; empty if all have it.
    """

    training: EmbeddingOptions
    weights: ModuleDict
    relation_names: tuple[str, ...]
    subgraph: Subgraph
    device: str = "cpu"
    facts: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""

    def __post_init__(self) -> None:
        if not len(self.known_edges):
            raise nothing_known(self.source, self.relation_names)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder."""
        return encoders.get(self.training.encoder)

    @cached_property
    def features(self) -> Features:
        """What entities begin with."""
        return features.get(self.training.features)

    @property
    def _values(self) -> Values | None:
        """What is known of each entity itself."""
        return self.subgraph.node_features.get(BEGIN)

    @property
    def entity_ids(self) -> dict[str, int]:
        """The id of each key."""
        return self.subgraph.entity_ids

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of each relation."""
        return {name: place for place, name in enumerate(self.relation_names)}

    @property
    def source(self) -> str:
        """The name of what it looks at, for messages."""
        origin = self.subgraph.origin
        return (origin.source if origin else None) or "the graph"

    @cached_property
    def _kinds(self) -> Integers:
        """The model's id of each relation of the subgraph; -1 for one that it does not know."""
        return np.array([self.relation_ids.get(name, -1) for name in self.subgraph.relations], np.int64)

    def known_triples(self, *splits: int) -> Integers:
        """The triples of some splits, or of all, [t, 3] in the model's ids, without those of relations that it lacks."""
        head, relation, tail = self.subgraph.triples(*splits).T
        triples = np.stack([head, self._kinds[relation], tail], axis=1)
        return triples[triples[:, 1] >= 0]

    @property
    def unknown(self) -> int:
        """How many training edges have a relation that the model does not know, and carry no messages."""
        return int((self.subgraph.split == TRAIN).sum()) - len(self.known_edges)

    @property
    def alone(self) -> int:
        """How many entities no edge enters that carries messages."""
        return len(self.subgraph.entities) - len(np.unique(self.known_edges[:, [0, 2]]))

    @cached_property
    def known_edges(self) -> Integers:
        """The training edges of relations that the model knows, [edges, 3] in its ids."""
        return self.known_triples(TRAIN)

    @cached_property
    def bound(self) -> BoundGraph:
        """The graph that the messages are passed on."""
        return self.bound_of(self.known_edges)

    def bound_of(self, triples: Integers) -> BoundGraph:
        """A graph of other triples [t, 3] between the same entities, in the model's ids."""
        bound = bound_to(triples, len(self.subgraph.entities), len(self.relation_names), self.device)
        return self._with_own(bound, self._values)

    def _with_own(self, bound: BoundGraph, values: Values | None) -> BoundGraph:
        return bound if values is None else replace(bound, own=torch.from_numpy(values).to(self.device))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Where neighbourhoods are drawn, if the training has a fan-out."""
        return CachedNeighbours(self.subgraph)

    def drawn(self, keys: Sequence[str], seed: Sequence[int]) -> BoundGraph:
        """The graph of drawn neighbourhoods of some entities, which are its first ones; its last one is everybody else.

        Relations that entities begin with are drawn too: one hop more than there are layers, of which the relations alone count.
        """
        near = self.neighbours.around(keys, self.training.fanouts, seed, ends=not self.features.by_edges)
        bound = bound_around(near, self._kinds, len(self.relation_names), self.device)
        if self._values is None:
            return bound
        places = np.array([self.entity_ids[key] for key in near.entities], np.int64)
        return self._with_own(bound, values_around(self.features, self._values, places))

    def at_once(self, most: int) -> int:
        """How many questions to ask at once, from 1 to ``most``."""
        return min(most, self.encoder.questions_at_once(self.training, self.bound.graph) or most)

    def untrained(self, seed: int) -> GraphModel:
        """A model that a training with this seed would begin with, on the same graph; numbers are scaled as in the training."""
        training = replace(self.training, seed=seed)
        weights = new_weights(training, len(self.relation_names), self.facts)
        weights.load_state_dict(dict(self.weights.named_buffers()), strict=False)
        return replace(self, training=training, weights=weights.to(self.device))

    def scores(self, entities: Integers, relations: Integers, bound: BoundGraph | None = None) -> Tensor:
        """Scores of every entity as the answer to each question, [b, entities]; see ``Encoder.scores``.

        Args:
            bound: another graph of the same entities and relations.
        """
        ids, kinds = (torch.from_numpy(column).to(self.device) for column in (entities, relations))
        with torch.no_grad():
            return self.encoder.scores(self.weights.eval(), self.training, bound or self.bound, ids, kinds)

    def tables(self) -> Tables:
        """The vectors of the entities of the graph and of the relations, as an embedding has them.

        Raises:
            InputError: the encoder has no vectors: it makes scores of paths.
        """
        if not isinstance(self.encoder, VectorEncoder):
            raise InputError(f"the encoder {self.encoder.name} has no vectors: its scores are of paths")
        with torch.no_grad():
            if self.training.fanout:
                state, kinds = self._drawn_vectors(self.encoder)
            else:
                state, kinds = self.encoder.vectors(self.weights.eval(), self.training, self.bound)
        return Tables(
            self.training.model,
            self.training.chosen_comparator,
            state,
            kinds,
            self.subgraph.entities,
            self.relation_names,
            reciprocal=True,
        )

    def _drawn_vectors(self, encoder: VectorEncoder) -> tuple[Tensor, Tensor]:
        """The vectors of all entities, a batch at a time."""
        weights, keys = self.weights.eval(), self.subgraph.entities
        vectors = torch.empty(len(keys), self.training.dim, device=self.device)
        kinds = torch.empty(0)
        for start in range(0, len(keys), BATCH):
            part = keys[start : start + BATCH]
            state, kinds = encoder.vectors(weights, self.training, self.drawn(part, [self.training.seed, start]))
            vectors[start : start + BATCH] = state[: len(part)]
            progress("encoding", start + len(part), len(keys))
        return vectors, kinds

    def ranks(self, triples: Integers, known: KnownAnswers, *, threads: Threads | None = None) -> Ranks:
        """Filtered ranks of the heads and tails of triples; see ``ranking.ranks``."""
        if isinstance(self.encoder, VectorEncoder):
            return ranks(self.tables(), triples, known, threads=threads)
        found = {side: np.empty(len(triples)) for side in SIDES}
        blocks = list(_blocks(len(triples), self.at_once(QUESTIONS)))
        for done, part in enumerate(blocks, 1):

            def work(part: slice = part) -> float:
                for side in SIDES:
                    found[side][part] = self._ranked(triples[part], side, known)
                return float(len(triples[part]))

            if threads:
                threads.look(work)
            work()
            progress("ranking", done, len(blocks))
        return Ranks(triples[:, 1], found["head"], found["tail"])

    def _ranked(self, triples: Integers, side: str, known: KnownAnswers) -> Floats:
        entities, relations, answers = questions(triples, side, len(self.relation_names))
        scores = self.scores(entities, relations)
        others = known.answers(side, entities, triples[:, 1])
        return ranked(scores, torch.from_numpy(answers).to(self.device), *others)


def _blocks(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, start + size)


def load_graph_model(
    name: str, known: EmbeddingConfig, subgraph: Subgraph, device: str = "cpu", *, graph: Graph | None = None
) -> GraphModel:
    """A model of this machine that looks at a graph.

    Args:
        graph: where the texts or properties of the entities are read, if the model begins with them.

    Raises:
        InputError: the training is not finished, the graph has no edge of a relation that the model knows, or nothing that its
            entities could begin with.
        UnreadableFile: a file is missing or damaged, or not the one that was trained.
    """
    training, relations, keys, weights = read_encoder(name, known)
    asked = AskedFeatures(subgraph=subgraph, graph=graph, keys=keys, device=device)
    own = features.get(training.features).read(asked, known.features)
    return GraphModel(
        training, weights.to(device), relations, with_values(subgraph, own), device, known.features, own.remark
    )


def read_encoder(
    name: str, known: EmbeddingConfig
) -> tuple[EmbeddingOptions, tuple[str, ...], Sequence[str], ModuleDict]:
    """What a trained encoder is, whatever graph it looks at.

    Returns:
        Its options, the relations that it knows, the keys of the entities of its training, its weights.

    Raises:
        InputError: the training is not finished.
        UnreadableFile: a file is missing or damaged, or not the one that was trained.
    """
    place = store.folder(name)
    path = place / store.WEIGHTS
    store.RECORDS.check_finished(name, known)
    if not path.is_file():
        raise UnreadableFile(path, "is missing", remedy="train it again with --again")
    if store.sha256(path) != known.sha256:
        raise UnreadableFile(path, "is not the file that was trained", remedy="train it again with --again")
    training = EmbeddingOptions.of(known.training)
    keys = read_json(place / store.KEYS)
    relations = tuple(keys["relations"])
    weights = new_weights(training, len(relations), known.features)
    try:
        load_weights(weights, read_tensors(path)[0])
    except (KeyError, RuntimeError, ValueError) as error:
        raise UnreadableFile(path, "is damaged", remedy="train it again with --again") from error
    return training, relations, keys["entities"], weights

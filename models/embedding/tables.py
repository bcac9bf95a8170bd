"""A trained embedding: two tables and a score function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from torch import Tensor

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models import checkpoint, store
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.comparators import Comparator, comparator
from harmgraph.models.embedding.score_function import ScoreFunction, score_functions
from harmgraph.models.record import read_json


@dataclass(frozen=True)
class Tables:
    """The tables of an embedding, with their scores. Ids are indices into ``entity_keys`` and ``relation_names``.

    Attributes:
        model, comparator_name: names of the score function and the comparator.
        entities: [n, d]. relations: [m, d'], or [2m, d'] with reciprocal relations, which are the second m.
        entity_keys, relation_names: the entity or relation of each row.
        name: of the model, for messages.
    """

    model: str
    comparator_name: str
    entities: Tensor
    relations: Tensor
    entity_keys: tuple[str, ...] = ()
    relation_names: tuple[str, ...] = ()
    reciprocal: bool = False
    name: str = "the model"

    @cached_property
    def score_function(self) -> ScoreFunction:
        """The score function."""
        return score_functions.get(self.model)

    @cached_property
    def comparator(self) -> Comparator:
        """The comparator."""
        return comparator(self.comparator_name, paired=self.score_function.paired)

    @cached_property
    def entity_ids(self) -> dict[str, int]:
        """The id of each key."""
        return {key: place for place, key in enumerate(self.entity_keys)}

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of each relation."""
        return {name: place for place, name in enumerate(self.relation_names)}

    def score(self, heads: Tensor, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of triples: ids [b] each -> [b]; larger is more likely."""
        return self.score_rows(self.entities[heads], relations, self.entities[tails])

    def score_rows(self, heads: Tensor, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of entity vectors, which need not be in the table: [b, d], ids [b], [b, d] -> [b]; differentiable in all."""
        return self.comparator.rows(self.score_function.tail_query(heads, self.relations[relations]), tails)

    def score_tails(self, heads: Tensor, relations: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Scores of candidates as the tail: ids [b], [b], [k] (None: every entity) -> [b, k]."""
        query, _ = self.query("tail", heads, relations)
        return self.comparator.matrix(query, self._candidates(candidates), False)

    def score_heads(self, relations: Tensor, tails: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Scores of candidates as the head: ids [b], [b], [k] -> [b, k].

        With reciprocal relations these are the scores of (tail, reciprocal relation, candidate), which have another scale.
        """
        query, offset = self.query("head", tails, relations)
        scores = self.comparator.matrix(query, self._candidates(candidates), False)
        return scores if offset is None else scores + offset.unsqueeze(1)

    def query(self, side: str, ends: Tensor, relations: Tensor) -> tuple[Tensor, Tensor | None]:
        """The vectors that candidates for the ``head`` or ``tail`` are compared with, [b, d], and the offset, [b] or None.

        Args:
            ends: ids [b] of the other ends: tails for ``head``, heads for ``tail``.
            relations: ids [b].
        """
        rows = self.entities[ends]
        if side == "tail":
            return self.score_function.tail_query(rows, self.relations[relations]), None
        if self.reciprocal:
            return self.score_function.tail_query(rows, self.relations[relations + len(self.relations) // 2]), None
        return self.score_function.head_query(rows, self.relations[relations], is_distance=self.comparator.is_distance)

    def _candidates(self, candidates: Tensor | None) -> Tensor:
        return self.entities if candidates is None else self.entities[candidates]


@dataclass(frozen=True)
class StoredTables(Tables):
    """The tables of a model on this machine.

    Attributes:
        config: what is known of the model, always with the digest of these tables.
    """

    config: EmbeddingConfig = field(kw_only=True)


def load_tables(name: str) -> StoredTables:
    """Loads the tables of a model.

    Raises:
        UnknownMember: no model of that name.
        InputError: it is an encoder, which has no tables.
        UnreadableFile: it has no tables yet, or a file is damaged or not the one that was trained.
    """
    known = store.config(name)
    place = store.folder(name)
    if known.encoder:
        raise InputError(
            f"has no table of entities, but the encoder {known.encoder}",
            where=name,
            remedy="'harmgraph embed encode' makes a table by an encoder that has vectors (nbfnet has none); "
            "'harmgraph probe edge' takes any encoder",
        )
    if not (place / store.TABLES).is_file():
        raise UnreadableFile(place / store.TABLES, "is missing: the training has not finished", remedy="run it again")
    digest = store.sha256(place / store.TABLES)
    if known.sha256 not in (None, digest):
        raise UnreadableFile(
            place / store.TABLES, "is not what was trained (its digest differs)", remedy="train it again"
        )
    tensors, _ = checkpoint.read_tensors(place / store.TABLES)
    keys = read_json(place / store.KEYS)
    return StoredTables(
        known.family,
        known.comparator,
        tensors["entities"],
        tensors["relations"],
        tuple(keys["entities"]),
        tuple(keys["relations"]),
        known.reciprocal,
        name,
        config=replace(known, sha256=digest),
    )

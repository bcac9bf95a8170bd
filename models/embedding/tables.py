"""A trained embedding: two tables and a score function over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from torch import Tensor

from harmgraph.graph.common.errors import UnreadableFile
from harmgraph.models import checkpoint, store
from harmgraph.models.embedding.comparators import Comparator, comparator
from harmgraph.models.embedding.score_function import Embedding, embeddings


@dataclass(frozen=True)
class Tables:
    """What a probe, a ranking or a population model asks. Ids are places in ``entity_keys`` and ``relation_names``.

    Attributes:
        model, comparator_name: the score function.
        entities: [n, d]. relations: [m, d'], or [2m, d'] where heads have relations of their own, the second m.
        entity_keys, relation_names: what each row is of.
        facts: where it comes from: options, source, digest of the subgraph.
    """

    model: str
    comparator_name: str
    entities: Tensor
    relations: Tensor
    entity_keys: tuple[str, ...] = ()
    relation_names: tuple[str, ...] = ()
    reciprocal: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def embedding(self) -> Embedding:
        """The member of the family."""
        return embeddings.get(self.model)

    @cached_property
    def comparator(self) -> Comparator:
        """The comparator itself."""
        return comparator(self.comparator_name, paired=self.embedding.paired)

    @cached_property
    def entity_ids(self) -> dict[str, int]:
        """The id of each key."""
        return {key: place for place, key in enumerate(self.entity_keys)}

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of each relation."""
        return {name: place for place, name in enumerate(self.relation_names)}

    def score(self, heads: Tensor, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of triples: ids [b] each -> [b]; larger is likelier."""
        return self.score_rows(self.entities[heads], relations, self.entities[tails])

    def score_rows(self, heads: Tensor, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of vectors that need not stand in the table: [b, d], ids [b], [b, d] -> [b]; differentiable in all."""
        return self.comparator.rows(self.embedding.tail_query(heads, self.relations[relations]), tails)

    def score_tails(self, heads: Tensor, relations: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Scores of candidates as the tail: ids [b], [b], [k] (every entity where None) -> [b, k]."""
        query, _ = self.query("tail", heads, relations)
        return self.comparator.matrix(query, self._candidates(candidates), False)

    def score_heads(self, relations: Tensor, tails: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Scores of candidates as the head: ids [b], [b], [k] -> [b, k].

        With reciprocal relations these are the scores of (tail, reciprocal relation, candidate), on a scale of their own.
        """
        query, offset = self.query("head", tails, relations)
        scores = self.comparator.matrix(query, self._candidates(candidates), False)
        return scores if offset is None else scores + offset.unsqueeze(1)

    def query(self, side: str, given: Tensor, relations: Tensor) -> tuple[Tensor, Tensor | None]:
        """The vectors that candidates for the ``head`` or the ``tail`` are compared with, [b, d], and what is added, [b] or None.

        Args:
            given: ids [b] of the other ends.
            relations: ids [b].
        """
        rows = self.entities[given]
        if side == "tail":
            return self.embedding.tail_query(rows, self.relations[relations]), None
        if self.reciprocal:
            return self.embedding.tail_query(rows, self.relations[relations + len(self.relations) // 2]), None
        return self.embedding.head_query(rows, self.relations[relations], is_distance=self.comparator.is_distance)

    def _candidates(self, candidates: Tensor | None) -> Tensor:
        return self.entities if candidates is None else self.entities[candidates]


def load(name: str) -> Tables:
    """The tables of a model; ``facts`` is its configuration.

    Raises:
        UnknownMember: there is none of that name, or it has no tables yet.
        UnreadableFile: a file is damaged or not the one that was trained.
    """
    known = store.config(name)
    place = store.folder(name)
    if not (place / store.TABLES).is_file():
        raise UnreadableFile(
            place / store.TABLES, "is not there: the training has not come so far", remedy="run it again"
        )
    digest = store.sha256(place / store.TABLES)
    if known.get("sha256") not in (None, digest):
        raise UnreadableFile(
            place / store.TABLES, "is not what was trained (its digest differs)", remedy="train it again"
        )
    tensors, _ = checkpoint.read(place / store.TABLES)
    kept = store.read_json(place / store.KEYS)
    return Tables(
        known["family"],
        known["comparator"],
        tensors["entities"],
        tensors["relations"],
        tuple(kept["entities"]),
        tuple(kept["relations"]),
        known["reciprocal"],
        known | {"name": name, "sha256": digest},
    )

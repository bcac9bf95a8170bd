"""A training step: the losses, and the gradients of a batch, only for the rows that it uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy, logsigmoid

from harmgraph.models.embedding.comparators import ABSENT, comparator
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.training.neutral import Adversary

Loss = Callable[[Tensor, Tensor, EmbeddingOptions], Tensor]
"""The mean loss of positives, from their scores [b] and those of their negatives [b, k]."""


@dataclass(frozen=True, slots=True)
class Gradient:
    """Gradients of a table: distinct rows [u] (None for all) and their gradients [u, d]."""

    index: Tensor | None
    rows: Tensor


@dataclass(frozen=True, slots=True)
class Corruption:
    """The entities that replace the tails, or the heads, of a chunk.

    Attributes:
        index: [k] distinct and sorted; None for every entity.
    """

    index: Tensor | None


def drawn(entities: int, count: int, generator: Generator) -> Corruption:
    """``count`` distinct random entities; all of them if there are no more, or if ``count`` is 0."""
    if not count or count >= entities:
        return Corruption(None)
    if entities < 10 * count:
        return Corruption(torch.randperm(entities, generator=generator)[:count].sort().values)
    entity_ids = torch.empty(0, dtype=torch.int64)
    while len(entity_ids) < count:
        more = torch.randint(entities, (count + count // 8 + 8,), generator=generator)
        entity_ids = torch.unique(torch.cat([entity_ids, more]))
    return Corruption(entity_ids[torch.randperm(len(entity_ids), generator=generator)[:count].sort().values])


@dataclass(frozen=True, slots=True)
class StepDraw:
    """What is drawn for a step.

    Attributes:
        corruptions: the corrupted tails and heads of each chunk.
        people: places of the adversary's people; None without one.
    """

    corruptions: Sequence[tuple[Corruption, Corruption]]
    people: Tensor | None = None


class GradientStep:
    """Computes gradients. Tables can be on any device; negatives are drawn on the CPU, so a seed gives the same ones everywhere.

    Args:
        entities: [n, d], relations: [m or, with reciprocal relations, 2m, d'].
        adversary: adds its gradients; None for none.
    """

    def __init__(
        self,
        training: EmbeddingOptions,
        entities: Tensor,
        relations: Tensor,
        generator: Generator,
        adversary: Adversary | None = None,
    ) -> None:
        self._adversary = adversary
        self._training = training
        self._model = score_functions.get(training.model)
        self._comparator = comparator(training.chosen_comparator, paired=self._model.paired)
        self._entities = entities
        self._relations = relations
        self._generator = generator
        self._narrow = training.precision == "bf16"

    def draw(self, size: int) -> StepDraw:
        """What a batch of ``size`` positives needs."""
        chunk = self._training.chunk or size
        count = self._training.negatives
        corruptions = [(self._drawn(count), self._drawn(count)) for _ in range(0, size, chunk)]
        return StepDraw(corruptions, self._adversary.draw(self._generator, size) if self._adversary else None)

    def _drawn(self, count: int) -> Corruption:
        corruption = drawn(len(self._entities), count, self._generator)
        return corruption if corruption.index is None else Corruption(corruption.index.to(self._entities.device))

    def gradients(self, triples: Tensor, drawn: StepDraw, weight: float = 1.0) -> tuple[Tensor, Gradient, Gradient]:
        """Loss and gradients of a batch.

        Args:
            triples: [b, 3] head, relation, tail.
            drawn: see ``draw``.
            weight: of the batch; below 1 if it is part of a larger one.

        Returns:
            The mean loss [] of the triples, the gradient of the entities and the gradient of the relations.
        """
        chunk = self._training.chunk or len(triples)
        parts = [
            self._chunk(triples[start : start + chunk], *pair, weight * min(chunk, len(triples) - start) / len(triples))
            for start, pair in zip(range(0, len(triples), chunk), drawn.corruptions, strict=True)
        ]
        loss = torch.stack([part[0] for part in parts]).sum()
        of_entities = [item for part in parts for item in part[1]]
        of_relations = [item for part in parts for item in part[2]]
        if self._adversary and drawn.people is not None:
            more = self._adversary.gradients(self._entities, self._relations, drawn.people, weight)
            attribute = self._adversary.attribute
            of_entities += [Gradient(more.index, more.people), Gradient(attribute.values, more.values)]
            of_relations.append(Gradient(more.index.new_tensor([attribute.relation]), more.relation))
        return loss, summed(of_entities, self._entities), summed(of_relations, self._relations)

    def _chunk(
        self, triples: Tensor, tails: Corruption, heads: Corruption, weight: float
    ) -> tuple[Tensor, list[Gradient], list[Gradient]]:
        head, relation, tail = (column.contiguous() for column in triples.unbind(1))
        back = relation + len(self._relations) // 2
        reciprocal = self._training.reciprocal
        leaves = {
            "head": self._leaf(self._entities, head),
            "tail": self._leaf(self._entities, tail),
            "relation": self._leaf(self._relations, relation),
        }
        if reciprocal:
            leaves["back"] = self._leaf(self._relations, back)
        leaves["tails"] = self._leaf(self._entities, tails.index)
        leaves["heads"] = (
            leaves["tails"] if tails.index is None and heads.index is None else self._leaf(self._entities, heads.index)
        )
        if self._training.relation_weight:
            leaves["relations"] = self._leaf(self._relations, None)
        used = {name: self._dropped(rows) for name, rows in leaves.items()}
        for_tail = self._model.tail_query(used["head"], used["relation"])
        offset: Tensor | None = None
        if reciprocal:
            for_head = self._model.tail_query(used["tail"], used["back"])
        else:
            for_head, offset = self._model.head_query(
                used["tail"], used["relation"], is_distance=self._comparator.is_distance
            )
        loss = self._side(for_tail, used["tail"], used["tails"], tail, tails.index, None)
        loss = (loss + self._side(for_head, used["head"], used["heads"], head, heads.index, offset)) / 2
        if self._training.relation_weight:
            loss = loss + self._training.relation_weight * self._relation_loss(used, relation)
        if self._training.n3:
            loss = loss + self._training.n3 * self._n3(leaves)
        loss = loss * weight
        loss.backward()
        entity_parts = [("head", head), ("tail", tail), ("tails", tails.index)]
        if leaves["heads"] is not leaves["tails"]:
            entity_parts.append(("heads", heads.index))
        relation_parts: list[tuple[str, Tensor | None]] = [
            ("relation", relation),
            *([("back", back)] if reciprocal else []),
        ]
        if "relations" in leaves:
            relation_parts.append(("relations", None))
        return (
            loss.detach(),
            [Gradient(index, _grad(leaves[name])) for name, index in entity_parts],
            [Gradient(index, _grad(leaves[name])) for name, index in relation_parts],
        )

    def _relation_loss(self, used: Mapping[str, Tensor], relation: Tensor) -> Tensor:
        """Cross entropy of the relation among all, from head and tail, mean over the batch: Chen et al. 2021, equation 3.

        There a triple's two predictions of an entity are added up; here their mean is the loss, so half of this goes with it.
        With reciprocal relations a triple is two examples, each with its own relations, and the relation is predicted in both.
        """
        if not self._training.reciprocal:
            forward = self._model.relation_query(used["head"], used["tail"]) @ used["relations"].T
            return cross_entropy(forward, relation) / 2
        relations, inverses = used["relations"].chunk(2)
        there = cross_entropy(self._model.relation_query(used["head"], used["tail"]) @ relations.T, relation)
        back = cross_entropy(self._model.relation_query(used["tail"], used["head"]) @ inverses.T, relation)
        return (there + back) / 2

    def _side(
        self,
        query: Tensor,
        right: Tensor,
        candidates: Tensor,
        right_index: Tensor,
        index: Tensor | None,
        offset: Tensor | None,
    ) -> Tensor:
        positive = self._comparator.rows(query, right)
        # A replacement that equals the right entity is not a negative.
        if index is None:
            place = right_index
            same = torch.arange(len(place), device=place.device)
        else:
            place = torch.searchsorted(index, right_index).clamp_(max=len(index) - 1)
            same = (index[place] == right_index).nonzero().squeeze(1)
            place = place[same]
        quick = self._comparator.log_sum_exp
        if quick and self._training.loss == "softmax" and not self._training.label_smoothing:
            # An offset is added to the positive and all its negatives, so it does not change the softmax.
            return softmax_of_sum(positive, quick(query, candidates, same, place, self._narrow))
        negative = self._comparator.matrix(query, candidates, self._narrow)
        negative = negative.index_put((same, place), negative.new_tensor(ABSENT))
        if offset is not None:
            positive, negative = positive + offset, negative + offset.unsqueeze(1)
        return LOSS[self._training.loss](positive, negative, self._training)

    def _leaf(self, table: Tensor, index: Tensor | None) -> Tensor:
        rows = table.detach() if index is None else table.index_select(0, index)
        return rows.requires_grad_()

    def _dropped(self, rows: Tensor) -> Tensor:
        share = self._training.dropout
        if not share:
            return rows
        mask = torch.rand(rows.shape, generator=self._generator) >= share
        return rows * mask.to(rows.device) / (1 - share)

    def _n3(self, leaves: Mapping[str, Tensor]) -> Tensor:
        """Sum of the cubed moduli of head, relation and tail; mean over the batch and, like the loss, over both directions.

        Lacroix et al. 2018, section 4: with reciprocal relations a triple is two examples, each with its own relation.
        """
        total = self._cubes(leaves["head"]) + self._cubes(leaves["tail"])
        if self._model.weighs:
            relations = [leaves[name] for name in ("relation", "back") if name in leaves]
            total = total + torch.stack(list(map(self._cubes, relations))).mean()
        return total / len(leaves["head"])

    def _cubes(self, rows: Tensor) -> Tensor:
        # Sum each row first: the last bits of a single sum over everything depend on the number of threads.
        return self._model.moduli(rows).pow(3).sum(1).sum()


def softmax_of_sum(positive: Tensor, everything_else: Tensor) -> Tensor:
    """``softmax`` without smoothing, from the log-sum-exp of the negatives, [b]."""
    return (torch.logaddexp(positive, everything_else) - positive).mean()


def softmax(positive: Tensor, negative: Tensor, training: EmbeddingOptions) -> Tensor:
    """Mean cross entropy of the positive among itself and its negatives (Fisher et al. 2019, section 2.2)."""
    everything = torch.logaddexp(positive, torch.logsumexp(negative, 1))
    share = training.label_smoothing
    if not share:
        return (everything - positive).mean()
    there = negative > ABSENT / 2
    mean = (positive + torch.where(there, negative, 0).sum(1)) / (1 + there.sum(1))
    return (everything - (1 - share) * positive - share * mean).mean()


def self_adversarial(positive: Tensor, negative: Tensor, training: EmbeddingOptions) -> Tensor:
    """Sun et al. 2019, equation 5: negatives are weighted by their softmax, which gets no gradient."""
    weight = torch.softmax(negative.detach() * training.temperature, 1)
    wrong = logsigmoid(-training.margin - negative)
    return -(logsigmoid(training.margin + positive) + (weight * wrong).sum(1)).mean() / 2


LOSS: dict[str, Loss] = {"softmax": softmax, "self-adversarial": self_adversarial}


def _grad(leaf: Tensor) -> Tensor:
    return leaf.grad if leaf.grad is not None else torch.zeros_like(leaf)


def summed(parts: Sequence[Gradient], table: Tensor) -> Gradient:
    """Adds up gradients of the same table: one gradient for each row."""
    whole = [part.rows for part in parts if part.index is None]
    some = [part for part in parts if part.index is not None]
    if whole:
        total = torch.stack(whole).sum(0) if len(whole) > 1 else whole[0]
        for part in some:
            if part.index is not None:
                total.index_add_(0, part.index, part.rows)
        return Gradient(None, total)
    index, place = torch.unique(torch.cat([part.index for part in some if part.index is not None]), return_inverse=True)
    total = table.new_zeros(len(index), table.shape[1])
    total.index_add_(0, place, torch.cat([part.rows for part in some]))
    return Gradient(index, total)

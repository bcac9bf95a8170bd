"""Training that keeps a sensitive relation out of the vectors of people. Imports torch at the top.

Two ways. The *adversary* is that of Fisher et al. 2020, Debiasing knowledge graph embeddings: the model's own scores of the
relation learn to tell a person's value, while the people's vectors learn to give every person the same distribution. The
*projection* is that of Bolukbasi et al. 2016, Man is to computer programmer as woman is to homemaker, section 6: it takes the
directions in which the values differ out of every vector but those of the values themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from harmgraph.common.errors import InputError
from harmgraph.models.embedding.comparators import Comparator, comparator
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.embedding.score_function import ScoreFunction, score_functions
from harmgraph.models.subgraph.split import TRAIN
from harmgraph.models.subgraph.subgraph import Subgraph

FEWEST = 10
"""People with a value, below which their mean is left out of the projection: it would be a direction of these people."""
FLAT = 1e-6
"""Share of the largest singular value, below which a direction is rounding."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Who has which value, in the training triples.

    Attributes:
        relation: its id.
        inverse: whether people are the tails.
        values: ids of the values, [v], sorted.
        people: ids of the people, [p]; one with two values stands twice.
        place: of each person's value in ``values``, [p].
    """

    relation: int
    inverse: bool
    values: Tensor
    people: Tensor
    place: Tensor

    @classmethod
    def of(cls, subgraph: Subgraph, named: str) -> Attribute:
        """That of a relation of a subgraph.

        Args:
            named: its type; ^ before it if people are the tails.

        Raises:
            InputError: no training triple has it, or all have the same value.
        """
        inverse, name = named.startswith("^"), named.removeprefix("^")
        relation = subgraph.relation_ids.get(name, -1)
        head, kinds, tail = subgraph.triples(TRAIN).T
        ends = (tail, head) if inverse else (head, tail)
        people, of = (np.ascontiguousarray(column[kinds == relation]) for column in ends)
        values, place = np.unique(of, return_inverse=True)
        if len(values) < 2:
            found = "one value" if len(values) else "no value"
            raise InputError(
                f"the training triples have {found} of {name}, so there is nothing to be neutral about",
                where=f"--neutral {named}",
                remedy="choose another relation, or leave it out",
            )
        return cls(relation, inverse, *(torch.from_numpy(column) for column in (values, people, place.reshape(-1))))

    def to(self, device: str | torch.device) -> Attribute:
        """The same on a device."""
        return Attribute(
            self.relation, self.inverse, *(column.to(device) for column in (self.values, self.people, self.place))
        )

    @property
    def counts(self) -> Tensor:
        """People with each value, [v]."""
        return torch.bincount(self.place, minlength=len(self.values))

    @property
    def shares(self) -> Tensor:
        """The share of the people with each value, [v]."""
        return self.counts / len(self.place)

    @property
    def common(self) -> Tensor:
        """Whether each value has so many people that its mean is one of the value, [v]."""
        return self.counts >= FEWEST

    def check_adversary(self, subgraph: Subgraph) -> None:
        """Checks that other relations are left to train.

        Raises:
            InputError: they are not.
        """
        if not (subgraph.triples(TRAIN)[:, 1] != self.relation).any():
            raise InputError(
                "no training triple has another relation, so nothing is left to train",
                where="--neutral",
                remedy="choose more triples, or --neutral-by projection",
            )

    def check_projection(self, dim: int) -> None:
        """Checks that a projection leaves something, and takes something out.

        Raises:
            InputError: it does not.
        """
        common = int(self.common.sum())
        if common < 2:
            raise InputError(
                f"fewer than two values have {FEWEST} people or more",
                where="--neutral",
                remedy="choose another relation, or --neutral-by adversary",
            )
        if common > dim:
            raise InputError(
                f"{common:,} values may differ in all {dim} directions, so nothing would be left",
                where="--neutral",
                remedy="give a larger --dim, or --neutral-by adversary",
            )


@dataclass(frozen=True, slots=True)
class AdversaryGradients:
    """Gradients of a step.

    Attributes:
        index: ids of the people, [b].
        people, values, relation: gradients of their rows, [b, d], [v, d] and [1, d'].
    """

    index: Tensor
    people: Tensor
    values: Tensor
    relation: Tensor


class Adversary:
    """Computes what the adversary adds to a step.

    The relation's own triples are not trained otherwise: they would teach a person's vector what it must not tell.
    """

    def __init__(self, training: EmbeddingOptions, attribute: Attribute) -> None:
        self._weight = training.neutral_weight
        self._model: ScoreFunction = score_functions.get(training.model)
        self._comparator: Comparator = comparator(training.chosen_comparator, paired=self._model.paired)
        self.attribute = attribute
        self._shares = attribute.shares

    def draw(self, generator: Generator, size: int) -> Tensor:
        """Places of the people of a step, [b]: at most ``size``, each as often as another."""
        count = len(self.attribute.people)
        drawn = torch.randint(count, (min(size, count),), generator=generator)
        return drawn.to(self.attribute.people.device)

    def scores(self, people: Tensor, relation: Tensor, values: Tensor) -> Tensor:
        """Scores of each value of each person: rows [b, d], [1, d'] and [v, d] -> [b, v].

        Always by the relation's first vector, also with ``reciprocal``: probes move people by it.
        """
        of = relation.expand(len(people), -1)
        if self.attribute.inverse:  # an offset is the same for all values of a person
            query, _ = self._model.head_query(people, of, is_distance=self._comparator.is_distance)
        else:
            query = self._model.tail_query(people, of)
        return self._comparator.matrix(query, values, False)

    def gradients(self, entities: Tensor, relations: Tensor, drawn: Tensor, weight: float) -> AdversaryGradients:
        """What people, values and relation get.

        Values and relation descend the mean cross-entropy of each person's value. People descend the mean KL divergence of the
        distribution of the values from what the scores say of them, times ``neutral_weight``: it is 0 where a vector says no
        more than how common each value is.

        Args:
            entities, relations: the tables, [n, d] and [m, d'].
            drawn: of ``draw``.
            weight: of the batch; below 1 if it is part of a larger one.
        """
        at = self.attribute
        index, place = at.people[drawn], at.place[drawn]
        people = entities.index_select(0, index).requires_grad_()
        values = entities.index_select(0, at.values).requires_grad_()
        relation = relations[at.relation : at.relation + 1].clone().requires_grad_()
        told = cross_entropy(self.scores(people.detach(), relation, values), place)
        (weight * told).backward()
        said = torch.log_softmax(self.scores(people, relation.detach(), values.detach()), 1)
        neutral = -(self._shares * said).sum(1).mean()  # the divergence, but for a constant
        (weight * self._weight * neutral).backward()
        leaves = (people, values, relation)
        return AdversaryGradients(
            index, *(torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves)
        )


def directions(entities: Tensor, attribute: Attribute) -> Tensor:
    """An orthonormal basis of the directions in which the mean vectors of people with different values differ, [k, d].

    With two values k is 1. A value that fewer than ``FEWEST`` people have is left out.
    """
    rows = entities[attribute.people].double()
    sums = rows.new_zeros(len(attribute.counts), rows.shape[1]).index_add_(0, attribute.place, rows)
    means = sums[attribute.common] / attribute.counts[attribute.common, None]
    _, sizes, basis = torch.linalg.svd(means - means.mean(0), full_matrices=False)
    there = (sizes > FLAT * sizes[0]) & (torch.arange(len(sizes), device=sizes.device) < len(means) - 1)
    found: Tensor = basis[there]
    return found


def projected(entities: Tensor, attribute: Attribute) -> Tensor:
    """The vectors without ``directions``, but those of the values, [n, d]."""
    basis = directions(entities, attribute).to(entities.dtype)
    left = entities.clone()  # the last bits of a product depend on where in memory a table of a checkpoint begins
    left -= (left @ basis.T) @ basis
    left[attribute.values] = entities[attribute.values]
    return left

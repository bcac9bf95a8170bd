"""The losses: each from the scores of positives [b] and of their negatives [b, k] to one number."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from harmgraph.models.embedding.comparators import ABSENT
from harmgraph.models.embedding.options import Training

Loss = Callable[[Tensor, Tensor, Training], Tensor]


def softmax_of_sum(positive: Tensor, everything_else: Tensor) -> Tensor:
    """``softmax`` without smoothing, where the logarithm of the negatives' summed exponentials is known, [b]."""
    return (torch.logaddexp(positive, everything_else) - positive).mean()


def softmax(positive: Tensor, negative: Tensor, training: Training) -> Tensor:
    """Cross entropy of the positive among itself and its negatives (Fisher et al. 2019, section 2.2), mean."""
    everything = torch.logaddexp(positive, torch.logsumexp(negative, 1))
    share = training.label_smoothing
    if not share:
        return (everything - positive).mean()
    there = negative > ABSENT / 2
    mean = (positive + torch.where(there, negative, 0).sum(1)) / (1 + there.sum(1))
    return (everything - (1 - share) * positive - share * mean).mean()


def self_adversarial(positive: Tensor, negative: Tensor, training: Training) -> Tensor:
    """Sun et al. 2019, equation 5: negatives count by their own softmax, through which nothing is learned."""
    weight = torch.softmax(negative.detach() * training.temperature, 1)
    wrong = logsigmoid(-training.margin - negative)
    return -(logsigmoid(training.margin + positive) + (weight * wrong).sum(1)).mean() / 2


LOSS: dict[str, Loss] = {"softmax": softmax, "self-adversarial": self_adversarial}

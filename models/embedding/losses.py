"""Loss functions of the scores of positives [b] and of their negatives [b, k]."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from harmgraph.models.embedding.comparators import ABSENT
from harmgraph.models.embedding.options import Training

Loss = Callable[[Tensor, Tensor, Training], Tensor]


def softmax_of_sum(positive: Tensor, everything_else: Tensor) -> Tensor:
    """``softmax`` without smoothing, from the log-sum-exp of the negatives, [b]."""
    return (torch.logaddexp(positive, everything_else) - positive).mean()


def softmax(positive: Tensor, negative: Tensor, training: Training) -> Tensor:
    """Mean cross entropy of the positive among itself and its negatives (Fisher et al. 2019, section 2.2)."""
    everything = torch.logaddexp(positive, torch.logsumexp(negative, 1))
    share = training.label_smoothing
    if not share:
        return (everything - positive).mean()
    there = negative > ABSENT / 2
    mean = (positive + torch.where(there, negative, 0).sum(1)) / (1 + there.sum(1))
    return (everything - (1 - share) * positive - share * mean).mean()


def self_adversarial(positive: Tensor, negative: Tensor, training: Training) -> Tensor:
    """Sun et al. 2019, equation 5: negatives are weighted by their softmax, which gets no gradient."""
    weight = torch.softmax(negative.detach() * training.temperature, 1)
    wrong = logsigmoid(-training.margin - negative)
    return -(logsigmoid(training.margin + positive) + (weight * wrong).sum(1)).mean() / 2


LOSS: dict[str, Loss] = {"softmax": softmax, "self-adversarial": self_adversarial}

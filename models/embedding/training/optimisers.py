"""Optimisers that read and write only the rows of a table that have a gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import torch
from torch import Tensor

EPSILON = 1e-10


class Optimiser(Protocol):
    """Updates a table from the gradients of some of its rows. ``states`` is stored in checkpoints; ``lr`` may be changed."""

    states: dict[str, Tensor]
    lr: float

    def update(self, index: Tensor | None, grad: Tensor) -> None:
        """Takes a step.

        Args:
            index: [u] distinct rows; None for all rows, in order.
            grad: [u, d].
        """


class Adagrad:
    """Duchi et al. 2011: each gradient is divided by the root of the sum of its squares so far."""

    def __init__(self, table: Tensor, lr: float, states: Mapping[str, Tensor] | None = None) -> None:
        self._table = table
        self.lr = lr
        self.states = dict(states or {"sum": torch.zeros_like(table)})

    def update(self, index: Tensor | None, grad: Tensor) -> None:
        """See ``Optimiser.update``."""
        total = self.states["sum"]
        if index is None:
            total.addcmul_(grad, grad)
            self._table.addcdiv_(grad, total.sqrt().add_(EPSILON), value=-self.lr)
            return
        rows = total.index_select(0, index).addcmul_(grad, grad)
        total.index_copy_(0, index, rows)
        self._table.index_add_(0, index, grad / rows.sqrt_().add_(EPSILON), alpha=-self.lr)


class Adam:
    """Kingma and Ba 2015, with a step count for each row: a row without a gradient does not move."""

    first, second = 0.9, 0.999

    def __init__(self, table: Tensor, lr: float, states: Mapping[str, Tensor] | None = None) -> None:
        self._table = table
        self.lr = lr
        self.states = dict(
            states
            or {
                "mean": torch.zeros_like(table),
                "square": torch.zeros_like(table),
                "steps": torch.zeros(len(table), 1, device=table.device),
            }
        )

    def update(self, index: Tensor | None, grad: Tensor) -> None:
        """See ``Optimiser.update``."""
        if index is None:
            index = torch.arange(len(self._table), device=self._table.device)
        steps = self.states["steps"].index_select(0, index).add_(1)
        mean = torch.lerp(grad, self.states["mean"].index_select(0, index), self.first)
        square = self.states["square"].index_select(0, index).mul_(self.second)
        square.addcmul_(grad, grad, value=1 - self.second)
        for name, rows in (("steps", steps), ("mean", mean), ("square", square)):
            self.states[name].index_copy_(0, index, rows)
        mean = mean / (1 - self.first**steps)
        square = (square / (1 - self.second**steps)).sqrt_().add_(1e-8)
        self._table.index_add_(0, index, mean / square, alpha=-self.lr)


OPTIMISER: dict[str, type[Adagrad] | type[Adam]] = {"adagrad": Adagrad, "adam": Adam}

"""A linear layer over numbers that are scaled as the training's need it. Imports torch at the top."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import Linear, Module


class Scaled(Module):
    """The numbers of each column have the mean 0 and the deviation 1 in the training.

    Args:
        numbers: how many each entity has. columns: of the result.
        gaps: whether a number may be missing, which is NaN. It is then 0, and the layer also learns from that it is missing.
    """

    def __init__(self, numbers: int, columns: int, *, gaps: bool = False) -> None:
        super().__init__()
        self.gaps = gaps
        self.register_buffer("mean", torch.zeros(numbers, dtype=torch.float64))
        self.register_buffer("deviation", torch.ones(numbers, dtype=torch.float64))
        self.linear = Linear(numbers * (1 + gaps), columns)

    def scale_to(self, values: Tensor) -> None:
        """Takes mean and deviation of each column from the values of the training [entities, numbers]."""
        exact = values.double()
        there = ~exact.isnan()
        counts = there.sum(0).clamp(min=1)
        mean = exact.nan_to_num().sum(0) / counts
        deviation = ((exact - mean).nan_to_num().square().sum(0) / counts).sqrt()
        # A column that hardly differs would be noise, and as large as the others. Those of properties are of different kinds.
        least = 1e-12 if self.gaps else max(float(deviation.mean()) / 10, 1e-12)
        # Nothing is learnt of a column that does not differ, so it is 0 on other graphs too.
        same = deviation <= 1e-9 * (1 + mean.abs())
        self.get_buffer("mean").copy_(mean)
        self.get_buffer("deviation").copy_(torch.where(same, torch.inf, deviation.clamp(min=least)))

    def forward(self, values: Tensor) -> Tensor:
        """Of values [entities, numbers], the vectors [entities, columns]."""
        mean, deviation = (self.get_buffer(name).to(values.dtype) for name in ("mean", "deviation"))
        scaled = (values - mean) / deviation
        if self.gaps:
            scaled = torch.cat([scaled.nan_to_num(), (~scaled.isnan()).to(scaled.dtype)], dim=1)
        vectors: Tensor = self.linear(scaled.to(self.linear.weight.dtype))
        return vectors

"""The product of complex vectors whose columns are the real parts, then the imaginary parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def product(vectors: Tensor, real: Tensor, imaginary: Tensor) -> Tensor:
    """[b, d] times the complex numbers with these parts, [b, d/2] each -> [b, d]."""
    import torch

    one, two = vectors.chunk(2, dim=1)
    return torch.cat([one * real - two * imaginary, one * imaginary + two * real], dim=1)

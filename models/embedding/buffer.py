"""Memory for large intermediate results, allocated once and reused.

Allocating and freeing a large temporary for every block fragments the heap, because small objects that stay alive lie
between the temporaries: with glibc a process grew to 20 GB.
"""

from __future__ import annotations

from math import prod

from torch import Tensor


class Buffer:
    """Memory with the data type and device of a tensor; each use overwrites the one before."""

    def __init__(self, like: Tensor) -> None:
        self._numbers = like.detach().new_empty(0)

    def shaped(self, *shape: int) -> Tensor:
        """A contiguous, uninitialised tensor of this shape; the next call overwrites it."""
        count = prod(shape)
        if count > len(self._numbers):
            self._numbers = self._numbers.new_empty(count)
        return self._numbers[:count].view(shape)

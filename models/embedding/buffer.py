"""Memory for large intermediate results that is taken once and used again.

Temporaries as large as the block of a long work must not come and go: what small things are kept meanwhile lie between them in
the heap, which then grows with every block (glibc; seen at 20 GB).
"""

from __future__ import annotations

from math import prod

from torch import Tensor


class Buffer:
    """Numbers of the kind and on the device of a tensor; what stood in them before is gone with each use."""

    def __init__(self, like: Tensor) -> None:
        self._numbers = like.detach().new_empty(0)

    def shaped(self, *shape: int) -> Tensor:
        """A contiguous tensor of this shape, with any content; it is overwritten by the next one."""
        count = prod(shape)
        if count > len(self._numbers):
            self._numbers = self._numbers.new_empty(count)
        return self._numbers[:count].view(shape)

"""The threads of torch: as many as are quick, or as many as are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from harmgraph.graph.common.progress import Tell, quiet
from harmgraph.models.extra import needed
from harmgraph.models.threads import Threads

if TYPE_CHECKING:
    from torch import Tensor


def threads(fixed: int = 0, tell: Tell = quiet) -> Threads:
    """A context in which torch has the quicker number of threads, or the one that is named; see ``models.threads``.

    Raises:
        MissingExtra: torch is not installed.
    """
    torch = needed("torch")
    return Threads(torch.get_num_threads(), torch.set_num_threads, fixed=fixed, tell=tell)


class Trial:
    """A step without an effect, to be timed, which also looks whether its result has the same bits whatever the threads.

    Args:
        work: gives the same tensors each time, if threads make no difference.

    Attributes:
        alike: whether the first two results, one of each number of threads, were equal in all bits.
    """

    def __init__(self, work: Callable[[], Sequence[Tensor]]) -> None:
        self._work = work
        self._first: Sequence[Tensor] | None = None
        self._calls = 0
        self.alike = True

    def __call__(self) -> float:
        """Does the work; the amount is the same each time."""
        found = self._work()
        self._calls += 1
        if self._calls == 1:
            self._first = found
        elif self._first is not None:
            self.alike = _equal(self._first, found)
            self._first = None
        return 1.0


def _equal(one: Sequence[Tensor], other: Sequence[Tensor]) -> bool:
    torch = needed("torch")
    return len(one) == len(other) and all(torch.equal(left, right) for left, right in zip(one, other, strict=True))

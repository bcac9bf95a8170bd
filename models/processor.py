"""Where torch computes, and with how many threads: the faster of one and all, or a given number."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from harmgraph.common.errors import BadName, first_line
from harmgraph.common.progress import Tell, quiet
from harmgraph.models.extra import needed
from harmgraph.models.threads import Threads

if TYPE_CHECKING:
    from torch import Tensor

# M_MMAP_MAX: no array has pages of its own. M_TRIM_THRESHOLD: what is free at the end stays, up to 2 GB, and what is free
# elsewhere always. M_TOP_PAD: memory grows by 64 MB.
_KEPT = {-4: 0, -1: 2**31 - 1, -2: 2**26}
# As glibc does it by itself after the first large arrays. M_MMAP_THRESHOLD: arrays above 32 MB have pages of their own.
_GIVEN_BACK = {-4: 2**16, -3: 2**25, -1: 2**26, -2: 2**17}


def torch_threads(fixed: int = 0, tell: Tell = quiet) -> Threads:
    """A context in which torch uses the faster number of threads, or ``fixed`` threads; see ``models.threads``.

    Raises:
        MissingExtra: torch is not installed.
    """
    torch = needed("torch")
    freed_memory(kept=True)
    return Threads(torch.get_num_threads(), torch.set_num_threads, fixed=fixed, tell=tell)


def device_of(chosen: str) -> str:
    """The device, with ``auto`` resolved.

    Raises:
        MissingExtra: torch is not installed.
        BadName: torch does not know the device, or this machine has none.
    """
    torch = needed("torch")
    freed_memory(kept=True)
    if chosen == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=chosen)
    except (RuntimeError, AssertionError) as error:
        reason = first_line(error)
        raise BadName("device", chosen, f"is not available: {reason}; auto uses what there is") from error
    return chosen


def freed_memory(*, kept: bool) -> None:
    """Tells the allocator of glibc what to do with memory that is freed.

    Args:
        kept: it stays for the next step, which wants as much again, so a process keeps its peak until it ends. If not, arrays
            above 32 MB are given back at once, and the system clears each page of the next one. That was more than half of a
            step of ``nbfnet``. But large arrays of ever other sizes do not fit where the others were, so memory that is kept
            grows with each step (docs/benchmarks.md).
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # musl has none
        for option, value in (_KEPT if kept else _GIVEN_BACK).items():
            mallopt(option, value)


class Trial:
    """A step for timing, without effects; it also checks whether the number of threads changes the result.

    Args:
        work: returns the same tensors each time, unless the number of threads changes them.

    Attributes:
        alike: whether the first two results, with one thread and with all, were equal bit for bit.
    """

    def __init__(self, work: Callable[[], Sequence[Tensor]]) -> None:
        self._work = work
        self._first: Sequence[Tensor] | None = None
        self._calls = 0
        self.alike = True

    def __call__(self) -> float:
        """Does the work; returns 1, because the amount is the same each time."""
        result = self._work()
        self._calls += 1
        if self._calls == 1:
            self._first = result
        elif self._first is not None:
            self.alike = _equal(self._first, result)
            self._first = None
        return 1.0


def _equal(first: Sequence[Tensor], second: Sequence[Tensor]) -> bool:
    torch = needed("torch")
    return len(first) == len(second) and all(
        torch.equal(left, right) for left, right in zip(first, second, strict=True)
    )

"""Sums of messages over the edges of a graph, by DGL or by torch alone.

A layer gathers vectors, makes messages of them, and reduces them where they arrive. Gathering and making messages is torch's
indexing and arithmetic. Reducing is what a back end does, and its transposed, which gradients need (``summing``). A module of
``models/message_passing`` defines ``BACK_END``. All back ends give the same sums, up to the order in which numbers are added.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Protocol

from harmgraph.common.registry import Registry

if TYPE_CHECKING:
    from torch import Tensor

    from harmgraph.models.subgraph.message_graph import MessageGraph


class Sums(Protocol):
    """Sums over the edges of one graph, without gradients.

    Of both, ``kept`` [edges] is 1 for an edge that carries its message, and 0 for one that does not.
    """

    def there(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        """What sums messages [pairs, columns] where they arrive, [entities, columns]."""
        ...

    def back(self, kept: Tensor) -> Callable[[Tensor], Tensor]:
        """Its transposed, from [entities, columns] to [pairs, columns]."""
        ...


class BackEnd(ABC):
    """A library that sums messages.

    Attributes:
        name: of the library.
        rank: the available back end of the lowest rank is used.
    """

    name: ClassVar[str]
    rank: ClassVar[int]

    @abstractmethod
    def is_available(self, device: str) -> bool:
        """Whether the library is installed and computes on a device."""

    @abstractmethod
    def sums(self, graph: MessageGraph, device: str) -> Sums:
        """What sums messages over the edges of a graph.

        Raises:
            MissingExtra: the library is not installed.
        """


back_ends: Registry[BackEnd] = Registry(
    "back end of message passing", "harmgraph.models.message_passing", "BACK_END", "message_passing"
)


def chosen_back_end(device: str) -> BackEnd:
    """The first back end that is available on a device."""
    ranked = sorted(back_ends, key=lambda each: each.rank)
    return next(each for each in ranked if each.is_available(device))  # to ask DGL is to import it, which takes a while

"""Engines: where work that can be divided runs. Each is a module in ``harmgraph/common/engines/members``.

An engine receives functions and knows nothing of what they do. They are sent to other processes, so they are functions of a
module, or ``functools.partial`` of one; and so must their arguments and results be that can be sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar

from harmgraph.common.options import Optioned
from harmgraph.common.registry import Registry

Item = TypeVar("Item")
Result = TypeVar("Result")
Note = TypeVar("Note")

Keyed = tuple[bytes, int, bytes]
"""A key, the order among rows of the same key, and the content."""

PLACE = 9  # bytes at the beginning of a key: rows whose keys begin alike are reduced together


class Cluster(ABC):
    """Workers that are ready.

    Attributes:
        workers: how many tasks run at the same time.
    """

    workers: int

    @abstractmethod
    def mapped(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The result of each item, in order; all of them are kept in memory.

        Raises:
            HarmgraphError: what ``work`` raised.
            EngineError: the cluster failed.
        """

    @abstractmethod
    def reduced(
        self,
        work: Callable[[Item], Generator[Keyed, None, Note]],
        reduce: Callable[[Iterable[Keyed]], Iterator[bytes]],
        items: Sequence[Item],
        least: int = 1,
    ) -> tuple[list[Note], Iterator[bytes]]:
        """Divides what ``work`` yields for each item by key, and reduces it.

        Args:
            work: yields rows and returns a note. A task that fails is run again, so it must yield the same again.
            reduce: receives rows sorted by key, then order. Rows whose keys have the same first ``PLACE`` bytes come to the
                same call.
            least: how many calls of ``reduce`` there should be, as the rows of a call wait together.

        Returns:
            The notes, in the order of the items, once everything is divided; and what ``reduce`` yields, in any order.

        Raises:
            HarmgraphError: what ``work`` raised; or ``reduce``, from the iterator.
            EngineError: the cluster failed, also from the iterator.
        """


class Engine(Optioned, ABC):
    """An engine.

    Attributes:
        name: the word on the command line.
        title: what it is, for the help text.
        options: its options, which every command with engines has.
    """

    family = "engine"
    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def cluster(self, options: Mapping[str, Any]) -> AbstractContextManager[Cluster | None]:
        """Its workers, until the block ends; None if nothing is divided, but done as without an engine.

        Args:
            options: values of all options, see ``chosen``.

        Raises:
            MissingExtra: a package that it needs is not installed.
            EngineError: it cannot be started or reached.
        """


engines: Registry[Engine] = Registry("engine", "harmgraph.common.engines.members", "ENGINE", "engines")
LOCAL = "local"

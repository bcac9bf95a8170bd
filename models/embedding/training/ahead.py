"""What a step needs, made in a thread while the step before it is computed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


class Ahead(Generic[Key, Made]):
    """Makes one thing ahead of the one that is asked for. So two of them are in memory.

    Args:
        make: makes what belongs to a key, in any thread, and always the same of the same key.
        after: the key that is likely to be asked for after one; None for none.
    """

    def __init__(self, make: Callable[[Key], Made], after: Callable[[Key], Key | None]) -> None:
        self._make, self._after = make, after
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ahead")
        self._coming: tuple[Key, Future[Made]] | None = None

    def get(self, key: Key) -> Made:
        """What belongs to a key. Errors are those of ``make``."""
        coming, self._coming = self._coming, None
        made = coming[1].result() if coming and coming[0] == key else self._make(key)
        following = self._after(key)
        if following is not None:
            self._coming = following, self._thread.submit(self._make, following)
        return made

    def close(self) -> None:
        """Ends the thread. What it is making is finished first, and is not used."""
        self._coming = None
        self._thread.shutdown(cancel_futures=True)

"""What a step needs, made in a thread while the step before it is computed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


class Ahead(Generic[Key, Made]):
    """Makes one thing ahead of the one that is asked for. So two of them are in memory.

    Nobody waits for what is not asked for. So a command ends at once after Ctrl-C or an error, also where the server is slow.

    Args:
        make: makes what belongs to a key, in any thread, and always the same of the same key.
        after: the key that is likely to be asked for after one; None for none.
    """

    def __init__(self, make: Callable[[Key], Made], after: Callable[[Key], Key | None]) -> None:
        self._make, self._after = make, after
        self._coming: tuple[Key, Future[Made]] | None = None

    def get(self, key: Key) -> Made:
        """What belongs to a key. Errors are those of ``make``."""
        coming, self._coming = self._coming, None
        made = coming[1].result() if coming and coming[0] == key else self._make(key)
        following = self._after(key)
        if following is not None:
            self._coming = following, self._begun(following)
        return made

    def _begun(self, key: Key) -> Future[Made]:
        """What is being made, in a thread that no process waits for."""
        made: Future[Made] = Future()

        def fill() -> None:
            try:
                made.set_result(self._make(key))
            except BaseException as error:  # noqa: BLE001 - it comes where this is asked for
                made.set_exception(error)

        threading.Thread(target=fill, name="ahead", daemon=True).start()
        return made

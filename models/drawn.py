"""A part of what there is to learn from, for a training that tries things out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
OVER = "over --limit"
"""Why what was not drawn is left out."""


def drawn(items: Sequence[T], limit: int, text: Callable[[T], str]) -> tuple[T, ...]:
    """So many of the items, in their order; all where the limit is 0.

    Args:
        limit: how many at most.
        text: of an item. A hash of it decides, so that the same texts are drawn from every file, and more of them with a larger
            limit. Another hash than those that hold texts out.
    """
    if not 0 < limit < len(items):
        return tuple(items)

    def place(number: int) -> bytes:
        return hashlib.blake2b(
            text(items[number]).encode("utf-8", "surrogatepass"), digest_size=8, person=b"limit"
        ).digest()

    return tuple(items[number] for number in sorted(sorted(range(len(items)), key=place)[:limit]))

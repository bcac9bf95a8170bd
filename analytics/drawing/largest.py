"""Which categories a figure shows where there are more than a page has room for; the tables have all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

CATEGORIES = 12
"""Most categories that a figure shows."""


def largest(categories: Iterable[str]) -> list[str]:
    """The categories that occur most often, at most ``CATEGORIES``, in the order of the alphabet.

    Args:
        categories: the category of each target.
    """
    return largest_of(Counter(categories))


def largest_of(sizes: Mapping[str, int]) -> list[str]:
    """The categories with the most targets, at most ``CATEGORIES``, in the order of the alphabet."""
    ranked = sorted(sizes, key=lambda category: (-sizes[category], category))
    return sorted(ranked[:CATEGORIES])


def left_out(shown: int, total: int) -> str:
    """What a title says where categories are left out, such as ``; the 12 largest of 40 categories``; empty if none is."""
    return f"; the {shown} largest of {total:,} categories" if shown < total else ""

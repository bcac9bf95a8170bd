"""Tells whether something certainly occurs for the first time, using little memory."""

from __future__ import annotations

from collections.abc import Sequence

BITS = 26  # bits of a position: the filter takes 8 MiB


class FirstTime:
    """A Bloom filter of what occurred before: it has false positives, never false negatives.

    Of a million different items, one in a thousand is taken for a repeated one; of thirty million, one in three.
    """

    def __init__(self) -> None:
        self._bits = bytearray(1 << (BITS - 3))

    def note(self, digest: int) -> bool:
        """Notes a 64-bit digest; returns True if it was certainly not noted before."""
        bits, mask = self._bits, (1 << BITS) - 1
        first, second = digest & mask, (digest >> BITS) & mask
        first_bit, second_bit = 1 << (first & 7), 1 << (second & 7)
        first >>= 3
        second >>= 3
        if bits[first] & first_bit and bits[second] & second_bit:
            return False
        bits[first] |= first_bit
        bits[second] |= second_bit
        return True

    def known_among(self, digests: bytes) -> Sequence[int]:
        """Notes many digests; returns the places of those that may have been noted before.

        Args:
            digests: 64-bit integers, no two of them equal.
        """
        import numpy as np

        numbers = np.frombuffer(digests, np.int64)
        bits, mask = np.frombuffer(self._bits, np.uint8), (1 << BITS) - 1
        places = numbers & mask, (numbers >> BITS) & mask
        known = np.logical_and(*(bits[place >> 3] >> (place & 7) & 1 for place in places))
        for place in places:
            np.bitwise_or.at(bits, place >> 3, np.left_shift(1, place & 7).astype(np.uint8))
        return np.flatnonzero(known).tolist()


class FirstOfFew:
    """The same of few digests, exactly."""

    def __init__(self) -> None:
        self._noted: set[int] = set()

    def note(self, digest: int) -> bool:
        """Notes a digest; returns whether it was not noted before."""
        if digest in self._noted:
            return False
        self._noted.add(digest)
        return True

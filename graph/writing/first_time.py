"""Tells whether something certainly occurs for the first time, using little memory."""

from __future__ import annotations

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

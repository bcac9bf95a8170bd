"""Tells that something surely comes for the first time, in little memory."""

from __future__ import annotations

BITS = 26  # of a place: 8 MiB in all


class FirstTime:
    """A Bloom filter: it may take a new one for one that came before, never the other way round.

    Of a million different ones it takes one in a thousand for an earlier one, of thirty millions one in three.
    """

    def __init__(self) -> None:
        self._bits = bytearray(1 << (BITS - 3))

    def note(self, digest: int) -> bool:
        """Notes a 64-bit digest; True where it surely was not noted before."""
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

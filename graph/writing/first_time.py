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
        one, two = digest & mask, (digest >> BITS) & mask
        one_bit, two_bit = 1 << (one & 7), 1 << (two & 7)
        one >>= 3
        two >>= 3
        if bits[one] & one_bit and bits[two] & two_bit:
            return False
        bits[one] |= one_bit
        bits[two] |= two_bit
        return True

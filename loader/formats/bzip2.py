"""Reads a bzip2 file from any of its blocks on, so that several workers can read parts of it.

A file is one or several streams, each of blocks that are compressed for themselves. A block begins at any bit with ``BLOCK``; a
stream ends with ``END``, a checksum, and bits that fill its last byte.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from functools import lru_cache
from io import BufferedReader

BLOCK, END = 0x314159265359, 0x177245385090
MAGIC_BITS, CHECKSUM_BITS, HEADER_BITS = 48, 32, 32
LARGEST = b"BZh9"  # the header of a stream with blocks of any size
READ = 1 << 20
TRIED = 4
"""Places of the next ``BLOCK`` or ``END`` that are tried: the same bits can occur within a block, once in 2**48 places."""


def first_block(raw: BufferedReader, start: int, end: int) -> int:
    """The bit at which the first block in a range of bytes seems to begin; -1 if there is none."""
    raw.seek(start)
    data = raw.read(end - start + 7)  # a block's beginning can go over the last byte
    place = _find(data, BLOCK, 0)
    return -1 if place < 0 or place >= (end - start) * 8 else start * 8 + place


def blocks(raw: BufferedReader, start: int) -> Iterator[tuple[int, bytes]]:
    """The blocks from the one that begins at the bit ``start`` to the end of the file: the bit and the decompressed bytes.

    Raises:
        OSError: no block begins there, or one is damaged; without ``errno``.
        EOFError: the file ends in the middle of a block.
    """
    offset = start // 8  # of the first byte in ``data``
    raw.seek(offset)
    data, at = raw.read(2 * READ), start % 8
    while True:
        place, kind, after = at, 0, at + MAGIC_BITS
        for _ in range(TRIED):
            place, kind, data = _next(raw, data, after)
            content = _decompressed(data, at, place)
            if content is not None:
                break
            after = place + 1
        else:
            raise OSError(f"no block that can be read at bit {offset * 8 + at}")
        yield offset * 8 + at, content
        while kind == END:
            place = -(-(place + MAGIC_BITS + CHECKSUM_BITS) // 8) * 8
            if len(data) < place // 8 + 10:
                data += raw.read(READ)
            if data[place // 8 :][:3] != LARGEST[:3]:
                return  # the end, or what bz2 too leaves out after it
            place += HEADER_BITS
            kind = _bits(data, place)  # END of a stream of nothing
        data, offset, at = data[place // 8 :], offset + place // 8, place % 8


def _next(raw: BufferedReader, data: bytes, after: int) -> tuple[int, int, bytes]:
    """The next place of ``BLOCK`` or ``END``, which of them it is, and the data, which may have grown."""
    while True:
        block, end = _find(data, BLOCK, after), _find(data, END, after)
        places = [(place, kind) for place, kind in ((block, BLOCK), (end, END)) if place >= 0]
        if places:
            return *min(places), data
        more = raw.read(READ)
        if not more:
            raise EOFError("the file ends in the middle of a block")
        data += more


def _decompressed(data: bytes, start: int, end: int) -> bytes | None:
    """The content of the block between two bits, made a stream of its own; None if these are not its ends."""
    length = end - start
    piece = int.from_bytes(data[start // 8 : -(-end // 8)], "big") >> (-end % 8) & ((1 << length) - 1)
    checksum = piece >> (length - MAGIC_BITS - CHECKSUM_BITS) & 0xFFFFFFFF if length > 80 else 0
    stream = ((piece << MAGIC_BITS | END) << CHECKSUM_BITS) | checksum
    length += MAGIC_BITS + CHECKSUM_BITS
    filled = -length % 8
    try:
        return bz2.decompress(LARGEST + (stream << filled).to_bytes((length + filled) // 8, "big"))
    except (OSError, ValueError):
        return None


def _bits(data: bytes, place: int) -> int:
    """The 48 bits at a place."""
    piece = data[place // 8 : place // 8 + 7].ljust(7, b"\0")
    return int.from_bytes(piece, "big") >> (8 - place % 8) & ((1 << MAGIC_BITS) - 1)


def _find(data: bytes, magic: int, after: int) -> int:
    """The first place of a magic number at or after a bit; -1 if there is none."""
    best = -1
    for shift, inner, lead in _inner(magic):
        at = max(0, after // 8)
        while (at := data.find(inner, at)) >= 0:
            place = (at - lead) * 8 + shift
            if best >= 0 and place >= best:
                break
            whole = place >= 0 and place + MAGIC_BITS <= len(data) * 8
            if place >= after and whole and _bits(data, place) == magic:
                best = place
                break
            at += 1
    return best


@lru_cache
def _inner(magic: int) -> tuple[tuple[int, bytes, int], ...]:
    """For each bit of a byte at which it can begin: the bytes that it fills, and how many it touches before them."""
    made = []
    for shift in range(8):
        touched = (magic << (8 - shift)).to_bytes(7, "big")
        made.append((shift, touched[1:6] if shift else touched[:6], 1 if shift else 0))
    return tuple(made)


class Blocks:
    """A file from a block on, as decompressed content.

    Args:
        start: the bit at which the block begins.
    """

    def __init__(self, raw: BufferedReader, start: int) -> None:
        self._blocks = blocks(raw, start)
        self._left = memoryview(b"")

    def read1(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end.

        Raises:
            OSError, EOFError: as ``blocks``.
        """
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._left = memoryview(block[1])
        taken, self._left = self._left[:size], self._left[size:]
        return bytes(taken)

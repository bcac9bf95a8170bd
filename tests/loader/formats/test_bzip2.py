"""A bzip2 file read from any of its blocks on has what bzip2 itself reads from there."""

from __future__ import annotations

import bz2
import random
from pathlib import Path

import pytest

from harmgraph.loader.formats import bzip2

CHOSEN = random.Random(4)
TEXT = b"".join(b"line %d of %d\n" % (number, CHOSEN.randrange(10**9)) for number in range(40_000))


def written(path: Path, *streams: bytes, level: int = 1) -> Path:
    path.write_bytes(b"".join(bz2.compress(stream, level) for stream in streams))
    return path


@pytest.mark.parametrize(
    "streams",
    [(TEXT,), (TEXT[:300_000], TEXT[300_000:300_001], TEXT[300_001:]), (TEXT[:10], b"", TEXT[10:])],
)
def test_every_block_to_the_end(tmp_path: Path, streams: tuple[bytes, ...]) -> None:
    path = written(tmp_path / "a.bz2", *streams)
    with path.open("rb") as raw:
        every = list(bzip2.blocks(raw, bzip2.first_block(raw, 0, path.stat().st_size)))
        assert len(every) > 2
        assert b"".join(content for _, content in every) == b"".join(streams)
        for number, (start, _) in enumerate(every):
            after = b"".join(content for _, content in bzip2.blocks(raw, start))
            assert after == b"".join(content for _, content in every[number:])


def test_the_blocks_of_ranges_are_those_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a.bz2", TEXT)
    size = path.stat().st_size
    with path.open("rb") as raw:
        every = [start for start, _ in bzip2.blocks(raw, bzip2.first_block(raw, 0, size))]
        ranges = [(at, min(at + 5_000, size)) for at in range(0, size, 5_000)]
        firsts = [bzip2.first_block(raw, *ends) for ends in ranges]
    expected = [next((start for start in every if at * 8 <= start < end * 8), -1) for at, end in ranges]
    assert firsts == expected
    assert -1 in firsts


@pytest.mark.parametrize("cut", [10, 40_000, 100_000])
def test_a_file_that_ends_too_soon(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(TEXT, 1)[:cut])
    with path.open("rb") as raw, pytest.raises((EOFError, OSError)):
        list(bzip2.blocks(raw, 32))


def test_a_damaged_block(tmp_path: Path) -> None:
    path = tmp_path / "a.bz2"
    whole = bytearray(bz2.compress(TEXT, 1))
    whole[50_000] ^= 255
    path.write_bytes(bytes(whole))
    with path.open("rb") as raw, pytest.raises(OSError, match="no block"):
        list(bzip2.blocks(raw, 32))

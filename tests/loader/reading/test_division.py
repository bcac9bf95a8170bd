"""The parts of a file have its lines, each once, with their numbers; whoever reads a part sees what stands in it."""

from __future__ import annotations

import bz2
import gzip
import random
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.formats.lines import Line, open_lines
from harmgraph.loader.reading import division
from harmgraph.loader.reading.plan import Plan
from tests.support.memory_cluster import MemoryCluster

CHOSEN = random.Random(3)
LINES = [
    b"".join(CHOSEN.choices([b"a", b"\xc3\xa9", b"\xff", b"\t", b"\x00", b"\r"], k=size))
    for size in CHOSEN.choices([0, 1, 7, 60, 3_000], k=400)
]
CONTENTS = {
    "ends with a line end": b"\n".join(LINES) + b"\n",
    "does not": b"\n".join(LINES) + b"\nlast",
    "one line": b"a" * 9_000,
    "line ends alone": b"\n" * 9_000,
    "with a mark": b"\xef\xbb\xbf" + b"\n".join(LINES),
}


def lines_of(path: Path, *pieces: division.Piece) -> list[Line]:
    lines: list[Line] = []
    for piece in pieces:
        with open_lines(path, 2_000, piece.part) as opened:
            lines += opened
    return lines


def pieces_of(path: Path, importer: str = "triples", workers: int = 3) -> list[division.Piece]:
    return division.divided(Plan(importers.get(importer), (path,), "kb"), MemoryCluster(workers))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "SMALLEST", 700)


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
@pytest.mark.parametrize("packed", [False, True])
def test_parts_have_the_lines_of_the_file(tmp_path: Path, content: bytes, packed: bool) -> None:
    path = tmp_path / "kb.txt"
    path.write_bytes(bz2.compress(content, 1) if packed else content)
    with open_lines(path, 2_000) as opened:
        expected = list(opened)
    pieces = pieces_of(path, workers=7)
    assert [line.number for line in lines_of(path, *pieces)] == [line.number for line in expected]
    assert [(line.text, bool(line.problem)) for line in lines_of(path, *pieces)] == [
        (line.text, bool(line.problem)) for line in expected
    ]
    if len(expected) > 300 and not packed:
        assert len(pieces) > 5


def test_a_large_bzip2_file_is_divided(tmp_path: Path) -> None:
    content = b"".join(b"head %d\tIsA\ttail %d\n" % (CHOSEN.randrange(10**9), number) for number in range(60_000))
    path = tmp_path / "kb.tsv.bz2"
    path.write_bytes(bz2.compress(content, 1))
    pieces = pieces_of(path)
    assert len(pieces) > 3
    with open_lines(path) as opened:
        assert lines_of(path, *pieces) == list(opened)


def test_what_is_not_divided(tmp_path: Path) -> None:
    content = b"\n".join(LINES)
    packed = tmp_path / "kb.gz"
    packed.write_bytes(gzip.compress(content))
    plain = tmp_path / "kb.nt"
    plain.write_bytes(content)
    assert [piece.part for piece in pieces_of(packed)] == [None]
    assert [piece.part for piece in pieces_of(plain, "wikidata-truthy")] == [None]
    assert [piece.part for piece in pieces_of(plain, "sbic")] == [None]
    assert len(pieces_of(plain)) > 1


def test_a_damaged_file_is_read_as_a_whole_which_tells_where(tmp_path: Path) -> None:
    path = tmp_path / "kb.bz2"
    content = b"".join(b"%d\n" % CHOSEN.randrange(10**12) for _ in range(60_000))
    whole = bytearray(bz2.compress(content, 1))
    whole[len(whole) // 2] ^= 255
    path.write_bytes(bytes(whole))
    (piece,) = pieces_of(path)
    with pytest.raises(UnreadableFile, match="damaged"):
        lines_of(path, piece)


def test_a_worker_with_another_file(tmp_path: Path) -> None:
    path = tmp_path / "kb.txt"
    path.write_bytes(b"a\nb\n")
    with pytest.raises(InputError, match="not of 5"):
        division.check_same(path, 5)
    path.unlink()
    with pytest.raises(UnreadableFile, match=r"no such file on a worker; every worker must see the same file"):
        division.check_same(path, 4)

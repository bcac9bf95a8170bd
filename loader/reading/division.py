"""Divides files into parts of whole lines, which several workers read; what is read is the same.

The workers first count the lines of sections of equal size. Then it is known where in each section the first whole line begins,
and which number it has.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import takewhile
from pathlib import Path

from harmgraph.common.engines.engine import Cluster
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.loader.formats import bzip2
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import Part, compression, open_lines, opened
from harmgraph.loader.reading.plan import Plan

LARGEST = 32 << 20  # bytes of a part, as on disk
SMALLEST = 1 << 20
EACH = 2  # parts for each worker, so that none waits long for the last
READ = 1 << 20
SAME_FILES = "every worker must see the same file under the same path: put it on a shared disk"
UNPACKED = 10  # times as large as the compressed file, about


@dataclass(frozen=True, slots=True)
class Piece:
    """What one task reads: a file, or a part of it.

    Attributes:
        number: of the file within the load, from 0.
        size: bytes of the file on disk, by which a worker sees that it has the same one.
        packed: whether it is compressed.
        part: None for the whole file.
    """

    number: int
    path: Path
    size: int
    packed: bool = False
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class FileSection:
    """Bytes of a file on disk, from ``start`` to ``end``."""

    path: Path
    size: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SectionCount:
    """What a section contains.

    Attributes:
        start: where reading of it begins, as in ``Part``; -1 if no block of a bzip2 file begins in it.
        size: bytes, decompressed.
        lines: line ends.
        first: bytes up to the first line end, and with it; 0 if there is none.
    """

    start: int
    size: int
    lines: int
    first: int


def divided(plan: Plan, cluster: Cluster) -> list[Piece]:
    """The pieces of a plan's files, in order. A gzip file, a small one, and a file whose lines belong together is one piece.

    Raises:
        UnreadableFile: a file cannot be opened, here or by a worker, or is damaged.
    """
    sections: list[list[FileSection]] = []
    pieces: list[Piece] = []
    options = plan.importer.chosen(plan.options)
    for number, path in enumerate(plan.files):
        with opened(path) as raw:
            size = os.fstat(raw.fileno()).st_size
            form = compression(raw)
        with open_lines(path, plan.importer.longest_line) as lines:
            whole = not in_parts(plan.importer) or form == "gz" or plan.importer.of_whole(lines, options) is not None
        pieces.append(Piece(number, path, size, bool(form)))
        most = min(LARGEST, max(SMALLEST, size // (EACH * max(cluster.workers, 1))))
        starts = [0] if whole else list(range(0, size, most)) or [0]
        sections.append([FileSection(path, size, *ends) for ends in zip(starts, [*starts[1:], size], strict=True)])
    counted = iter(cluster.mapped(count, [section for each in sections if len(each) > 1 for section in each]))
    return [
        part
        for piece, each in zip(pieces, sections, strict=True)
        for part in (_pieces(piece, [next(counted) for _ in each]) if len(each) > 1 else [piece])
    ]


def portions(pieces: Sequence[Piece]) -> int:
    """Into how many portions the content of the pieces goes, each of about ``LARGEST`` bytes."""
    sizes = {piece.number: piece.size * (UNPACKED if piece.packed else 1) for piece in pieces}
    return -(-sum(sizes.values()) // LARGEST)


def in_parts(importer: Importer) -> bool:
    """Whether parts of a file of this importer can be read for themselves."""
    kind = type(importer)
    return importer.divisible and kind.read is Importer.read and kind.parsed is Importer.parsed


def check_same(path: Path, size: int) -> None:
    """Checks, on a worker, that it has the file that was divided.

    Raises:
        UnreadableFile: it has no such file; the message says that it is a worker.
        InputError: it has another one.
    """
    try:
        with opened(path) as raw:
            here = os.fstat(raw.fileno()).st_size
    except UnreadableFile as error:
        raise UnreadableFile(path, f"{error.what} on a worker", remedy=SAME_FILES) from error
    if here != size:
        raise InputError(
            f"a worker has a file of {here:,} bytes here, not of {size:,}", where=str(path), remedy=SAME_FILES
        )


@contextmanager
def telling_of_a_worker(path: Path) -> Iterator[None]:
    """Says that it is a worker which cannot read another file than the one that was divided, such as a list.

    Args:
        path: the file that was divided.

    Raises:
        UnreadableFile: a file cannot be read; of another one the message says that it is a worker.
    """
    try:
        yield
    except UnreadableFile as error:
        if error.path == str(path):
            raise
        raise UnreadableFile(error.path, f"{error.what} on a worker", line=error.line, remedy=SAME_FILES) from error


def count(section: FileSection) -> SectionCount | None:
    """Counts a section; None if the place of the first block in it is not certain.

    Raises:
        UnreadableFile, InputError: the file is not there, or is another one.
    """
    check_same(section.path, section.size)
    with opened(section.path) as raw:
        if not compression(raw):
            raw.seek(section.start)
            return _summed(section.start, _read(raw, section.end - section.start))
        start = bzip2.first_block(raw, section.start, section.end)
        if start < 0:
            return SectionCount(-1, 0, 0, 0)
        try:
            blocks, end = bzip2.blocks(raw, start), section.end * 8
            return _summed(start, (content for _, content in takewhile(lambda block: block[0] < end, blocks)))
        except (OSError, EOFError):
            # Damaged, or no block: whoever reads the whole file will tell.
            return None


def _read(raw: BufferedReader, left: int) -> Iterator[bytes]:
    while left > 0 and (block := raw.read(min(READ, left))):
        left -= len(block)
        yield block


def _summed(start: int, contents: Iterable[bytes]) -> SectionCount:
    size = lines = first = 0
    for content in contents:
        if not first:
            first = size + end if (end := content.find(b"\n") + 1) else 0
        size += len(content)
        lines += content.count(b"\n")
    return SectionCount(start, size, lines, first)


def _pieces(piece: Piece, sections: Sequence[SectionCount | None]) -> list[Piece]:
    """The parts of a file: each begins with the first line that begins in its section."""
    begins: list[tuple[int, int, int, int]] = []  # byte, decompressed; and what a Part has
    size = lines = 0
    for section in sections:
        if section is None:
            return [piece]
        if section.start < 0:
            continue
        if not begins:
            begins.append((0, section.start, 0, 1))
        elif section.first:
            begins.append((size + section.first, section.start, section.first, lines + 2))
        size += section.size
        lines += section.lines
    ends = [*(begin[0] for begin in begins[1:]), size]
    parts = [
        replace(piece, part=Part(start, skip, end - at, line))
        for (at, start, skip, line), end in zip(begins, ends, strict=bool(begins))
        if end > at
    ]
    return parts or [piece]

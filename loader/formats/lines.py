"""Reads a file line by line: plain, gzip or bzip2, in bounded memory, with the number of every line.

Only ``\\n`` (and ``\\r\\n``) ends a line: knowledge bases have other control characters inside their lines, at which
``str.splitlines`` and universal newlines would split statements.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import itertools
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Literal, Protocol

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.made_often import made_often
from harmgraph.loader.formats import bzip2
from harmgraph.loader.formats.screen import Screen

BLOCK = 1 << 18
MAX_LINE = 1_000_000  # bytes; a longer line is not read
EXCERPT = 100
START = 16  # bytes by which the form of a file is known
GZIP, BZIP2 = b"\x1f\x8b", b"BZh"
BZIP2_STARTS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")  # after BZh and a digit; a line of text may start with BZh
NOT_TEXT = {
    b"SQLite format 3": "an SQLite database",
    b"PK\x03\x04": "a zip archive",
    b"PAR1\x15": "a Parquet file",
    b"ARROW1\x00\x00": "an Arrow file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"\xfd7zXZ": "an xz file",
    b"\x89PNG": "a picture",
    b"%PDF-": "a PDF",
}
TAR_MAGIC_AT = 257
WIDE = (b"\xff\xfe", b"\xfe\xff")


@made_often
class Line:
    """A line.

    Attributes:
        number: from 1.
        text: without the line end; a short excerpt if there is a problem.
        problem: why the line cannot be read; empty if it can.
    """

    number: int
    text: str
    problem: str = ""


@made_often
class LeftOutLines(Line):
    """Lines that a screen found.

    Attributes:
        number: of the last one.
        problem: the reason.
        count: how many they are.
    """

    count: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file: whole lines, in the order of the file.

    Attributes:
        start: where reading begins: a byte of a plain file; of a bzip2 file the bit at which a block begins.
        skip: how many bytes from there, decompressed, belong to the part before.
        size: bytes of the part, decompressed.
        line: number of its first line in the file, from 1.
    """

    start: int
    skip: int
    size: int
    line: int


class _Content(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class _Section:
    """``size`` bytes of some content, after the first ``skip``."""

    def __init__(self, content: _Content, skip: int, size: int) -> None:
        self._content = content
        self._skip = skip
        self._left = size

    def read1(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end.

        Raises:
            OSError: the content is shorter; without ``errno``.
        """
        block = self._block(size)
        while self._skip:
            block, self._skip = block[self._skip :], max(0, self._skip - len(block))
            block = block or self._block(size)
        block = block[: self._left]
        self._left -= len(block)
        return block

    def _block(self, size: int) -> bytes:
        block = self._content.read1(min(size, self._skip + self._left)) if self._left else b""
        if self._left and not block:
            raise OSError("it is shorter than when it was divided")
        return block


class Lines:
    """An iterator over the lines of an open file.

    Attributes:
        path: the file.
        name: the file's name, for messages.
        size: bytes of the file on disk.
        rows: rows that were read by other means, such as those of a database; they are counted instead of lines.
        screen: finds lines that are left out; those that follow one another come as ``LeftOutLines``. None to get each line.
    """

    def __init__(
        self, path: Path, raw: BufferedReader, content: _Content, size: int, longest: int, first: int = 1
    ) -> None:
        self.path = path
        self.name = path.name
        self.size = size
        self.rows = 0
        self.screen: Screen | None = None
        self._raw = raw
        self._content = content
        self._longest = longest
        self._first = first  # the number of the first line
        self._number = first - 1
        self._lines: Iterator[Line] = self._read()
        self._noted = 0

    @property
    def position(self) -> int:
        """Bytes of the file on disk read so far, for a progress bar."""
        return self._noted or self._raw.tell()

    @property
    def start(self) -> bytes:
        """The first bytes of the file on disk, by which its form is known; what is read next stays the same."""
        place = self._raw.tell()
        self._raw.seek(0)
        start = self._raw.read(START)
        self._raw.seek(place)
        return start

    def note_progress(self, done: int, total: int) -> None:
        """Says how much of a file is read that is read by other means, such as a database."""
        self._noted = self.size * done // max(total, 1)

    def __iter__(self) -> Iterator[Line]:
        return self

    def __next__(self) -> Line:
        return next(self._lines)

    def put_back(self, *lines: Line) -> None:
        """Puts lines back, in order, so that they are read again."""
        self._lines = itertools.chain(lines, self._lines)

    def first(self) -> Line | None:
        """The next line, without consuming it; None at the end."""
        line = next(self._lines, None)
        if line is not None:
            self.put_back(line)
        return line

    def beginning(self, size: int) -> tuple[bytes, bool]:
        """Whole lines of about ``size`` bytes, and whether this is everything; the lines themselves cannot be read afterwards."""
        taken = b""
        blocks = self._blocks()
        for block in blocks:
            taken += block
            end = taken.rfind(b"\n") + 1
            if len(taken) >= size and (end or len(taken) > self._longest):
                return taken[:end] or taken, False
        return taken, True

    def blocks(self) -> Iterator[bytes]:
        """All bytes from here on, some at a time, instead of the lines; whoever gives them to ``Lines`` again gets the lines.

        Raises:
            UnreadableFile: as reading the lines does, with the number of the last whole line.
        """
        while block := self._block():
            yield block
            self._number += block.count(b"\n")

    def _read(self) -> Iterator[Line]:
        rest = b""
        dropped = 0  # dropped bytes of a line that is too long
        for block in self._blocks():
            rest += block
            end = rest.rfind(b"\n") + 1
            if end:
                whole, rest = rest[:end], rest[end:]
                yield from self._split(whole, dropped)
                dropped = 0
            if len(rest) > self._longest:
                dropped += len(rest) - EXCERPT
                rest = rest[:EXCERPT]
        if rest:
            yield from self._split(rest + b"\n", dropped)

    def _split(self, whole: bytes, dropped: int) -> Iterator[Line]:
        """The lines of some bytes, which end with a line end; ``dropped`` bytes of the first line are missing."""
        if not dropped and len(whole) <= self._longest and b"\x00" not in whole:
            # The usual case: decoding a whole block at once is three times as fast as line by line.
            try:
                text = whole.decode("utf-8")
            except UnicodeDecodeError:
                pass  # the code below finds the line
            else:
                yield from self._screened(text, self.screen) if self.screen else self._each(text)
                return
        for raw in whole[:-1].split(b"\n"):
            self._number += 1
            if dropped or len(raw) > self._longest:
                yield Line(self._number, _excerpt(raw), f"longer than {self._longest:,} bytes ({dropped + len(raw):,})")
                dropped = 0
            else:
                yield _decoded(raw, self._number)

    def _screened(self, text: str, screen: Screen) -> Iterator[Line]:
        start = 0
        while start < len(text):
            end, count, reason = screen.run(text, start)
            if count:
                self._number += count
                yield LeftOutLines(self._number, "", reason, count)
            else:
                yield from self._each(text[start:end])
            start = end

    def _each(self, text: str) -> Iterator[Line]:
        for line in text[:-1].split("\n"):
            self._number += 1
            yield Line(self._number, line.removesuffix("\r"))

    def _blocks(self) -> Iterator[bytes]:
        block = self._block()
        if self._first == 1:
            _check(self.path, block)
            # The mark can be all of the first block, as where it was compressed alone.
            block = block.removeprefix(b"\xef\xbb\xbf") or self._block()
        while block:
            yield block
            block = self._block()

    def _block(self) -> bytes:
        try:
            return self._content.read1(BLOCK)
        except (EOFError, zlib.error, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise UnreadableFile(
                    self.path, f"cannot be read further ({error.strerror})", line=self._number, remedy="check the disk"
                ) from error
            raise UnreadableFile(
                self.path,
                f"ends in the middle of its compressed data, or is damaged ({error})",
                line=self._number,
                remedy="fetch the file again",
            ) from error


def _check(path: Path, start: bytes) -> None:
    if start.startswith(WIDE):
        raise UnreadableFile(path, "is UTF-16", remedy="convert it: iconv -f UTF-16 -t UTF-8")
    formats = [what for magic, what in NOT_TEXT.items() if start.startswith(magic)]
    if start[TAR_MAGIC_AT:].startswith(b"ustar"):
        formats.append("a tar archive")
    if formats:
        raise UnreadableFile(path, f"is {formats[0]}, not text", remedy="unpack or export it as text first")


def _decoded(raw: bytes, number: int) -> Line:
    raw = raw.removesuffix(b"\r")
    if b"\x00" in raw:
        return Line(number, _excerpt(raw), f"a NUL byte at column {raw.index(0) + 1}")
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Line(number, _excerpt(raw), f"not UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1})")


def _excerpt(raw: bytes) -> str:
    text = raw[:EXCERPT].decode("utf-8", "backslashreplace")
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


@contextmanager
def open_lines(path: Path, longest: int | None = None, part: Part | None = None) -> Iterator[Lines]:
    """Opens a file; compression is recognised by the first bytes, not by the name.

    Args:
        path: the file.
        longest: maximum bytes of a line, by default ``MAX_LINE``; a longer line has a ``problem``.
        part: the part to read; None for the whole file. A gzip file has no parts.

    Raises:
        UnreadableFile: the file is missing, not readable, or a folder or pipe; while reading: damaged, not text, UTF-16.
    """
    with opened(path) as raw:
        form = compression(raw)
        content: _Content = raw
        if part:
            if form == "bz2":
                content = bzip2.Blocks(raw, part.start)
            else:
                raw.seek(part.start)
            content = _Section(content, part.skip, part.size)
        elif form == "gz":
            content = gzip.GzipFile(fileobj=raw)
        elif form == "bz2":
            content = bz2.BZ2File(raw)
        size = os.fstat(raw.fileno()).st_size
        yield Lines(path, raw, content, size, longest or MAX_LINE, part.line if part else 1)


def is_text(path: Path) -> bool:
    """Whether a file has lines, by its first bytes: a database and a Parquet file have none, and importers number their rows.

    Raises:
        UnreadableFile: it is missing, not readable, or a folder or pipe.
    """
    with opened(path) as raw:
        start = raw.read(TAR_MAGIC_AT)
    return not any(start.startswith(magic) for magic in NOT_TEXT)


def compression(raw: BufferedReader) -> Literal["", "gz", "bz2"]:
    """How an open file is compressed, by its first bytes; it is then at its beginning."""
    magic = raw.read(10)
    raw.seek(0)
    if magic.startswith(GZIP):
        return "gz"
    return "bz2" if magic.startswith(BZIP2) and magic[4:] in BZIP2_STARTS else ""


def sha256(path: Path, progress: Callable[[int], None] | None = None) -> str:
    """The SHA-256 digest of a file as it is on disk, 64 hexadecimal digits.

    Args:
        path: the file.
        progress: called with the bytes read so far.

    Raises:
        UnreadableFile: the file is missing, not readable, or a folder or pipe.
    """
    digest = hashlib.sha256()
    done = 0
    with opened(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
            done += len(block)
            if progress:
                progress(done)
    return digest.hexdigest()


def opened(path: Path) -> BufferedReader:
    """Opens a regular file for its bytes.

    Raises:
        UnreadableFile: the file is missing, not readable, or a folder or pipe.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableFile(path, "is a folder", remedy="name the file in it")
        if not stat.S_ISREG(mode):
            # A file is read twice, for its digest and for its lines; opening a pipe would wait for a writer.
            raise UnreadableFile(path, "is not a regular file", remedy="save its content to a file and load that")
        return path.open("rb")
    except FileNotFoundError as error:
        raise UnreadableFile(path, "no such file", remedy="check the path") from error
    except OSError as error:
        raise UnreadableFile(
            path, f"cannot be opened ({error.strerror})", remedy="check the path and its permissions"
        ) from error

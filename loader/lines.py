"""Reads a file line by line: plain, gzip or bzip2, in bounded memory, with the number of every line.

Only ``\\n`` (and ``\\r\\n``) ends a line: knowledge bases hold other control characters inside their lines, so
``str.splitlines`` and universal newlines would tear statements apart.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import itertools
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from graph.errors import UnreadableFile

BLOCK = 1 << 18
MAX_LINE = 1_000_000  # bytes; a longer line is a problem and is not kept
EXCERPT = 100
GZIP, BZIP2 = b"\x1f\x8b", b"BZh"
NOT_TEXT = {
    b"SQLite format 3": "an SQLite database",
    b"PK\x03\x04": "a zip archive",
    b"PAR1": "a Parquet file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"\xfd7zXZ": "an xz file",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF",
}
WIDE = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes:
        number: from 1.
        text: without the line's end; a short excerpt where there is a problem.
        problem: why it cannot be read, empty where it can.
    """

    number: int
    text: str
    problem: str = ""


class Lines:
    """The lines of an opened file, once.

    Attributes:
        name: the file's name, for messages.
        size: bytes of the file on disk.
    """

    def __init__(self, path: Path, raw: IO[bytes], content: IO[bytes], size: int) -> None:
        self.path = path
        self.name = path.name
        self.size = size
        self._raw = raw
        self._content = content
        self._number = 0
        self._lines: Iterator[Line] = self._read()

    @property
    def position(self) -> int:
        """Bytes of the file on disk that were read so far, for a progress bar."""
        return self._raw.tell()

    def __iter__(self) -> Iterator[Line]:
        return self._lines

    def __next__(self) -> Line:
        return next(self._lines)

    def put_back(self, line: Line) -> None:
        """Gives a line back, which was taken to see whether it is a header."""
        self._lines = itertools.chain([line], self._lines)

    def _read(self) -> Iterator[Line]:
        rest = b""
        dropped = 0  # bytes of a line that is too long and was let go
        for block in self._blocks():
            *whole, rest = (rest + block).split(b"\n")
            for raw in whole:
                self._number += 1
                if dropped or len(raw) > MAX_LINE:
                    yield self._too_long(raw, dropped + len(raw))
                    dropped = 0
                    continue
                yield _decoded(raw, self._number)
            if len(rest) > MAX_LINE:
                dropped += len(rest) - EXCERPT
                rest = rest[:EXCERPT]
        if rest:
            self._number += 1
            yield self._too_long(rest, dropped + len(rest)) if dropped else _decoded(rest, self._number)

    def _too_long(self, raw: bytes, length: int) -> Line:
        return Line(self._number, _excerpt(raw), f"longer than {MAX_LINE:,} bytes ({length:,})")

    def _blocks(self) -> Iterator[bytes]:
        first = True
        while True:
            try:
                block = self._content.read(BLOCK)
            except (EOFError, zlib.error, gzip.BadGzipFile, OSError) as error:
                raise UnreadableFile(
                    self.path,
                    f"ends in the middle of its compressed data, or is damaged ({error})",
                    line=self._number,
                    remedy="fetch the file again",
                ) from error
            if first:
                self._check(block)
                block = block.removeprefix(b"\xef\xbb\xbf")
                first = False
            if not block:
                return
            yield block

    def _check(self, start: bytes) -> None:
        if start.startswith(WIDE):
            raise UnreadableFile(self.path, "is UTF-16", remedy="convert it: iconv -f UTF-16 -t UTF-8")
        for magic, what in NOT_TEXT.items():
            if start.startswith(magic):
                raise UnreadableFile(self.path, f"is {what}, not text", remedy="unpack or export it as text first")


def _decoded(raw: bytes, number: int) -> Line:
    raw = raw.removesuffix(b"\r")
    if b"\x00" in raw:
        return Line(number, _excerpt(raw), f"a NUL byte at column {raw.index(0) + 1}")
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Line(number, _excerpt(raw), f"not UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1})")


def _excerpt(raw: bytes) -> str:
    return raw[:EXCERPT].decode("utf-8", "backslashreplace")


@contextmanager
def open_lines(path: Path) -> Iterator[Lines]:
    """Opens a file; whether it is compressed is told by its first bytes, not by its name.

    Raises:
        UnreadableFile: missing, a folder, or not permitted; while reading: damaged, not text, UTF-16.
    """
    try:
        with path.open("rb") as raw:
            magic = raw.read(3)
            raw.seek(0)
            content: IO[bytes] = raw
            if magic.startswith(GZIP):
                content = gzip.GzipFile(fileobj=raw)  # type: ignore[assignment]
            elif magic.startswith(BZIP2):
                content = bz2.BZ2File(raw)  # type: ignore[assignment]
            yield Lines(path, raw, content, path.stat().st_size)
    except OSError as error:
        if error.filename is not None and str(error.filename) == str(path):
            raise _unopened(path, error) from error
        raise


def _unopened(path: Path, error: OSError) -> UnreadableFile:
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(path, "no such file", remedy="check the path")
    if isinstance(error, IsADirectoryError):
        return UnreadableFile(path, "is a folder", remedy="name the file in it")
    return UnreadableFile(path, f"cannot be opened ({error.strerror})", remedy="check its permissions")


def sha256(path: Path, progress: Callable[[int], None] | None = None) -> str:
    """Digest of a file as it is on disk, 64 hexadecimal digits.

    Args:
        progress: called with the bytes read so far.

    Raises:
        UnreadableFile: missing, a folder, or not permitted.
    """
    digest = hashlib.sha256()
    done = 0
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                done += len(block)
                if progress:
                    progress(done)
    except OSError as error:
        raise _unopened(path, error) from error
    return digest.hexdigest()

"""The beginning of a file, by which an importer says whether it could read the rest."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harmgraph.loader.formats.lines import Lines, compression, open_lines, opened

BYTES = 1 << 18  # of the content, decompressed
LINES = 200
DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
"""By their names as options have them; those that stand inside texts come last."""
EVEN = 0.9  # share of the lines that have the same number of cells in a table


@dataclass(frozen=True, kw_only=True)
class FileSample:
    """The beginning of a file.

    Attributes:
        path: the file.
        size: bytes on disk.
        packed: how it is compressed; empty if it is not.
        content: whole lines, decompressed, without a byte order mark; empty if the file is not one of lines.
        whole: whether this is all of the file.
        texts: the first lines that can be read and are not empty, at most ``LINES``.
        unreadable: what is wrong with the first line that cannot be read; empty if all can.
    """

    path: Path
    size: int
    packed: str
    content: bytes
    whole: bool
    texts: tuple[str, ...]
    unreadable: str = ""

    @contextmanager
    def lines(self) -> Iterator[Lines]:
        """The lines again, as of an open file."""
        content = io.BytesIO(self.content)
        yield Lines(
            self.path, io.BufferedReader(io.BytesIO(self.content)), content, len(self.content), len(self.content) + 1
        )

    @cached_property
    def delimiter(self) -> str:
        """The name of the delimiter by which most lines have the same number of cells; empty if the file is no table."""
        for name, delimiter in DELIMITERS.items():
            if name != "space" and self.columns(delimiter):
                return name
        return ""

    def columns(self, delimiter: str) -> int:
        """The number of cells of almost every line; 0 if they differ, or if there is one only."""
        if not self.texts:
            return 0
        counts = Counter(len(row) for row in self.rows(delimiter))
        ((number, times),) = counts.most_common(1)
        return number if number > 1 and times >= EVEN * sum(counts.values()) else 0

    def rows(self, delimiter: str) -> list[list[str]]:
        """The cells of each line; with quotes as in CSV unless the delimiter is a tab or a space."""
        if delimiter in "\t ":
            return [text.split(delimiter) for text in self.texts]
        try:
            rows = list(csv.reader(io.StringIO("\n".join(self.texts)), delimiter=delimiter))
        except csv.Error:
            return [text.split(delimiter) for text in self.texts]
        # The last row may be cut off.
        return rows if self.whole or len(rows) < 2 else rows[:-1]

    def share(self, fits: Sequence[bool]) -> float:
        """The share of true ones; 0 of none."""
        return sum(fits) / len(fits) if fits else 0.0


def sample_of(path: Path) -> FileSample:
    """Reads the beginning of a file.

    Raises:
        UnreadableFile: it is missing, cannot be read, or is of a format that nothing reads, such as a zip archive.
    """
    with opened(path) as raw:
        packed = compression(raw)
    with open_lines(path) as lines:
        size = lines.size
        content, whole = lines.beginning(BYTES)
    return sample_of_bytes(path, content, whole=whole, size=size, packed=packed)


def sample_of_bytes(path: Path, content: bytes, *, whole: bool = True, size: int = 0, packed: str = "") -> FileSample:
    """A sample of some content, as if the file had it."""
    texts: list[str] = []
    problem = ""
    raw = io.BytesIO(content)
    for line in Lines(path, io.BufferedReader(io.BytesIO(content)), raw, len(content), len(content) + 1):
        if line.problem:
            problem = problem or f"line {line.number}: {line.problem}"
        elif line.text.strip():
            texts.append(line.text)
        if len(texts) >= LINES:
            break
    return FileSample(
        path=path, size=size, packed=packed, content=content, whole=whole, texts=tuple(texts), unreadable=problem
    )

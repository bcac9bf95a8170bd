"""Files of the user's that fit into memory: lists, tables, labels, a job. What cannot be read is said with the file and the line.

Knowledge bases are read by ``loader.formats.lines``, in bounded memory, where a line that cannot be read is rejected alone.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harmgraph.common.errors import UnreadableFile

GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        line: the line that it begins in, from 1.
    """

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row of a table whose first line names the columns.

    Attributes:
        line: the line that it begins in, from 1.
        cells: by the name of their column.
    """

    line: int
    cells: Mapping[str, str]


def content(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UnreadableFile: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(path, f"cannot be read ({error.strerror})", remedy="check the path") from error


def short_digest(path: Path) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of a file: enough to tell its versions apart.

    Raises:
        UnreadableFile: it cannot be read.
    """
    return hashlib.sha256(content(path)).hexdigest()[:12]


def decoded(path: Path, data: bytes, *, errors: Literal["strict", "replace"] = "strict") -> str:
    """The bytes of a file as text in UTF-8, unpacked, without a byte order mark, each line ended by a line feed.

    Args:
        path: the file, for the message.
        errors: ``replace`` where words outside UTF-8 may be lost.

    Raises:
        UnreadableFile: it is not UTF-8, or its compressed data is damaged.
    """
    if data.startswith(GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableFile(
                path, f"ends in the middle of its compressed data, or is damaged ({error})", remedy="fetch it again"
            ) from error
    try:
        return data.decode("utf-8-sig", errors).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            path,
            f"cannot be read: it is not UTF-8 ({error.reason})",
            line=error.object.count(b"\n", 0, error.start) + 1,
            remedy="convert it to UTF-8",
        ) from error


def read_text(path: Path, *, errors: Literal["strict", "replace"] = "strict") -> str:
    """The text of a file, see ``decoded``.

    Raises:
        UnreadableFile: it cannot be read, or is not UTF-8.
    """
    return decoded(path, content(path), errors=errors)


def read_lines(path: Path, *, errors: Literal["strict", "replace"] = "strict") -> list[str]:
    """The lines of a file, without their ends, empty ones too.

    Raises:
        UnreadableFile: it cannot be read, or is not UTF-8.
    """
    lines = read_text(path, errors=errors).split("\n")
    return lines if lines[-1] else lines[:-1]


def tab_rows(path: Path) -> Iterator[TableRow]:
    """The rows of a file whose columns are separated by tabs; empty lines are left out.

    Raises:
        UnreadableFile: it cannot be read, or is not UTF-8.
    """
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield TableRow(number, tuple(line.split("\t")))


def csv_rows(path: Path, delimiter: str = ",") -> Iterator[TableRow]:
    """The rows of a CSV file; empty lines are left out. A row with quotes can have several lines.

    Args:
        delimiter: what stands between two columns.

    Raises:
        UnreadableFile: it cannot be read, or is not UTF-8 or CSV.
    """
    return _csv_rows(path, enumerate(read_lines(path), 1), delimiter)


def named_rows(
    path: Path,
    needed: Sequence[str] = (),
    optional: Sequence[str] = (),
    *,
    delimiter: str = ",",
    remedy: str = "name the columns in the first line",
) -> Iterator[NamedRow]:
    """The rows of a CSV file whose first line names the columns. It may have other columns too.

    Raises:
        UnreadableFile: as ``csv_rows``, as ``column_names``, or a row has more or fewer cells than there are columns.
    """
    rows = csv_rows(path, delimiter)
    names = column_names(path, next(rows, None), needed, optional, remedy=remedy)
    for row in rows:
        if len(row.cells) != len(names):
            raise UnreadableFile(
                path,
                f"has {len(row.cells)} columns where {len(names)} are expected",
                line=row.line,
                remedy="mend the row",
            )
        yield NamedRow(row.line, dict(zip(names, row.cells, strict=True)))


def column_names(
    path: Path, header: TableRow | None, needed: Sequence[str], optional: Sequence[str] = (), *, remedy: str
) -> tuple[str, ...]:
    """The names of the columns in a table's first line, those that are asked for as they are asked for, whatever their capitals.

    Raises:
        UnreadableFile: a needed column is missing, or a column that is asked for stands twice.
    """
    asked = {name.lower(): name for name in (*needed, *optional)}
    cells = [cell.strip() for cell in header.cells] if header else []
    names = tuple(asked.get(name.lower(), name) for name in cells)
    line = header.line if header else 1
    lacking = [name for name in needed if name not in names]
    if lacking:
        raise UnreadableFile(path, f"has no column {', '.join(lacking)}", line=line, remedy=remedy)
    check_once(path, names, asked.values(), line)
    return names


def check_once(path: Path, names: Sequence[str], asked: Iterable[str], line: int) -> None:
    """Refuses a header with a column twice.

    Args:
        names: the columns of the header. asked: those that are read. line: of the header.

    Raises:
        UnreadableFile: one of those that are read stands twice.
    """
    twice = [name for name in asked if names.count(name) > 1]
    if twice:
        raise UnreadableFile(
            path, f"has the column {', '.join(twice)} twice", line=line, remedy="leave one of the two out"
        )


def list_rows(path: Path) -> Iterator[TableRow]:
    """The rows of a list in CSV, each on one line; lines that are empty or begin with ``#`` are left out.

    Raises:
        UnreadableFile: it cannot be read, or is not UTF-8 or CSV.
    """
    for number, line in enumerate(read_lines(path), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            # Each line by itself, so that a quote that is never closed does not take the rest of the list with it.
            yield from _csv_rows(path, [(number, line)])


def _csv_rows(path: Path, lines: Iterable[tuple[int, str]], delimiter: str = ",") -> Iterator[TableRow]:
    taken: list[int] = []  # numbers of the lines of a row

    def noted() -> Iterator[str]:
        for number, line in lines:
            taken.append(number)
            yield f"{line}\n"  # in quotes it belongs to the text

    try:
        for cells in csv.reader(noted(), delimiter=delimiter, strict=True):
            if cells:
                yield TableRow(taken[0], tuple(cells))
            taken.clear()
    except csv.Error as error:
        raise UnreadableFile(
            path, f"is not CSV ({error})", line=taken[0] if taken else 0, remedy="quote texts with commas"
        ) from error

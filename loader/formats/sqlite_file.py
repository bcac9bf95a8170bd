"""Opens SQLite files of knowledge bases for reading; what is wrong with one is said in one line.

A column of SQLite can hold anything, whatever its type: cells are checked one by one, so that a wrong one costs its row alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from urllib.parse import quote

from harmgraph.common.errors import UnreadableFile
from harmgraph.loader.formats.importer import BadLine

MAGIC = b"SQLite format 3\x00"
ROW_IDS = ("rowid", "_rowid_", "oid")
"""Names of a row's number. A table can have a column of such a name, which then means that column."""
CACHE_KIB = 65_536
"""Memory for pages that were read, in KiB: it does not grow with the file."""


class NotUtf8(bytes):
    """A text whose bytes are not UTF-8."""


Cell = str | bytes | int | float | None


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write; errors of SQLite become ``UnreadableFile`` until the block ends.

    Raises:
        UnreadableFile: the file is missing, no SQLite database, truncated, damaged, or locked by a program that writes it.
    """
    _check(path)
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True, timeout=1)) as connection:
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute("PRAGMA query_only = 1")
            connection.text_factory = _text  # the usual one ends the whole query at a text that is not UTF-8
            yield connection
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise UnreadableFile(
                path, "is locked by a program that writes it", remedy="wait until that is done, or load a copy"
            ) from error
        raise UnreadableFile(path, f"cannot be read ({error})", remedy="check the file and its permissions") from error
    except sqlite3.DatabaseError as error:
        raise UnreadableFile(path, f"is a damaged database ({error})", remedy="fetch the file again") from error


def columns(connection: sqlite3.Connection) -> Mapping[str, Sequence[str]]:
    """The names of the columns of each table."""
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {
        table: [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        for table in tables
    }


def row_id(path: Path, columns: Sequence[str]) -> str:
    """The name by which a table with these columns gives the number of a row.

    Raises:
        UnreadableFile: all three names are columns, so that the numbers cannot be asked for.
    """
    names = {column.lower() for column in columns}
    for name in ROW_IDS:
        if name not in names:
            return name
    raise UnreadableFile(path, f"has a table with the columns {', '.join(ROW_IDS)}", remedy="rename one of them")


def number_in(cell: Cell, what: str) -> float:
    """The number in a cell.

    Raises:
        BadLine: it is something else, or is infinite.
    """
    if not isinstance(cell, int | float):
        raise BadLine(f"the {what} is {_kind(cell)}, not a number")
    if not isfinite(cell):
        raise BadLine(f"the {what} is not a finite number")
    return float(cell)


def text_in(cell: Cell, what: str) -> str:
    """The text in a cell.

    Raises:
        BadLine: it is something else.
    """
    if not isinstance(cell, str):
        raise BadLine(f"the {what} is {_kind(cell)}, not a text")
    return cell


def name_in(cell: Cell, what: str) -> str:
    """The text or the integer in a cell, as a text.

    Raises:
        BadLine: it is something else.
    """
    return str(cell) if isinstance(cell, int) else text_in(cell, what)


def shown(cell: Cell) -> str:
    """A cell as it is named in the file of rejected rows."""
    return cell if isinstance(cell, str) else str(cell)


def _text(raw: bytes) -> str | NotUtf8:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return NotUtf8(raw)


def _kind(cell: Cell) -> str:
    if cell is None:
        return "missing"
    if isinstance(cell, NotUtf8):
        return "a text that is not UTF-8"
    if isinstance(cell, bytes):
        return "a blob"
    return "a text" if isinstance(cell, str) else "a number"


def _check(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise UnreadableFile(path, f"cannot be opened ({error.strerror})", remedy="check the path") from error
    if not header.startswith(MAGIC):
        raise UnreadableFile(path, "is not an SQLite database", remedy="unpack it, or check that it is the right file")
    page = int.from_bytes(header[16:18], "big")
    expected = int.from_bytes(header[28:32], "big") * (65_536 if page == 1 else page)
    if size < expected:
        raise UnreadableFile(
            path, f"is truncated: {size:,} of {expected:,} bytes are there", remedy="fetch the file again"
        )

"""Opens SQLite files of knowledge bases for reading; what is wrong with one is said in one line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from harmgraph.graph.common.errors import UnreadableFile

MAGIC = b"SQLite format 3\x00"
CACHE_KIB = 65_536
"""Memory for pages that were read, in KiB: it does not grow with the file."""


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

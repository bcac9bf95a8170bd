"""Answers of language models on disk, by the digest of what was asked, so that nothing is asked twice.

A file of SQLite: each answer is written when it comes, and a kill at any moment leaves those before it. The questions are not in
it, only their digests.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from harmgraph.common.errors import InputError, NoSpace, UnreadableFile
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_file, make_folder

FOLDER, FILE = "answers", "answers.sqlite"
MOST = 1_000_000
"""Answers that are kept; the oldest go first. A million of a judge's take some 200 MB."""
_BUSY_S = 30.0
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY, asked TEXT UNIQUE NOT NULL, answer TEXT NOT NULL)"
)


class AnswerCache:
    """The answers, inside a ``with`` block; several threads may use it.

    Args:
        path: of the file; in harmgraph's home by default.
        most: answers that are kept.
    """

    def __init__(self, path: Path | None = None, *, most: int = MOST) -> None:
        self._path = path or home() / FOLDER / FILE
        self._most = most
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        """Opens the file, and makes it if it is missing.

        Raises:
            NoSpace: it cannot be made or written.
            InputError: another process has it locked for long.
            UnreadableFile: it is damaged.
        """
        with writing(self._path):
            make_folder(self._path.parent)
            make_file(self._path)
        with self._minding():
            file = sqlite3.connect(self._path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                file.execute("PRAGMA journal_mode=WAL")
                file.execute("PRAGMA synchronous=NORMAL")
                file.execute(_TABLE)
            except BaseException:
                file.close()
                raise
            self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Removes the oldest answers over the number that is kept."""
        if self._file is None:
            return
        with self._minding(), closing(self._file) as file:
            self._file = None
            over = "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?"
            file.execute(over, (self._most,))

    def get(self, asked: str) -> Any:
        """The answer to a question; None if there is none.

        Args:
            asked: digest of the question, of who answers it, and how.
        """
        with self._minding():
            row = self._open.execute("SELECT answer FROM answers WHERE asked = ?", (asked,)).fetchone()
        try:
            return from_json(row[0]) if row else None
        except ValueError:  # nobody but a user writes such a line
            return None

    def put(self, asked: str, answer: Any) -> None:
        """Keeps an answer, as plain values.

        Raises:
            NoSpace: it cannot be written.
        """
        text = json.dumps(answer)
        with self._minding():
            self._open.execute("INSERT OR REPLACE INTO answers (asked, answer) VALUES (?, ?)", (asked, text))

    @property
    def _open(self) -> sqlite3.Connection:
        assert self._file is not None, "used outside its with block"
        return self._file

    @contextmanager
    def _minding(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InputError(
                    "is in use by another process",
                    where=str(self._path),
                    remedy="wait until that ends, and run the same command again",
                ) from error
            # a full disk, a file of others
            raise NoSpace(
                f"cannot be written ({error})", where=str(self._path), remedy="make room, or delete it: it is a cache"
            ) from error
        except sqlite3.DatabaseError as error:
            raise UnreadableFile(
                self._path, "is damaged", remedy="delete it: it is a cache, and answers are asked again"
            ) from error

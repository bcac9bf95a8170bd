"""In which line of a TOML file a value is. ``tomllib`` gives values alone, and so does ``tomlkit`` (its issue 55)."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from typing import Any

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}'
    r"|'''.*?''''{0,2}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|\#[^\n]*"
    r"|[][{},=\n]"
    r"""|[^][{},=\s"'#]+""",
    re.DOTALL,
)


class TomlLines:
    """The lines of the keys and list items of a TOML file, found when the first one is asked for.

    Args:
        text: one that ``tomllib`` has read, so that nothing is checked here.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, *path: str | int) -> int:
        """The line of a value, or else of the nearest one that contains it; from 1, 0 where the file has neither.

        Args:
            path: keys, and positions in lists from 0: ``of("step", 1, "options", "source")``.
        """
        return next((self._found[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._found), 0)

    @cached_property
    def _found(self) -> dict[Path, int]:
        scan = _Scan(self._text)
        for token in _TOKEN.finditer(self._text):
            scan.take(token)
        return scan.found


class _Scan:
    """Goes through a file token by token.

    Attributes:
        found: the first line of each path.
    """

    def __init__(self, text: str) -> None:
        self.found: dict[Path, int] = {}
        self._text = text
        self._line = 1
        self._table: Path = ()  # of the latest header
        self._counts: dict[Path, int] = {}  # how many [[tables]] of a name there were, less one
        self._inside: list[tuple[Path, int | None]] = []  # the open lists, with the item's position, and inline tables
        self._path: Path = ()  # of the value that comes next
        self._key = -1  # where the key began; -1 before it
        self._wanted = "key"  # or value, end of a value, end of the line

    def take(self, token: re.Match[str]) -> None:
        word = token[0]
        if word == "\n" and not self._inside:
            self._key, self._wanted = -1, "key"
        elif word == "\n" or word.startswith("#"):
            pass
        elif self._wanted == "key":
            self._take_key(word, token.start())
        elif self._wanted == "value":
            self._take_value(word)
        elif self._wanted == "end":
            self._take_end(word)
        self._line += word.count("\n")

    def _take_key(self, word: str, start: int) -> None:
        if word == "}":
            self._close()
        elif word == "[" and self._key < 0 and not self._inside:
            header = tomllib.loads(self._text[start:].partition("\n")[0])
            self._table = self._numbered(_keys(header), several=self._text.startswith("[[", start))
            self._note(self._table)
            self._wanted = "line"
        elif word == "=":
            above = self._inside[-1][0] if self._inside else self._table
            self._path = (*above, *_keys(tomllib.loads(f"{self._text[self._key : start]} = 0")))
            self._note(self._path)
            self._wanted = "value"
        elif self._key < 0:
            self._key = start

    def _take_value(self, word: str) -> None:
        if word == "]":
            self._close()
            return
        above, number = self._inside[-1] if self._inside else ((), None)
        if number is not None:
            self._path = (*above, number)
            self._note(self._path)
        if word == "[":
            self._inside.append((self._path, 0))
        elif word == "{":
            self._inside.append((self._path, None))
            self._key, self._wanted = -1, "key"
        else:
            self._wanted = "end"

    def _take_end(self, word: str) -> None:
        if word in ("]", "}"):
            self._close()
        elif word == ",":
            above, number = self._inside.pop()
            self._inside.append((above, None if number is None else number + 1))
            self._key, self._wanted = -1, "key" if number is None else "value"

    def _close(self) -> None:
        self._inside.pop()
        self._wanted = "end"

    def _numbered(self, keys: list[str], *, several: bool) -> Path:
        """The path of a header, with the positions of the [[tables]] in it."""
        path: Path = ()
        for number, key in enumerate(keys, 1):
            path = (*path, key)
            if several and number == len(keys):
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _note(self, path: Path) -> None:
        for end in range(1, len(path) + 1):
            self.found.setdefault(path[:end], self._line)


def _keys(table: Any) -> list[str]:
    """The keys of tables inside each other, as ``tomllib`` reads one header or key."""
    keys = []
    while table:
        ((key, table),) = table.items()
        keys.append(key)
        if isinstance(table, list):
            (table,) = table
    return keys

"""Word lists: plain lists, categories with their words and LIWC dictionaries; and the score of a text by its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, Score
from harmgraph.common.user_file import read_lines

_WORD = re.compile(r"\w[\w'+*-]*")


@dataclass(frozen=True)
class WordList:
    """Words in lower case; an entry that ends in ``*`` matches all words with that beginning."""

    entries: frozenset[str]

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(entry[:-1] for entry in self.entries if entry.endswith("*") and len(entry) > 1)

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(stem) for stem in self._stems}))

    def __contains__(self, word: str) -> bool:
        return word in self.entries or any(word[:length] in self._stems for length in self._lengths)


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


def balance(text: str, positive: WordList, negative: WordList) -> Score:
    """Labels a text by whether it has more positive or negative words; the value is 2 p / (p + n) - 1, 0 without any."""
    words = words_of(text)
    p, n = sum(word in positive for word in words), sum(word in negative for word in words)
    label = POSITIVE if p > n else NEGATIVE if n > p else NEUTRAL
    return Score(label, (p - n) / (p + n) if p + n else 0.0)


def read_words(path: Path) -> WordList:
    """Reads a plain list with one word on each line; ``;`` and ``#`` start a comment (Hu and Liu's format).

    Raises:
        UnreadableFile: it cannot be read or contains no word.
    """
    words = frozenset(line.strip().lower() for line in _lines(path) if line.strip() and line[0] not in ";#")
    if not words:
        raise UnreadableFile(path, "holds no word", remedy="write one a line")
    return WordList(words)


def read_categories(path: Path) -> dict[str, WordList]:
    """Reads categories with their words: a LIWC dictionary, or lines of a category and its words, separated by tabs.

    A LIWC dictionary begins with ``%``, then ``number TAB category`` lines up to the next ``%``, then
    ``word TAB number TAB number ...``. A plain list becomes one category with the file's name.

    Raises:
        UnreadableFile: it cannot be read, or a line has another form.
    """
    lines = _lines(path)
    if lines and lines[0].strip() == "%":
        return _liwc(path, lines)
    rows = [line.split("\t") for line in lines if line.strip() and line[0] not in ";#"]
    if rows and all(len(row) > 1 for row in rows):
        return {row[0].strip(): WordList(_clean(row[1:])) for row in rows}
    return {path.stem: read_words(path)}


def _liwc(path: Path, lines: list[str]) -> dict[str, WordList]:
    names: dict[str, str] = {}
    categories: dict[str, set[str]] = {}
    in_head = True
    for number, line in enumerate(lines[1:], 2):
        cells = [cell.strip() for cell in re.split(r"\t+", line.strip()) if cell.strip()]
        if not cells:
            continue
        if cells == ["%"]:
            in_head = False
        elif in_head:
            if len(cells) < 2:
                raise UnreadableFile(path, "a number and a category are expected", line=number)
            names[cells[0]] = cells[1].split(" ")[0]
        else:
            for mark in cells[1:]:
                if mark not in names:
                    raise UnreadableFile(path, f"no category has the number {mark[:20]!r}", line=number)
                categories.setdefault(names[mark], set()).add(cells[0].lower())
    return {name: WordList(frozenset(words)) for name, words in categories.items()}


def _clean(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.strip().lower() for word in words if word.strip())


def chosen_words(categories: Mapping[str, WordList], names: Iterable[str]) -> WordList:
    """The words of several categories together.

    Raises:
        KeyError: there is no category with one of the names; its only argument is that name.
    """
    return WordList(frozenset().union(*(categories[name].entries for name in names)))


def _lines(path: Path) -> list[str]:
    # Some released lists are in Latin-1; their words with letters outside ASCII then match nothing.
    return read_lines(path, errors="replace")

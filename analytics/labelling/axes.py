"""Dictionaries of several axes: words that are high or low on each, such as warmth and competence.

Nicolas, Bai and Fiske (2021) publish such dictionaries for the dimensions of stereotypes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harmgraph.analytics.labelling.masking import MASK
from harmgraph.analytics.labelling.word_lists import read_categories, words_of
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.user_file import read_lines

COLUMNS = ("word", "axis", "direction")
DIRECTIONS = {"1": 1, "+1": 1, "1.0": 1, "high": 1, "0": 0, "0.0": 0, "-1": -1, "-1.0": -1, "low": -1}
NO_DIRECTION = frozenset({"", "na", "nan"})
FORMS = (
    "CSV with the columns word, axis, direction (1, 0, -1); CSV with word and a column NAME_dir for each axis; or a LIWC .dic "
    "file with categories such as warmth_high and warmth_low"
)
_WORD_COLUMNS = ("word", "values0", "tv", "term")
_DIRECTION_COLUMN = re.compile(r"(?P<axis>.+?)[ _.](?:dir|direction)", re.IGNORECASE)
_CATEGORY = re.compile(
    r"(?P<axis>.+?)(?:[ _.](?:dic|dict))?(?:[ _.-]?(?P<sign>[+-])|[ _.-](?P<end>high|hi|pos|positive|low|lo|neg|negative))",
    re.IGNORECASE,
)
_HIGH = frozenset({"+", "high", "hi", "pos", "positive"})
_MASK = re.compile(rf"\b{MASK}\b", re.IGNORECASE)
Entry = tuple[str, str, int, int]  # word, axis, direction, line


@dataclass(frozen=True, slots=True)
class Axis:
    """The words of an axis.

    Attributes:
        words: the mean direction of each word or phrase, from -1 (low) to 1 (high).
        stems: the same of beginnings: an entry that ends in ``*`` matches all words with that beginning.
        longest: number of words in the longest phrase.
    """

    name: str
    words: Mapping[str, float] = field(repr=False)
    stems: Mapping[str, float] = field(repr=False)
    longest: int = 1

    def score(self, text: str) -> float | None:
        """The mean direction of the words of a text that the axis has; None without any.

        The longest phrase counts before its words, a whole word before a beginning, and the longest beginning before others. The
        words of a mask are no words of the text.
        """
        found = list(self._directions(words_of(_MASK.sub(" ", text))))
        return sum(found) / len(found) if found else None

    def _directions(self, words: Sequence[str]) -> Iterator[float]:
        at = 0
        while at < len(words):
            for size in range(min(self.longest, len(words) - at), 0, -1):
                direction = self.words.get(" ".join(words[at : at + size]))
                if direction is not None:
                    yield direction
                    at += size
                    break
            else:
                word = words[at]
                stem = next((word[:end] for end in range(len(word), 0, -1) if word[:end] in self.stems), None)
                if stem is not None:
                    yield self.stems[stem]
                at += 1


def read_axes(path: Path) -> dict[str, Axis]:
    """The axes of a dictionary, by name, in the order of the file.

    Raises:
        UnreadableFile: it cannot be read, is not UTF-8 or of another form, has a line without a word, or no axis.
    """
    lines = read_lines(path)
    first = next((line for line in lines if line.strip()), "")
    entries = _of_liwc(path) if first.strip() == "%" else _of_table(path, lines)
    directions: dict[str, dict[str, list[int]]] = {}
    for word, axis, direction, line in entries:
        name = axis_name(axis)
        if name is None:
            raise UnreadableFile(
                path, f"{axis[:30]!r} cannot be the name of an axis", line=line, remedy="begin it with a letter"
            )
        known = words_of(word.rstrip("*"))
        text = " ".join(known) + ("*" if word.endswith("*") else "")
        if not known and line:  # of LIWC's form the emoticons are left out
            raise UnreadableFile(path, f"{word[:20]!r} is no word", line=line, remedy=f"write {FORMS}")
        if known:
            directions.setdefault(name, {}).setdefault(text, []).append(direction)
    if not directions:
        raise UnreadableFile(path, "has no axis with a direction", remedy=f"write {FORMS}")
    return {name: _axis(name, words) for name, words in directions.items()}


def axis_name(written: str) -> str | None:
    """The measure's name of an axis, in lower case with ``_`` for all but letters and digits; None if it cannot be one."""
    name = re.sub(r"\W+", "_", written.strip().lower(), flags=re.ASCII).strip("_")
    return name if re.fullmatch(r"[a-z][a-z0-9_]{0,60}", name) else None


def _axis(name: str, directions: Mapping[str, Sequence[int]]) -> Axis:
    means = {word: sum(given) / len(given) for word, given in directions.items()}
    words = {word: mean for word, mean in means.items() if not word.endswith("*")}
    stems = {word[:-1]: mean for word, mean in means.items() if word.endswith("*")}
    return Axis(name, words, stems, max((word.count(" ") + 1 for word in words), default=1))


def _of_liwc(path: Path) -> Iterator[Entry]:
    """Of categories whose names say a direction; the others are left out."""
    for category, words in read_categories(path).items():
        match = _CATEGORY.fullmatch(category)
        if match:
            direction = 1 if (match["sign"] or match["end"].lower()) in _HIGH else -1
            for word in sorted(words.entries):
                yield word, match["axis"], direction, 0


def _of_table(path: Path, lines: Iterable[str]) -> Iterator[Entry]:
    reader = csv.DictReader(lines)
    try:
        names = {name.strip().lower(): name for name in reader.fieldnames or () if name}
        if all(name in names for name in COLUMNS):
            for row in reader:
                direction = _direction(path, reader.line_num, row[names["direction"]])
                if direction is not None:
                    yield row[names["word"]] or "", row[names["axis"]] or "", direction, reader.line_num
            return
        word = next((names[name] for name in _WORD_COLUMNS if name in names), None)
        axes = {name: match["axis"] for name in names.values() if (match := _DIRECTION_COLUMN.fullmatch(name.strip()))}
        if word is None or not axes:
            raise UnreadableFile(path, "is no dictionary of axes", remedy=f"write {FORMS}")
        for row in reader:
            for column, axis in axes.items():
                direction = _direction(path, reader.line_num, row[column])
                if direction is not None:
                    yield row[word] or "", axis, direction, reader.line_num
    except csv.Error as error:
        raise UnreadableFile(
            path, f"is not CSV ({error})", line=reader.line_num, remedy="quote texts with commas"
        ) from error


def _direction(path: Path, line: int, text: str | None) -> int | None:
    """1, 0 or -1; None where the word has none on the axis."""
    given = (text or "").strip().lower()
    if given in NO_DIRECTION:
        return None
    if given not in DIRECTIONS:
        raise UnreadableFile(path, f"{given[:20]!r} is no direction", line=line, remedy="write 1, 0 or -1")
    return DIRECTIONS[given]

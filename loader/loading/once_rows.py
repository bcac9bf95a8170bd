"""Rows for a CSV file of which most surely come once: these are written at once, and only the others wait to be merged.

Writing rows where they stay takes a third of the time of ``KeyedRows``, which writes them to parts, reads these and writes again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from harmgraph.common.spill import Spill
from harmgraph.common.whole_file import beside
from harmgraph.loader.loading.keyed_rows import REMEDY, KeyedRows

if TYPE_CHECKING:
    import numpy

WAITING = 100_000  # notes that are kept in memory


class OnceRows:
    """Writes rows by key; of equal keys the last row is kept. Memory: 8 bytes for each row that may be repeated, at the end.

    Args:
        folder: for the files.
        name: of the files, without a suffix.
        end: of each line.

    Attributes:
        multiline: whether a row contains a line break.
    """

    def __init__(self, folder: Path, name: str, end: str) -> None:
        self._folder = folder
        self._path = folder / f"{name}.csv"
        self._others_path = folder / f"{name}-others.csv"
        self._end = end
        self._file: TextIO = self._path.open("w", encoding="utf-8", newline="")
        self._written = False
        self._notes: Spill[array[int]] = Spill(partial(array, "q"), folder=folder, remedy=REMEDY)
        self._others = KeyedRows(folder)
        self._others_hashes: Spill[array[int]] = Spill(partial(array, "q"), folder=folder, remedy=REMEDY)
        self._has_others = False
        self.multiline = False

    def put(self, rows: Sequence[tuple[str, str]], *, surely_new: bool) -> None:
        """Adds rows, each a key and what follows it.

        Args:
            surely_new: whether these keys certainly occur for the first time; otherwise the rows may replace earlier ones.

        Raises:
            OSError, NoSpace: the disk is full.
        """
        if not rows:
            return
        end = self._end
        text = "".join([f"{key}{row}{end}" for key, row in rows])
        self.multiline = self.multiline or text.count("\n") > len(rows) or "\r" in text
        if surely_new:
            self._file.write(text)
            self._written = True
            self._note(self._notes, [number for key, _ in rows for number in (hash(key), len(key))])
        else:
            self._has_others = True
            for key, row in rows:
                self._others.put(key, row)
            self._note(self._others_hashes, [hash(key) for key, _ in rows])

    @staticmethod
    def _note(notes: Spill[array[int]], numbers: list[int]) -> None:
        waiting = notes.waiting[0]
        waiting.extend(numbers)
        if len(waiting) >= WAITING:
            notes.write(0)

    def close(self) -> None:
        """Drops what waits; files that are written stay."""
        with suppress(OSError):  # on a full disk closing fails too, and why has been said
            self._file.close()
        self._notes.close()
        self._others.close()
        self._others_hashes.close()

    def write(self) -> list[Path]:
        """Finishes the files; returns those with rows.

        Raises:
            OSError, NoSpace: the disk is full.
        """
        self._file.close()
        paths = [self._path] if self._written else []
        if self._has_others:
            replaced = list(self._replaced())
            if replaced:
                self._move(replaced)
            self._others.write(self._others_path, self._end)
            paths.append(self._others_path)
        return paths

    def _replaced(self) -> Iterator[tuple[int, int]]:
        """Rows of the file whose keys may be among those of the others: number of the row, length of the key."""
        import numpy as np

        hashes = [_numbers(piece) for piece in self._others_hashes.pieces(0)]
        wanted = np.unique(np.concatenate(hashes))
        self._others_hashes.close()
        before = 0
        for piece in self._notes.pieces(0):
            notes = _numbers(piece).reshape(-1, 2)
            for place in np.flatnonzero(np.isin(notes[:, 0], wanted)).tolist():
                yield before + place, int(notes[place, 1])
            before += len(notes)

    def _move(self, rows: list[tuple[int, int]]) -> None:
        """Takes rows out of the file and puts them before the others, which replace those with equal keys."""
        moved = KeyedRows(self._folder)
        following = iter(rows)
        number, length = next(following)
        with beside(self._path) as part, part.open("w", encoding="utf-8", newline="") as out:
            for place, line in enumerate(_whole_lines(self._path)):
                if place != number:
                    out.write(line)
                    continue
                moved.put(line[:length], line[length : -len(self._end)])
                number, length = next(following, (-1, 0))
        with closing(self._others) as others:
            for key, row in others.items():
                moved.put(key, row)
        self._others = moved


def _numbers(piece: array[int]) -> numpy.ndarray[Any, Any]:
    import numpy as np

    return np.array(piece, np.int64)  # a copy: an array cannot be emptied while another shares its memory


def _whole_lines(path: Path) -> Iterator[str]:
    """The lines of a CSV file; a line break within quotes does not end one."""
    with path.open(encoding="utf-8", newline="\n") as file:
        parts: list[str] = []
        quotes = 0
        for part in file:
            parts.append(part)
            quotes += part.count('"')
            if quotes % 2 == 0:
                yield "".join(parts)
                parts.clear()

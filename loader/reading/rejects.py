"""Writes rejected lines to a file, and stops an import with too many of them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from harmgraph.common.errors import NoSpace, TooManyRejects
from harmgraph.common.private import make_file, make_folder
from harmgraph.common.whole_file import followed, is_stream, opened
from harmgraph.graph.records import Rejection

SHOWN = 3  # of the first lines, in messages
LOOKED_AT = 50  # of the first lines, for advice
EARLY = 1_000  # lines after which the share is checked; nothing is written to the graph before


class Rejects:
    """Writes rejections as ``file, line, reason, text`` (tab separated); the file is created with the first one.

    Args:
        path: where to write.
        allowed: maximum share of rejected lines, 0 to 1.
        where: the source's name, for the error message.
        advice: what the first rejected lines say of the file; see ``Importer.advice``.

    Attributes:
        first: the first rejected lines, as ``kb.tsv:7: the head is empty``.
        count: number of rejections; a line can have several.
        lines: number of lines with a rejection.
    """

    def __init__(
        self, path: Path, allowed: float, where: str, advice: Callable[[Sequence[str]], str] = lambda _: ""
    ) -> None:
        self.path = path
        self.allowed = allowed
        self.count = 0
        self.lines = 0
        self.first: list[str] = []
        self._texts: list[str] = []
        self._last = (-1, "", 0)
        self._where = where
        self._advice = advice
        self._file: IO[str] | None = None
        self._writer: Any = None

    def __enter__(self) -> Self:
        # Remove the file of an earlier run; of a link, the file that it leads to.
        place = followed(self.path)
        try:
            if not is_stream(self.path) and place.is_file():
                place.unlink()
        except OSError as error:
            raise self._unwritable(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            try:
                self._file.close()
            except OSError as failed:
                # On a full disk the last write has already failed, and closing tries it again.
                if not isinstance(error, NoSpace):
                    raise self._unwritable(failed) from failed

    def add(self, rejection: Rejection, file: int = 0) -> None:
        """Writes a rejection; the rejections of a file must come in the order of its lines.

        Args:
            file: number of the file, because files in different folders can have the same name.

        Raises:
            NoSpace: the file cannot be written.
        """
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(f"{rejection.file}:{rejection.line}: {rejection.reason}")
        if len(self._texts) < LOOKED_AT:
            self._texts.append(rejection.text)
        place = file, rejection.file, rejection.line
        if place != self._last:
            self._last = place
            self.lines += 1
        try:
            if self._file is None:
                if not is_stream(self.path):
                    make_folder(followed(self.path).parent)
                    make_file(followed(self.path))
                self._file = opened(self.path, errors="backslashreplace", newline="")
                self._writer = csv.writer(self._file, delimiter="\t")
                self._writer.writerow(["file", "line", "reason", "text"])
            self._writer.writerow([rejection.file, rejection.line, rejection.reason, rejection.text])
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> NoSpace:
        return NoSpace(
            f"rejected lines cannot be written ({error.strerror})",
            where=str(self.path),
            remedy="name another file with --rejects",
        )

    def check(self, read: int, *, last: bool = False) -> None:
        """Checks that not too many of the ``read`` lines were rejected; give ``last`` at the end.

        Raises:
            TooManyRejects: more than the allowed share.
        """
        if (last or read >= EARLY) and read and self.lines / read > self.allowed:
            advice = self._advice(self._texts)
            raise TooManyRejects(
                self._where, self.lines, read, self.allowed, str(self.path), advice=advice, examples=self.first
            )

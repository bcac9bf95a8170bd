"""Items that are too many for memory: divided by a hash into parts, which wait in temporary files without names."""

from __future__ import annotations

import marshal
import tempfile
from array import array
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from harmgraph.common.errors import NoSpace

PARTS = 64
REMEDY = "make room, or set TMPDIR to a folder that has some"

Items = TypeVar("Items", bound=MutableSequence[Any])


class Spill(Generic[Items]):
    """Plain values in parts. The newest of a part wait in memory, in ``waiting``; ``write`` moves them to the part's file.

    Items are appended to ``waiting[digest % PARTS]`` by the caller, who also decides when these are enough to be written: a
    call for every item would take longer than all else. The files exist from the first ``write`` on and vanish with the process.
    Every method raises ``NoSpace`` if a file cannot be created, cannot grow or cannot be read back.

    Args:
        new: makes an empty sequence, and one of the values of another or of the bytes of an array.
        folder: for the files; None for the system's folder of temporary files.
        remedy: what the user can do if the disk is full.
    """

    def __init__(self, new: Callable[..., Items], *, folder: Path | None = None, remedy: str = REMEDY) -> None:
        self.waiting: list[Items] = [new() for _ in range(PARTS)]
        self._new = new
        self._folder = folder
        self._remedy = remedy
        self._files: dict[int, IO[bytes]] = {}  # by part
        self._ends = [array("q") for _ in range(PARTS)]  # of the pieces in a part's file

    def write(self, part: int) -> None:
        """Moves what waits of a part to its file, as one piece."""
        ends = self._ends[part]
        start = ends[-1] if ends else 0
        waiting: Any = self.waiting[part]  # marshal takes lists of plain values and arrays
        content = marshal.dumps(waiting)
        try:
            self._append(part, start, memoryview(content))
        except OSError as error:
            raise self._no_space(error.strerror or str(error)) from error
        ends.append(start + len(content))
        del waiting[:]

    def pieces(self, part: int) -> Iterator[Items]:
        """All items of a part in their order, some at a time; they stay."""
        start = 0
        for end in self._ends[part]:
            yield self._new(marshal.loads(self._piece(part, start, end)))
            start = end
        if self.waiting[part]:
            yield self.waiting[part]

    def drop(self, part: int) -> None:
        """Drops the items of a part and frees their space."""
        del self.waiting[part][:]
        del self._ends[part][:]
        file = self._files.pop(part, None)
        if file is not None:
            # Nothing in it is needed any more, and on a full disk closing may fail too.
            with suppress(OSError):
                file.close()

    def close(self) -> None:
        """Drops everything."""
        for part in range(PARTS):
            self.drop(part)

    def _append(self, part: int, start: int, left: memoryview) -> None:
        file = self._files.get(part)
        if file is None:
            # Unbuffered: what is written is on the disk or fails here, not later when the file is closed.
            file = tempfile.TemporaryFile(prefix="harmgraph-", buffering=0, dir=self._folder)  # noqa: SIM115 - see drop
            self._files[part] = file
        file.seek(start)  # over what an earlier attempt left
        while left:  # an unbuffered file may write only a part
            taken = file.write(left)
            if not taken:
                raise self._no_space("nothing more is taken")
            left = left[taken:]

    def _piece(self, part: int, start: int, end: int) -> bytearray:
        # Read in one piece: ``marshal.load`` would read every single value separately from an unbuffered file.
        file = self._files[part]
        data = bytearray()
        try:
            file.seek(start)
            while len(data) < end - start:
                read = file.read(end - start - len(data))
                if not read:
                    raise self._no_space(f"they end after {len(data):,} of {end - start:,} bytes")
                data += read
        except OSError as error:
            raise self._no_space(error.strerror or str(error)) from error
        return data

    def _no_space(self, why: str) -> NoSpace:
        where = self._folder or (tempfile.gettempdir() if tempfile.tempdir else "")
        return NoSpace(f"temporary files cannot be written ({why})", where=str(where), remedy=self._remedy)

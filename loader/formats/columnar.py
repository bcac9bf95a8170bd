"""Files of columns, not of lines: Parquet, and Arrow as a file (Feather) or as a stream, as ``datasets`` saves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import BadRecord, UnreadableFile
from harmgraph.common.row_forms import needed
from harmgraph.graph.records import Record, Skip
from harmgraph.loader.formats.importer import LeftOut, rejected
from harmgraph.loader.formats.lines import Lines

PARQUET, ARROW, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
ROWS = 5_000  # of a Parquet file, read at once
RowParser = Callable[[tuple[Any, ...], int], Record]
"""Turns the cells of a row and its number, from 1, into a record; raises as a ``Parser`` of lines does."""
FORMS = {PARQUET: "Parquet", ARROW: "Arrow", STREAM: "Arrow"}


def columnar_form(start: bytes) -> str:
    """``Parquet`` or ``Arrow``, by the first bytes of a file; empty for any other."""
    return next((form for magic, form in FORMS.items() if start.startswith(magic)), "")


@dataclass(frozen=True, slots=True)
class ColumnarFile:
    """An open file.

    Attributes:
        names: of its columns. rows: how many it has; 0 where only the end tells.
    """

    names: tuple[str, ...]
    rows: int
    _batches: Any

    def cells(self, at: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """The cells of each row in some columns, by their places; others are not read where the form allows that."""
        for batch in self._batches(at):
            yield from zip(*(batch.column(place).to_pylist() for place in range(len(at))), strict=True)


@contextmanager
def columnar(lines: Lines) -> Iterator[ColumnarFile]:
    """Opens a file.

    Raises:
        MissingExtra: pyarrow is not installed.
        UnreadableFile: it is no such file, or not all of it; also while it is read.
    """
    arrow = needed()
    path, form = lines.path, columnar_form(lines.start)
    try:
        if form == "Parquet":
            from pyarrow import parquet

            with parquet.ParquetFile(path) as file:
                names = tuple(file.schema_arrow.names)

                def some(at: Sequence[int]) -> Iterator[Any]:
                    wanted = [names[place] for place in at]
                    for batch in file.iter_batches(batch_size=ROWS, columns=wanted):
                        yield batch.select(wanted)

                yield ColumnarFile(names, file.metadata.num_rows, some)
        else:
            with arrow.memory_map(str(path)) as raw:
                is_file = lines.start.startswith(ARROW)
                reader = (arrow.ipc.open_file if is_file else arrow.ipc.open_stream)(raw)
                batches = (reader.get_batch(at) for at in range(reader.num_record_batches)) if is_file else reader
                yield ColumnarFile(
                    tuple(reader.schema.names), 0, lambda at: (batch.select(list(at)) for batch in batches)
                )
    except (arrow.ArrowException, OSError) as error:
        said = (str(error).splitlines() or [""])[0][:100]
        raise UnreadableFile(path, f"is no whole {form or 'Arrow'} file ({said})", remedy="fetch it again") from error


def parsed_rows(lines: Lines, file: ColumnarFile, at: Sequence[int], parse: RowParser) -> Iterator[Record]:
    """The records of the rows, by a parser of their cells; the number of a row, from 1, is that of its line."""
    for number, cells in enumerate(file.cells(at), 1):
        lines.rows = number
        lines.note_progress(number, file.rows or number)
        try:
            yield parse(cells, number)
        except BadRecord as bad:
            yield rejected(lines.name, number, bad, ", ".join(map(str, cells)))
        except LeftOut as left:
            yield Skip(number, left.reason)

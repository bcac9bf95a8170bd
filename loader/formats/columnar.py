"""Files of columns, not of lines: Parquet, and Arrow as a file (Feather) or as a stream, as ``datasets`` saves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import BadRecord, UnreadableFile
from harmgraph.common.row_forms import needed
from harmgraph.graph.records import Record, Skip
from harmgraph.loader.formats.importer import BadLine, LeftOut, rejected
from harmgraph.loader.formats.lines import Lines

PARQUET, ARROW, STREAM = b"PAR1\x15", b"ARROW1\x00\x00", b"\xff\xff\xff\xff"  # a text may begin with PAR1
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
            yield from zip(*(_values(batch.column(place)) for place in range(len(at))), strict=True)


def _values(column: Any) -> list[Any]:
    """The values of a column; bytes are texts, as old programs write them, and stay bytes where they are not UTF-8."""
    try:
        values = column.to_pylist()
    except UnicodeDecodeError:
        arrow = needed()
        large = arrow.types.is_large_string(column.type)
        values = column.cast(arrow.large_binary() if large else arrow.binary()).to_pylist()
    return [_decoded(value) if isinstance(value, bytes) else value for value in values]


def _decoded(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


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
                    for name in wanted:
                        if names.count(name) > 1:
                            raise UnreadableFile(
                                path, f"has several columns {name[:40]!r}", remedy="rename all but one"
                            )
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


def text_of(value: Any, what: str) -> str:
    """A cell that must be a text.

    Raises:
        BadLine: it is empty, not UTF-8, or of another type.
    """
    if isinstance(value, str):
        return value
    kind = "empty" if value is None else "not UTF-8" if isinstance(value, bytes) else "not a text"
    raise BadLine(f"{what} is {kind}")


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

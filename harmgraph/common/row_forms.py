"""Rows in the forms that other programs and pages read: JSON lines, Parquet, Markdown.

What a new version may change is in docs/outputs.md, and ``harmgraph schema`` prints the columns of each output.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from typing import IO, Any, TextIO, cast

from harmgraph.common.errors import InputError, MissingExtra
from harmgraph.common.markdown_text import markdown_text
from harmgraph.common.terminal import data_stream
from harmgraph.common.version import SHAPE, VERSION

EXTRA = "arrow"
_PLAIN = {"string": "string", "int": "int64", "float": "float64", "bool": "bool_"}
_BYTES_TO: ContextVar[IO[bytes] | None] = ContextVar("_BYTES_TO", default=None)


def without_nan(value: Any) -> Any:
    """The value with NaN and infinity replaced by None, since JSON cannot express them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): without_nan(item) for key, item in value.items()}
    return [without_nan(item) for item in value] if isinstance(value, list | tuple) else value


def json_of(value: Any, indent: int | None = None) -> str:
    """A value as JSON; what JSON does not know is a text."""
    return json.dumps(without_nan(value), indent=indent, ensure_ascii=False, default=str, allow_nan=False)


def print_json_lines(rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints a JSON object a line for each row."""
    for row in rows:
        print(json_of(dict(row)))


def print_markdown(headings: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]], title: str) -> None:
    """Prints a table of Markdown, as GitHub reads it, and the version in a comment.

    Args:
        headings: of the columns. numeric: which columns stand to the right.
        rows: the cells of each row, as texts.
    """
    lines = [f"**{markdown_text(title)}**", ""] if title else []
    if headings:
        lines.append(_line([markdown_text(heading) or " " for heading in headings]))
        lines.append(_line(["---:" if right else "---" for right in numeric]))
        lines += [_line([markdown_text(cell) for cell in row]) for row in rows]
    lines += ["", f"<!-- harmgraph {VERSION}, shape {SHAPE} -->", ""]
    data_stream().writelines(f"{line}\n" for line in lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


@contextmanager
def bytes_to_stdout() -> Iterator[None]:
    """Keeps stdout for the bytes of a Parquet file until the block ends; all that is printed besides goes to stderr.

    Raises:
        MissingExtra: pyarrow is not installed.
        InputError: stdout is a terminal.
    """
    if _BYTES_TO.get() is not None:  # a command that calls another one
        yield
        return
    needed()
    if sys.stdout.isatty():
        raise InputError(
            "parquet is bytes, which a terminal cannot show", remedy="write them to a file: > FILE.parquet"
        )
    before = _BYTES_TO.set(_binary(sys.stdout))
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _BYTES_TO.reset(before)


def needed() -> Any:
    """The package pyarrow.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("pyarrow", EXTRA) from error
    return pyarrow


def _binary(stream: IO[str]) -> IO[bytes]:
    stream.flush()
    return cast(TextIO, stream).buffer


def print_parquet(rows: Sequence[Mapping[str, Any]], names: Sequence[str], types: Mapping[str, str]) -> None:
    """Writes rows to stdout as a Parquet file.

    Args:
        names: of the columns, in order.
        types: of some columns, as the headers of ``cypher/`` write them; of the others the values tell it.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    needed()
    from pyarrow import parquet

    stream = _BYTES_TO.get() or _binary(sys.stdout)
    parquet.write_table(arrow_table(rows, names, types), stream)
    stream.flush()


def arrow_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str], types: Mapping[str, str]) -> Any:
    """The rows as a ``pyarrow.Table``, whose metadata has the version.

    A column is one of texts, numbers, truth values, or lists of one of these. Anything else is a text of JSON.

    Args:
        names, types: as for ``print_parquet``.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow = needed()
    columns = [_array(arrow, [row.get(name) for row in rows], types.get(name, "")) for name in names]
    return arrow.Table.from_arrays(columns, names=list(names), metadata={"harmgraph": VERSION, "shape": str(SHAPE)})


def _array(arrow: Any, values: Sequence[Any], kind: str) -> Any:
    """The values of a column; of the type that is declared, else of the one that fits them all, else as texts."""
    cells = [_cell(value) for value in values]
    declared = _arrow_type(arrow, kind)
    try:
        array = arrow.array(cells)
        if declared is not None and (_is_empty(arrow, array) or arrow.types.is_integer(array.type)):
            array = array.cast(declared)  # numbers that all happen to be whole tell no type, nor does no value
    except (arrow.ArrowException, OverflowError):
        pass
    else:
        if _is_plain(arrow, array.type):
            return array
    return arrow.array([cell if cell is None or isinstance(cell, str) else json_of(cell) for cell in cells], "string")


def _is_empty(arrow: Any, array: Any) -> bool:
    """Whether no value tells the type of a column: all are missing, or are empty lists."""
    kind = array.type.value_type if arrow.types.is_list(array.type) else array.type
    return bool(arrow.types.is_null(kind))


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, int | float):
        return without_nan(value)
    if isinstance(value, list | tuple) and not any(isinstance(item, list | tuple | dict) for item in value):
        return [_cell(item) for item in value]
    text = json_of(value) if isinstance(value, list | tuple | dict) else str(value)
    return text.encode(errors="backslashreplace").decode()  # the name of a file may have bytes that are no text


def _arrow_type(arrow: Any, kind: str) -> Any:
    """The Arrow type of a header's type; None where values must tell it."""
    plain = kind.removesuffix("|null")
    if plain.startswith("list<") and plain.endswith(">"):
        inner = _arrow_type(arrow, plain[len("list<") : -1])
        return None if inner is None else arrow.list_(inner)
    return getattr(arrow, _PLAIN[plain])() if plain in _PLAIN else None


def _is_plain(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    if types.is_list(kind):
        return _is_plain(arrow, kind.value_type) and not types.is_list(kind.value_type)
    return any(
        is_kind(kind)
        for is_kind in (types.is_string, types.is_integer, types.is_floating, types.is_boolean, types.is_null)
    )

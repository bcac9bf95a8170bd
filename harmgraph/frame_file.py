"""A data frame as a file that the importer ``triples`` reads, for ``KnowledgeBase.load_frame``."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.common.errors import BadName, InputError

if TYPE_CHECKING:
    import pandas

    from harmgraph.knowledge_base import Frame

ROWS_AT_ONCE = 50_000


@contextmanager
def frame_file(frame: Frame, columns: Mapping[str, str], source: str) -> Iterator[Path]:
    """Yields a temporary CSV file without a header; equal frames give equal files.

    A missing value is an empty cell; a missing weight is none. A line break within a cell becomes a space: a triple is a line.

    Args:
        frame: of pandas, or what gives itself as Arrow: a frame of Polars, a table of pyarrow or DuckDB.
        columns: names of the frame's columns by those of a triple, in the order of the file.

    Raises:
        BadName: the frame has no such column.
        InputError: it is no frame.
        MissingExtra: it is one of Arrow, and pyarrow is not installed.
    """
    frame = _as_pandas(frame)
    for name in columns.values():
        if name not in frame.columns:
            known = ", ".join(map(str, frame.columns))
            raise BadName("column", name, f"is not in the data frame; it has {known}")
    stem = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in source)[:80] or "frame"
    with tempfile.TemporaryDirectory(prefix="harmgraph-") as folder:
        path = Path(folder) / f"{stem}.csv"
        chosen = frame[list(columns.values())]
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            write = csv.writer(file, lineterminator="\n").writerow
            for first in range(0, len(chosen), ROWS_AT_ONCE):
                part = chosen.iloc[first : first + ROWS_AT_ONCE]
                for row, missing in zip(part.itertuples(index=False), part.isna().itertuples(index=False), strict=True):
                    cells = [
                        "" if lost else " ".join(str(value).split()) for value, lost in zip(row, missing, strict=True)
                    ]
                    # A line may end before the weight; an empty one is not a number.
                    write(cells[:-1] if "weight" in columns and not cells[-1] else cells)
        yield path


def _as_pandas(frame: Frame) -> pandas.DataFrame:
    import pandas

    if isinstance(frame, pandas.DataFrame):
        return frame
    if not hasattr(frame, "__arrow_c_stream__"):
        raise InputError(f"a {type(frame).__name__} is no data frame", remedy="give one of pandas, Polars or Arrow")
    from harmgraph.common.row_forms import needed

    converted: pandas.DataFrame = needed().table(frame).to_pandas()
    return converted

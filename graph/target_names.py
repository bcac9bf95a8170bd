"""The names in a list of targets, for work that needs no database."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

from graph.errors import UnreadableFile
from graph.records import normalise


def default_list() -> Path:
    """The shipped list, ``name,category[,alias...]`` with its provenance in the header."""
    return Path(str(resources.files("graph").joinpath("default_targets.csv")))


def target_names(path: Path | None = None) -> tuple[str, ...]:
    """The normalised names and aliases of a list, the shipped one where None.

    Raises:
        UnreadableFile: missing, not permitted, not UTF-8, or without any name.
    """
    chosen = path or default_list()
    try:
        lines = chosen.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(chosen, f"cannot be read ({error})", remedy="check the path and the encoding") from error
    names: dict[str, None] = {}
    for cells in csv.reader(line for line in lines if not line.lstrip().startswith("#")):
        if len(cells) >= 2 and [cell.strip().lower() for cell in cells[:2]] != ["name", "category"]:
            names.update((normalise(cell), None) for cell in (cells[0], *cells[2:]) if normalise(cell))
    if not names:
        raise UnreadableFile(chosen, "holds no target", remedy="write one a line: name,category[,alias...]")
    return tuple(names)

"""Rows that were computed once and are kept until the graph changes.

They are kept in a file of harmgraph's home under the state of the database (``Graph.state``). Any write gives another state,
also one by hand in Neo4j Browser, so what is kept is never out of date.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harmgraph.common.errors import HarmgraphError, NotAllowed
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside
from harmgraph.graph.connection import Graph

Rows = list[list[Any]]
COUNTS_OF_TARGETS, WHOLE_GRAPH = FILES = ("target-counts.json", "whole-graph.json")


@dataclass(slots=True)
class KeptByState:
    """Rows by name, of one state of one graph.

    Attributes:
        file: its name in the home's folder ``cache``.
        form: of the file and of the rows; another number makes all rows that are kept void.
        state, here: what this process knows, so that the statistics of a report need not ask again.
        seen: of the file, when this process last read or wrote it; another process may have deleted it, see ``forget_kept``.
    """

    file: str
    form: int
    state: str = ""
    here: dict[str, Rows] = field(default_factory=dict)
    seen: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        _in_this_process.append(self)

    @property
    def place(self) -> Path:
        """The file."""
        return _place(self.file)

    def rows(self, graph: Graph, name: str, compute: Callable[[], Rows]) -> Rows | None:
        """The rows of that name as they are now.

        Args:
            compute: reads them from the graph; called if they are not kept.

        Returns:
            None if they cannot be had for one state of the graph: the server names none, or somebody writes at the same time.
        """
        before = graph.state()
        if not before:
            return None
        if before == self.state and name in self.here and self.seen == self._stamp():
            return self.here[name]
        try:
            state = json.dumps([before, graph.rows("measure/state")])
        except NotAllowed:
            return None
        known = self._read(state)
        if name not in known:
            rows = compute()
            if graph.state() != before:
                return None
            known |= {name: rows}
            # A full disk, a home that cannot be made, or a value that is not of JSON: then they are not kept.
            with suppress(HarmgraphError, OSError, TypeError):
                self._write(state, known)
        self.state, self.here, self.seen = before, known, self._stamp()
        return known[name]

    def forget(self) -> None:
        """Drops what is kept, so that it is computed again."""
        self.leave()
        self.place.unlink(missing_ok=True)

    def leave(self) -> None:
        """Drops what this process knows; the file stays."""
        self.state, self.here, self.seen = "", {}, None

    def _stamp(self) -> tuple[int, int] | None:
        """Tells the file from a later one at its place; None if there is none."""
        try:
            facts = self.place.stat()
        except (HarmgraphError, OSError):
            return None
        return facts.st_ino, facts.st_mtime_ns

    def _read(self, state: str) -> dict[str, Rows]:
        """The rows of that state by name; none if the file is missing, damaged or of another state."""
        try:
            content = from_json(self.place.read_text(encoding="utf-8"))
        except (HarmgraphError, OSError, ValueError):
            return {}
        if not isinstance(content, dict) or (content.get("form"), content.get("state")) != (self.form, state):
            return {}
        rows = content.get("rows")
        if not isinstance(rows, dict) or not all(map(_are_rows, rows.values())):
            return {}
        return rows

    def _write(self, state: str, rows: dict[str, Rows]) -> None:
        content = json.dumps({"form": self.form, "state": state, "rows": rows})
        make_folder(self.place.parent)
        with beside(self.place) as part:
            part.write_text(content, encoding="utf-8")


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) for row in value)


def forget_kept() -> None:
    """Deletes what is kept of any state: another store takes the place of this one, and may come to a state of the same name."""
    for file in FILES:
        _place(file).unlink(missing_ok=True)
    for kept in _in_this_process:
        kept.leave()


_in_this_process: list[KeptByState] = []


def _place(file: str) -> Path:
    return home() / "cache" / file

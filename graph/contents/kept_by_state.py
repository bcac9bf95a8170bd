"""Rows that were computed once and are kept until the graph changes.

They are kept in a file of harmgraph's home under the state of the database (``Graph.state``). Any write gives another state,
also one by hand in Neo4j Browser, so what is kept is never out of date.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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


@dataclass(frozen=True, slots=True)
class KnownRows:
    """What a process knows, so that the statistics of a report need not ask again.

    Attributes:
        state: of the graph, and who reads it.
        rows: by name.
        seen: tells the file as this process last read or wrote it; another one may have deleted it, see ``forget_kept``.
    """

    state: str = ""
    rows: Mapping[str, Rows] = field(default_factory=dict)
    seen: tuple[int, int] | None = None


@dataclass(slots=True)
class KeptByState:
    """Rows by name, of one state of one graph.

    Attributes:
        file: its name in the home's folder ``cache``.
        form: of the file and of the rows; another number makes all rows that are kept void.
        known: what this process knows. It is exchanged as a whole, as several threads may ask.
    """

    file: str
    form: int
    known: KnownRows = field(default_factory=KnownRows)

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
        asked = json.dumps([before, graph.address.username])  # a server may show its users different parts
        known = self.known
        here = known.rows if known.state == asked and known.seen == self._stamp() else {}
        if name in here:
            return here[name]
        try:
            state = json.dumps([asked, graph.rows("measure/state")])
        except NotAllowed:
            return None
        found = {**here, **self._read(state)}
        if name not in found:
            found[name] = compute()
            if graph.state() != before:
                return None
            # A full disk, a home that cannot be made, or a value that is not of JSON: then they are not kept.
            with suppress(HarmgraphError, OSError, TypeError):
                self._write(state, found)
        self.known = KnownRows(asked, found, self._stamp())
        return found[name]

    def forget(self) -> None:
        """Drops what is kept, so that it is computed again."""
        self.leave()
        self.place.unlink(missing_ok=True)

    def leave(self) -> None:
        """Drops what this process knows; the file stays."""
        self.known = KnownRows()

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

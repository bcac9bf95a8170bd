"""Rows that were computed once and are kept until what they were computed from changes.

They are kept in a file of harmgraph's home under the state of the database (``Graph.state``). Any write gives another state,
also one by hand in Neo4j Browser, so what is kept is never out of date. A write of harmgraph's own carries on what it does not
change, if it can prove that nobody else wrote (``graph.driver.own_writes``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from harmgraph.common.errors import HarmgraphError, NotAllowed
from harmgraph.graph.connection import Graph
from harmgraph.graph.driver import kept_file
from harmgraph.graph.driver.kept_file import FILES, Kept, Rows


@dataclass(frozen=True, slots=True)
class KnownRows:
    """What a process knows, so that the statistics of a report need not ask again.

    Attributes:
        state: of the graph, and who reads it.
        rows: by name.
        seen: tells the file as this process last read or wrote it; another one may have deleted it, see ``forget_kept``.
    """

    state: str = ""
    rows: Mapping[str, Kept] = field(default_factory=dict)
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
        return kept_file.place(self.file)

    def rows(self, graph: Graph, name: str, until: frozenset[str], compute: Callable[[], Rows]) -> Rows | None:
        """The rows of that name as they are now.

        Args:
            until: the parts of the graph that they are computed from, see ``kept_file.PARTS``; ``GRAPH`` for all.
            compute: reads them from the graph; called if they are not kept.

        Returns:
            None if they cannot be had for one state of the graph: the server names none, or somebody writes at the same time.
        """
        before = graph.state()
        if not before:
            return None
        asked = kept_file.asked_of(before, graph.address.username)
        known = self.known
        here = known.rows if known.state == asked and known.seen == self._stamp() else {}
        if name in here:
            return here[name].rows
        try:
            key = kept_file.key_of(before, graph.address.username, graph.rows("measure/state"))
        except NotAllowed:
            return None
        found = {**here, **kept_file.read(self.file, self.form, key)}
        if name not in found:
            found[name] = Kept(compute(), until)
            if graph.state() != before:
                return None
            # A full disk, a home that cannot be made, or a value that is not of JSON: then they are not kept.
            with suppress(HarmgraphError, OSError, TypeError):
                kept_file.write(self.file, self.form, key, found)
        self.known = KnownRows(asked, found, self._stamp())
        return found[name].rows

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


def forget_kept() -> None:
    """Deletes what is kept of any state: another store takes the place of this one, and may come to a state of the same name."""
    for file in FILES:
        kept_file.place(file).unlink(missing_ok=True)
    for kept in _in_this_process:
        kept.leave()


_in_this_process: list[KeptByState] = []

"""Proves that between two states of the database nobody but one command wrote, so that rows which are kept outlive its writes.

Each transaction that changes something takes the next number, and the state has the number of the last one. A command counts
the transactions of its own that surely took one. If the number rose by as many, there is no room for anybody else's. The count
may be too low, never too high: what is not sure is not counted, and then the numbers do not fit.

A statement that sets a property to the value that it has takes no number, and the server's counters do not tell. So each
transaction also sets a property to a mark of its own (``lock/stamp``).
"""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harmgraph.graph.driver.kept_file import GRAPH, parts
from harmgraph.graph.statements import CypherStatement, of_harmgraph, statement

if TYPE_CHECKING:
    import neo4j

CHANGES, PROPERTIES = "changes", "properties"
_BOOKMARK = re.compile(rb"\x91\xcc\x10.{16}(?P<number>[\x00-\x7f]|\xc8.|\xc9.{2}|\xca.{4}|\xcb.{8})\x90", re.DOTALL)
"""A bookmark of one database: its id, of 16 bytes, and the number, as PackStream writes integers."""


def number(state: str) -> int | None:
    """The number of the last transaction in a state; None if it is not of one database, or is written in another way."""
    kind, _, encoded = state.partition(":")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except ValueError:
        return None
    match = _BOOKMARK.fullmatch(raw)
    if kind != "FB" or not match:
        return None
    written = match["number"]
    return int.from_bytes(written[1:] or written, "big", signed=True)


def changes(query: CypherStatement) -> frozenset[str]:
    """The parts of the graph that a statement changes at most; ``GRAPH`` if its header does not say, or is not harmgraph's."""
    notes = query.notes.get(CHANGES, ())
    # A statement of the same name may be another one.
    ours = bool(notes) and query == of_harmgraph(query.name)
    return frozenset().union(*map(parts, notes)) if ours else frozenset({GRAPH})


def properties(query: CypherStatement, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The properties that a statement may be the first of the database to write, as its header names them."""
    named = " ".join(query.notes.get(PROPERTIES, ())).split()
    return tuple(str(arguments[name[1:]]) if name.startswith("$") else name for name in named)


def surely_wrote(counters: Any) -> bool:
    """Whether a statement that manages its own transactions surely committed one that took a number.

    What it created is there, or what it deleted was; with both it may have deleted what it created.
    """
    created = counters.nodes_created + counters.relationships_created
    deleted = counters.nodes_deleted + counters.relationships_deleted
    return bool(created) != bool(deleted)


class MarkRefused(Exception):
    """The server lets this user not mark a transaction; it is undone."""


class Statements:
    """Runs statements in one transaction, and notes which of them changed something."""

    def __init__(self, tx: neo4j.Transaction) -> None:
        self._tx = tx
        self.changing: list[CypherStatement] = []
        self.ran: list[CypherStatement] = []

    def run(self, query: CypherStatement, arguments: dict[str, Any]) -> tuple[tuple[dict[str, Any], ...], Any]:
        """The rows of a statement, and the server's counters."""
        self.ran.append(query)
        result = self._tx.run(query.text, arguments)
        rows = tuple(dict(record) for record in result)
        counters = result.consume().counters
        if counters.contains_updates:
            self.changing.append(query)
        return rows, counters

    def stamp(self, mark: str) -> bool:
        """Makes sure that the transaction takes a number, by a mark that no other has; False if it cannot.

        Raises:
            MarkRefused: the server refuses it, as to a user who may change some properties alone.
            DriverError, Neo4jError: an error that may pass.
        """
        from neo4j.exceptions import Neo4jError

        stamp = statement("lock/stamp")
        try:
            counters = self._tx.run(stamp.text, stamp.arguments({"mark": mark})).consume().counters
        except Neo4jError as error:
            if error.is_retryable():
                raise
            raise MarkRefused from error
        return bool(counters.properties_set == 1)


@dataclass(slots=True)
class OwnWrites:
    """What one command wrote since a state of the database; several of its threads may write.

    Attributes:
        key: what is kept is kept under it.
        before: number of the state.
        sure: transactions that surely took a number since.
        last: the greatest number that the server named for one of them.
        changed: parts of the graph.
        over: whether the proof failed, or nothing of what is kept can stay.
    """

    key: str
    before: int
    sure: int = 0
    last: int = 0
    changed: frozenset[str] = frozenset()
    over: bool = False
    made: set[str] = field(default_factory=set)
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def wrote(self, queries: Iterable[CypherStatement], bookmarks: Iterable[str], *, sure: bool) -> None:
        """Notes a transaction that was committed.

        Args:
            queries: its statements that changed something.
            bookmarks: of the session after it.
            sure: whether it surely took a number.
        """
        with self._mutex:
            self.changed = self.changed.union(*map(changes, queries))
            self.over |= GRAPH in self.changed
            self.sure += sure
            self.last = max([self.last, *(number(bookmark) or 0 for bookmark in bookmarks)])

    def stamps(self, done: Statements) -> bool:
        """Whether a transaction is worth a mark.

        Not if a statement ran in it that may change everything: the server's counters leave out what a procedure changes.
        """
        return not self.over and bool(done.changing) and not any(GRAPH in changes(query) for query in done.ran)

    def first(self, named: Set[str]) -> frozenset[str]:
        """Those of the properties that were not asked for before."""
        with self._mutex:
            new = frozenset() if self.over else frozenset(named - self.made)
            self.made |= new
            return new

    def end(self) -> None:
        """Gives the proof up."""
        self.over = True

    def proves(self, state: str) -> bool:
        """Whether nobody else wrote up to this state, which was read after the last transaction."""
        now = number(state)
        return not self.over and now == self.before + self.sure and now == max(self.last, self.before)

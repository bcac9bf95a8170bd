"""The connection to Neo4j: runs statements by name and returns rows, data frames and counts; translates driver errors."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, LiteralString, Self, TypeVar, cast
from urllib.parse import urlsplit

from harmgraph.common import driver_log
from harmgraph.common.command_name import command_name
from harmgraph.common.errors import GraphError, HarmgraphError, NewerGraph, NotAllowed, OlderGraph, TooOld, Unreachable
from harmgraph.common.progress import terminal
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.common.target_lists import TargetList, chosen, lists_of, sources_of
from harmgraph.common.version import VERSION
from harmgraph.graph.address import Address, from_environment
from harmgraph.graph.driver import kept_file
from harmgraph.graph.driver.attempts import Attempts
from harmgraph.graph.driver.held_lock import HeldLock, held_by
from harmgraph.graph.driver.own_writes import (
    MarkRefused,
    OwnWrites,
    Statements,
    changes,
    number,
    properties,
    surely_wrote,
)
from harmgraph.graph.driver.refusal import refusal
from harmgraph.graph.form.steps import newest
from harmgraph.graph.statements import CypherStatement, statement

if TYPE_CHECKING:
    import neo4j
    import pandas

    from harmgraph.graph.server.space import StoreSpace
    from harmgraph.graph.typed.rows import TypedRows

Row = dict[str, Any]
T = TypeVar("T")
OLDEST = (5, 26)
SCHEMES = frozenset(scheme + security for scheme in ("bolt", "neo4j") for security in ("", "+s", "+ssc"))
FETCH_SIZE = 20_000
IDLE_S = 30.0  # a connection that was not used for so long may have been dropped on the way; it is asked first


@dataclass(frozen=True, slots=True)
class Written:
    """The result of a write: the rows it returned and the server's counters."""

    rows: tuple[Row, ...]
    counters: Mapping[str, int]


def typed_rows(rows: Callable[..., list[Row]]) -> TypedRows:
    """The same method; type checkers see what the headers of ``cypher/`` declare."""
    return cast("TypedRows", rows)  # the server is the judge of it: tests compare each header with what it answers


class Graph:
    """A connection to one database.

    Use ``Graph.open()``; it starts the embedded server if ``NEO4J_URI`` is not set. Statements are given by their name in
    ``cypher/`` or as a ``CypherStatement``. Every method raises ``GraphError`` or a subclass of it, and those that
    write ``NoSpace``.
    """

    def __init__(self, driver: neo4j.Driver, address: Address) -> None:
        self._driver = driver
        self.address = address
        self._wrote = False
        self._space: StoreSpace | None = None
        self._attempts = Attempts(address, terminal)
        self._lock: HeldLock | None = None
        self._own: OwnWrites | None = None
        self._bookmarks = _bookmarks(address)
        self._name: Mapping[str, str | int] = {"command": command_name(), "pid": os.getpid()}
        """Of this command, with each of its transactions: 'db stop' says who is at work."""
        self.asked_lists: tuple[str, ...] = ()

    @classmethod
    def open(cls, address: Address | None = None, *, older: bool = False) -> Graph:
        """Connects, and checks that the server answers, accepts the password, has the database and is new enough.

        Args:
            older: whether the graph may have the form of an earlier harmgraph.

        Raises:
            Unreachable, TlsFailed, Unauthorised, NoDatabase, TooOld: one of these checks failed.
            OlderGraph, NewerGraph: the graph has the form of another harmgraph.
            ServerError: the embedded server cannot be started.
        """
        import neo4j

        if address is None:
            address = from_environment()
        if address is None:
            from harmgraph.graph.server import server

            address = server.start()
        driver_log.silence()
        # The driver would also accept http://, a preview without the transactions that loads need.
        if urlsplit(address.uri).scheme not in SCHEMES:
            raise _no_address(address.uri, "it does not begin with bolt:// or neo4j://")
        try:
            driver = neo4j.GraphDatabase.driver(
                address.connecting,
                auth=(address.username, address.password),
                notifications_min_severity="OFF",
                connection_timeout=15,
                max_transaction_retry_time=0,  # ``Attempts`` tries again
                user_agent="harmgraph",
                liveness_check_timeout=None if address.embedded else IDLE_S,
            )
        except (neo4j.exceptions.ConfigurationError, ValueError) as error:
            raise _no_address(address.uri, str(error)) from error
        graph = cls(driver, address)
        try:
            with graph._translated():
                # The server says who it is before a statement runs: an old one may not understand any.
                graph._check_agent(driver.get_server_info().agent)
            graph._check_version(str(graph.rows("schema/version")[0]["version"]))
            graph._check_form(older=older)
        except ValueError as error:
            # A port that is not a number is only noticed when the driver resolves the address.
            driver.close()
            raise _no_address(address.uri, str(error)) from error
        except BaseException:
            driver.close()
            raise
        return graph

    def _check_agent(self, agent: str) -> None:
        product, _, version = agent.partition("/")
        if product != "Neo4j":
            raise GraphError(
                f"this is not Neo4j, it calls itself {agent!r}",
                where=self.address.uri,
                remedy="set NEO4J_URI to a Neo4j server, or unset it to use the embedded one",
            )
        self._check_version(version)

    def _check_version(self, version: str) -> None:
        match = re.match(r"(\d+)\.(\d+)", version)
        if match and (int(match[1]), int(match[2])) < OLDEST:
            raise TooOld(
                f"runs Neo4j {version}",
                where=self.address.uri,
                remedy="harmgraph needs 5.26 LTS or later: upgrade the server, or unset NEO4J_URI to use the embedded one",
            )

    def form(self) -> int | None:
        """The version of the graph's form; None for a new graph, which has none yet."""
        facts = self.rows("schema/form")[0]
        if facts["version"] is None:
            return 0 if facts["sources"] else None  # the first harmgraph noted no version
        return facts["version"]

    def _check_form(self, *, older: bool) -> None:
        form, ours = self.form(), newest()
        if form is not None and form > ours:
            raise NewerGraph(
                f"the graph has form {form} and was made by a later harmgraph; this one, {VERSION}, knows {ours}",
                where=self.address.uri,
                remedy="install the later harmgraph",
            )
        if form is not None and form < ours and not older:
            raise OlderGraph(
                f"the graph has form {form} and was made by an earlier harmgraph; this one needs {ours}",
                where=self.address.uri,
                remedy="run 'harmgraph db upgrade' once (a copy before it: 'harmgraph db backup FILE')",
            )

    def close(self) -> None:
        """Closes the connection; before that, updates the names for shell completion if needed."""
        try:
            self._renew_names()
        finally:
            self._driver.close()

    def _renew_names(self) -> None:
        from harmgraph.graph import name_cache

        # The names are only used for completion, so a failure here must not make a finished command fail.
        with suppress(HarmgraphError, OSError):
            if self._wrote or not name_cache.is_fresh(self.address):
                # A stream is not retried; a read would be retried for half a minute if the server is gone.
                [names] = self.stream("schema/names", limit=name_cache.MOST)
                name_cache.keep(self.address, names)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._driver.close()

    @property
    def driver(self) -> neo4j.Driver:
        """The Neo4j driver, for anything that this class does not offer."""
        return self._driver

    @contextmanager
    def about(self, targets: Sequence[str]) -> Iterator[None]:
        """Within the block numbers and labels are about the targets of these lists; about the usual ones if none is named.

        Raises:
            NotFound: there is no target list of that name.
        """
        before, self.asked_lists = self.asked_lists, tuple(targets) or self.asked_lists
        try:
            self.target_lists()
            yield
        finally:
            self.asked_lists = before

    def target_lists(self, *sources: str) -> tuple[TargetList, ...]:
        """The target lists that a number of these sources is about, see ``target_lists.chosen``."""
        return chosen(lists_of(self.rows("explore/target_lists")), self.asked_lists, sources)

    def filled(self, query: CypherStatement, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a statement, with the target lists that it is about if it takes some and none are given."""
        takes = any(parameter.name == LISTS for parameter in query.parameters)
        if not takes or LISTS in parameters:
            return dict(parameters)
        return {**parameters, LISTS: [one.name for one in self.target_lists(*sources_of(parameters))]}

    def _arguments(self, query: CypherStatement, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return query.arguments(self.filled(query, parameters))

    @typed_rows
    def rows(self, query: str | CypherStatement, **parameters: Any) -> list[Row]:
        """All rows of a reading statement, as dictionaries; retried after transient errors."""
        statement = _known(query)
        arguments = self._arguments(statement, parameters)
        result: list[Row] = self._read(lambda tx: tx.run(statement.text, arguments).data())
        return result

    def raw_rows(self, query: str | CypherStatement, **parameters: Any) -> list[Row]:
        """Like ``rows``, with nodes, relationships and paths as the driver's own objects."""
        statement = _known(query)
        arguments = self._arguments(statement, parameters)
        result: list[Row] = self._read(lambda tx: [dict(record) for record in tx.run(statement.text, arguments)])
        return result

    def frame(self, query: str | CypherStatement, **parameters: Any) -> pandas.DataFrame:
        """All rows as a data frame; it has the statement's columns even if there are no rows."""
        import pandas

        statement = _known(query)
        arguments = self._arguments(statement, parameters)

        def work(tx: neo4j.ManagedTransaction) -> pandas.DataFrame:
            result = tx.run(statement.text, arguments)
            columns = list(result.keys())
            return pandas.DataFrame.from_records([record.values() for record in result], columns=columns)

        frame: pandas.DataFrame = self._read(work)
        return frame

    def _read(self, work: Callable[[neo4j.ManagedTransaction], Any]) -> Any:
        """The result of a transaction that reads."""
        return self._reading(lambda session: session.execute_read(self._named(work)))

    def _reading(self, read: Callable[[neo4j.Session], Any], after: neo4j.Bookmarks | None = None) -> Any:
        """What a session that reads returns; it is tried again like a write, so not where the server was stopped.

        Args:
            after: the server waits until all of these transactions can be read.
        """

        def piece(_: int) -> Any:
            with self._opened(reading=True, after=after) as session:
                return read(session)

        with self._translated():
            return self._attempts.run(piece)

    def state(self) -> str:
        """Names what the database contains now: equal states have equal content, and any write, of anybody, gives another.

        It is the bookmark of a transaction that reads, so it has the number of the last transaction. Empty if the server
        gives none, and for a cluster, of which the next read may ask another member.

        The server counts a transaction before others can read all that it wrote. So a second read waits for it: whatever is
        read after this call contains at least that state.
        """
        if self._bookmarks is not None:
            return ""

        def read(session: neo4j.Session) -> neo4j.Bookmarks:
            session.execute_read(lambda tx: tx.run(statement("schema/version").text).consume())
            return session.last_bookmarks()

        last: neo4j.Bookmarks = self._reading(read)
        if last.raw_values:
            self._reading(read, after=last)
        return " ".join(sorted(last.raw_values))

    def stream(self, query: str | CypherStatement, **parameters: Any) -> Iterator[list[Any]]:
        """Yields the rows one by one, as lists in the statement's column order, in constant memory.

        Not retried: a broken connection raises an error.
        """
        from neo4j.exceptions import ServiceUnavailable

        statement = _known(query)
        arguments = self._arguments(statement, parameters)
        with self._session(reading=True) as session:
            result = session.run(self._query(statement.text), arguments)
            for record in result:
                yield record.values()
            # The driver may end the rows of a server that was stopped meanwhile without an error; the server says when they end.
            if result.consume().result_consumed_after is None:
                raise ServiceUnavailable("the rows ended before the last one")

    def write(self, query: str | CypherStatement, **parameters: Any) -> Written:
        """Runs a statement in one transaction; it is retried after transient errors, so it must be safe to run twice.

        Raises:
            NoSpace: the embedded server's disk has no room for it; nothing was written.
        """
        statement = _known(query)
        arguments = statement.arguments(parameters)

        def work(statements: Statements) -> Written:
            rows, counters = statements.run(statement, arguments)
            return Written(rows, _counters(counters))

        return self._written(work, [(statement, arguments)])

    def write_together(
        self,
        writes: Sequence[tuple[CypherStatement, Mapping[str, Any]]],
        *,
        guard: tuple[CypherStatement, Mapping[str, Any]] | None = None,
    ) -> None:
        """Runs several statements in order in one transaction; like ``write``, retried as a whole after transient errors.

        Args:
            writes: statements with their parameters; they must be safe to run twice if there is no guard.
            guard: a writing statement that runs first; if it returns no row, an earlier attempt was committed and nothing
                else is run.

        Raises:
            NoSpace: as for ``write``.
        """
        known = [(statement, statement.arguments(dict(parameters))) for statement, parameters in writes]

        def work(statements: Statements) -> None:
            if guard and not statements.run(guard[0], guard[0].arguments(dict(guard[1])))[0]:
                return
            for query, arguments in known:
                statements.run(query, arguments)

        self._written(work, known)

    def hurried(self) -> AbstractContextManager[None]:
        """Until the block ends nothing is tried again after an error: an interrupted command ends at once."""
        return self._attempts.none()

    def _written(self, work: Callable[[Statements], T], known: Sequence[tuple[CypherStatement, dict[str, Any]]]) -> T:
        """The result of work in a transaction of its own; tried again after errors that may pass."""
        mark = uuid.uuid4().hex

        def piece(earlier: int) -> T:
            try:
                return attempt(earlier)
            except MarkRefused:
                if own:
                    own.end()
                return attempt(earlier)

        def attempt(earlier: int) -> T:
            self._before(mark, earlier)
            with self._opened() as session:
                with session.begin_transaction(metadata={**self._name, "statement": mark}) as tx:
                    statements = Statements(tx)
                    result = work(statements)
                    sure = own is not None and own.stamps(statements) and statements.stamp(mark)
                if own and earlier:
                    own.end()
                elif own:
                    own.wrote(statements.changing, session.last_bookmarks().raw_values, sure=sure)
                return result

        with (
            self._translated(),
            self._room([arguments for _, arguments in known]),
            self._carrying([statement for statement, _ in known]) as own,
        ):
            if own:
                self._make_properties(own, [*known, (statement("lock/stamp"), {})])
            return self._attempts.run(piece)

    def _began(self) -> OwnWrites | None:
        """The writes of this command from now on; None if nothing is kept that could outlive them."""
        if not kept_file.is_any():
            return None
        state = self.state()
        before = number(state)
        if before is None:
            return None
        try:
            key = kept_file.key_of(state, self.address.username, self.rows("measure/state"))
        except NotAllowed:
            return None
        return OwnWrites(key, before) if kept_file.standing(key) else None

    def _make_properties(self, own: OwnWrites, known: Sequence[tuple[CypherStatement, Mapping[str, Any]]]) -> None:
        """Makes the properties that these statements would make, one by one, so that it is known how many numbers that takes."""
        named = own.first({name for query, arguments in known for name in properties(query, arguments)})
        if not named:
            return
        try:
            for name in sorted(named - self._properties()):
                if name in self._properties():
                    continue  # somebody may have made several at once
                with self._session() as session:
                    session.run(self._query(statement("schema/new_property").text), name=name).consume()
                    own.wrote((), session.last_bookmarks().raw_values, sure=True)
        except HarmgraphError:
            own.end()  # a user who may make no names: what is kept is counted anew

    def _properties(self) -> frozenset[str]:
        return frozenset(self.rows("schema/properties")[0]["names"])

    @contextmanager
    def _carrying(self, queries: Sequence[CypherStatement]) -> Iterator[OwnWrites | None]:
        """What was kept before the block is kept after it, as far as it does not depend on what the block wrote.

        Within ``holding`` that is done at the end of the command.
        """
        if self._lock:
            yield self._own
            return
        own = None if any(kept_file.GRAPH in changes(query) for query in queries) else self._began()
        yield own
        if own:
            self._carry(own)

    def _carry(self, own: OwnWrites) -> None:
        # The command is done. Where this fails, what was kept is counted anew.
        with suppress(HarmgraphError, OSError):
            state = self.state() if own.sure else ""
            if own.proves(state):
                key = kept_file.key_of(state, self.address.username, self.rows("measure/state"))
                if self.state() == state:
                    kept_file.carry(own.key, key, own.changed)

    def _before(self, mark: str, earlier: int) -> None:
        """What comes before each attempt of a write: nothing may be left of the earlier ones, and the lock must be ours."""
        if earlier and not self.address.embedded:
            # The server may not have noticed that the connection broke; then it still holds what was locked there.
            with self._opened() as session:
                session.run(statement("lock/end").text, mark=mark).consume()
        if self._lock:
            self._lock.keep(surely=earlier > 0)

    def autocommit(self, query: str | CypherStatement, **parameters: Any) -> Written:
        """Runs a statement that manages its own transactions, as ``… IN TRANSACTIONS`` does; not retried.

        Raises:
            NoSpace: as for ``write``; if space runs out half way, the transactions committed so far are kept.
        """
        with self._translated(), self._room(parameters):
            return self._in_parts(_known(query), parameters, uuid.uuid4().hex, 0)

    def write_in_parts(self, query: str | CypherStatement, **parameters: Any) -> Written:
        """Like ``autocommit``, but retried after transient errors, so it must be safe to run again where it ended half way.

        The rows and counters are those of the last attempt.

        Raises:
            NoSpace: as for ``autocommit``.
        """
        statement, mark = _known(query), uuid.uuid4().hex
        with self._translated(), self._room(parameters):
            return self._attempts.run(lambda earlier: self._in_parts(statement, parameters, mark, earlier))

    def _in_parts(self, statement: CypherStatement, parameters: Mapping[str, Any], mark: str, earlier: int) -> Written:
        self._before(mark, earlier)
        with ExitStack() as stack:
            session = stack.enter_context(self._opened())
            if self._space:
                from harmgraph.graph.server.space import watched

                stack.enter_context(watched(self._space.check, lambda: self._end(mark)))
            text = self._query(statement.text, {"statement": mark})
            result = session.run(text, statement.arguments(dict(parameters)))
            rows = tuple(record.data() for record in result)
            counters = result.consume().counters
            if self._own and earlier:
                self._own.end()
            elif self._own:
                wrote = [statement] if counters.contains_updates else []
                self._own.wrote(wrote, session.last_bookmarks().raw_values, sure=surely_wrote(counters))
            return Written(rows, _counters(counters))

    def _end(self, mark: str) -> None:
        with self._session() as session:
            session.run(statement("lock/end").text, mark=mark).consume()

    @contextmanager
    def _room(self, parameters: Any) -> Iterator[None]:
        """Keeps room for a writing statement on the disk of the embedded server; that of another server is unknown."""
        if not self.address.embedded:
            yield
            return
        from harmgraph.graph.server.space import StoreSpace, needed

        if self._space is None:
            self._space = StoreSpace()
        with self._space.kept(needed(parameters)):
            yield

    @contextmanager
    def holding(self, purpose: str) -> Iterator[HeldLock]:
        """Keeps other commands from changing the graph until the block ends; yields the lock.

        The lock is an open transaction on the server, marked with ``purpose``; the server releases it if this process dies.
        If two commands ask for it at the same moment, one waits, and so does one whose user may not see the transactions of
        the other's; at a terminal a line says so. Where its connection broke, the next write takes it again.

        Raises:
            Busy: another command holds it; the message names the command, its process and how long it has held the lock.
        """
        for holder in self.rows("lock/holders", database=self.address.database):
            raise held_by(holder, self.address)
        self.write("lock/make")
        lock = HeldLock(self._driver, self.address, purpose, terminal)
        with self._translated():
            lock.take()
        self._lock = lock
        try:
            self._own = self._began()
            yield lock
            if self._own and self._own.sure and lock.unbroken():  # it may have stopped the server
                self._carry(self._own)
        finally:
            self._own = self._lock = None
            lock.release()

    @contextmanager
    def marked(self, mark: Mapping[str, str | int]) -> Iterator[None]:
        """Keeps a transaction with this metadata open until the block ends, so that other clients of the server can see it.

        The server drops it if this process dies.
        """
        from neo4j.exceptions import DriverError, Neo4jError

        with self._session(reading=True) as session:
            tx = session.begin_transaction(metadata=dict(mark))
            tx.run(statement("job/mark").text).consume()
            try:
                yield
            finally:
                # If the connection broke, the server has dropped this transaction; work done in the block is kept.
                with suppress(DriverError, Neo4jError):
                    tx.close()

    def _named(self, work: Callable[[neo4j.ManagedTransaction], T]) -> Callable[[neo4j.ManagedTransaction], T]:
        import neo4j

        named: Callable[[neo4j.ManagedTransaction], T] = neo4j.unit_of_work(metadata=dict(self._name))(work)
        return named

    def _query(self, text: LiteralString, mark: Mapping[str, str] | None = None) -> neo4j.Query:
        import neo4j

        return neo4j.Query(text, metadata={**self._name, **(mark or {})})

    @contextmanager
    def _session(self, *, reading: bool = False) -> Iterator[neo4j.Session]:
        with self._translated(), self._opened(reading=reading) as session:
            yield session

    @contextmanager
    def _opened(self, *, reading: bool = False, after: neo4j.Bookmarks | None = None) -> Iterator[neo4j.Session]:
        import neo4j

        self._wrote |= not reading
        with self._driver.session(
            database=self.address.database,
            fetch_size=FETCH_SIZE,
            default_access_mode=neo4j.READ_ACCESS if reading else neo4j.WRITE_ACCESS,
            bookmarks=after,
            bookmark_manager=self._bookmarks,
        ) as session:
            yield session

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Translates exceptions of the driver into ``HarmgraphError``."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            yield
        except HarmgraphError:
            raise
        except (DriverError, Neo4jError) as error:
            raise refusal(error, self.address) from error


def _bookmarks(address: Address) -> neo4j.BookmarkManager | None:
    """What keeps a read behind the writes before it, on whichever server of a cluster it runs; needless for one server."""
    if not urlsplit(address.uri).scheme.startswith("neo4j"):
        return None
    import neo4j

    return neo4j.GraphDatabase.bookmark_manager()


def _no_address(uri: str, why: str) -> Unreachable:
    return Unreachable(
        f"is not an address of Neo4j ({why})",
        where=uri,
        remedy="set NEO4J_URI to neo4j://, neo4j+s:// or bolt://host:port",
    )


def _known(query: str | CypherStatement) -> CypherStatement:
    return statement(query) if isinstance(query, str) else query


def _counters(counters: Any) -> Mapping[str, int]:
    names: Sequence[str] = (
        "nodes_created",
        "nodes_deleted",
        "relationships_created",
        "relationships_deleted",
        "properties_set",
    )
    return {name: getattr(counters, name) for name in names}

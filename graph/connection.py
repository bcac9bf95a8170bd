"""The connection to Neo4j: runs statements by name and returns rows, data frames and counts; translates driver errors."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import urlsplit

from harmgraph.graph.address import Address, from_environment, no_password
from harmgraph.graph.common.errors import (
    Busy,
    DatabaseFailed,
    GraphError,
    HarmgraphError,
    NewerGraph,
    NoDatabase,
    OlderGraph,
    Retryable,
    TooOld,
    Unauthorised,
    Unreachable,
)
from harmgraph.graph.common.version import VERSION
from harmgraph.graph.form.steps import newest
from harmgraph.graph.statements import Statement, statement

if TYPE_CHECKING:
    import neo4j
    import pandas

    from harmgraph.graph.server.space import StoreSpace
    from harmgraph.graph.typed.rows import TypedRows

Row = dict[str, Any]
_NOWHERE = logging.NullHandler()
OLDEST = (5, 26)
SCHEMES = frozenset(scheme + security for scheme in ("bolt", "neo4j") for security in ("", "+s", "+ssc"))
FETCH_SIZE = 20_000
HURT = ("encountered a critical error", "Could not append transaction", "Could not apply the transaction")


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
    ``cypher/`` or as a ``Statement``. Every method raises ``GraphError`` or a subclass of it.
    """

    def __init__(self, driver: neo4j.Driver, address: Address) -> None:
        self._driver = driver
        self.address = address
        self._wrote = False
        self._space: StoreSpace | None = None

    @classmethod
    def open(cls, address: Address | None = None, *, older: bool = False) -> Graph:
        """Connects, and checks that the server answers, accepts the password, has the database and is new enough.

        Args:
            older: whether the graph may have the form of an earlier harmgraph.

        Raises:
            Unreachable, Unauthorised, NoDatabase, TooOld: one of these checks failed.
            OlderGraph, NewerGraph: the graph has the form of another harmgraph.
            ServerError: the embedded server cannot be started.
        """
        import neo4j

        if address is None:
            address = from_environment()
        if address is None:
            from harmgraph.graph.server import server

            address = server.start()
        # Otherwise Python prints the driver's warnings, one for each retry, in addition to the one-line error.
        logging.getLogger("neo4j").addHandler(_NOWHERE)
        # The driver would also accept http://, a preview without the transactions that loads need.
        if urlsplit(address.uri).scheme not in SCHEMES:
            raise _no_address(address.uri, "it does not begin with bolt:// or neo4j://")
        try:
            driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=(address.username, address.password),
                notifications_min_severity="OFF",
                connection_timeout=15,
                max_transaction_retry_time=30,
                user_agent="harmgraph",
            )
        except (neo4j.exceptions.ConfigurationError, ValueError) as error:
            raise _no_address(address.uri, str(error)) from error
        graph = cls(driver, address)
        try:
            with graph._translated():
                driver.verify_connectivity()
            graph._check_version()
            graph._check_form(older=older)
        except ValueError as error:
            # A port that is not a number is only noticed when the driver resolves the address.
            driver.close()
            raise _no_address(address.uri, str(error)) from error
        except BaseException:
            driver.close()
            raise
        return graph

    def _check_version(self) -> None:
        version = str(self.rows("schema/version")[0]["version"])
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

    @typed_rows
    def rows(self, query: str | Statement, **parameters: Any) -> list[Row]:
        """All rows of a reading statement, as dictionaries; retried after transient errors."""
        statement = _known(query)
        with self._session(reading=True) as session:
            result: list[Row] = session.execute_read(
                lambda tx: tx.run(statement.text, statement.arguments(parameters)).data()
            )
            return result

    def raw_rows(self, query: str | Statement, **parameters: Any) -> list[Row]:
        """Like ``rows``, with nodes, relationships and paths as the driver's own objects."""
        statement = _known(query)
        with self._session(reading=True) as session:
            result: list[Row] = session.execute_read(
                lambda tx: [dict(record) for record in tx.run(statement.text, statement.arguments(parameters))]
            )
            return result

    def frame(self, query: str | Statement, **parameters: Any) -> pandas.DataFrame:
        """All rows as a data frame; it has the statement's columns even if there are no rows."""
        import pandas

        statement = _known(query)
        with self._session(reading=True) as session:

            def work(tx: neo4j.ManagedTransaction) -> pandas.DataFrame:
                result = tx.run(statement.text, statement.arguments(parameters))
                columns = list(result.keys())
                return pandas.DataFrame.from_records([record.values() for record in result], columns=columns)

            frame: pandas.DataFrame = session.execute_read(work)
            return frame

    def stream(self, query: str | Statement, **parameters: Any) -> Iterator[list[Any]]:
        """Yields the rows one by one, as lists in the statement's column order, in constant memory.

        Not retried: a broken connection raises an error.
        """
        statement = _known(query)
        with self._session(reading=True) as session:
            for record in session.run(statement.text, statement.arguments(parameters)):
                yield record.values()

    def write(self, query: str | Statement, **parameters: Any) -> Written:
        """Runs a statement in one transaction; it is retried after transient errors, so it must be safe to run twice.

        Raises:
            NoSpace: the embedded server's disk has no room for it; nothing was written.
        """
        statement = _known(query)
        with self._writing(parameters) as session:

            def work(tx: neo4j.ManagedTransaction) -> Written:
                result = tx.run(statement.text, statement.arguments(parameters))
                rows = tuple(dict(record) for record in result)
                return Written(rows, _counters(result.consume()))

            written: Written = session.execute_write(work)
            return written

    def write_together(
        self,
        writes: Sequence[tuple[Statement, Mapping[str, Any]]],
        *,
        guard: tuple[Statement, Mapping[str, Any]] | None = None,
    ) -> None:
        """Runs several statements in order in one transaction; like ``write``, retried as a whole after transient errors.

        Args:
            writes: statements with their parameters; they must be safe to run twice if there is no guard.
            guard: a writing statement that runs first; if it returns no row, an earlier attempt was committed and nothing
                else is run.

        Raises:
            NoSpace: as for ``write``.
        """
        known = [(statement.text, statement.arguments(dict(parameters))) for statement, parameters in writes]
        with self._writing([arguments for _, arguments in known]) as session:

            def work(tx: neo4j.ManagedTransaction) -> None:
                if guard and not tx.run(guard[0].text, guard[0].arguments(dict(guard[1]))).data():
                    return
                for text, arguments in known:
                    tx.run(text, arguments).consume()

            session.execute_write(work)

    def autocommit(self, query: str | Statement, **parameters: Any) -> Written:
        """Runs a statement that manages its own transactions, as ``… IN TRANSACTIONS`` does; not retried.

        Raises:
            NoSpace: as for ``write``; if space runs out half way, the transactions committed so far are kept.
        """
        import uuid

        import neo4j

        statement = _known(query)
        mark = uuid.uuid4().hex
        text = neo4j.Query(statement.text, metadata={"statement": mark})
        with ExitStack() as stack:
            session = stack.enter_context(self._writing(parameters))
            if self._space:
                from harmgraph.graph.server.space import watched

                stack.enter_context(watched(self._space, lambda: self._end(mark)))
            result = session.run(text, statement.arguments(parameters))
            rows = tuple(record.data() for record in result)
            return Written(rows, _counters(result.consume()))

    def _end(self, mark: str) -> None:
        with self._session() as session:
            session.run(statement("lock/end").text, mark=mark).consume()

    @contextmanager
    def _writing(self, parameters: Any) -> Iterator[neo4j.Session]:
        """A session for a writing statement; on the embedded server, disk space is reserved for it."""
        if not self.address.embedded:  # the disk of another server is unknown
            with self._session() as session:
                yield session
            return
        from harmgraph.graph.server.space import StoreSpace, needed

        if self._space is None:
            self._space = StoreSpace()
        with self._space.kept(needed(parameters)), self._session() as session:
            yield session

    @contextmanager
    def holding(self, purpose: str) -> Iterator[None]:
        """Keeps other commands from changing the graph until the block ends.

        The lock is an open transaction on the server, marked with ``purpose``; the server releases it if this process dies.
        If two commands ask for it at the same moment, one waits.

        Raises:
            Busy: another command holds it; the message names the command, its process and how long it has held the lock.
        """
        import os

        for holder in self.rows("lock/holders", database=self.address.database):
            raise Busy(
                f"another command is changing the graph: {holder['purpose']} (process {holder['pid']}, "
                f"for {holder['seconds']} s)",
                where=self.address.uri,
                remedy="wait until it is done, then run this again",
            )
        self.write("lock/make")
        with self._session() as session:
            tx = session.begin_transaction(metadata={"harmgraph": purpose, "pid": os.getpid()})
            try:
                tx.run(statement("lock/take").text).consume()
                yield
            finally:
                if not tx.closed():
                    tx.close()

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

    @contextmanager
    def _session(self, *, reading: bool = False) -> Iterator[neo4j.Session]:
        import neo4j

        self._wrote |= not reading
        with (
            self._translated(),
            self._driver.session(
                database=self.address.database,
                fetch_size=FETCH_SIZE,
                default_access_mode=neo4j.READ_ACCESS if reading else neo4j.WRITE_ACCESS,
            ) as session,
        ):
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
            raise self._own(error) from error

    def _failed(self, error: Exception, code: str, message: str) -> HarmgraphError | None:
        """The cause of an error if the server or its database has failed; None for all other errors."""
        from neo4j import exceptions

        uri = self.address.uri
        if "OutOfMemory" in code:
            return DatabaseFailed(
                "Neo4j has not enough memory for this",
                where=uri,
                remedy="run 'harmgraph db stop', then 'harmgraph db start --heap 4g' and the same command again"
                if self.address.embedded
                else "give the server more (server.memory.heap.max_size, dbms.memory.transaction.total.max)",
                code=code,
            )
        if "ReadOnly" in code and "AccessMode" not in code and "access mode" not in message:
            return DatabaseFailed(
                "the database is read-only",
                where=uri,
                remedy="let it be written (server.databases.default_to_read_only), or choose another with NEO4J_DATABASE",
                code=code,
            )
        gone = isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionExpired)
        hurt = "DatabaseUnavailable" in code or any(words in message for words in HURT)
        if self.address.embedded and (gone or hurt):
            from harmgraph.graph.server import failures
            from harmgraph.graph.server.folder import last_lines

            known = failures.why("\n".join(last_lines()) if gone else "", hurt=hurt)
            return known or (failures.stopped() if hurt else None)
        if hurt:
            return DatabaseFailed(
                f"the database {self.address.database!r} is not available",
                where=uri,
                remedy="SHOW DATABASES and the server's debug.log tell why; then run the same command again",
                code=code,
            )
        return None

    def _own(self, error: Exception) -> HarmgraphError:
        from neo4j import exceptions

        uri = self.address.uri
        code = str(getattr(error, "code", "") or "")
        message = str(getattr(error, "message", "") or error)
        if isinstance(error, exceptions.AuthError) and not self.address.password:
            return no_password(self.address, code)
        if isinstance(error, exceptions.AuthError):
            return Unauthorised(
                f"wrong user name or password for {self.address.username!r}",
                where=uri,
                remedy="check NEO4J_USERNAME and NEO4J_PASSWORD",
                code=code,
            )
        if "DatabaseNotFound" in code:
            return NoDatabase(
                f"no database named {self.address.database!r}",
                where=uri,
                remedy="set NEO4J_DATABASE to one of the server's databases",
                code=code,
            )
        failed = self._failed(error, code, message)
        if failed:
            return failed
        if isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionExpired):
            remedy = (
                "start it with 'harmgraph db start' and run the same command again"
                if self.address.embedded
                else "check NEO4J_URI and that the server runs, then run the same command again"
            )
            return Unreachable("no Neo4j answers", where=uri, remedy=remedy, code=code)
        if isinstance(error, exceptions.TransientError):
            return Retryable(message, where=uri, remedy="run the same command again", code=code)
        return GraphError(message, where=uri, code=code)


def _no_address(uri: str, why: str) -> Unreachable:
    return Unreachable(
        f"is not an address of Neo4j ({why})",
        where=uri,
        remedy="set NEO4J_URI to neo4j://, neo4j+s:// or bolt://host:port",
    )


def _known(query: str | Statement) -> Statement:
    return statement(query) if isinstance(query, str) else query


def _counters(summary: Any) -> Mapping[str, int]:
    counters = summary.counters
    names: Sequence[str] = (
        "nodes_created",
        "nodes_deleted",
        "relationships_created",
        "relationships_deleted",
        "properties_set",
    )
    return {name: getattr(counters, name) for name in names}

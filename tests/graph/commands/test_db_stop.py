"""``db stop`` while commands work: it names them and asks, and they say that the server was stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from harmgraph.graph.server.at_work import at_work
from tests.support.commands import command, run
from tests.support.places import ROOT
from tests.support.processes import wait_for

READER = """
import sys
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
sys.argv = ["audit.py"]
with Graph.open() as graph:
    rows = graph.stream(parse("slow", "UNWIND range(1, 10000000) AS n RETURN n"))
    next(rows)
    print("reading", flush=True)
    sys.stdin.readline()
    for row in rows:
        pass
"""


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("HARMGRAPH_HOME", str(home))
        patch.setenv("HARMGRAPH_HEAP", "300m")
        yield home
        server.stop()


@contextmanager
def loading(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A load that has the lock of commands that write, and waits for its file."""
    (tmp_path / "slow.tsv").write_text("muslim\tIsA\tperson\n" * 400_000, encoding="utf-8")
    with command("load", "triples", str(tmp_path / "slow.tsv"), "--source", "kb", "--no-progress") as process:
        wait_for(
            lambda: server.running() and [work for work in working() if work.startswith("load triples as kb")], process
        )
        process.send_signal(signal.SIGSTOP)
        try:
            yield process
        finally:
            process.kill()


def working() -> list[str]:
    there = server.running()
    return [str(each) for each in at_work(there)] if there else []


@pytest.mark.long
def test_it_names_the_command_and_asks(own_home: Path, tmp_path: Path) -> None:
    with Graph.open():
        pass  # the load need not wait for the start
    with loading(tmp_path) as process:
        asked = run("db", "stop")
        assert asked.returncode == 1
        assert f"load triples as kb (process {process.pid}, for " in asked.stdout
        assert "s) is changing the graph. Stop the server under it?" in asked.stdout
        assert "not confirmed, so nothing was done; use --yes if nobody can answer" in asked.stderr
        assert server.running(), "it was not stopped"
        deleted = run("db", "reset")
        assert f"load triples as kb (process {process.pid}, for " in deleted.stdout
        assert "Delete the graph in" in deleted.stdout
        assert server.running()
        assert run("db", "stop", "--yes").stdout == "stopped\n"
        process.send_signal(signal.SIGCONT)
        _, said = process.communicate()
        assert process.returncode == 1
        assert said.count("\n") == 1
        assert (
            "Neo4j was stopped while this worked ('harmgraph db stop'); run the same command again, which starts it"
            in said
        )
    assert run("load", "triples", str(tmp_path / "slow.tsv"), "--source", "kb", "--no-progress").returncode == 0


def test_a_program_that_reads_is_named_too(own_home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", READER],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        asked = run("db", "stop")
        assert asked.returncode == 1
        assert f"audit.py (process {process.pid}, for " in asked.stdout
        assert "is reading the graph" in asked.stdout
        assert run("db", "stop", "--yes").returncode == 0
        _, said = process.communicate("\n")
        assert "Neo4j was stopped while this worked ('harmgraph db stop')" in said


def test_it_does_not_ask_where_nobody_works(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Graph.open() as graph:
        assert graph.rows("schema/version")
        assert working() == []
        assert main(["db", "stop"]) == 0
    assert capsys.readouterr().out == "stopped\n"

"""``harmgraph db`` as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harmgraph.__main__ import main
from harmgraph.graph.address import Address
from harmgraph.graph.commands.db import db
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import folder

KEYS = {
    "embedded", "running", "version", "edition", "uri", "browser", "pid", "home", "store_bytes", "heap", "page_cache",
    "nodes", "relationships",
}  # fmt: skip


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(db, arguments, input=answer)


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def own_server(address: Address, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The run's server stands for one of the user's own."""
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", address.password)
    yield address.uri
    monkeypatch.delenv("NEO4J_URI")
    assert server.running() == address, "a command changed a server that is not harmgraph's"


def test_start_says_where_it_runs_and_how_to_go_on(address: Address) -> None:
    result = run("start", "--heap", "2g")
    assert result.exit_code == 0
    assert address.uri in result.output
    assert "harmgraph db open" in result.output
    assert "harmgraph db stop" in result.output
    assert "its memory is set when it starts" in result.stderr
    assert address.password not in result.output


def test_status_counts(graph: Graph, address: Address) -> None:
    facts = json.loads(run("status", "--output", "json").output)
    assert set(facts) == KEYS
    assert facts["running"] is facts["embedded"] is True
    assert facts["version"] == "5.26.29"
    assert facts["edition"] == "community"
    assert facts["uri"] == address.uri
    assert facts["nodes"] == facts["relationships"] == 0
    assert facts["heap"] == 1 << 30
    assert facts["store_bytes"] > 1000
    table = run("status").output
    assert address.uri in table
    assert "1,024 MiB" in table
    assert address.password not in table


def test_status_without_a_server_has_the_same_keys(empty_home: Path) -> None:
    result = run("status", "--output", "json")
    assert result.exit_code == 0
    facts = json.loads(result.output)
    assert set(facts) == KEYS
    assert facts["running"] is False
    assert facts["nodes"] is facts["uri"] is None
    assert facts["store_bytes"] == 0
    assert "no: start it with 'harmgraph db start'" in run("status").output


def test_stop_without_a_server_says_so(empty_home: Path) -> None:
    assert run("stop").output == "no embedded server was running\n"


@pytest.mark.parametrize(("answer", "kept"), [("n\n", True), ("\n", True), ("y\n", False)])
def test_reset_asks(answer: str, kept: bool, empty_home: Path) -> None:
    store = folder() / "data"
    store.mkdir(parents=True)
    result = run("reset", answer=answer)
    assert result.exit_code == (1 if kept else 0)
    assert "Delete the graph in" in result.output
    assert store.exists() is kept


def test_reset_with_nobody_to_ask_deletes_nothing(empty_home: Path) -> None:
    store = folder() / "data"
    store.mkdir(parents=True)
    assert run("reset", answer="").exit_code != 0
    assert store.exists()


def test_reset_does_not_ask_when_told(empty_home: Path) -> None:
    store = folder() / "data"
    store.mkdir(parents=True)
    assert run("reset", "--yes").output == "deleted\n"
    assert not store.exists()


@pytest.mark.parametrize("command", ["start", "stop"])
def test_a_server_of_the_user_s_own_is_left_alone(command: str, own_server: str) -> None:
    result = run(command)
    assert result.exit_code == 0
    assert f"the server at {own_server} is yours" in result.output


def test_a_server_of_the_user_s_own_is_not_reset(own_server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "reset", "--yes"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "this server is yours" in said.err


def test_status_of_a_server_of_the_user_s_own(own_server: str) -> None:
    facts = json.loads(run("status", "--output", "json").output)
    assert set(facts) == KEYS
    assert facts["running"] is True
    assert facts["embedded"] is False
    assert facts["uri"] == own_server
    assert facts["version"] == "5.26.29"


def test_a_wrong_size_is_one_line(empty_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "start", "--heap", "lots"]) == 1
    assert capsys.readouterr().err == "harmgraph: 'lots' is not a size of memory; write 512m or 2g\n"


def test_help_names_open_without_importing_it() -> None:
    assert "open" in run("--help").output

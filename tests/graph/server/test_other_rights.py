"""A home that may only be read, and one of another user: what only reads works, all else is one line that says whose it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harmgraph.__main__ import main
from harmgraph.common import home as homes
from harmgraph.common.errors import NoSpace, ServerError
from harmgraph.common.no_space import whose, writing
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from tests.support.filling import import_triples, triple
from tests.support.places import ROOT

SETPRIV = shutil.which("setpriv")
WITHOUT = [] if os.geteuid() else [str(SETPRIV), "--bounding-set", "-dac_override,-dac_read_search,-fowner,-kill"]
"""Before a command that root starts: it may do no more then than the owner of its files."""
needs_rights = pytest.mark.skipif(os.geteuid() == 0 and SETPRIV is None, reason="root may read everything")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*WITHOUT, sys.executable, "-m", "harmgraph", *arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HARMGRAPH_HEAP", "300m")
    yield tmp_path / "home"
    server.stop()


def changed(home: Path, *, writable: bool) -> None:
    for path in sorted(home.rglob("*"), reverse=True) if not writable else (home, *home.rglob("*")):
        path.chmod((0o700 if writable else 0o500) if path.is_dir() else (0o600 if writable else 0o400))
    home.chmod(0o700 if writable else 0o500)


@needs_rights
def test_a_home_that_may_only_be_read(own_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\n")
    with Graph.open() as graph:
        import_triples(graph, triple("lawyer", "IsA", "liar"))
    changed(own_home, writable=False)
    try:
        read = run("source", "list", "-o", "json")
        assert (read.returncode, '"kb"' in read.stdout) == (0, True), read.stderr
        assert run("stats", "representation").returncode == 0
        refused = [
            ["load", "triples", str(path), "--source", "more"],
            ["db", "backup", str(tmp_path / "graph.backup")],
            ["db", "stop"],
            ["db", "reset", "--yes"],
        ]
        for arguments in refused:
            result = run(*arguments)
            assert result.returncode == 1, arguments
            assert result.stderr.count("\n") == 1, arguments
            assert "cannot be written (Permission denied" in result.stderr, arguments
            assert "set HARMGRAPH_HOME to a folder that you may write" in result.stderr, arguments
    finally:
        changed(own_home, writable=True)
    server.stop()
    changed(own_home, writable=False)
    try:
        assert "server.lock: cannot be written" in run("source", "list").stderr
    finally:
        changed(own_home, writable=True)
    assert not (tmp_path / "graph.backup").exists()
    with Graph.open() as graph:
        assert [row["source"]["name"] for row in graph.rows("source/list")] == ["kb"]


@needs_rights
def test_a_home_that_may_not_be_read(own_home: Path) -> None:
    own_home.mkdir(mode=0o000)
    try:
        for arguments in (
            ["db", "status"],
            ["source", "list"],
            ["embed", "list"],
            ["db", "stop"],
            ["db", "reset", "--yes"],
        ):
            said = run(*arguments).stderr
            assert said.count("\n") == 1, arguments
            assert f"{own_home}: the folder may not be read; set HARMGRAPH_HOME to a folder of your own" in said
    finally:
        own_home.chmod(0o700)


def test_whose_it_is(own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    own_home.mkdir()
    assert whose(own_home) == ""
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 2**31 - 5)
        assert whose(own_home / "neo4j" / "server.json").startswith("; home belongs to ")
        with (
            pytest.raises(
                NoSpace, match=r"cannot be written \(Permission denied; home belongs to .*\); set HARMGRAPH_HOME"
            ),
            writing(own_home),
        ):
            raise PermissionError(13, "Permission denied", str(own_home / "server.lock"))
        patch.setattr(os, "access", lambda *_: False)
        with pytest.raises(
            NoSpace, match=r"the folder may not be read; home belongs to .*; set HARMGRAPH_HOME to a folder of"
        ):
            homes.home()
        assert main(["embed", "list"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("end", [server.stop, server.reset])
def test_the_server_of_another_user_is_not_stopped(
    end: object, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Theirs:
        pid = 7

        def terminate(self) -> None:
            raise psutil.AccessDenied(7)

        kill = terminate

        def uids(self) -> object:
            return psutil.Process().uids()

    with monkeypatch.context() as patch:
        patch.setattr(server, "_process", Theirs)
        with pytest.raises(
            ServerError, match=r"process 7: Neo4j was started by .*, and only that user may stop it; have them run"
        ):
            end()  # type: ignore[operator]

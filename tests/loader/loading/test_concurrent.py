"""Two commands at once: both right, or the second says why not; a dead one holds nobody up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from tests.support.commands import loading
from tests.support.generated import write_triples
from tests.support.places import ROOT
from tests.support.processes import PATIENCE, wait_for

HOLD = """
import sys
from harmgraph.graph.connection import Graph
with Graph.open() as graph, graph.holding("label vader"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("sources", [("kb", "kb"), ("one", "two")], ids=["same source", "two sources"])
def test_two_loads_at_once(graph: Graph, tmp_path: Path, sources: tuple[str, str]) -> None:
    path = write_triples(tmp_path / "kb.tsv", 8_000)
    right = set()
    for order in (sources, sources[::-1]):  # a relation belongs to the source that brings it first
        graph.autocommit("schema/wipe")
        for source in order:
            assert main(["load", "triples", str(path), "--source", source]) == 0
        right.add(digest(graph))
    graph.autocommit("schema/wipe")
    with loading(path, sources[0]) as first, loading(path, sources[1]) as second:
        results = [(one.communicate(timeout=PATIENCE)[1], one.returncode) for one in (first, second)]
    assert 0 in {code for _, code in results}, results
    for (err, code), source in zip(results, sources, strict=True):
        if code:
            [line] = err.splitlines()
            assert code == 1
            assert "another command is changing the graph: load " in line
            assert line.endswith("wait until it is done, then run this again")
            assert main(["load", "triples", str(path), "--source", source]) == 0
        else:
            assert err == ""
    assert digest(graph) in right


def test_the_second_says_which_command_is_in_its_way(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_triples(tmp_path / "kb.tsv", 8)
    with graph.holding("label vader"):
        assert main(["load", "triples", str(path)]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert re.search(rf"another command is changing the graph: label vader \(process {os.getpid()}, for \d+ s\)", line)


def test_reading_goes_on_while_another_command_writes(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    with graph.holding("load a"):
        assert main(["source", "list", "-o", "json"]) == 0
        assert capsys.readouterr().out.strip() == "[]"


def test_a_command_that_was_killed_holds_nobody_up(graph: Graph) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert [row["pid"] for row in graph.rows("lock/holders")] == [holder.pid]
        holder.kill()
        holder.wait()
    wait_for(lambda: not graph.rows("lock/holders"))
    with graph.holding("load a"):
        assert graph.rows("lock/holders")[0]["purpose"] == "load a"

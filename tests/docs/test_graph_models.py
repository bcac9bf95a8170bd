"""The examples of docs/graph_models.md run."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.models.subgraph.split import TEST
from tests.support.family import family, working_records
from tests.support.filling import import_triples
from tests.support.page import blocks, run


def test_the_page(graph: Graph, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(home / "models", ignore_errors=True)  # of other tests
    for source, name in (("ours", "a"), ("others", "b")):
        import_triples(graph, *working_records(name), source=source)
    try:
        for line in "".join(blocks("graph_models.md", "bash")).splitlines():
            assert main(shlex.split(line)[1:]) == 0, line
        out = capsys.readouterr().out
        assert "(unseen)" in out
        assert "what the score of pilot, " in out
        assert ':param object => "wikidata/pilot";' in out
        names = run("graph_models.md")
    finally:
        shutil.rmtree(home / "models", ignore_errors=True)
    assert len(names["best"]) == len(family("b").triples(TEST))  # type: ignore[arg-type]

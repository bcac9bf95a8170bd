"""The demo is the whole main job; twice it changes nothing, and it is in no number of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from harmgraph.demo import demo, own_home
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.sources import every
from harmgraph.graph.server import server
from tests.support.filling import import_triples, triple


@pytest.mark.long
def test_demo_twice(graph: Graph, tmp_path: Path) -> None:
    import_triples(graph, triple("lawyer", "IsA", "liar"))
    own = digest(graph)
    with own_home() as folder:
        pass
    try:
        first = CliRunner().invoke(demo, ["--out", str(tmp_path / "one")], catch_exceptions=False)
        assert first.exit_code == 0
        assert "disparity of sample-conceptnet: D_R" in first.output
        assert f"HARMGRAPH_HOME={folder} harmgraph db open" in first.output
        assert f"HARMGRAPH_HOME={folder} harmgraph db stop" in first.output
        assert (tmp_path / "one" / "report.html").is_file()
        with own_home(), Graph.open() as sample:
            before = digest(sample)
            assert {"sample-conceptnet", "sample-genericskb"} <= {facts["name"] for facts in every(sample)}
            second = CliRunner().invoke(demo, ["--out", str(tmp_path / "two")], catch_exceptions=False)
            assert digest(sample) == before
    finally:
        with own_home():
            server.stop()
    assert second.exit_code == 0
    assert digest(graph) == own, "the user's store"

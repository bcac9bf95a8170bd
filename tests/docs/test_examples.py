"""Every example of the documentation runs."""

from __future__ import annotations

import shlex
import sys
import types
from pathlib import Path

import pytest

from graph.connection import Graph
from graph.records import Concept, Target, Triple
from graph.statements import parse
from harmgraph import main
from tests.analytics.test_label import fill
from tests.docs.page import blocks, run
from tests.models.test_subgraph import fill as fill_ring
from tests.models.test_subgraph import ring
from tests.models.toy import toy


def test_notebook(graph: Graph) -> None:
    names = run("notebook.md")
    assert len(names["rates"]) > 5  # type: ignore[arg-type]
    assert not names["frame"].empty  # type: ignore[attr-defined]


def test_add_a_statistic(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks("add_a_statistic.md", "cypher")
    (tmp_path / "prejudice_sources.cypher").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    graph.write(parse("mark", "MATCH ()-[r:IS_A]->() SET r.sentiment = 'negative'"))
    names = run("add_a_statistic.md")
    assert names["frame"].to_dict("records") == [{"target": "lawyer", "source": "s", "negative": 1}]  # type: ignore[attr-defined]


def test_add_a_scorer(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    monkeypatch.setitem(sys.modules, "add_a_scorer_md", types.ModuleType("add_a_scorer_md"))
    names = run("add_a_scorer.md")
    report = names["report"]
    assert (report.by, report.labels) == ("insults@1.0", {"negative": 1})  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("default")
def test_py2neo(graph: Graph) -> None:
    pytest.importorskip("py2neo", reason="py2neo is not installed")
    names = run("py2neo.md")
    names["notebook"].service.connector.close()  # type: ignore[attr-defined]


def test_embeddings(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
    import numpy as np

    fill_ring(graph, *ring(), source="ring")
    monkeypatch.chdir(tmp_path)
    for name, rows in (("E", toy().entities), ("R", toy().relations)):
        np.save(f"{name}.npy", np.ones((len(rows), 4)))
    Path("entities.txt").write_text("\n".join(toy().entities), encoding="utf-8")
    Path("relations.txt").write_text("\n".join(toy().relations), encoding="utf-8")
    for block in blocks("embeddings.md", "bash"):
        for line in block.splitlines():
            assert main(shlex.split(line)[1:]) == 0, line
    names = run("embeddings.md")
    assert names["scores"][0, 5] == pytest.approx(names["same"][0].item())  # type: ignore[index]
    assert names["graph_for_dgl"].num_edges() == len(toy())  # type: ignore[attr-defined]

"""Implied statements near those of a knowledge base."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.language.frames.echoes import near
from tests.support import sbic, tiny_model
from tests.support.filling import fill, triple


@pytest.fixture
def posts(graph: Graph, tmp_path: Path) -> Graph:
    fill(graph, Target("woman", "gender"), source="groups")
    fill(
        graph,
        triple("woman", "CapableOf", "kind thief"),
        Statement("Women is awful at home", "woman"),
        triple("lawyer", "IsA", "thief"),
        source="kb",
    )
    rows = [sbic.drive("7", "women is awful at home"), sbic.drive("8", "not a good teacher"), *sbic.ROWS[4:]]
    pipeline.load(graph, Plan(importers.get("sbic"), (sbic.written(tmp_path, sbic.table(rows)),), "sbic"))
    return graph


def test_the_nearest_statement_of_each(posts: Graph, tmp_path: Path) -> None:
    encoder = str(tiny_model.save(tmp_path / "encoder", classifier=False))
    every = near(posts, "sbic", "kb", encoder, -1)
    assert every.compared == 2, "of black folks the knowledge base says nothing"
    assert {(row.target, row.implied) for row in every.rows} == {
        ("woman", "women is awful at home"),
        ("woman", "not a good teacher"),
    }
    first = every.rows[0]
    assert (first.implied, first.statement, first.posts, first.annotators) == (
        "women is awful at home",
        "Women is awful at home",
        1,
        1,
    )
    assert first.cosine == pytest.approx(1, abs=1e-5)
    (line,) = near(posts, "sbic", "kb", encoder, 0.99999).said
    assert line.startswith("1 of 2 pairs")
    assert encoder in line


def test_what_cannot_be_compared(posts: Graph, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        near(posts, "sbic", "nothing", "x", 0.5)
    with pytest.raises(InputError, match="no post that implies anything"):
        near(posts, "kb", "sbic", "x", 0.5)
    with pytest.raises(InputError, match="the encoder cannot be loaded"):
        near(posts, "sbic", "kb", str(tmp_path), 0.5)

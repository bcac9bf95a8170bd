"""A trained populator, and a graph with pairs that it may propose."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.records import Target
from harmgraph.models.population import named_populator, trained
from tests.support.filling import import_triples
from tests.support.population import HEADS, LEARNS, MODEL, TAILS, event_triple


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, home: Path) -> str:
    """The name of a populator that tells good tails from bad ones; trained again only where another module removed it."""
    from tests.support import tiny_model
    from tests.support.population import write_folder

    folder = tmp_path_factory.mktemp("proposer")
    encoder = tiny_model.save(folder / "encoder", classifier=False, spread=tiny_model.LEARNS)
    if MODEL not in trained.names():
        options = {"encoder": str(encoder), "recipe": LEARNS, "precision": "fp32"}  # the same on every processor
        named_populator.train(MODEL, write_folder(folder / "data"), "bert", **options)  # type: ignore[arg-type]
    return MODEL


@pytest.fixture
def events(graph: Graph) -> Graph:
    """Four heads, four tails, one xWant of each head, and a target that two heads name."""
    wants = [event_triple(head, "xWant", tail) for head, tail in zip(HEADS, TAILS, strict=True)]
    import_triples(graph, *wants, event_triple(HEADS[0], "Causes", HEADS[1]), source="folk")
    import_triples(graph, Target("teacher", "profession"), source="groups")  # type: ignore[arg-type]
    linker.link(graph)
    with graph.holding("tests"):
        pass  # The node that holds the lock is made once and stays.
    return graph

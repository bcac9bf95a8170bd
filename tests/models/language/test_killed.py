"""Generations that were killed, made again, give the graph of those that were not; by real processes, at random writes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Concept, Target, Triple
from tests.support.filling import fill
from tests.support.killed import killed_and_run_again

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("without_language_models")]
HEADS = ("baker", "lawyer", "doctor", "river", "house", "street")
FAST = ("--batch", "8", "--context", "32", "--vocabulary", "300", "--threads", "1", "--epochs", "1", "--no-progress")
SAY = (
    "language",
    "generate",
    "comet",
    "--targets",
    "--into",
    "said",
    "--threads",
    "1",
    "--length",
    "6",
    "--no-progress",
)


@pytest.fixture
def comet(graph: Graph) -> Graph:
    """A model that learnt a source of triples, and two targets to ask it about."""
    triples = [
        Triple(Concept(head), kind, Concept(tail))
        for head in HEADS
        for kind, tail in (("IsA", "person"), ("HasA", "home"))
    ]
    fill(graph, *triples, source="kb")
    fill(graph, Target("baker", "profession"), Target("lawyer", "profession"), source="groups")
    assert main(["language", "train", "comet", "--model", "new:tiny", "--source", "kb", "--as", "comet", *FAST]) == 0
    return graph


def test_generate(comet: Graph) -> None:
    def prepare() -> None:
        if "said" in sources.names(comet):
            sources.drop(comet, "said")

    killed_and_run_again(comet, prepare, *SAY, "--beams", "2", times=3, seed=1)


def test_generate_in_place_of_other_generations(comet: Graph) -> None:
    def prepare() -> None:
        if "said" in sources.names(comet):
            sources.drop(comet, "said")  # a source counts its loads
        assert main([*SAY, "--beams", "3"]) == 0
        label(comet, scorers.get("vader"), source="said", processes=1)

    killed_and_run_again(comet, prepare, *SAY, "--beams", "2", times=3, seed=2)

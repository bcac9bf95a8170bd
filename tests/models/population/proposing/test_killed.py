"""Propose and accept that were killed, run again, give the graph of one that was not; by real processes, at random writes."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.models.population.proposing.propose import propose
from tests.support.killed import killed_and_run_again
from tests.support.population import DRAW

pytestmark = pytest.mark.long
PROPOSE = ("population", "propose", "--relation", "xWant", "--tails", "4", "--min-score", "0", "--no-progress")
ACCEPT = ("population", "accept", "--min-score", "0", "--harm", "positive,neutral,negative,unlabelled", "--no-progress")


def dropped(graph: Graph, *names: str) -> None:
    for name in set(names) & set(sources.names(graph)):
        sources.drop(graph, name)


def test_propose(events: Graph, model: str) -> None:
    source = f"proposed:{model}"
    killed_and_run_again(events, lambda: dropped(events, source), *PROPOSE, "--model", model, times=3, seed=1)


def test_propose_beside_the_labelled_proposals_of_another_run(events: Graph, model: str) -> None:
    source = f"proposed:{model}"

    def prepare() -> None:
        dropped(events, source)
        propose(events, model, replace(DRAW, limit=8), min_score=0.0)
        label(events, scorers.get("vader"), source=source, processes=1)

    killed_and_run_again(events, prepare, *PROPOSE, "--model", model, "--seed", "7", times=3, seed=2)


def test_accept(events: Graph, model: str) -> None:
    propose(events, model, DRAW, min_score=0.0)
    source = f"population:{model}"
    killed_and_run_again(events, lambda: dropped(events, source), *ACCEPT, times=3, seed=3)

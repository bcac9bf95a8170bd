"""A small labelled graph and a review of it."""

from __future__ import annotations

from pathlib import Path

from harmgraph.analytics.labelling.drawn_sample import Sample, Wish
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.analytics.review.sample import draw
from harmgraph.analytics.review.session import Review
from harmgraph.common.scorer import scorers
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from tests.support.filling import fill, triple

BAD = ("horrible liar", "terrible crook", "vicious criminal", "hated fraud")
GOOD = ("wonderful helper", "brilliant hero", "kind genius", "beloved friend")
PLAIN = ("person with office", "town resident", "reader", "tenant of house", "speaker of language", "owner of chair")


def labelled(graph: Graph) -> None:
    """Lawyers and nurses: fourteen triples about each and a sentence about nurses; vader's labels stand."""
    schema_setup.apply(graph)
    targets = (Target("lawyer", "profession"), Target("nurse", "profession"))
    triples = [triple(name, "IsA", tail) for name in ("lawyer", "nurse") for tail in (*BAD, *GOOD, *PLAIN)]
    fill(graph, *targets, *triples, Statement("A nurse is kind to a lawyer.", "nurse"), source="kb")
    label(graph, scorers.get("vader"))


def sample_of(graph: Graph, **wish: object) -> Sample:
    """A sample of ``labelled``."""
    return draw(graph, Wish(**{"size": 6, **wish}))  # type: ignore[arg-type]


def review_of(graph: Graph, path: Path, sample: Sample | None = None, *, reveal: bool = False) -> Review:
    """A review that writes to ``path`` and the measure ``review``."""
    return Review(graph, sample or sample_of(graph), Judgements(path), "review", reveal=reveal)

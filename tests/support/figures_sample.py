"""A small graph on which every figure has something to show: two sources, four categories, two measures, a saved run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.analytics.statistics.measurements import save_measurements
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import count, names
from harmgraph.graph.records import Concept, Implication, Import, Statement, Target, Triple
from tests.support.filling import fill

GROUPS = {
    "profession": ("lawyer", "judge", "nurse", "cook", "poet"),
    "religion": ("muslim", "church"),
    "origin": ("dutch", "korea", "日本"),
    "gender": ("woman", "man"),
}
SAID = ("awful", "kind", "tall", "old", "dishonest", "good friend", "here", "there")
RATINGS = Ratings(
    {
        "lawyer is a awful": (0, 1, 2),
        "Lawyer  is a kind": (2, 1, 0),
        "lawyer is a tall": (0, 3, 0),
        "no such": (3, 0, 0),
    }
)
SOURCES = ("sample-kb", "sample-text")
MEASURES = ("sentiment", "opinion")
AXES = "word,axis,direction\n" + "".join(
    f"{word},{axis},{direction}\n"
    for axis, words in {
        "warmth": {"awful": -1, "kind": 1, "dishonest": -1, "good": 1, "here": 1},
        "competence": {"kind": 1, "tall": 1, "old": -1, "dishonest": -1, "here": 1, "there": -1},
    }.items()
    for word, direction in words.items()
)
"""A dictionary of two axes, of which nearly every sentence has a word."""


def label_axes(graph: Graph) -> None:
    """Labels warmth and competence, by ``AXES``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "axes.csv"
        path.write_text(AXES, "utf-8")
        dimensions = scorers.get("dimensions")
        for measure, options in dimensions.passes(dimensions.measure, {"dictionary": str(path)}):
            label(graph, dimensions, measure=measure, options=options)


def sample(graph: Graph) -> Graph:
    """Fills and labels an empty graph."""
    targets = [Target(name, category) for category, names in GROUPS.items() for name in names]
    meant = [target.name for target in targets]
    triples = [
        Triple(Concept(name), "IsA", Concept(SAID[each % len(SAID)] + (f" {each}" if each >= len(SAID) else "")))
        for order, name in enumerate(meant)
        for each in range(4 + order % 5 if name != "lawyer" else 40)
    ]
    triples += [
        Triple(Concept("muslim"), relation, Concept("woman")) for relation in ("RelatedTo", "DistinctFrom", "Antonym")
    ]
    sentences = [
        Statement(
            f"{name} number {each} is {SAID[(each + order) % len(SAID)]}.",
            name,
            {"origin": ("Gab", "t/davidson", "r/darkjokes")[each % 3]},
            implies=(Implication(name, ("race", "gender", "social")[order % 3], f"{name} are {SAID[each]}"),),
        )
        for order, name in enumerate(meant[:8])
        for each in range(5)
    ]
    fill(graph, *targets, *triples, source=SOURCES[0])
    fill(graph, *sentences, source=SOURCES[1])
    finish(graph, *SOURCES)
    label(graph, scorers.get("vader"))
    label(graph, scorers.get("opinion"))
    label_axes(graph)
    disparity = statistic("disparity")
    for _ in range(2):
        save_measurements(
            graph, disparity, disparity(graph, source=SOURCES[0]), {"source": SOURCES[0], "measure": "sentiment"}
        )
    return graph


def standing(graph: Graph) -> Graph:
    """The sample, filled in only where it does not stand: for tests that change nothing."""
    if sorted(names(graph)) != sorted(SOURCES):
        graph.autocommit("schema/wipe")
        sample(graph)
    return graph


def finish(graph: Graph, *sources: str) -> None:
    """Marks sources as loaded."""
    for name in sources:
        counts = {"duplicates": 0, "rejected": 0, **count(graph, Import(name, "i")).saved()}
        graph.write("source/finish", name=name, import_id="i", counts=json.dumps(counts), summary="{}")


def numbers(graph: Graph) -> Numbers:
    """With a support that the sample has, and people's labels."""
    return Numbers(graph, min_support=3, resamples=50, ratings=RATINGS)


def subject() -> Subject:
    """The sample's sources and measures: enough for a figure of any scope."""
    return Subject(SOURCES, MEASURES)

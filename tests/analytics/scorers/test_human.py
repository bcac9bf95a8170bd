"""People's labels in the graph: looked up unmasked, by majority, stale when the file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.analytics.scorers.human import SCORER, majorities
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.scorer import Score
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Target, Triple
from tests.support.filling import fill

CSV = """sentence,label
lawyer is a  Crook,3
Lawyer is a crook,3
lawyer is a crook,2
Lawyers sit.,2
Lawyers run.,1
Lawyers run.,3
"""


def test_the_most_given_label_counts() -> None:
    ratings = Ratings({"A b": (2, 1, 0), "a  B": (0, 0, 1), "tie": (1, 1, 0)})
    assert majorities(ratings) == {"a b": Score("positive", 0.25)}


def test_labels_reach_the_graph_and_its_statistics(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(CSV)
    fill(
        graph,
        Target("lawyer", "profession"),
        Triple(Concept("lawyer"), "/r/IsA", Concept("crook")),
        Triple(Concept("lawyer"), "/r/IsA", Concept("person")),
        Statement("Lawyers sit.", "lawyer"),
        Statement("Lawyers run.", "lawyer"),
        source="kb",
    )
    report = label(graph, SCORER, options={"csv": str(path)})
    assert (report.written, report.without, dict(report.labels)) == (2, 2, {"negative": 1, "neutral": 1})
    row = statistic("neutral")(graph, source="kb", measure="human").iloc[0]
    assert (row["pairs"], row["unlabelled"], row["neutral_mean"]) == (4, 2, 25)
    assert label(graph, SCORER, options={"csv": str(path)}).up_to_date == 4
    path.write_text("sentence,label\nLawyers sit.,3\n")  # corrected: one label changes, one goes
    again = label(graph, SCORER, options={"csv": str(path)})
    assert (again.written, again.without) == (1, 3)


def test_what_cannot_be_used(tmp_path: Path) -> None:
    for options in ({}, {"labels": "x"}, {"csv": "x", "labels": "y", "sentences": "z"}):
        with pytest.raises(InputError, match="people's labels are needed"):
            SCORER.by(options)
    with pytest.raises(UnreadableFile, match="cannot be read"):
        SCORER.by({"csv": str(tmp_path / "missing")})

"""The statistics of social bias frames on a corpus whose numbers can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from harmgraph.__main__ import main
from harmgraph.analytics.statistics.computed.frame_domains import commonest, description, frame_domains
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.schema_command import schema_of
from tests.support import sbic
from tests.support.filling import fill, triple
from tests.support.schemas import faults

FRAMES = ("frames", "frame_origins", "frame_groups", "frame_examples", "frame_domains")


@pytest.fixture
def posts(graph: Graph, tmp_path: Path) -> Graph:
    path = sbic.written(tmp_path)
    pipeline.load(graph, Plan(importers.get("sbic"), (path,), "sbic"))
    return graph


def rows(graph: Graph, name: str, key: str, **parameters: Any) -> dict[str, dict[str, Any]]:
    return {row[key]: row for row in statistic(name)(graph, **parameters).to_dict("records")}


def test_counts_and_shares(posts: Graph) -> None:
    found = rows(posts, "frames", "what")
    assert {what: row["n"] for what, row in found.items()} == {
        "posts": 4,
        "annotations of a post by a person": 9,
        "implications": 6,
        "groups": 4,
        "targets of these groups": 4,
        "implied statements": 3,
        "post and group": 4,
        "post, group and statement": 5,
        "group and statement": 5,
        "posts with a group": 2,
        "posts with an implied statement": 2,
        "offensive: posts": 3,
        "intent: posts": 2,
        "lewd: posts": 1,
        "group targeted: posts": 2,
        "in group: posts": 0,
        "offensive: answers": 6,
        "intent: answers": 3,
        "lewd: answers": 1,
        "group targeted: answers": 5,
        "in group: answers": 0,
    }
    assert found["group targeted: posts"]["of"] == 3, "nobody was asked about lunch"
    assert (found["offensive: answers"]["of"], found["offensive: answers"]["percent"]) == (8, 75)
    for what, n in (("posts with a group", 4), ("offensive: posts", 4), ("in group: posts", 2)):
        expected = binomtest(found[what]["n"], n).proportion_ci(0.95, method="wilson")
        assert found[what]["percent_low"] == pytest.approx(100 * expected.low, abs=1e-9)
        assert found[what]["percent_high"] == pytest.approx(100 * expected.high, abs=1e-9)


def test_the_interval_of_answers_is_one_over_posts(posts: Graph) -> None:
    row = rows(posts, "frames", "what")["offensive: answers"]
    positive, n = np.array([2, 3, 0, 1]), np.array([3, 3, 1, 1])
    residuals = positive - 0.75 * n
    half = 1.959963984540054 * np.sqrt((residuals**2).sum() * 4 / 3) / n.sum()
    assert row["percent_low"] == pytest.approx(100 * (0.75 - half))
    assert row["percent_high"] == 100


def test_one_origin(posts: Graph) -> None:
    found = rows(posts, "frames", "what", origin="Gab")
    assert (found["posts"]["n"], found["implications"]["n"], found["offensive: posts"]["n"]) == (1, 0, 0)
    assert statistic("frames")(posts, origin="nowhere").empty


def test_origins(posts: Graph) -> None:
    found = rows(posts, "frame_origins", "origin")
    assert {origin: (row["type"], row["posts"], row["with_group"]) for origin, row in found.items()} == {
        "r/darkjokes": ("Reddit", 1, 100),
        "t/founta": ("Twitter", 1, 100),
        "t/waseem": ("Twitter", 1, 0),
        "Gab": ("hate sites", 1, 0),
    }
    assert (found["Gab"]["offensive"], found["t/waseem"]["lewd"], found["Gab"]["paper"]) == (0, 100, 3_715)
    assert found["Gab"]["percent"] == 25


def test_groups(posts: Graph) -> None:
    frame = statistic("frame_groups")(posts, each=1)
    assert list(frame["category"]) == ["culture", "gender", "race"]
    found = {row["category"]: row for row in frame.to_dict("records")}
    assert (found["gender"]["target"], found["gender"]["posts"], found["gender"]["statements"]) == ("women", 1, 2)
    race = found["race"]
    assert (race["target"], race["posts"], race["category_posts"]) == ("black folks", 1, 1)
    assert race["percent"] == pytest.approx(100 / 3), "one of three pairs of a post and a target"
    assert race["category_percent"] == pytest.approx(100 / 3), "one of three pairs of a post and a category"
    assert len(statistic("frame_groups")(posts, category="race")) == 3


def test_examples(posts: Graph) -> None:
    (row,) = statistic("frame_examples")(posts, target="women").to_dict("records")
    assert (row["post"], row["offensive"], row["intent"], row["lewd"], row["group"], row["in_group"]) == (
        sbic.DRIVE,
        "yes",
        "yes",
        "no",
        "yes",
        "no",
    )
    assert row["implied"] == ["women are careless", "women drive badly"]
    every = statistic("frame_examples")(posts)
    lunch = every[every["post"] == sbic.LUNCH]
    assert lunch[["group", "target"]].isna().all(axis=None)
    assert list(lunch["implied"]) == [[]]


def test_echoes(posts: Graph) -> None:
    """Word for word but for articles, forms of be, marks, capitals and a plural s; in either direction."""
    fill(
        posts,
        Statement("Women drive badly.", "women"),
        triple("careless", "RelatedTo", "women"),
        triple("women", "IsA", "human"),
        triple("women", "Antonym", "careless"),  # a denial
        triple("women", "NotCapableOf", "drive badly"),
        triple("black folks", "HasProperty", "are fast indeed"),
        triple("black folks", "HasProperty", "fast"),
        triple("women", "HasProperty", "fast"),
        source="kb",
    )
    frame = statistic("frame_echoes")(posts, source="sbic", other="kb")
    assert [(row["target"], row["implied"], row["statements"]) for row in frame.to_dict("records")] == [
        ("black folks", "are fast", ["black folks HasProperty fast"]),
        ("women", "women are careless", ["careless RelatedTo women"]),
        ("women", "women drive badly", ["Women drive badly."]),
    ]
    assert list(frame["posts"]) == list(frame["annotators"]) == [1, 1, 1]
    assert set(frame["echoed"]) == set(frame["of"]) == {3}, "the knowledge base does not speak of the others"
    assert len(statistic("frame_echoes")(posts, source="sbic", other="kb", category="gender")) == 2
    assert statistic("frame_echoes")(posts, source="sbic", other="sbic").empty


def test_the_rows_are_what_their_schemas_say(posts: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    fill(posts, Statement("Women drive badly.", "women"), source="kb")
    for words in (["frame_echoes", "sbic", "kb"], *([name] for name in FRAMES)):
        assert main(["stats", *words, "--output", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert rows, words
        assert faults(schema_of("stats", words[0]), rows) == []


def test_means_of_graded_answers_have_no_shares_of_answers(graph: Graph, tmp_path: Path) -> None:
    path = sbic.written(tmp_path, sbic.aggregated())
    pipeline.load(graph, Plan(importers.get("sbic"), (path,), "sbic"))
    found = rows(graph, "frames", "what")
    assert (found["offensive: posts"]["n"], found["offensive: posts"]["of"]) == (2, 3)
    assert "in group: posts" not in found, "the file does not have it"
    assert "offensive: answers" not in found


def test_without_posts_there_is_a_line_and_no_row(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("frames", "frame-origins", "frame-groups", "frame-examples"):
        assert main(["stats", name]) == 0
        assert "load some with 'harmgraph load sbic'" in capsys.readouterr().err, name


def test_categories_within_a_domain(posts: Graph, tmp_path: Path) -> None:
    table = frame_domains(posts, "sbic")
    assert [(row["domain"], row["category"], row["posts"], row["of"]) for row in table] == [
        ("Reddit", "gender", 1, 1),
        ("Twitter", "culture", 1, 2),
        ("Twitter", "race", 1, 2),
    ]
    expected = binomtest(1, 2).proportion_ci(0.95, method="wilson")
    assert (table[1]["percent_low"], table[1]["percent_high"]) == pytest.approx(
        (100 * expected.low, 100 * expected.high)
    )
    assert frame_domains(posts) == table
    assert commonest(table, 2) == ["culture", "gender"]
    assert "Reddit: gender 100.0 %; Twitter: culture 50.0 %." in description(table, ["culture", "gender"])
    figure = tmp_path / "figure.svg"
    assert main(["stats", "frame_domains", "--source", "sbic", "--figure", str(figure)]) == 0
    assert "Bars of the share" in figure.read_text()
    assert main(["stats", "frame_domains", "--figure", "figure.txt"]) == 1
    alone = figure.with_name("alone.svg")
    assert main(["figure", "frame_domains", "--source", "sbic", "--out", str(alone)]) == 0, "frames need no harm labels"
    assert alone.stat().st_size > 1_000
    fill(posts, triple("woman", "IsA", "person"), source="kb")
    with pytest.raises(InputError, match="no post implies anything"):
        frame_domains(posts, "kb")

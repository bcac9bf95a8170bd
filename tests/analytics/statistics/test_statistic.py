"""Statistics on small graphs whose numbers can be counted by hand or by scipy."""

from __future__ import annotations

import json
import math
import statistics as plain
import subprocess
import sys
from typing import Any

import numpy
import pytest
from scipy.stats import binomtest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.bootstrap import interval
from harmgraph.analytics.statistics.statistic import Statistic, every_statistic, statistic, statistic_names
from harmgraph.analytics.statistics.table import records
from harmgraph.common.errors import BadName, NotFound, UnknownMember
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Implication, Statement, Target, Triple
from harmgraph.graph.statements import literal, parse
from tests.support.counted_sample import TARGETS
from tests.support.filling import fill, triple
from tests.support.places import ROOT

ARGUMENTS: dict[str, dict[str, Any]] = {
    "examples": {"target": "lawyer"},
    "words": {"target": "lawyer"},
    "called": {"word": "awful"},
    "dimensions": {"axes": ["sentiment"]},
    "compare_scorers": {"against": "sentiment"},
    "compare": {"source": "kb", "other": "text", "min_support": 1},
    "amplification": {"source": "kb", "other": "text", "min_support": 1},
    "regions": {"min_support": 1},
    "intersections": {"min_support": 1},
    "relations": {"source": "kb"},
    "degrees": {"source": "kb"},
    "grounding": {"source": "kb", "other": "kb"},
    "generated": {"source": "text", "other": "kb"},
    "hops": {"source": "kb", "other": "kb"},
    "frame_echoes": {"source": "kb", "other": "text"},
}

POST = Statement(
    "lawyers, you know",
    properties={"origin": "Gab", "offensive": 1.0, "offensive_answers": 2, "annotators": 2},
    implies=(Implication("lawyers", "profession", "lawyers are a dishonest man", "1"),),
)


def rows(graph: Graph, name: str, **parameters: Any) -> dict[str, dict[str, Any]]:
    frame = statistic(name)(graph, **parameters)
    return {row["target"]: row for row in frame.to_dict("records")}


def test_representation(labelled: Graph) -> None:
    found = rows(labelled, "representation", source="kb")
    assert {name: row["n"] for name, row in found.items()} == {"lawyer": 5, "hairstylist": 3, "judge": 1, "muslim": 1}
    assert found["judge"]["d_r"] == pytest.approx(plain.pvariance([5, 3, 1, 1]))
    assert found["lawyer"]["percent"] == pytest.approx(50)


def test_entities_that_name_a_target_change_no_number(labelled: Graph) -> None:
    before = {one.name: one(labelled, **ARGUMENTS.get(one.name, {})).to_csv() for one in every_statistic()}
    lawyer = Entity("wikidata/Q40348", "Lawyer")
    fill(labelled, Triple(Entity("wikidata/Q1", "Muslim"), "P106", lawyer), source="wikidata")
    label(labelled, scorers.get("vader"))
    assert [row["target"] for row in labelled.rows("explore/targets") if row["entities"]] == ["lawyer", "muslim"]
    for one in every_statistic():
        assert one(labelled, **ARGUMENTS.get(one.name, {})).to_csv() == before[one.name], one.name


def test_overgeneralization(labelled: Graph) -> None:
    found = rows(labelled, "overgeneralization")
    lawyer = found["lawyer"]
    assert (lawyer["n"], lawyer["positive"], lawyer["negative"]) == (6, 1, 3)
    assert lawyer["o_plus"] == pytest.approx(100 / 6)
    assert lawyer["o_minus"] == pytest.approx(50)
    for row in found.values():
        for sign, count in (("o_plus", row["positive"]), ("o_minus", row["negative"])):
            expected = binomtest(count, row["n"]).proportion_ci(0.95, method="wilson")
            assert row[f"{sign}_low"] == pytest.approx(100 * expected.low, abs=1e-9)
            assert row[f"{sign}_high"] == pytest.approx(100 * expected.high, abs=1e-9)
    assert set(rows(labelled, "overgeneralization", min_support=3)) == {"lawyer", "hairstylist"}
    assert set(rows(labelled, "overgeneralization", category="religion")) == {"muslim"}
    assert set(rows(labelled, "overgeneralization", target="lawyer")) == {"lawyer"}


def test_disparity(labelled: Graph) -> None:
    frame = statistic("disparity")(labelled, source="kb")
    every = frame.iloc[0]
    assert (every["category"], every["targets"], every["pairs"]) == ("all", 4, 10)
    assert every["d_r"] == pytest.approx(plain.pvariance([5, 3, 1, 1]))
    assert every["d_o_plus"] == pytest.approx(plain.pvariance([20, 0, 0, 0]))
    assert every["d_o_minus"] == pytest.approx(plain.pvariance([40, 0, 0, 0]))
    assert every["polarised_percent"] == pytest.approx(30)
    assert list(frame["category"]) == ["all", "profession", "religion"]
    religion = frame.iloc[2]
    assert religion["targets"] == 1
    assert religion["d_r"] == 0
    assert math.isnan(religion["d_r_low"])  # one target carries no interval
    assert every["d_r_low"] <= every["d_r"] <= every["d_r_high"]


def test_neutral(labelled: Graph) -> None:
    frame = statistic("neutral")(labelled, source="kb")
    assert list(frame["category"]) == ["all", "profession", "religion"]
    every = frame.iloc[0]
    assert (every["targets"], every["pairs"], every["unlabelled"]) == (4, 10, 0)
    assert every["neutral_mean"] == pytest.approx((40 + 100 + 100 + 100) / 4)
    assert every["neutral_variance"] == pytest.approx(plain.pvariance([40, 100, 100, 100]))
    assert every["neutral_mean_low"] <= every["neutral_mean"] <= every["neutral_mean_high"]
    assert math.isnan(frame.iloc[2]["neutral_variance_low"])  # one target carries no interval


def test_regions(labelled: Graph) -> None:
    found = rows(labelled, "regions", min_support=1, favouritism=15, prejudice=30)
    assert {name: row["region"] for name, row in found.items()} == {
        "lawyer": "both",
        "muslim": "favouritism",
        "judge": "neutral",
        "hairstylist": "neutral",
    }
    by_mean = rows(labelled, "regions", min_support=1)
    assert by_mean["lawyer"]["prejudice_from"] == pytest.approx(50 / 4)


def test_categories(labelled: Graph) -> None:
    frame = statistic("categories")(labelled, source="kb")
    row = frame[(frame["category"] == "profession") & (frame["value"] == "n")].iloc[0]
    values = [5, 3, 1]
    assert [row["q1"], row["median"], row["q3"]] == list(numpy.percentile(values, [25, 50, 75]))
    assert (row["minimum"], row["maximum"], row["targets"]) == (1, 5, 3)


def test_outliers(graph: Graph) -> None:
    targets = [Target(f"t{number}", "origin") for number in range(9)]
    triples = [
        triple(f"t{number}", "RelatedTo", f"x{each}")
        for number in range(9)
        for each in range(50 if number == 8 else 2 + number % 3)
    ]
    fill(graph, *targets, *triples)
    frame = statistic("categories")(graph)
    row = frame[frame["value"] == "n"].iloc[0]
    assert row["outliers"] == ["t8"]
    assert (row["whisker_low"], row["whisker_high"], row["maximum"]) == (2, 4, 50)


def test_coverage(labelled: Graph) -> None:
    found = rows(labelled, "coverage")
    assert found["nobody"]["statements"] == 0
    assert found["nobody"]["sources"] == []
    assert (found["lawyer"]["statements"], found["lawyer"]["relations"]) == (6, 2)
    assert sorted(found["lawyer"]["sources"]) == ["kb", "text"]
    assert found["hairstylist"]["statements"] == 3
    assert set(rows(labelled, "coverage", without=True)) == {"nobody"}


def test_examples_and_words(labelled: Graph) -> None:
    frame = statistic("examples")(labelled, target="lawyer")
    assert set(frame["label"]) == {"positive", "negative"}
    assert "Lawyers are awful." in set(frame["statement"])
    assert all("lawyer" not in sentence.lower() for sentence in frame["sentence"])
    words = statistic("words")(labelled, target="lawyer", label="negative")
    assert set(words["word"]) == {"dishonest man", "devil", "awful"}


def test_compare(labelled: Graph) -> None:
    row = rows(labelled, "compare", source="kb", other="text", min_support=1)["lawyer"]
    assert (row["n"], row["other_n"]) == (5, 1)
    assert row["o_minus_change"] == pytest.approx(100 - 40)


def test_a_comparison_names_its_sources(
    labelled: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["stats", "compare", "kb", "text", "--min-support", "1"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "kb and text, target by target"
    assert "other" not in out
    assert "60.00" in out, "the change of prejudice is what it is for"
    assert max(map(len, out.splitlines())) <= 80
    assert main(["stats", "compare", "kb", "text", "--min-support", "1", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["o_minus_change"] == pytest.approx(60)
    assert main(["stats", "compare", "kb", "text"]) == 0
    assert "kb and text, target by target: nothing" in capsys.readouterr().out  # fewer than 10 statements say little


def test_an_interval_of_none_or_of_all_ends_exactly(graph: Graph) -> None:
    """Floating point left 4.9e-15, or a number below 0, where there is nothing."""
    for count in (3, 7, 10, 13, 31):
        fill(graph, Target(f"t{count}", "origin"), *(triple(f"t{count}", "HasA", f"x{each}") for each in range(count)))
        fill(
            graph, Target(f"b{count}", "origin"), *(triple(f"b{count}", "IsA", f"bad {each}") for each in range(count))
        )
    label(graph, scorers.get("vader"))
    found = rows(graph, "overgeneralization")
    for name, row in found.items():
        assert (row["o_plus"], row["o_plus_low"]) == (0, 0)
        if name.startswith("t"):
            assert (row["o_minus"], row["o_minus_low"]) == (0, 0)
        else:
            assert (row["o_minus"], row["o_minus_high"]) == (100, 100)


def test_the_variance_of_equal_rates_is_0_and_so_are_its_ends(graph: Graph) -> None:
    for number in range(1, 6):  # one of three statements is negative, whatever their number
        triples = [
            triple(f"t{number}", "IsA", f"{'bad' if each % 3 == 0 else 'x'} {each}") for each in range(3 * number)
        ]
        fill(graph, Target(f"t{number}", "origin"), *triples)
    label(graph, scorers.get("vader"))
    every = statistic("disparity")(graph, resamples=50).iloc[0]
    assert (every["d_o_minus"], every["d_o_minus_low"], every["d_o_minus_high"]) == (0, 0, 0)
    assert interval(numpy.full(7, 100 * 58 / 59), "var", 50, numpy.random.default_rng(1)) == (0, 0)


def test_compare_scorers(labelled: Graph) -> None:
    emotions = {"positive": "positive_emotion", "negative": "negative_emotion"}
    label(labelled, scorers.get("keyword"), measure="words", options=emotions)
    frame = statistic("compare_scorers")(labelled, measure="sentiment", against="words", source="kb")
    assert frame["statements"].sum() == 9  # a triple between two targets is one statement here
    assert frame["percent"].sum() == pytest.approx(100)
    apart = frame[frame["label"] != frame["other_label"]]
    assert set(apart["label"]) == {"positive", "negative"}
    assert "this person is a dishonest man" in [sentence for some in apart["sentences"] for sentence in some]
    assert not any(frame[frame["label"] == frame["other_label"]]["sentences"])


def test_unlabelled_statements_are_counted(graph: Graph) -> None:
    fill(graph, *TARGETS, triple("lawyer", "IsA", "kind person"))
    assert rows(graph, "overgeneralization")["lawyer"]["unlabelled"] == 1


def test_the_command_says_which_sources_it_takes_together(labelled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "overgeneralization"]) == 0
    assert "2 sources together (kb, text): --source NAME for one" in capsys.readouterr().err
    assert main(["stats", "overgeneralization", "--source", "kb"]) == 0
    assert "together" not in capsys.readouterr().err


@pytest.mark.parametrize("name", statistic_names())
def test_every_statistic_keeps_to_its_header(labelled: Graph, name: str) -> None:
    found = statistic(name)
    arguments = ARGUMENTS.get(name, {})
    if name.startswith("frame"):
        fill(labelled, POST, source="posts")
        arguments = {"source": "posts"} | ({"other": "kb"} if name == "frame_echoes" else {})
    if name == "intersections":
        fill(labelled, triple("lawyer", "RelatedTo", "muslim"), source="kb")
    if name == "generated":
        fill(
            labelled,
            Statement("Lawyers lie.", "lawyer", {"head": "lawyer", "relation": "IsA", "tail": "liar"}),
            source="said",
        )
        arguments = {"source": "said", "other": "kb"}
    frame = found(labelled, **arguments)
    estimates = found.bootstrap.estimates if found.bootstrap else ()
    extra = {f"{estimate.column}_{end}" for estimate in estimates for end in ("low", "high")}
    declared = [column.name for column in found.columns]
    assert [column for column in frame.columns if column in declared or column not in extra] == declared
    assert not frame.empty
    assert found.statement.title
    assert found.statement.description
    assert found.statement.cites
    for column in declared:
        if column.startswith(("o_", "percent", "polarised", "other_o")):
            least = -100 if "change" in column or "excess" in column else 0
            assert frame[column].dropna().between(least - 1e-9, 100 + 1e-9).all()


@pytest.mark.parametrize("name", statistic_names())
def test_every_statistic_bears_an_empty_graph(graph: Graph, name: str) -> None:
    parameters: dict[str, Any] = {}
    found = statistic(name)
    if name == "called":
        parameters = {"word": "awful"}
    if name in ("examples", "words"):
        fill(graph, Target("lawyer", "profession"))
        parameters = {"target": "lawyer"}
    if name in ("compare", "amplification"):
        graph.write("source/begin", name="kb", import_id="i", facts={})
        parameters = {"source": "kb", "other": "kb"}
    if name in ("degrees", "generated", "grounding", "hops", "frame_echoes"):
        graph.write("source/begin", name="kb", import_id="i", facts={})
        parameters = {"source": "kb"} if name == "degrees" else {"source": "kb", "other": "kb"}
    assert found(graph, **parameters).empty


@pytest.mark.parametrize("name", statistic_names())
def test_every_statistic_runs_as_pasted(labelled: Graph, name: str) -> None:
    """What ``--cypher`` prints is one ``:param`` line for each parameter and the statement itself."""
    found = statistic(name)
    text = found.pasteable(**ARGUMENTS.get(name, {}))
    parameters = [line for line in text.splitlines() if line.startswith(":param")]
    assert len(parameters) == len(found.statement.parameters)
    assert text.endswith(";")


def test_literals() -> None:
    assert literal('O\'Hara "x"\n') == '"O\'Hara \\"x\\"\\n"'
    assert literal([1, 2.5, None, True]) == "[1, 2.5, null, true]"


def test_errors(labelled: Graph) -> None:
    with pytest.raises(UnknownMember, match="did you mean disparity"):
        statistic("disparty")
    with pytest.raises(NotFound, match="near: lawyer"):
        statistic("examples")(labelled, target="lawyr")
    with pytest.raises(NotFound, match="no source named 'kbb'"):
        statistic("disparity")(labelled, source="kbb")
    with pytest.raises(BadName, match="is not taken by"):
        statistic("disparity")(labelled, nonsense=1)
    assert {each.name for each in every_statistic()} >= {"representation", "disparity"}


def test_bootstrap_covers_and_repeats() -> None:
    values = numpy.random.default_rng(1).normal(size=200)
    first = interval(values, "var", 500, numpy.random.default_rng(7))
    assert first == interval(values, "var", 500, numpy.random.default_rng(7))
    low, high = first
    assert low is not None
    assert high is not None
    assert low < values.var() < high
    assert interval(values[:2], "var", 500, numpy.random.default_rng(7)) == (None, None)


def test_plain_rows_are_those_of_the_frame(labelled: Graph) -> None:
    """Also in their types: pandas makes floats of whole numbers beside a null."""
    plain_ones = [one for one in every_statistic() if one.plain]
    assert {"examples", "relations", "degrees"} <= {one.name for one in plain_ones}
    compared = 0
    for one in plain_ones:
        given = ARGUMENTS.get(one.name, {})
        by_frame = records(one(labelled, **given))
        assert repr(one.rows(labelled, **given)) == repr(by_frame), one.name
        compared += len(by_frame)
    assert compared > 20
    text = (
        "// One\n// returns: n int: n\n// returns: x float: x\n// returns: whole int|null: w\n// returns: yes bool: y\n"
        "// returns: odd float: NaN\n// returns: text string: t\n"
        "UNWIND [[1, 1, 3, true, 0.0 / 0.0, 'a'], [null, 2.5, null, null, 1.0, null]] AS row\n"
        "RETURN row[0] AS n, row[1] AS x, row[2] AS whole, row[3] AS yes, row[4] AS odd, row[5] AS text"
    )
    made = Statistic(parse("statistics/made", text))
    assert repr(made.rows(labelled)) == repr(records(made(labelled)))
    with pytest.raises(NotFound):
        statistic("examples").rows(labelled, target="lawer")


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (("stats", "examples", "lawyer"), {"pandas", "numpy", "pyarrow", "scipy"}),
        (("stats", "relations"), {"pandas", "numpy", "pyarrow", "scipy"}),
        (("stats", "overgeneralization"), {"scipy.stats"}),
        (("source", "list"), {"pandas", "numpy", "pyarrow", "scipy"}),
    ],
)
def test_a_command_that_reads_a_number_imports_no_more_than_it_needs(
    labelled: Graph, arguments: tuple[str, ...], without: set[str]
) -> None:
    code = (
        "import sys\nfrom harmgraph.__main__ import run\n"
        f"sys.argv = ['harmgraph', *{list(arguments)!r}]\n"
        "try:\n  run()\nexcept SystemExit as ended:\n  assert ended.code == 0\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "neo4j" in loaded
    assert not loaded & without

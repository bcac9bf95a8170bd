"""Corrected rates of targets: which scorer, which sentences, which rows; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest
from statsmodels.stats.proportion import proportion_confint

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.standing_scorer import standing_scorer
from harmgraph.analytics.statistics.corrected import corrected
from harmgraph.analytics.statistics.measurements import history, save_measurements
from harmgraph.analytics.statistics.statistic import Statistic, statistic, statistic_names
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.graph.statements import from_file, parse
from harmgraph.graph.target_names import target_names
from harmgraph.loader.loading.default_targets import ensure
from harmgraph.schema_command import schema_of
from tests.support.filling import fill, triple
from tests.support.schemas import faults

SAYS = {"positive": "kind", "neutral": "tall", "negative": "awful"}
RATES = ("o_plus", "o_minus")


def people(folder: Path, counts: dict[tuple[str, str], int], name: str = "people.csv") -> Path:
    """Sentences that people call the first and VADER the second."""
    lines = [
        f"the lawyer of case {list(SAYS).index(given)}-{number} is {SAYS[said]},{given}"
        for (given, said), count in counts.items()
        for number in range(count)
    ]
    path = folder / name
    path.write_text("sentence,label\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


PERFECT = {(one, one): 60 for one in SAYS}
CONFUSED = {
    ("positive", "positive"): 60,
    ("positive", "neutral"): 40,
    ("neutral", "neutral"): 90,
    ("neutral", "positive"): 5,
    ("neutral", "negative"): 5,
    ("negative", "negative"): 50,
    ("negative", "neutral"): 50,
}


@pytest.fixture
def labelled(graph: Graph) -> Graph:
    """Two lawyers' statements in ten positive, one negative; judges and muslims have a few."""
    said = ["positive"] * 20 + ["negative"] * 10 + ["neutral"] * 70
    fill(
        graph,
        Target("lawyer", "profession"),
        Target("judge", "profession", aliases=("justice",)),
        Target("muslim", "religion"),
        *[triple("lawyer", "RelatedTo", f"{SAYS[one]} case{number}") for number, one in enumerate(said)],
        *[triple("justice", "RelatedTo", f"{SAYS[one]} robe") for one in SAYS],
        triple("muslim", "RelatedTo", "mosque"),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    return graph


def by_row(frame: Any) -> dict[tuple[str | None, str], dict[str, Any]]:
    return {(row["target"], row["category"]): row for row in frame.to_dict("records")}


def test_a_scorer_that_agrees_with_people_leaves_the_rates(labelled: Graph, tmp_path: Path) -> None:
    found = corrected(statistic("overgeneralization"), labelled, (people(tmp_path, PERFECT),), resamples=200)
    assert found.by == f"vader@{scorers.get('vader').version}"
    rows = by_row(found.frame)
    assert list(rows) == [
        (None, "all"),
        (None, "profession"),
        ("judge", "profession"),
        ("lawyer", "profession"),
        ("muslim", "religion"),
    ]
    for row in rows.values():
        for rate in RATES:
            assert row[f"{rate}_corrected"] == pytest.approx(row[rate])
            assert row[f"{rate}_corrected_low"] <= row[rate] <= row[f"{rate}_corrected_high"] + 1e-9
        assert row["constrained"] is False
    assert (rows["lawyer", "profession"]["o_plus"], rows["lawyer", "profession"]["o_minus"]) == (20, 10)
    every = rows[None, "all"]
    assert (every["n"], every["positive"], every["negative"]) == (104, 21, 11)
    low, high = proportion_confint(21, 104, method="wilson")
    assert (every["o_plus_low"], every["o_plus_high"]) == (pytest.approx(100 * low), pytest.approx(100 * high))


def test_the_inverse_by_hand(labelled: Graph, tmp_path: Path) -> None:
    found = corrected(statistic("overgeneralization"), labelled, (people(tmp_path, CONFUSED),), resamples=200)
    assert numpy.allclose(found.matrix.values, [[0.6, 0.4, 0], [0.05, 0.9, 0.05], [0, 0.5, 0.5]])
    lawyer = by_row(found.frame)["lawyer", "profession"]
    # q+ = .6 p+ + .05 p0 and q- = .05 p0 + .5 p-, with p0 = 1 - p+ - p- and q = (.2, .7, .1)
    plus, minus = lawyer["o_plus_corrected"] / 100, lawyer["o_minus_corrected"] / 100
    assert 0.6 * plus + 0.05 * (1 - plus - minus) == pytest.approx(0.2)
    assert 0.5 * minus + 0.05 * (1 - plus - minus) == pytest.approx(0.1)
    muslim = by_row(found.frame)["muslim", "religion"]
    assert (muslim["o_plus_corrected"], muslim["o_minus_corrected"], muslim["constrained"]) == (0, 0, True)
    assert muslim["o_minus_corrected_high"] > 50  # one statement tells nothing
    assert any("in 2 of 5 rows the inverse gives shares outside" in line for line in found.remarks())


def test_a_row_does_not_hang_on_the_others(labelled: Graph, tmp_path: Path) -> None:
    file = people(tmp_path, CONFUSED)
    every = corrected(statistic("overgeneralization"), labelled, (file,), resamples=100, seed=3)
    one = corrected(statistic("overgeneralization"), labelled, (file,), resamples=100, seed=3, target="lawyer")
    assert len(one.frame) == 1
    assert by_row(one.frame)["lawyer", "profession"] == by_row(every.frame)["lawyer", "profession"]
    assert one.overall.shares.tolist() == every.overall.shares.tolist()
    religion = corrected(statistic("overgeneralization"), labelled, (file,), resamples=100, category="religion")
    assert list(by_row(religion.frame)) == [("muslim", "religion")]
    none = corrected(statistic("overgeneralization"), labelled, (file,), resamples=100, min_support=1_000)
    assert none.frame.empty


def test_weighing_by_the_measure_itself(labelled: Graph, tmp_path: Path) -> None:
    """Over all it is then what people say of each label, weighed by the graph's shares."""
    file = people(tmp_path, CONFUSED)
    found = corrected(statistic("overgeneralization"), labelled, (file,), weigh=("sentiment",), resamples=100)
    q = dict(zip(SAYS, found.graph_shares, strict=True))
    assert q["positive"] == pytest.approx(21 / 104)
    assert found.overall.solved[0] == pytest.approx(q["positive"] * 60 / 65 + q["neutral"] * 40 / 180)
    assert found.weighed == ("sentiment",)
    label(labelled, scorers.get("opinion"))
    both = corrected(statistic("overgeneralization"), labelled, (file,), weigh=("sentiment", "opinion"), resamples=100)
    assert both.overall.solved[0] == pytest.approx(found.overall.solved[0], abs=0.01)  # they say nearly the same


def test_statements_without_a_label_are_left_out(labelled: Graph, tmp_path: Path) -> None:
    fill(labelled, triple("lawyer", "RelatedTo", "new thing"), triple("nobody", "RelatedTo", "judge"), source="more")
    found = corrected(statistic("overgeneralization"), labelled, (people(tmp_path, PERFECT),), resamples=100)
    lawyer = by_row(found.frame)["lawyer", "profession"]
    assert (lawyer["n"], lawyer["unlabelled"]) == (101, 1)
    assert lawyer["o_plus_corrected"] == pytest.approx(20)
    with pytest.raises(InputError, match="no statement carries a label of sentiment"):
        corrected(statistic("overgeneralization"), labelled, (people(tmp_path, PERFECT),), source="more")


def test_the_names_to_mask_are_those_that_agree_masks(graph: Graph) -> None:
    ensure(graph)
    rows = graph.rows("explore/targets", limit=1_000)
    assert {name for row in rows for name in (row["target"], *row["aliases"])} == set(target_names())


def test_peoples_sentences_are_masked(graph: Graph, tmp_path: Path) -> None:
    """A target whose name VADER takes for an insult."""
    fill(
        graph,
        Target("killer", "profession"),
        triple("killer", "RelatedTo", "kind man"),
        triple("killer", "RelatedTo", "x"),
    )
    label(graph, scorers.get("vader"))
    (tmp_path / "p.csv").write_text(
        "sentence,label\n"
        + "the killer is tall,2\n" * 3
        + "\n".join(
            f"the killer is {word} {n},{given}" for word, given in (("kind", 1), ("awful", 3)) for n in range(9)
        )
        + "\n"
        + "\n".join(f"the killer is tall {n},2" for n in range(9))
    )
    found = corrected(statistic("overgeneralization"), graph, (tmp_path / "p.csv",), resamples=50)
    assert found.matrix.values.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def set_by(graph: Graph, by: str, limit: int = 1_000) -> None:
    graph.write(
        parse("by", "MATCH ()-[r]->() WHERE r.sentiment IS NOT NULL WITH r LIMIT $limit SET r.sentiment_by = $by"),
        by=by,
        limit=limit,
    )


@pytest.mark.parametrize(
    ("by", "limit", "says"),
    [
        ("vader@1.0", 1_000, r"are by vader@1\.0, and vader is 3.* now; run 'harmgraph label vader' again"),
        ("vader@1.0", 5, r"are by several scorers: vader@3.* \(99\), vader@1\.0 \(5\); label again with one"),
        ("oracle@1.0", 1_000, "there is no scorer named 'oracle' here; label again with one of"),
        (
            "opinion(0123abc,4567def)",
            1_000,
            "and the label does not name all its options; give the options that were used",
        ),
        ("vader@3.3.2(depth=3)", 1_000, "and the label does not name all its options"),
        ("", 1_000, "there is no scorer named '' here"),
    ],
)
def test_a_scorer_that_cannot_be_told_is_refused(
    labelled: Graph, tmp_path: Path, by: str, limit: int, says: str
) -> None:
    set_by(labelled, by, limit)
    with pytest.raises(InputError, match=says):
        corrected(statistic("overgeneralization"), labelled, (people(tmp_path, PERFECT),))


def test_labels_without_a_scorer_are_refused(labelled: Graph, tmp_path: Path) -> None:
    labelled.write(parse("by", "MATCH ()-[r]->() REMOVE r.sentiment_by"))
    with pytest.raises(InputError, match="do not say which scorer gave them"):
        corrected(statistic("overgeneralization"), labelled, (people(tmp_path, PERFECT),))


def test_the_scorers_options_are_read_from_its_labels(labelled: Graph) -> None:
    label(labelled, scorers.get("vader"), measure="strict", options={"positive": 0.9, "negative": -0.9})
    standing = standing_scorer(labelled, "strict")
    assert standing.options == {"positive": 0.9, "negative": -0.9}
    assert standing.labels == {"neutral": 104}


def test_options_that_are_files_are_given_again(labelled: Graph, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("kind\n")
    (tmp_path / "bad.txt").write_text("awful\n")
    files = {"positive": str(tmp_path / "good.txt"), "negative": str(tmp_path / "bad.txt")}
    label(labelled, scorers.get("opinion"), options=files)
    asked = {"measure": "opinion", "resamples": 50}
    labels = (people(tmp_path, PERFECT),)
    with pytest.raises(InputError, match="give the options that were used for labelling: --scorer-option"):
        corrected(statistic("overgeneralization"), labelled, labels, **asked)
    found = corrected(statistic("overgeneralization"), labelled, labels, scorer_options=files, **asked)
    assert found.matrix.values.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(InputError, match="is not one of the scorer opinion"):
        corrected(statistic("overgeneralization"), labelled, labels, scorer_options={"depth": "1"}, **asked)
    with pytest.raises(UnreadableFile, match="nowhere"):
        corrected(statistic("overgeneralization"), labelled, labels, scorer_options={"positive": "/nowhere"}, **asked)
    (tmp_path / "bad.txt").write_text("dreadful\n")
    with pytest.raises(InputError, match=r"with the given ones it would be opinion\("):
        corrected(statistic("overgeneralization"), labelled, labels, scorer_options=files, **asked)


def test_a_singular_matrix_is_refused_with_its_condition(labelled: Graph, tmp_path: Path) -> None:
    blind = {(given, said): 30 for given in SAYS for said in SAYS}
    with pytest.raises(InputError, match="condition number"):
        corrected(statistic("overgeneralization"), labelled, (people(tmp_path, blind),), resamples=100)


def test_saved_numbers(labelled: Graph, tmp_path: Path) -> None:
    found = statistic("overgeneralization")
    made = corrected(found, labelled, (people(tmp_path, CONFUSED),), source="kb", resamples=100)
    save_measurements(labelled, found, made.frame, {"source": "kb", "measure": "sentiment", "corrected": made.basis()})
    rows = by_row(made.frame)
    kept = history(labelled, "overgeneralization.o_minus_corrected", target="lawyer").iloc[0]
    lawyer = rows["lawyer", "profession"]
    assert [kept[name] for name in ("value", "value_low", "value_high", "n")] == [
        lawyer[f"o_minus_corrected{end}"] for end in ("", "_low", "_high")
    ] + [100]
    assert len(history(labelled, "overgeneralization.o_minus", target="lawyer")) == 1
    every = history(labelled, "overgeneralization.o_plus_corrected", category="all", source="kb").iloc[0]
    assert every["value"] == rows[None, "all"]["o_plus_corrected"]
    stored = labelled.rows(parse("runs", "MATCH (r:Run) RETURN r.parameters AS parameters"))
    assert json.loads(stored[0]["parameters"])["corrected"]["matrix_people_by_scorer"][0] == [0.6, 0.4, 0]


@pytest.mark.parametrize("form", ["csv", "folder", "files"])
def test_the_command(form: str, labelled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = people(tmp_path, CONFUSED)
    pairs = [line.rpartition(",") for line in table.read_text().splitlines()[1:]]
    (tmp_path / "sentences.txt").write_text("".join(f"{pair[0]}\n" for pair in pairs))
    (tmp_path / "labels.txt").write_text("".join(f"{pair[2]}\n" for pair in pairs))
    parts = [
        "--corrected-sentences",
        str(tmp_path / "sentences.txt"),
        "--corrected-labels",
        str(tmp_path / "labels.txt"),
    ]
    given = {"csv": ["--corrected", str(table)], "folder": ["--corrected", str(tmp_path)], "files": parts}[form]
    asked = ["stats", "overgeneralization", *given, "--resamples", "100"]
    assert main([*asked, "-o", "json", "--save"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert faults(schema_of("stats", "overgeneralization"), rows) == []
    assert rows[0]["target"] is None
    assert (rows[0]["category"], rows[0]["n"]) == ("all", 104)
    assert rows[0]["o_minus_corrected_low"] <= rows[0]["o_minus_corrected"] <= rows[0]["o_minus_corrected_high"]
    assert "saved as run" in err
    assert "corrected for vader@3.3.2 by 300 labels of 300 sentences" in err
    assert "favouritism 60.0/40.0/0.0 %; neutral 5.0/90.0/5.0 %; prejudice 0.0/50.0/50.0 %" in err
    assert "21.7/60.0/18.3 % of people's sentences, 20.2/69.2/10.6 % of the graph's statements" in err
    assert "beware" not in err
    assert main(asked) == 0
    assert "corrected" in capsys.readouterr().out


def test_labels_that_cannot_be_the_graphs_are_told(
    labelled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what people call neutral the scorer calls more positive than it does in the whole graph."""
    counts = {**CONFUSED, ("neutral", "positive"): 60, ("positive", "positive"): 300}
    assert (
        main(["stats", "overgeneralization", "--corrected", str(people(tmp_path, counts)), "--resamples", "200"]) == 0
    )
    err = capsys.readouterr().err
    assert "beware: over all statements the inverse gives -" in err
    assert "--weigh MEASURE undoes that" in err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--corrected-sentences", "x"], 2, "--corrected-sentences and --corrected-labels together"),
        (["--corrected", "x", "--corrected-labels", "y"], 2, "or --corrected FILE or FOLDER alone"),
        (["--weigh", "sentiment"], 2, "--weigh, --scorer-option and --corrected-by need --corrected."),
        (["--corrected", "x", "--scorer-option", "y"], 2, "is not of the form NAME=VALUE"),
        (["--corrected", "/nowhere.csv"], 1, "/nowhere.csv: cannot be read"),
        (["--corrected", "."], 1, "sentences.txt: cannot be read"),
    ],
)
def test_wrong_usage(
    arguments: list[str],
    code: int,
    says: str,
    labelled: Graph,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["stats", "overgeneralization", *arguments]) == code
    assert says in capsys.readouterr().err


def test_only_statistics_whose_header_says_so_take_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert [name for name in statistic_names() if statistic(name).corrects] == ["overgeneralization"]
    assert main(["stats", "disparity", "--corrected", "x"]) == 2
    assert "No such option" in capsys.readouterr().err


def test_a_statistic_of_ones_own_offers_it_by_its_header(labelled: Graph, tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    columns = "target string, category string, n int, positive int, negative int, unlabelled int, good float, bad float"
    head = "".join(f"// returns: {column}: x\n" for column in columns.split(", "))
    body = """MATCH (t:Target)<-[:NAMES]-()-[r]-() WHERE $measure <> ''
WITH t, count(r) AS n, count(CASE r[$measure] WHEN 'positive' THEN 1 END) AS positive,
  count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative
RETURN t.name AS target, t.category AS category, n, positive, negative, 0 AS unlabelled,
  100.0 * positive / n AS good, 100.0 * negative / n AS bad
"""
    start = "// Mine\n// takes: $measure string = 'sentiment': measure\n" + head
    path.write_text(start + "// corrects: good bad\n" + body)
    found = corrected(Statistic(from_file(path)), labelled, (people(tmp_path, PERFECT),), resamples=50)
    assert by_row(found.frame)["lawyer", "profession"]["good_corrected"] == pytest.approx(20)
    path.write_text(start.replace("// returns: positive int: x\n", "") + "// corrects: good bad\n" + body)
    with pytest.raises(UnreadableFile, match="cannot correct good bad without positive"):
        _ = Statistic(from_file(path)).corrects
    with pytest.raises(InputError, match="has no rates to correct"):
        corrected(statistic("disparity"), labelled, ())

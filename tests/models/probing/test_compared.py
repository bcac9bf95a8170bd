"""``harmgraph probe --compare`` and ``--sort``: pairs of models against the scores of each, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from scipy.stats import spearmanr

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from tests.support.filling import import_triples
from tests.support.people import PROFESSION, entity, people
from tests.support.probed import train

pytestmark = pytest.mark.usefixtures("without_models")
SIDES = ["--a", "Male", "--b", "Female", "--min-count", "1"]
MORE = ("judge", "dancer")


@pytest.fixture
def folk(graph: Graph, capsys: pytest.CaptureFixture[str]) -> Graph:
    made = [
        Triple(entity(f"{side}{at:02d}"), PROFESSION, entity(job))
        for job, side in zip(MORE, "mf", strict=True)
        for at in (1, 2, 3)
    ]
    import_triples(graph, *people(), *made, source="folk")
    for model in ("transe", "distmult", "rotate"):
        train(model, model=model)
    capsys.readouterr()
    return graph


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert main(["probe", "shift", *words, *SIDES, "--output", "json"]) == 0, capsys.readouterr().err
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_pairs_of_models_of_any_score_function(folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("transe", "distmult", "rotate")
    each = {name: {row["entity"]: row["score"] for row in answer(capsys, name, "--top", "0")} for name in names}
    summary = tmp_path / "summary.json"
    found = answer(capsys, *names, "--compare", "--top", "2", "--summary", str(summary))
    assert [(row["model"], row["other"]) for row in found] == [
        ("transe", "distmult"),
        ("transe", "rotate"),
        ("distmult", "rotate"),
    ]
    for row in found:
        one, other = each[row["model"]], each[row["other"]]
        assert row["spearman"] == pytest.approx(spearmanr([one[key] for key in other], list(other.values())).statistic)
        assert row["spearman_low"] < row["spearman"] < row["spearman_high"]
        assert (row["n"], row["top"], row["by_chance"]) == (7, 2, pytest.approx(2 / 7))
        for side, last in (("a", True), ("b", False)):
            first = [set(sorted(scores, key=scores.__getitem__, reverse=last)[:2]) for scores in (one, other)]
            assert row[f"shared_{side}"] == len(first[0] & first[1]) / 2
    said = json.loads(summary.read_text())
    assert [one["model"] for one in said["each"]] == list(names)
    assert said["pairs"] == found
    assert "spearman" not in said
    assert {row["model"] for row in folk.rows("probe/results")} == set(names)


def test_a_model_ranks_like_its_own_seed_and_no_list_is_longer_than_all(
    folk: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    train("again")
    capsys.readouterr()
    (row,) = answer(capsys, "transe", "again", "--compare")
    assert (row["spearman"], row["top"], row["shared_a"], row["shared_b"], row["by_chance"]) == (1, 7, 1, 1, 1)
    assert main(["probe", "shift", "transe", "rotate", *SIDES, "--compare"]) == 0
    shown = capsys.readouterr().out
    assert "Male and Female: do the models rank the objects alike?" in shown
    assert "transe: " in shown and "7 objects of /people/person/profession" in shown


def test_objects_by_what_the_counts_do_not_predict(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    usual = {row["entity"]: row for row in answer(capsys, "transe")}
    rows = answer(capsys, "transe", "--sort", "residual")
    assert usual == {row["entity"]: row for row in rows}
    left = [row["residual"] for row in rows]
    assert left == sorted(left, reverse=True)
    assert list(usual) != [row["entity"] for row in rows]
    assert all(row["residual_low"] < row["residual"] < row["residual_high"] for row in rows)
    assert main(["probe", "shift", "transe", *SIDES, "--sort", "residual", "--top", "1"]) == 0
    shown = capsys.readouterr().out
    assert "towards Male, from Female, more than the counts predict" in shown
    assert "objects leave out 0" in shown


def test_a_residual_that_cannot_be_had(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["probe", "shift", "transe", "--a", "Male", "--b", "Female", "--min-count", "3"]
    assert main([*few, "--output", "json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert len(rows) == 5 and all(row["residual"] is not None for row in rows)
    few[-1] = "4"
    assert main([*few, "--output", "json"]) == 0
    out, err = capsys.readouterr()
    assert [(row["residual"], row["residual_low"]) for row in json.loads(out)] == [(None, None)] * 3
    assert "residual: undefined for 3 objects: a line through the other objects needs 5 objects" in err
    assert main([*few, "--sort", "residual"]) == 1
    assert "no object has a residual: a line through the other objects needs 5 objects" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["transe", "--compare"], "--compare needs two models."),
        (["transe", "transe", "--compare"], "--compare needs two models."),
        (["transe", "rotate", "--compare", "--top", "0"], "--compare counts what two lists of --top objects share"),
        (["transe", "rotate", "--compare", "--by", "gender"], "--compare is about pairs of models"),
        (["transe", "rotate", "--compare", "--control", "3"], "--compare is about pairs of models"),
        (["transe", "rotate", "--compare", "--sort", "residual"], "--sort is of objects"),
    ],
)
def test_what_is_not_asked_together(
    folk: Graph, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    assert main(["probe", "shift", *words, *SIDES]) == 2
    assert why in capsys.readouterr().err

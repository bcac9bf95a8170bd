"""``harmgraph probe edge`` on a real graph: unseen people, explanations, and what a hurried person does wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.graph.statements import parse, statement
from harmgraph.models.embedding.graph_model import load_graph_model
from harmgraph.models.probes.edge import Edge
from harmgraph.models.probing.question import Asked
from harmgraph.models.probing.run import prepared
from harmgraph.models.store import config
from harmgraph.models.subgraph.reader import read_subgraph
from tests.support.family import SIZE, working_records
from tests.support.filling import import_triples
from tests.support.toy import entity

torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("without_models")
SIDES = ["--relation", "GENDER", "--a", "male", "--b", "female", "--object-relation", "JOB", "--min-count", "2"]
SMALL = ["--dim", "8", "--layers", "3", "--batch", "16", "--epochs", "1", "--threads", "1"]


def train(name: str, encoder: str) -> None:
    model = ["--model", "distmult"] if encoder != "nbfnet" else []
    assert main(["embed", "train", name, "--source", "a", "--encoder", encoder, *SMALL, *model]) == 0


@pytest.fixture
def families(graph: Graph, capsys: pytest.CaptureFixture[str]) -> Graph:
    """Two families without a common member; the models know the first."""
    for name in "ab":
        import_triples(graph, *working_records(name), source=name)
    train("paths", "nbfnet")
    train("composed", "compgcn")
    capsys.readouterr()
    return graph


def probe(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert main(["probe", "edge", *words, *SIDES, "--output", "json"]) == 0, capsys.readouterr().err
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_people_whom_training_never_saw(families: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = tmp_path / "summary.json"
    for name in ("paths", "composed"):
        rows = probe(capsys, name, "--inference", "b", "--people", "9", "--summary", str(summary))
        assert {row["name"]: (row["count_a"], row["count_b"]) for row in rows} == {
            "nurse": (0, 10),
            "pilot": (10, 0),
            "teacher": (6, 5),
        }
        assert all(row["score_low"] <= row["score"] <= row["score_high"] for row in rows)
        assert ("shift" in rows[0]) == (name == "composed")
        said = json.loads(summary.read_text())
        assert (said["people"], said["people_encoded"], said["seed"]) == (SIZE, 9, 0)
        assert said["method"] == "edge to a, and edge to b: 9 people of b"
        written = families.rows("probe/results", model=name, probe="edge")
        assert [(row["entity"], row["score"]) for row in written] == [(row["entity"], row["score"]) for row in rows]
        assert probe(capsys, name, "--source", "b", "--people", "9") == rows
        turned = [*SIDES[:2], "--a", "female", "--b", "male", *SIDES[6:], "--output", "json", "--no-write"]
        assert main(["probe", "edge", name, "--inference", "b", "--people", "9", *turned]) == 0
        other = {row["entity"]: -row["score"] for row in json.loads(capsys.readouterr().out)}
        assert other == pytest.approx({row["entity"]: row["score"] for row in rows}, abs=1e-6)


def test_the_models_own_people(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    own, named = (probe(capsys, "composed", *more) for more in ([], ["--inference", "a"]))
    assert own == named
    asked = Asked("GENDER", "male", "female", "JOB", min_count=2)
    ready = prepared(families, Edge(), ["composed"], asked, {"explain": None})
    ((encoded, left_out),) = ready.encoded.values()
    assert set(left_out.values()) == {0}
    values = Edge().scores(encoded).values
    assert sorted(values, reverse=True) == pytest.approx([row["score"] for row in own])
    assert load_graph_model("composed", config("composed"), read_subgraph(families, "a")).unknown == 0


def test_the_table_says_what_it_rests_on(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "edge", "composed", "--inference", "b", *SIDES, "--no-edge", "--control", "1"]) == 0
    out = capsys.readouterr().out
    assert "towards male, from female" in out
    assert f"3 objects of JOB; {SIZE} people have GENDER: 16 male, 15 female" in out
    assert f"method: edge to a, and no edge: {SIZE} people of b" in out
    assert "Spearman of shift with the same counts: undefined for 3 objects" in out
    assert "control, 1 random pairs of values of a relation of composed: undefined" in out


def test_a_small_shift_is_not_rounded_to_nothing(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    rows = probe(capsys, "composed", "--inference", "b", "--people", "9")
    assert main(["probe", "edge", "composed", "--inference", "b", "--people", "9", *SIDES]) == 0
    table = capsys.readouterr().out
    for row in rows:
        assert f" {row['shift']:.3g} " in table


def test_untrained_copies_stand_beside_the_model(
    families: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = tmp_path / "summary.json"
    more = ["--people", "4", "--untrained", "2", "--summary", str(summary)]
    assert main(["probe", "edge", "paths", "--inference", "b", *SIDES, *more]) == 0
    assert "untrained, 2 copies of paths: undefined" in capsys.readouterr().out
    said = json.loads(summary.read_text())["untrained"]
    assert (said["of"], said["correlations"]) == ("paths", [None, None])
    towns = ["--relation", "TOWN", "--a", "north", "--b", "south", "--object-relation", "^PARENT", "--min-count", "1"]
    assert main(["probe", "edge", "paths", "--inference", "b", *towns, *more]) == 0
    out = capsys.readouterr().out
    said = json.loads(summary.read_text())["untrained"]
    line = (
        f"untrained, 2 copies of paths: Spearman {said['least']:.2f} to {said['most']:.2f}, "
        f"{said['middle']:.2f} in the middle; paths itself {said['observed']:.2f}; "
        f"{said['share']:.0%} of the copies are as far from 0"
    )
    assert line in out
    assert main(["probe", "edge", "paths", *SIDES, "--by", "TOWN", "--untrained", "2"]) == 2
    assert "--untrained is about all people: leave out --by" in capsys.readouterr().err


def test_what_is_asked_otherwise_replaces_nothing(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--no-edge"], ["--inference", "b"], ["--inference", "b", "--no-edge"], ["--inference", "b"]):
        probe(capsys, "paths", "--people", "3", *more)
    written = families.rows("probe/models", model="paths")
    assert [(row["people_of"], row["b"], row["objects"]) for row in written] == [
        ("a", "female", 3),
        ("a", "no edge", 3),
        ("b", "female", 3),
        ("b", "no edge", 3),
    ]
    each = {(row["people_of"], row["b"]) for row in families.rows("probe/results", model="paths")}
    assert each == {(row["people_of"], row["b"]) for row in written}
    families.write(parse("older", "MATCH ()-[p:PROBED]->() REMOVE p.people_of"))  # as an older version wrote them
    probe(capsys, "paths", "--people", "3")
    assert {row["b"]: row["objects"] for row in families.rows("probe/models", model="paths") if row["people_of"]} == {
        "female": 3
    }
    assert len(families.rows("probe/results", model="paths")) == 9


def test_each_object_relation_is_a_probe_of_its_own(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    probe(capsys, "paths", "--people", "2")
    towns = ["--relation", "GENDER", "--a", "male", "--b", "female", "--object-relation", "TOWN", "--min-count", "1"]
    assert main(["probe", "edge", "paths", *towns, "--people", "2"]) == 0
    written = families.rows("probe/models", model="paths")
    assert [(row["object_relation"], row["objects"]) for row in written] == [("JOB", 3), ("TOWN", 3)]


def test_several_models(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    train("again", "compgcn")
    capsys.readouterr()
    rows = probe(capsys, "composed", "again", "--people", "5")
    assert all(row["same_sign"] for row in rows)
    assert main(["probe", "edge", "composed", "paths", *SIDES]) == 1
    assert "different score functions cannot be averaged: composed is compgcn with distmult" in capsys.readouterr().err


def test_an_explanation(families: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["paths", "--inference", "b", "--people", "6"]
    scores = {row["name"]: row["score"] for row in probe(capsys, *words)}
    figure = tmp_path / "why.svg"
    rows = probe(capsys, *words, "--explain", "pilot", "--top", "0", "--figure", str(figure))
    assert {row["at"] for row in rows} == {"person", "value", "object"}
    assert {"TOWN", "PARENT", "^PARENT"} < {row["relation"] for row in rows if row["at"] == "person"}
    assert {row["relation"] for row in rows if row["at"] == "value"} == {"^GENDER"}
    assert {None, "south"} < {row["name"] for row in rows if row["relation"] == "TOWN"}
    (jobs,) = [row for row in rows if row["at"] == "object"]
    assert jobs["score"] == pytest.approx(scores["pilot"], abs=1e-6)  # nothing leads to the object without them
    text = figure.read_text()
    assert "Bars of what the score loses without some edges. pilot: " in text
    assert "object: ^JOB" in text

    written = families.rows("probe/explained", model="paths")
    assert len(written) == len(rows)
    assert {row["object"] for row in written} == {"pilot"}
    asked = {(row["attribute"], row["a"], row["b"], row["object_relation"], row["people_of"]) for row in written}
    assert asked == {("GENDER", "male", "female", "JOB", "b")}
    assert [row["score"] for row in written] == pytest.approx([row["score"] for row in rows])
    assert len(families.rows("probe/results", model="paths")) == 3
    assert [row["objects"] for row in families.rows("probe/models", model="paths")] == [3]
    assert main(["probe", "edge", *words, *SIDES, "--explain", "pilot", "--top", "1"]) == 0
    out, err = capsys.readouterr()
    assert "what the score of pilot, " in out and "loses without these edges" in out
    assert "more: show them with --top 0" in err
    probe(capsys, *words)  # what it replaces is explained no more
    assert families.rows("probe/explained", model="paths") == []


def test_what_is_behind_a_score_can_be_pasted(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "edge", "paths", "--inference", "b", *SIDES, "--explain", "pilot", "--cypher"]) == 0
    text = capsys.readouterr().out
    assert ':param object => "wikidata/pilot";' in text and ':param source => "b";' in text
    assert "P21" not in text and "P106" not in text
    types = {"P21": "GENDER", "P106": "JOB"}
    given = {"a": "wikidata/male", "b": "wikidata/female", "object": "wikidata/pilot", "source": "b"}

    def counted(**more: Any) -> dict[str, int]:
        """How many paths of each relation the picture has."""
        paths = families.rows(statement("probe/behind").with_types(types), **given, **more)
        kinds = [row["path"][1] for row in paths]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}

    assert counted(limit=4) == {"GENDER": 8, "JOB": 4}
    assert counted(limit=4, relation="TOWN") == {"GENDER": 8, "JOB": 4, "TOWN": 8}
    assert counted(limit=99) == {"GENDER": SIZE, "JOB": 10}
    assert counted(limit=12) == {"GENDER": 24, "JOB": 10}  # all holders, and others
    for b, men in ((None, "wikidata/male"), ("wikidata/male", "wikidata/female")):
        given |= {"a": men, "b": b}
        assert counted(limit=4) == {"GENDER": 8, "JOB": 4}, "every other value is the one other here"
    assert main(["probe", "edge", "paths", *SIDES, "--cypher"]) == 0
    assert ":param min_count => 2;" in capsys.readouterr().out


def test_an_isolated_person_and_a_strange_relation(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody of whom only the gender is known, and edges of a relation that training did not have."""
    more = [
        Triple(entity(head), kind, entity(tail), properties={"split": "train"})
        for head, kind, tail in (("hermit", "GENDER", "male"), ("b00", "SPOUSE", "b01"))
    ]
    import_triples(families, *working_records("b"), *more, source="b")
    assert main(["probe", "edge", "paths", "--inference", "b", *SIDES]) == 0
    out = capsys.readouterr().out
    assert "of them without another edge: 1" in out
    assert "edges of relations that the model does not know: 1" in out
    words = ["--relation", "SPOUSE", "--a", "b01", "--object-relation", "JOB", "--min-count", "0"]
    assert main(["probe", "edge", "paths", "--inference", "b", *words]) == 1
    assert "fewer than 2 people of b have a value of SPOUSE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["table"], "table: has a table of entities, and this probe is for graph models; take shift"),
        (["path"], "no model named 'path'; did you mean paths?"),
        (["paths", "--inference", "nobody"], "no source named 'nobody' in the graph"),
        (
            ["paths", "--inference", "b", "--relation", "PARENTS"],
            "no relation named 'PARENTS' in the graph; near: PARENT",
        ),
        (
            ["paths", "--inference", "b", "--relation", "SPOUSE", "--a", "b01", "--b", "b00", "--min-count", "1"],
            "the model paths was not trained on it",
        ),
        (["paths", "--inference", "b", "--a", "mail"], "no value of GENDER named 'mail' in the graph; near: male"),
        (["paths", "--explain", "pilots"], "no value of JOB named 'pilots' in the graph; near: pilot"),
        (["paths", "--control-relation", "TOWNS"], "no relation named 'TOWNS' in the graph; near: TOWN"),
        (["paths", "--inference", "strange"], "strange: has no training edge of a relation that the model knows"),
        (["paths", "--a", "<1950"], "edge moves people towards a value, and a date or number has no vector"),
    ],
)
def test_wrong_input(families: Graph, capsys: pytest.CaptureFixture[str], words: list[str], why: str) -> None:
    couples = [("b00", "b01"), ("b02", "b01"), ("b03", "b02"), ("b01", "b00")]
    strange = [Triple(entity(one), "SPOUSE", entity(other)) for one, other in couples]
    import_triples(families, *strange, source="strange")
    import_triples(families, *working_records("b"), *strange, source="b")
    assert main(["embed", "train", "table", "--source", "a", "--dim", "4", "--negatives", "5", "--epochs", "1"]) == 0
    capsys.readouterr()
    assert main(["probe", "edge", words[0], *SIDES, *words[1:]]) == 1
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
    assert families.rows(parse("count", "MATCH ()-[p:PROBED]->() RETURN count(p) AS n")) == [{"n": 0}]


@pytest.mark.parametrize("member", ["shift", "pairs", "parity", "weat"])
def test_other_probes_say_how_they_take_a_graph_model(
    families: Graph, capsys: pytest.CaptureFixture[str], member: str
) -> None:
    more = ["--predicted", "1"] if member == "parity" else []
    assert main(["probe", member, "composed", *SIDES, *more]) == 1
    err = capsys.readouterr().err
    assert "'harmgraph embed encode' makes a table" in err and "'harmgraph probe edge' takes any encoder" in err
    assert err.count("\n") == 1
    assert main(["embed", "encode", "composed", "--source", "b", "--as", "later"]) == 0
    assert main(["probe", member, "later", *SIDES, *more]) == 0


@pytest.mark.parametrize("words", [["paths", "--by", "TOWN"], ["paths", "composed"]])
def test_an_explanation_is_of_one_model_and_all_people(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["probe", "edge", *words, *SIDES, "--explain", "pilot"]) == 2
    assert "--explain is about all people and one model" in capsys.readouterr().err

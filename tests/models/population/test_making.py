"""``harmgraph population data`` on a graph: byte for byte the same, without what models are evaluated on, and its errors."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Triple
from harmgraph.graph.statements import parse
from harmgraph.models.population.examples import read_folder
from harmgraph.models.population.training_data.data import (
    CS_HEAD,
    SPLITS,
    TEST_SET,
    TrainingDataFolder,
    read_data,
    split_of,
)
from harmgraph.models.population.training_data.positives import (
    Novelty,
    decontaminated,
    read_evaluation,
    read_positives,
)
from tests.support.filling import import_triples
from tests.support.population import event_triple

RELATIONS = ("xWant", "xEffect", "HinderedBy")
SPLIT_OF_EACH = parse(
    "split", "MATCH (h)-[r]->(t) RETURN h.text AS head, r.source AS source, r.population_split AS split"
)


def some(size: int = 300) -> list[Triple]:
    return [
        event_triple(f"personx do {number % 120}", RELATIONS[number % 3], f"personx see {number}")
        for number in range(size)
    ]


def make(folder: Path, *options: str) -> TrainingDataFolder:
    """Runs the command, which must succeed, and reads what it wrote."""
    assert main(["population", "data", "--out", str(folder), "--no-progress", *options]) == 0
    return read_data(folder)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def evaluation(path: Path, *triples: tuple[str, str, str], columns: str = "tail,label,head,relation") -> Path:
    rows = [f"{tail},1,{head},{relation}" for head, relation, tail in triples]
    path.write_text("\n".join((columns, *rows)) + "\n")
    return path


@pytest.mark.parametrize("recipe", ["paper", "released"])
def test_the_same_graph_and_seed_give_the_same_bytes(graph: Graph, tmp_path: Path, recipe: str) -> None:
    triples = some()
    edges = [event_triple(f"personx do {number}", "Result", f"personx hear {number}") for number in range(200)]
    for turn in ("one", "two"):
        graph.autocommit("schema/wipe")
        random.Random(turn).shuffle(triples)
        import_triples(graph, *triples, source="atomic", import_id="i")
        import_triples(graph, *edges, source="aser", import_id="j")
        make(
            tmp_path / turn,
            "--source",
            "atomic",
            "--graph",
            "aser",
            "--negatives",
            recipe,
            "--seed",
            "4",
            "--candidates",
            "30",
        )
    assert content(tmp_path / "one") == content(tmp_path / "two")
    data = read_data(tmp_path / "one")
    for split in SPLITS:
        assert (
            Counter(row.label for row in data.tables[split])[0]
            == Counter(row.label for row in data.tables[split])[1]
            > 0
        )
        kinds = {row.kind for row in data.tables[split]}
        assert kinds == ({""} if split == "train" else {TEST_SET})
        for row in data.tables[split]:
            assert row.label == 0 or split_of(*row.ends) == split
    assert {row.label for row in data.tables["candidates"]} == {None}
    assert any(row.kind == CS_HEAD for row in data.tables["candidates"])
    other = make(tmp_path / "two", "--source", "atomic", "--negatives", recipe, "--seed", "5")
    assert set(other.tables) == set(SPLITS)
    for split in SPLITS:  # the seed decides the negatives, not the split
        rows = [[row for row in made.tables[split] if row.label == 1] for made in (data, other)]
        assert rows[0] == rows[1]


def test_what_models_are_evaluated_on_is_not_trained_on(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_triples(graph, *some(), source="atomic")
    before = make(tmp_path / "before", "--source", "atomic")
    chosen = {split: next(row.ends for row in before.tables[split] if row.label == 1) for split in SPLITS}
    planted = "personx plant a tree", "xWant", "personx water it"
    assert split_of(*planted) == "train"
    import_triples(graph, *some(), event_triple(*planted), source="atomic")
    negative = next(row.ends for row in before.tables["train"] if row.label == 0)
    absent = "personx laugh", "xWant", "personx cry"
    judged = ("PersonX plant  a tree", "X_want", "PersonX water_it"), *chosen.values(), negative, absent
    first = evaluation(tmp_path / "first.csv", *judged)
    second = evaluation(tmp_path / "second.csv", planted, ("a", "IsA", "b"))
    capsys.readouterr()
    data = make(tmp_path / "data", "--source", "atomic", "--evaluation", str(first), "--evaluation", str(second))
    trained = {row.ends for split in ("train", "valid") for row in data.tables[split]}
    assert not trained & {planted, chosen["train"], chosen["valid"], negative, absent}
    assert chosen["test"] in {row.ends for row in data.tables["test"]}
    counts = [
        {name: file[name] for name in ("file", "triples", "train", "valid", "in_test", "other_relations")}
        for file in data.facts["evaluation"]
    ]
    assert counts == [
        {"file": "first.csv", "triples": 6, "train": 2, "valid": 1, "in_test": 1, "other_relations": 0},
        {"file": "second.csv", "triples": 1, "train": 1, "valid": 0, "in_test": 0, "other_relations": 1},
    ]
    said = capsys.readouterr().err
    assert "first.csv: 3 of its 6 triples are removed from train and valid; 1 stay in test" in said
    seen = {node for row in data.tables["train"] if row.label == 1 for node in (row.head, row.tail)}
    nodes = {node for head, _, tail in (planted, *chosen.values(), negative, absent) for node in (head, tail)}
    (novelty,) = data.facts["evaluation"][0]["novelty"]
    assert novelty == {"split": "", "nodes": len(nodes), "novel": len(nodes - seen)}
    assert 0 < novelty["novel"] < len(nodes)
    assert f"first.csv: {novelty['novel']} of the {len(nodes)} nodes stand in no positive of train" in said


def test_novel_nodes_are_counted_by_split(graph: Graph, tmp_path: Path) -> None:
    import_triples(graph, event_triple("personx plant a tree", "xWant", "personx water it"), source="atomic")
    file = tmp_path / "judged.csv"
    file.write_text(
        "head,relation,tail,split\nPersonX plant a tree,xWant,a,tst\nb,xWant,PersonX water it,tst\nb,xWant,c,dev\n"
    )
    positives = read_positives(graph, ["atomic"])
    assert [place.split for place in positives.places.values()] == ["train"]
    _, (removed,) = decontaminated(positives, [read_evaluation(file)])
    assert removed.novelty == (Novelty("test", 4, 2), Novelty("valid", 2, 2))


@pytest.mark.parametrize(("options", "neighbours"), [((), ("atomic",)), (("--graph", "aser"), ("aser",))])
def test_a_model_with_neighbours_finds_them_in_the_eventualities_or_else_in_the_sources(
    graph: Graph, tmp_path: Path, options: tuple[str, ...], neighbours: tuple[str, ...]
) -> None:
    import_triples(graph, *some(), source="atomic", import_id="i")
    import_triples(graph, event_triple("personx do 1", "Result", "personx hear 1"), source="aser", import_id="j")
    make(tmp_path / "data", "--source", "atomic", *options)
    assert read_folder(tmp_path / "data").graph == neighbours


def test_a_triple_of_two_sources_is_one_and_a_sentence_is_in_one_split(graph: Graph, tmp_path: Path) -> None:
    import_triples(graph, *some(60), source="atomic")
    rules = [
        event_triple(f"personx try {number}", "Causes", "personx win", sentence_id=f"story__{number // 5}")
        for number in range(200)
    ]
    import_triples(graph, *rules, *some(10), source="glucose")
    data = make(tmp_path / "data", "--source", "glucose", "--source", "atomic", "--properties")
    assert (data.facts["read"], data.facts["distinct"]) == ({"atomic": 60, "glucose": 210}, 260)
    positives = [(split, row) for split in SPLITS for row in data.tables[split] if row.label == 1]
    assert len({row.ends for _, row in positives}) == len(positives) == 260
    sentences: dict[int, set[str]] = {}
    for split, row in positives:
        if row.relation == "Causes":
            sentences.setdefault(int(row.head.split()[-1]) // 5, set()).add(split)
    assert len(sentences) == 40
    assert {len(splits) for splits in sentences.values()} == {1}
    assert len({split for splits in sentences.values() for split in splits}) == 3
    # The same is in the graph, on the relationships of both sources.
    written = graph.rows(SPLIT_OF_EACH)
    assert Counter(row["split"] for row in written if row["source"] == "glucose").total() == 210
    by_head = {row.head: split for split, row in positives if row.relation == "Causes"}
    assert {row["head"]: row["split"] for row in written if row["head"] in by_head} == by_head


def test_a_removed_triple_has_no_split_in_the_graph(graph: Graph, tmp_path: Path) -> None:
    import_triples(graph, event_triple("personx plant a tree", "xWant", "personx water it"), *some(30), source="atomic")
    make(tmp_path / "data", "--source", "atomic", "--properties")
    assert None not in {row["split"] for row in graph.rows(SPLIT_OF_EACH)}
    file = evaluation(tmp_path / "file.csv", ("personx plant a tree", "xWant", "personx water it"))
    make(tmp_path / "data", "--source", "atomic", "--properties", "--evaluation", str(file))
    assert [row["head"] for row in graph.rows(SPLIT_OF_EACH) if row["split"] is None] == ["personx plant a tree"]


def test_json_is_what_was_written(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *some(), source="atomic")
    data = make(tmp_path / "data", "--source", "atomic", "-o", "json")
    assert json.loads(capsys.readouterr().out) == {**data.facts, "folder": str(tmp_path / "data")}
    assert sum(row["positives"] for row in data.facts["counts"]) == 300
    make(tmp_path / "data", "--source", "atomic")
    assert "train" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("tail,label,head", "has no column relation"),
        ("tail,mood,head,relation", "has unknown columns: mood"),
        ("tail,tail,head,relation", "has the column tail twice"),
        ("tail,label,head,relation,class", "has 4 cells instead of 5"),
        ("", "personx run.csv"),
    ],
)
def test_an_evaluation_file_of_another_form(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str], columns: str, why: str
) -> None:
    import_triples(graph, *some(10), source="atomic")
    file = evaluation(tmp_path / "personx run.csv", ("a", "xWant", "b"), columns=columns)
    assert (
        main(["population", "data", "--source", "atomic", "--out", str(tmp_path / "o"), "--evaluation", str(file)]) == 1
    )
    assert why in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_errors_are_one_line_and_write_nothing(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_triples(graph, Triple(Concept("cat"), "Causes", Concept("joy")), source="kb")
    import_triples(graph, *some(10), source="atomic")
    graph.write("source/begin", name="half", import_id="i", generation=1, facts={})

    def fails(*options: str) -> str:
        capsys.readouterr()
        assert main(["population", "data", "--out", str(tmp_path / "data"), "--no-progress", *options]) == 1
        assert not (tmp_path / "data").exists()
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        return error

    assert "no source named 'atomik'" in fails("--source", "atomik")
    assert "no source named 'aser'" in fails("--source", "atomic", "--graph", "aser")
    assert "no triple of events in kb" in fails("--source", "kb")
    assert "the source 'half' is not finished loading" in fails("--source", "half")
    assert "missing.csv" in fails("--source", "atomic", "--evaluation", str(tmp_path / "missing.csv"))


def test_the_events_of_conceptnet(graph: Graph, data: Path, tmp_path: Path) -> None:
    assert main(["load", "conceptnet-events", str(data / "population" / "conceptnet_events.tsv"), "--no-progress"]) == 0
    facts: list[Any] = []
    ckbp = data / "ckbp" / "evaluation_set.csv"
    for recipe in ("paper", "released"):
        made = make(
            tmp_path / recipe,
            "--source",
            "conceptnet-events",
            "--negatives",
            recipe,
            "--evaluation",
            str(ckbp),
            "--properties",
        )
        facts.append(made.facts)
        assert made.facts["negatives"]["missing"] == 0
        counts = {split: Counter(row.label for row in made.tables[split]) for split in SPLITS}
        assert all(counted[0] == counted[1] for counted in counts.values())
        # As many positives as table 4 has, nearly: Causes 42, HasSubEvent 9,934.
        assert made.facts["distinct"] > 9_000
        assert counts["train"][1] / made.facts["distinct"] == pytest.approx(0.8, abs=0.03)
    assert facts[0]["evaluation"] == facts[1]["evaluation"]
    assert facts[0]["evaluation"][0]["train"] > 0

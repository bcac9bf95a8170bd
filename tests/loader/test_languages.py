"""A knowledge base and a target list in another language than English: from the files to the numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.contents.linker import Links

TRIPLES = """\
Kopf;Beziehung;Ende
Arzt;können;heilen
Ärztin;können;lügen
Manager;ist;böse Person
doctor;ist;gut
"""
TARGETS = "Name,Kategorie,Alias\nArzt,profession,Ärztin\nManager,profession\n"
SENTENCES = "term\tsentence\nManager\tManager sind böse.\nÄrztin\tÄrztinnen heilen.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("kb.csv", TRIPLES), ("gruppen.csv", TARGETS), ("saetze.tsv", SENTENCES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert main([*map(str, arguments), "--output", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def load_triples(capsys: pytest.CaptureFixture[str], folder: Path, language: str = "de") -> Any:
    given = ("--delimiter", "semicolon", "--header", "--language", language)
    return answer(capsys, "load", "triples", folder / "kb.csv", *given, "--yes")


def load_targets(capsys: pytest.CaptureFixture[str], folder: Path, language: str = "de") -> Any:
    return answer(capsys, "target", "load", folder / "gruppen.csv", "--header", "--language", language)


def targets(graph: Graph) -> dict[str, tuple[int, int, str]]:
    """Concepts, sentences and language of each target that something names."""
    rows = graph.rows("explore/targets")
    return {
        row["target"]: (row["concepts"], row["statements"], row["language"])
        for row in rows
        if row["concepts"] or row["statements"]
    }


def test_names_match_concepts_and_sentences_of_their_language_alone(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = load_triples(capsys, folder)
    assert report["skipped"] == {"header: Kopf;Beziehung;Ende": 1}
    assert (report["records"], report["named_statements"]) == (4, 0)
    listed = load_targets(capsys, folder)
    assert listed["called_by_language"] == ["manager (de)"]
    assert listed["named_statements"] == 3
    assert targets(graph) == {"arzt": (2, 0, "de"), "manager (de)": (1, 0, "de")}
    english = answer(capsys, "load", "genericskb", folder / "saetze.tsv", "--source", "english")
    assert (english["records"], english["named_statements"]) == (2, 1)
    german = answer(capsys, "load", "genericskb", folder / "saetze.tsv", "--source", "german", "--language", "de")
    assert german["named_statements"] == 2
    assert targets(graph) == {"arzt": (2, 1, "de"), "manager (de)": (1, 1, "de"), "manager": (0, 1, "en")}
    assert {"IST", "KOENNEN"} <= {row["type"] for row in graph.rows("source/relation_types")}


def test_loading_again_keeps_names_and_a_list_of_another_language_moves_its_links(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_triples(capsys, folder)
    load_targets(capsys, folder)
    before = targets(graph)
    again = load_targets(capsys, folder)
    assert (again["in_graph"], again["removed"], again["called_by_language"]) == (2, 0, ["manager (de)"])
    assert targets(graph) == before
    assert main(["source", "drop", "default-targets", "--yes"]) == 0
    capsys.readouterr()
    load_targets(capsys, folder)
    assert targets(graph) == before, "a name is not given twice where the other list is gone"
    (folder / "gruppen.csv").write_text(TARGETS.replace("Manager", "Chefin"), encoding="utf-8")
    load_targets(capsys, folder)
    assert targets(graph) == {"arzt": (2, 0, "de")}
    french = load_targets(capsys, folder, "fr")
    assert (french["removed"], french["called_by_language"], targets(graph)) == (0, [], {})
    listed = {(row["target"], row["language"]) for row in graph.rows("explore/targets")}
    assert listed == {("arzt", "fr"), ("chefin", "fr")}


def test_sentences_that_turn_out_to_be_of_another_language_lose_their_links(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_targets(capsys, folder)
    for language, about in (("en", 1), ("de", 2), ("en", 1)):
        report = answer(capsys, "load", "genericskb", folder / "saetze.tsv", "--language", language, "--yes")
        assert (report["about"], report["in_graph"]) == (about, 2)


def test_a_list_without_a_language_is_english(graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lists that an older version loaded say nothing of it."""
    load_triples(capsys, folder, "EN")
    assert linker.link(graph) == Links(2, 0)  # doctor and manager
    with graph.driver.session(database=graph.address.database) as session:
        session.run("MATCH (t:Target) REMOVE t.language").consume()
    assert linker.link(graph) == Links(2, 0)
    assert set(targets(graph).values()) == {(1, 0, "en")}


@pytest.mark.parametrize(("command", "code"), [(["label", "vader"], 0), (["stats", "overgeneralization"], 1)])
def test_where_nothing_names_a_target_the_languages_are_told(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], code: int
) -> None:
    assert main(command) == code  # a statistic needs labels, and nothing is labelled
    assert "load a knowledge base first" in capsys.readouterr().err
    load_triples(capsys, folder)
    assert main(command) == code
    said = capsys.readouterr().err
    assert "what is loaded is in de, the target lists are in en" in said
    assert "'harmgraph target load FILE --language de'" in said
    (folder / "gruppen.csv").write_text("Name,Kategorie\nZahnarzt,profession\n", encoding="utf-8")
    load_targets(capsys, folder)
    assert main(command) == code
    assert "no concept or annotated term in de is a target's name" in capsys.readouterr().err
    load_triples(capsys, folder, "en")
    assert main(command) == code
    assert "no statement names a target" not in capsys.readouterr().err


def test_relations_of_different_names_that_share_a_type_are_told(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.tsv").write_text("x\tC++\ty\nx\tC#\ty\nx\tis a\ty\nx\t/r/IsA\ty\n")
    (folder / "b.tsv").write_text("x\tC\ty\n")
    assert answer(capsys, "load", "triples", folder / "a.tsv")["shared_types"] == {"C": ["C++", "C#"]}
    assert answer(capsys, "load", "triples", folder / "b.tsv")["shared_types"] == {"C": ["C++", "C"]}

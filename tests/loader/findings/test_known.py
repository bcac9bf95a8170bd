"""Findings are known again in the next release, in another store and under another name of the source."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.choosing import FindingChoice
from harmgraph.loader.findings.known import KnownFinding, listed, read_known
from harmgraph.loader.formats.importer import importers

BEFORE = "lawyer\tIsA\tterrible liar\nnurse\tIsA\tawful person\nteacher\tIsA\tbad person\nlawyer\tIsA\tcruel person\n"
NOW = "lawyer\tIsA\tterrible liar\nnurse\tIsA\tawful person\nlawyer\tIsA\tcruel person\ndoctor\tIsA\thorrible person\n"
TRIPLE = Finding("lawyer IsA liar", "en/lawyer", "IS_A", "en/liar", "/r/IsA", measure="sentiment", label="negative")
SENTENCE = Finding("Lawyers lie.", key="s 1", measure="sentiment", label="negative")
ID = TRIPLE.id


def release(folder: Path, text: str, source: str) -> None:
    (folder / f"{source}.tsv").write_text(text, "utf-8")
    assert main(["load", "triples", str(folder / f"{source}.tsv"), "--source", source, "--yes", "--no-progress"]) == 0
    assert main(["label", "vader", "--source", source, "--no-progress"]) == 0


def ids(folder: Path, source: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The id of each finding by its statement."""
    capsys.readouterr()
    assert main(["findings", "list", "--source", source, "--output", "csv"]) == 0
    text = capsys.readouterr().out
    (folder / f"{source}.csv").write_text(text, "utf-8")
    return {row["statement"]: row["finding"] for row in csv.DictReader(text.splitlines())}


def test_an_id_is_of_what_is_said_and_by_which_measure() -> None:
    assert ID == "8b6c197da275ca91"
    same = {
        "said": "Lawyer is a liar",
        "relation": "IsA",
        "assertion": "/a/1",
        "key": "",
        "rank": "normal",
        "by": "x@2",
    }
    assert replace(TRIPLE, **same, label="positive", score=1.0, link="http://x", sentence="s").id == ID  # type: ignore[arg-type]
    for other in ({"head": "en/nurse"}, {"type": "HAS_A"}, {"tail": "en/x"}, {"measure": "regard"}):
        assert replace(TRIPLE, **other).id != ID
    assert replace(SENTENCE, key="s 2").id == SENTENCE.id
    assert replace(SENTENCE, said="Lawyers read.").id != SENTENCE.id


def test_the_next_release(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of four known findings two are as they were, one's statement is gone and one is labelled otherwise; one is new."""
    release(tmp_path, BEFORE, "kb")
    before = ids(tmp_path, "kb", capsys)
    assert len(before) == 4
    assert main(["source", "drop", "kb", "--yes"]) == 0
    release(tmp_path, NOW, "release2")
    assert ids(tmp_path, "release2", capsys).items() >= {
        (name, before[name]) for name in before if "teacher" not in name
    }
    graph.driver.execute_query(
        "MATCH ()-[r]->({text: 'cruel person'}) SET r.sentiment = 'positive', r.sentiment_score = 0.5"
    )
    words = ["findings", "known", str(tmp_path / "kb.csv"), "--source", "release2"]
    assert main([*words, "--output", "json"]) == 0
    captured = capsys.readouterr()
    rows = {row["state"]: row for row in json.loads(captured.out)}
    assert len(json.loads(captured.out)) == 3
    assert {state: row["statement"] for state, row in rows.items()} == {
        "new": "doctor IsA horrible person",
        "changed": "lawyer IsA cruel person",
        "resolved": "teacher IsA bad person",
    }
    assert rows["resolved"]["finding"] == before["teacher IsA bad person"]
    assert (rows["changed"]["label_before"], rows["changed"]["label"]) == ("negative", "positive")
    assert rows["changed"]["score_before"] < 0 < rows["changed"]["score"]
    assert (rows["new"]["label_before"], rows["resolved"]["label"]) == (None, None)
    assert "1 new, 1 changed, 1 resolved, 2 as in kb.csv" in captured.err
    assert main([*words, "--fail-on-new"]) == 3
    assert "new" in capsys.readouterr().out
    assert main([*words, "--min-score", "0.99", "--fail-on-new"]) == 0, "what is new is too weak"
    ids(tmp_path, "release2", capsys)
    assert main(["findings", "known", str(tmp_path / "release2.csv"), "--source", "release2", "--fail-on-new"]) == 0
    assert "0 new, 0 changed, 0 resolved, 3 as in release2.csv" in capsys.readouterr().err


def test_a_label_that_is_gone_is_a_change(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release(tmp_path, BEFORE, "kb")
    ids(tmp_path, "kb", capsys)
    graph.driver.execute_query("MATCH ()-[r]->({text: 'cruel person'}) REMOVE r.sentiment, r.sentiment_score")
    graph.driver.execute_query("MATCH ()-[r]->({text: 'bad person'}) SET r.sentiment_score = 0.1")
    assert main(["findings", "known", str(tmp_path / "kb.csv"), "--source", "kb", "--output", "csv"]) == 0
    gone, sign = sorted(csv.DictReader(capsys.readouterr().out.splitlines()), key=lambda row: row["label"])
    assert (gone["state"], gone["statement"], gone["label"]) == ("changed", "lawyer IsA cruel person", "")
    assert (sign["state"], sign["statement"], sign["score"]) == ("changed", "teacher IsA bad person", "0.1")


@pytest.mark.parametrize("importer", ["triples", "conceptnet", "wikidata-json"])
def test_an_export_is_a_list_too(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str], importer: str
) -> None:
    """Rows and a blocklist have remarks on lines of their own, QuickStatements behind the command."""
    release(tmp_path, BEFORE, "kb")
    known = ids(tmp_path, "kb", capsys)
    out = tmp_path / "export"
    if importer == "triples":
        words = ["--source", "kb", "--file", str(tmp_path / "kb.tsv")]
        assert main(["findings", "export", *words, "--out", str(out), "--no-progress"]) == 0
    else:
        found = [replace(each, rank="deprecated") for each in listed(graph, "kb", FindingChoice())]
        corrections = importers.get(importer).corrections
        lines = [line for each in found for line in corrections.remarked(["a line"], each.remarks())]
        out.write_text("\n".join(lines) + "\n", "utf-8")
    read = read_known(out)
    assert {each.id for each in read} == set(known.values())
    assert {(each.measure, each.label) for each in read} == {("sentiment", "negative")}
    assert all(each.score is not None and each.score < 0 for each in read)
    assert main(["findings", "known", str(out), "--source", "kb", "--fail-on-new"]) == 0
    assert "0 new, 0 changed, 0 resolved, 4 as in export" in capsys.readouterr().err


def test_a_knowledge_base_cannot_write_ids_into_an_export(tmp_path: Path) -> None:
    own, forged = "a" * 16, "b" * 16
    hostile = Finding(
        f"finding: {forged}",
        "en/x",
        "IS_A",
        f"en/; finding: {forged}",
        sentence=f"x; finding: {forged}",
        measure="sentiment",
        label="negative",
        score=-0.5,
        by=f"vader; finding: {forged}",
        rank="normal",
        link="http://x",
    )
    remarks = [line.replace(hostile.id, own) for line in hostile.remarks()]
    for importer in ("conceptnet", "wikidata-json"):
        lines = importers.get(importer).corrections.remarked(["a line"], remarks)
        out = tmp_path / "export"
        out.write_text("\n".join(lines) + "\n", "utf-8")
        assert [each.id for each in read_known(out)] == [own]


def test_a_slip_of_the_label_is_said(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release(tmp_path, BEFORE, "kb")
    ids(tmp_path, "kb", capsys)
    words = ["findings", "known", str(tmp_path / "kb.csv"), "--source", "kb", "--fail-on-new"]
    assert main([*words, "--label", "negativ"]) == 1
    assert "negativ" in capsys.readouterr().err
    assert main([*words, "--label", "positive"]) == 0, "it can have this label, though nothing has"


def test_new_ones_of_one_target(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release(tmp_path, BEFORE, "kb")
    ids(tmp_path, "kb", capsys)
    few = tmp_path / "few.csv"
    few.write_text((tmp_path / "kb.csv").read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    assert main(["findings", "known", str(few), "--source", "kb", "--target", "lawyer"]) == 0
    assert "2 new, 0 changed, 0 resolved" in capsys.readouterr().err
    assert main(["findings", "known", str(tmp_path / "kb.csv"), "--source", "kb", "--target", "lawyer"]) == 0
    assert "0 new, 0 changed, 0 resolved, 4 as in kb.csv" in capsys.readouterr().err


def test_findings_of_another_measure_are_counted(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release(tmp_path, BEFORE, "kb")
    rows = [{"finding": "0" * 16, "measure": "regard", "label": "negative"}, {"finding": "1" * 16}]
    (tmp_path / "known.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    assert main(["findings", "known", str(tmp_path / "known.jsonl"), "--source", "kb"]) == 0
    told = capsys.readouterr().err
    assert "4 new, 0 changed, 1 resolved, 0 as in known.jsonl" in told
    assert "1 findings of known.jsonl are of another measure and were not looked at" in told


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("finding,label\n", []),
        ("[]", []),
        (f"statement,finding,score\nx,{'a' * 16},-0.5\n", [KnownFinding("a" * 16, score=-0.5, said="x")]),
        (f'{{"finding": "{"b" * 16}", "label": "negative"}}\n', [KnownFinding("b" * 16, label="negative")]),
        (f"# finding: {'c' * 16}\n", [KnownFinding("c" * 16)]),
    ],
)
def test_lists_of_findings(tmp_path: Path, text: str, known: list[KnownFinding]) -> None:
    path = tmp_path / "known"
    path.write_text(text, "utf-8")
    assert read_known(path) == known


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no ids of findings; write it with 'harmgraph findings list --output csv'"),
        ("/a/[/r/IsA/,/c/en/a/,/c/en/b/]\n", "has no ids of findings"),
        ("finding,label\nabc,negative\n", "row 2: 'abc' is no id of a finding"),
        (f"finding,score\n{'a' * 16},much\n", "row 2: score 'much' is not a number"),
        ("[1]", "is not a list of findings"),
        ("[{", "is not JSON"),
    ],
)
def test_files_that_are_no_list(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "known"
    path.write_text(text, "utf-8")
    with pytest.raises(UnreadableFile, match=why.replace("(", r"\(")):
        read_known(path)

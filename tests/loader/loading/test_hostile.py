"""Whatever a file holds is stored or rejected, and never run: a node that injected Cypher would remove stays."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import HarmgraphError
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker, sources
from harmgraph.graph.records import Import
from harmgraph.graph.schema import RESERVED_TYPES
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.loading.pipeline import Plan

INJECTIONS = (
    "x`]->() WITH 1 AS a MATCH (n) DETACH DELETE n //",
    "x'}) MATCH (n) DETACH DELETE n //",
    'x"}) MATCH (n) DETACH DELETE n //',
    "x}) WITH 1 AS a CALL { MATCH (n) DETACH DELETE n } RETURN a //",
    "'; MATCH (n) DETACH DELETE n; //",
    "\\'}) DETACH DELETE n /*",
    "\\u0060]->() MATCH (n) DETACH DELETE n",
    "$rows",
    "${source}",
    "{{n}}",
    "%s%n%x",
    "\u202e\u0000"[:1] + "right to left",
    "a\u2028b\u2029c\x85d\x0be\x1cf",
    "\U0001f642 e\u0301 \u00df \u0130",
    "\ufeffmark",
    "-- ; DROP",
    "<script>alert(1)</script>",
    '=HYPERLINK("x")',
    "../../etc/passwd",
    "y" * 10_000,
    "日本" * 2_000,
    "null",
    "NaN",
)


@pytest.fixture
def canary(graph: Graph) -> Iterator[Graph]:
    """A graph with one node of another's, which must stand as it was afterwards."""
    graph.write(parse("canary", "CREATE (:Canary {name: 'alive'})"))
    yield graph
    found = graph.rows(parse("canary", "MATCH (c:Canary) RETURN properties(c) AS canary, count { (c)--() } AS links"))
    assert found == [{"canary": {"name": "alive"}, "links": 0}]
    assert {row["label"] for row in graph.rows(parse("labels", "MATCH (n) RETURN DISTINCT labels(n)[0] AS label"))} <= {
        "Canary", "Concept", "Target", "TargetList", "Statement", "Relation", "Source", "Lock", "Schema"
    }  # fmt: skip


def load(graph: Graph, path: Path, importer: str, source: str = "kb", **options: Any) -> LoadReport:
    path.parent.mkdir(exist_ok=True)
    rejects = path.parent / "rejects.tsv"
    return pipeline.load(
        graph, Plan(importers.get(importer), (path,), source, options=options, max_rejects=1.0, rejects=rejects)
    )


def lines(path: Path, rows: list[str]) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8", newline="")
    return path


def values(graph: Graph, label: str, name: str) -> list[str]:
    text = "MATCH (n) WHERE $label IN labels(n) RETURN n[$name] AS value ORDER BY value"
    return [row["value"] for row in graph.rows(parse("values", text), label=label, name=name)]


def test_heads_and_tails_are_stored_as_they_are_or_rejected(canary: Graph, tmp_path: Path) -> None:
    report = load(canary, lines(tmp_path / "kb.tsv", [f"{text}\tIsA\tthing" for text in INJECTIONS]), "triples")
    assert report.read == len(INJECTIONS)
    assert report.records + report.rejected == len(INJECTIONS)
    stored = set(values(canary, "Concept", "text"))
    assert INJECTIONS[0].lower() in stored
    assert INJECTIONS[1].lower() in stored
    assert "a\u2028b\u2029c\x85d\x0be\x1cf" in stored
    assert report.in_graph == report.records
    # Neo4j's index cannot hold these.
    assert report.rejected == 2


def test_a_hostile_relation_is_rejected_or_gives_a_harmless_type(canary: Graph, tmp_path: Path) -> None:
    rows = [f"head {number}\t{text}\ttail" for number, text in enumerate(INJECTIONS)]
    report = load(canary, lines(tmp_path / "kb.tsv", rows), "triples")
    assert report.records + report.rejected == len(INJECTIONS)
    # The long one, and the one without a letter that may stand in a type.
    assert report.rejected == 2
    types = sources.count(canary, Import("kb", report.import_id)).relations
    assert sum(types.values()) == report.records
    assert "X_WITH_1_AS_A_MATCH_N_DETACH_DELETE_N" in types
    # The relation's own name is kept as a value.
    assert INJECTIONS[0] in values(canary, "Relation", "name")


@pytest.mark.parametrize("kind", sorted(RESERVED_TYPES))
def test_a_relation_cannot_pass_for_one_of_the_platforms(canary: Graph, tmp_path: Path, kind: str) -> None:
    camel = "".join(part.title() for part in kind.split("_"))
    rows = [f"nurse\t{name}\tthing" for name in (kind, kind.lower(), f"/r/{camel}", f" {kind}` ")]
    report = load(canary, lines(tmp_path / "kb.tsv", rows), "triples")
    assert (report.rejected, report.records) == (4, 0)
    text = (tmp_path / "rejects.tsv").read_text()
    assert text.count("which is reserved") == 4


def test_hostile_sentences_and_terms(canary: Graph, tmp_path: Path) -> None:
    rows = [f"{text}\t{text} says so." for text in INJECTIONS]
    report = load(canary, lines(tmp_path / "kb.tsv", rows), "genericskb")
    assert report.records + report.rejected == len(INJECTIONS)
    stored = values(canary, "Statement", "text")
    assert len(stored) == report.records
    assert all(f"{text} says so.".strip(" ") in stored for text in INJECTIONS if len(text) < 1_000)


def test_hostile_targets(canary: Graph, tmp_path: Path) -> None:
    rows = ['"' + text.replace('"', '""') + '",fantasy,"' + text.replace('"', '""') + 's"' for text in INJECTIONS]
    rows += [f'elf {number},"{text.replace(chr(34), chr(34) * 2)}"' for number, text in enumerate(INJECTIONS)]
    report = load(canary, lines(tmp_path / "list.csv", rows), "targets")
    assert report.records + report.rejected == len(rows)
    assert report.rejected > len(INJECTIONS) // 2, "categories are plain words"
    assert len(values(canary, "Target", "name")) == report.in_graph
    assert "x'}) match (n) detach delete n //" in values(canary, "Target", "name")
    load(canary, lines(tmp_path / "kb.tsv", [f"{text}\tIsA\tthing" for text in INJECTIONS]), "triples", "other")
    assert linker.link(canary).names > 5


def test_hostile_json(canary: Graph, tmp_path: Path) -> None:
    details: list[Any] = [{"weight": 1.0, "surfaceText": text, "dataset": text, "license": text} for text in INJECTIONS]
    details += [{"weight": "1e999"}, {"weight": {"a": 1}}, {"weight": float("nan")}, [], "text", {"dataset": {"n": []}}]
    details += [{"surfaceText": "lone \ud800 surrogate"}, {"dataset": "\udfff"}, {"license": "\ud83d"}]
    rows = [
        f"/a/[{number},{INJECTIONS[number % 10]}]\t/r/IsA\t/c/en/head_{number}/n/`x\t/c/en/tail\t{json.dumps(one)}"
        for number, one in enumerate(details)
    ]
    rows.append("/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t" + "[" * 50_000)
    report = load(canary, lines(tmp_path / "assertions.csv", rows), "conceptnet")
    assert report.records + report.rejected == len(rows)
    assert report.in_graph == report.records == len(INJECTIONS)


@pytest.mark.parametrize("name", INJECTIONS[:12], ids=range(12))
def test_a_hostile_source_name_is_only_a_name(canary: Graph, tmp_path: Path, name: str) -> None:
    report = load(canary, lines(tmp_path / "kb.tsv", ["nurse\tIsA\tperson"]), "triples", name)
    assert sources.names(canary) == [name]
    assert sources.facts(canary, name)["import_id"] == report.import_id
    assert sources.difference(canary, sources.facts(canary, name))[-1]["after"] == 1
    assert sources.drop(canary, name) == 1
    assert values(canary, "Concept", "key") == []


@pytest.mark.parametrize(
    "source", ["x" * 10_000, "\udcff", "", " ", "a\nb"], ids=["long", "bytes", "empty", "blank", "torn"]
)
def test_a_source_name_that_cannot_be_is_one_line(
    canary: Graph, tmp_path: Path, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lines(tmp_path / "kb.tsv", ["nurse\tIsA\tperson"])
    code = main(["load", "triples", str(path), "--source", source])
    captured = capsys.readouterr()
    assert "unexpected" not in captured.err
    assert (code, len(captured.err.splitlines())) in {(0, 0), (1, 1)}


def test_delimiters_and_columns_are_no_patterns(canary: Graph, tmp_path: Path) -> None:
    path = lines(tmp_path / "kb.tsv", ["nurse.*IsA.*person", "a|b"])
    report = load(canary, path, "triples", delimiter=".*")
    assert (report.records, report.rejected) == (1, 1)
    for columns in ("head,relation", "head,head,tail,relation", "`", ""):
        with pytest.raises(HarmgraphError, match="name head, relation and tail once each"):
            load(canary, path, "triples", columns=columns)


def test_files_with_hostile_names(canary: Graph, tmp_path: Path) -> None:
    for name in ("a'b\"c`.tsv", "x'}) DETACH DELETE n", "a\nb.tsv", "-v", os.fsdecode(b"\xff.tsv")):
        report = load(canary, lines(tmp_path / name, ["nurse\tIsA\tperson", "torn"]), "triples")
        assert sources.facts(canary, "kb")["files"] == [name.replace("\udcff", "\\xff")]
        assert (report.records, report.rejected) == (1, 1)


def test_what_is_printed_of_it_cannot_move_the_cursor(
    canary: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    load(
        canary,
        lines(tmp_path / "kb.tsv", ["elf\x1b[2J\x1b]0;title\x07\telves \x1b[31m sing."]),
        "genericskb",
        "red\x1b[31m",
    )
    assert main(["source", "list"]) == 0
    assert main(["source", "show", "red\x1b[31m"]) == 0
    assert main(["source", "show", "nothing \x1b[31m"]) == 1
    captured = capsys.readouterr()
    assert "\x1b[2J" not in captured.out
    assert "\x1b[31m" not in captured.out + captured.err

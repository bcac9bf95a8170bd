"""A file that an option names: read after the others, part of what the import is, and missed in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harmgraph.__main__ import cli
from harmgraph.common.errors import BadName, TooManyRejects, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading import process as reader_process
from harmgraph.loader.reading.plan import Plan

TRIPLES = "/m/1\t/people/person/profession\t/m/2\n/m/3\t/people/person/profession\t/m/2\n"
NAMES = "/m/1\tAda\n/m/2\tNurse\n/m/9\tNobody\n"
FACTS = parse("names", "MATCH (e:Entity) RETURN e.key AS key, e.name AS name ORDER BY key")


def plan(folder: Path, triples: str = TRIPLES, names: str | None = NAMES, **options: Any) -> Plan:
    folder.mkdir(exist_ok=True)
    (folder / "train.txt").write_text(triples)
    if names is not None:
        (folder / "names.tsv").write_text(names)
        options["names"] = str(folder / "names.tsv")
    return Plan(importers.get("freebase"), (folder / "train.txt",), "kb", options=options, rejects=folder / "rejects")


def names(graph: Graph) -> list[tuple[str, str | None]]:
    return [(row["key"].removeprefix("freebase/"), row["name"]) for row in graph.rows(FACTS)]


def test_names_come_from_the_file(graph: Graph, tmp_path: Path) -> None:
    report = pipeline.load(graph, plan(tmp_path))
    assert (report.read, report.records, report.named, report.in_graph) == (5, 2, 3, 2)
    assert (report.names_kept, report.names_unused) == (2, ())
    assert names(graph) == [("m.1", "Ada"), ("m.2", "Nurse"), ("m.3", None)]
    facts = sources.facts(graph, "kb")
    assert facts["files"] == ["train.txt", "names.tsv"]
    assert len(facts["sha256"]) == 2
    assert facts["options"] == {"names": "names.tsv", "order": "auto", "split": "auto"}
    assert (facts["counts"]["named"], facts["counts"]["names_kept"]) == (3, 2)


def test_the_names_are_part_of_the_import(graph: Graph, tmp_path: Path) -> None:
    first = pipeline.load(graph, plan(tmp_path / "a"))
    whole = digest(graph)
    assert pipeline.load(graph, plan(tmp_path / "b")).import_id == first.import_id  # wherever the file lies
    assert digest(graph) == whole
    changed = pipeline.load(graph, plan(tmp_path / "a", names="/m/3\tEve\n"))
    assert changed.import_id != first.import_id
    assert names(graph) == [("m.1", None), ("m.2", None), ("m.3", "Eve")]
    without = pipeline.load(graph, plan(tmp_path / "a", names=None))
    assert without.import_id not in (first.import_id, changed.import_id)
    assert {name for _, name in names(graph)} == {None}


def test_the_part_that_a_file_is_is_part_of_the_import(graph: Graph, tmp_path: Path) -> None:
    as_train = pipeline.load(graph, plan(tmp_path))
    other = tmp_path / "test.txt"
    other.write_text(TRIPLES)
    as_test = pipeline.load(graph, replace(plan(tmp_path), paths=(other,)))
    assert as_test.import_id != as_train.import_id
    splits = parse("splits", "MATCH ()-[r]->() WHERE r.source IS NOT NULL RETURN collect(DISTINCT r.split) AS splits")
    assert graph.rows(splits) == [{"splits": ["test"]}]


def test_a_triple_of_two_parts_stands_twice_whatever_the_order(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text(TRIPLES)
    paths = (tmp_path / "train.txt", tmp_path / "test.txt")
    triples = []
    for order in (paths, paths[::-1]):
        report = pipeline.load(graph, replace(plan(tmp_path), paths=order))
        assert (report.duplicates, report.in_graph) == (0, 4)
        rows = parse("rows", "MATCH (h)-[r]->(t) WHERE r.source = 'kb' RETURN h.key AS h, r.split AS s ORDER BY h, s")
        triples.append([tuple(row.values()) for row in graph.rows(rows)])
    assert triples[0] == triples[1]


def test_a_limit_is_of_triples(graph: Graph, tmp_path: Path) -> None:
    report = pipeline.load(graph, replace(plan(tmp_path), limit=1))
    assert (report.records, report.in_graph, report.named) == (1, 1, 3)
    assert names(graph) == [("m.1", "Ada"), ("m.2", "Nurse")]


@pytest.mark.parametrize("dry", [True, False])
def test_a_missing_names_file_is_told_before_anything_is_read(graph: Graph, tmp_path: Path, dry: bool) -> None:
    missing = replace(plan(tmp_path), options={"names": str(tmp_path / "none.tsv")})
    with pytest.raises(UnreadableFile, match=r"none\.tsv: no such file; check the path"):
        pipeline.dry_run(missing) if dry else pipeline.load(graph, missing)
    assert graph.rows("schema/counts")[0]["nodes"] == 0


def test_rejected_names_count_as_rejected_lines(graph: Graph, tmp_path: Path) -> None:
    pipeline.load(graph, plan(tmp_path))
    whole = digest(graph)
    with pytest.raises(TooManyRejects, match="1 of 6 lines"):
        pipeline.load(graph, plan(tmp_path, names=NAMES + "torn\n"))
    assert digest(graph) == whole
    report = pipeline.load(graph, replace(plan(tmp_path, names=NAMES + "torn\n"), max_rejects=0.5))
    assert (report.rejected, report.named) == (1, 3)
    assert "names.tsv\t4\t" in Path(report.rejects).read_text()


def test_the_rejects_file_may_not_be_the_names_file(tmp_path: Path) -> None:
    with pytest.raises(BadName, match="is one of the files to load"):
        pipeline.dry_run(replace(plan(tmp_path), rejects=tmp_path / "names.tsv"))


def test_on_the_command_line(graph: Graph, tmp_path: Path) -> None:
    plan(tmp_path)
    (tmp_path / "valid.txt").write_text("/m/4\t/people/person/profession\t/m/2\n")
    files = [str(tmp_path / name) for name in ("train.txt", "valid.txt")]
    command = ["load", "freebase", *files, "--source", "mine", "--output", "json"]
    done = CliRunner().invoke(cli, [*command, "--names", str(tmp_path / "names.tsv")])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["records"], report["named"], report["entities"], report["read"]) == (3, 3, 1, 6)
    table = CliRunner().invoke(cli, [*command[:-1], "table", "--names", str(tmp_path / "names.tsv")])
    assert "names of entities and relations" in table.stdout
    assert "names kept, because they occur in a triple" in table.stdout
    assert "warning" not in table.stderr
    assert "entities that name a target" in table.stdout
    targets = json.loads(CliRunner().invoke(cli, ["target", "list", "--output", "json"]).stdout)
    assert {row["target"] for row in targets if row["entities"]} == {"nurse"}


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_names_that_fit_nothing_are_told(graph: Graph, tmp_path: Path, more: list[str]) -> None:
    plan(tmp_path, names="/m/8\tEve\n/m/9\tNobody\n")
    names_file = tmp_path / "names.tsv"
    command = ["load", "freebase", str(tmp_path / "train.txt"), "--names", str(names_file), "--output", "json", *more]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["named"], report["names_kept"], report["names_unused"]) == (2, 0, [str(names_file)])
    assert done.stderr == (
        f"harmgraph: warning: {names_file} names nothing in a triple; does this file of names belong to these "
        "triples?\n"
    )


def test_names_kept_are_counted_file_by_file(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "WORTH_A_PROCESS", 1)
    (tmp_path / "train.txt").write_text("Q1\tP1\tQ2\n")
    (tmp_path / "entities.json").write_text('{"Q1": {"label": "one"}, "P1": {"label": "of"}, "Q3": {"label": "three"}}')
    (tmp_path / "other.json").write_text('{"Q4": {"label": "four"}}')
    paths = tuple(tmp_path / name for name in ("entities.json", "train.txt"))
    codex = Plan(importers.get("codex"), paths, "codex", options={"names": str(tmp_path / "other.json")})
    for report in (pipeline.load(graph, codex), pipeline.dry_run(codex)):
        assert (report.named, report.names_kept) == (4, 2)
        assert report.names_unused == (str(tmp_path / "other.json"),)


@pytest.mark.parametrize(
    ("importer", "triple", "called", "labels"),
    [
        ("codex", "Q1\tP1\tQ2\n", "entities.json", '{"Q1": {"label": "one"}, "Q2": {"label": "two"}}'),
        ("wd50k", "Q1,P1,Q2\n", "labels.tsv", "Q1\tone\nQ2\ttwo\n"),
    ],
)
def test_labels_among_the_files_are_read_past_a_limit(
    tmp_path: Path, importer: str, triple: str, called: str, labels: str
) -> None:
    for part in ("train", "valid"):
        (tmp_path / f"{part}.txt").write_text(triple * 3)
    (tmp_path / called).write_text(labels)
    paths = tuple(tmp_path / name for name in ("train.txt", "valid.txt", called))
    for order in (paths, paths[::-1]):
        report = pipeline.dry_run(Plan(importers.get(importer), order, importer, limit=2))
        assert (report.records, report.named) == (2, 2)

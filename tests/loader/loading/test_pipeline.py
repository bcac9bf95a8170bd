"""From files to the graph: counts that add up, the same twice, newer over older, and stops that lose nothing."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from harmgraph.common.errors import BadName, Busy, TooManyRejects, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan

LINES = ("nurse\tIsA\tkind person", "nurse\tCapableOf\theal", "nurse\tIsA\tkind person", "pilot\tIsA\tperson")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def file(folder: Path, lines: Sequence[str] = LINES, name: str = "kb.tsv") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def plan(*paths: Path, importer: str = "triples") -> Plan:
    return Plan(importers.get(importer), paths, "kb", rejects=paths[0].parent / "rejects.tsv")


def test_the_report_adds_up(graph: Graph, folder: Path) -> None:
    lines = [*LINES, "", "torn line", "nurse\tExternalURL\tx", *(f"h{n}\tIsA\tt" for n in range(200))]
    report = pipeline.load(graph, plan(file(folder, lines)))
    assert (report.read, report.records, report.duplicates, report.rejected) == (207, 204, 1, 1)
    assert report.skipped == {"empty line": 1, "relation ExternalURL": 1}
    assert report.read == report.records + report.rejected + sum(report.skipped.values())
    assert (report.in_graph, report.added, report.removed) == (203, 203, 0)
    with Path(report.rejects).open(encoding="utf-8", newline="") as rejects:
        rows = list(csv.reader(rejects, delimiter="\t"))
    assert rows == [["file", "line", "reason", "text"], ["kb.tsv", "6", "1 columns where 3 are expected", "torn line"]]


def test_a_dry_run_reports_the_same_without_a_graph(graph: Graph, folder: Path) -> None:
    the_plan = plan(file(folder))
    dry = pipeline.dry_run(the_plan)
    assert graph.rows("schema/counts")[0]["nodes"] == 0
    real = pipeline.load(graph, the_plan)
    for name in ("read", "records", "duplicates", "skipped", "rejected"):
        assert asdict(dry)[name] == asdict(real)[name]
    assert dry.dry_run
    assert not real.dry_run


def test_the_same_file_twice_is_the_same_graph(graph: Graph, folder: Path) -> None:
    the_plan = plan(file(folder))
    first = pipeline.load(graph, the_plan)
    whole = digest(graph)
    again = pipeline.load(graph, the_plan)
    assert digest(graph) == whole
    assert (again.added, again.removed, again.unchanged) == (0, 0, True)
    assert replace(again, seconds=0) == replace(first, seconds=0, added=0, unchanged=True)


def test_the_same_content_in_another_folder_is_the_same_import(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    whole = digest(graph)
    (folder / "other").mkdir()
    pipeline.load(graph, plan(file(folder / "other")))
    assert digest(graph) == whole


def test_a_newer_file_replaces_the_older_one_and_labels_survive(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    graph.write(parse("label", "MATCH ()-[r:CAPABLE_OF|IS_A]->() SET r.sentiment = 'positive'"))
    newer = [LINES[1], "nurse\tHasA\tshift", "cook\tIsA\tperson"]
    report = pipeline.load(graph, plan(file(folder, newer, "newer.tsv")))
    assert (report.in_graph, report.added, report.removed) == (3, 2, 2)
    rows = graph.rows(
        parse(
            "left",
            "MATCH (h)-[r {source: 'kb'}]->(t) RETURN h.text AS h, type(r) AS r, t.text AS t, r.sentiment AS label ORDER BY h, r",
        )
    )
    assert [tuple(row.values()) for row in rows] == [
        ("cook", "IS_A", "person", None),
        ("nurse", "CAPABLE_OF", "heal", "positive"),
        ("nurse", "HAS_A", "shift", None),
    ]
    changes = sources.difference(graph, sources.facts(graph, "kb"))
    assert [tuple(row.values()) for row in changes] == [
        ("CapableOf", 1, 1, 0, 0),
        ("HasA", 0, 1, 1, 0),
        ("IsA", 2, 1, 1, 2),
        ("(all)", 3, 3, 2, 2),
    ]
    concepts = graph.rows(parse("concepts", "MATCH (c:Concept) RETURN c.text AS text ORDER BY text"))
    assert [row["text"] for row in concepts] == ["cook", "heal", "nurse", "person", "shift"]


def test_back_to_the_older_file_is_the_older_graph(graph: Graph, folder: Path) -> None:
    counted = parse(
        "triples", "MATCH (h)-[r {source: 'kb'}]->(t) RETURN h.key AS h, type(r) AS r, t.key AS t ORDER BY h, r, t"
    )
    older = plan(file(folder))
    pipeline.load(graph, older)
    rows = graph.rows(counted)
    pipeline.load(graph, plan(file(folder, ["cook\tIsA\tperson"], "newer.tsv")))
    assert graph.rows(counted) != rows
    pipeline.load(graph, older)
    assert graph.rows(counted) == rows


@pytest.mark.parametrize("importer", ["triples", "genericskb"])
def test_kept_duplicates_stay_apart(graph: Graph, folder: Path, importer: str) -> None:
    lines = LINES if importer == "triples" else ["nurse\tNurses care.", "pilot\tPilots fly.", "nurse\tNurses care."]
    equal = plan(file(folder, lines), importer=importer)
    merged = pipeline.load(graph, equal)
    kept = pipeline.load(graph, replace(equal, keep_duplicates=True))
    assert kept.in_graph == kept.records == len(lines)
    assert merged.in_graph == len(lines) - 1
    assert merged.duplicates == kept.duplicates == 1
    whole = digest(graph)
    pipeline.load(graph, replace(equal, keep_duplicates=True))
    assert digest(graph) == whole


def test_kept_duplicates_of_two_files_stay_apart(graph: Graph, folder: Path) -> None:
    two = plan(file(folder, LINES[:2]), file(folder, LINES[:2], "second.tsv"))
    assert pipeline.load(graph, two).in_graph == 2
    assert pipeline.load(graph, replace(two, keep_duplicates=True)).in_graph == 4


@pytest.mark.parametrize(("limit", "read", "records"), [(0, 4, 4), (1, 1, 1), (3, 3, 3), (99, 4, 4)])
def test_a_limit_is_of_records(folder: Path, limit: int, read: int, records: int) -> None:
    report = pipeline.dry_run(replace(plan(file(folder)), limit=limit))
    assert (report.read, report.records) == (read, records)


def test_a_limit_runs_over_all_files(folder: Path) -> None:
    both = replace(plan(file(folder), file(folder, LINES, "second.tsv")), limit=6)
    assert pipeline.dry_run(both).records == 6


def test_too_many_rejects_at_the_end_leave_what_stood(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    whole = digest(graph)
    bad = plan(file(folder, [LINES[0], "torn"], "bad.tsv"))
    with pytest.raises(TooManyRejects, match="kb: 1 of 2 lines cannot be read"):
        pipeline.load(graph, bad)
    assert digest(graph) == whole
    assert pipeline.load(graph, replace(bad, max_rejects=0.5)).in_graph == 1


def test_too_many_rejects_stop_a_long_file_early(folder: Path) -> None:
    lines = ["torn"] * 5_000
    with pytest.raises(TooManyRejects) as caught:
        pipeline.dry_run(plan(file(folder, lines)))
    assert caught.value.read == 1_000


def test_no_reject_is_allowed_where_none_is_wanted(folder: Path) -> None:
    with pytest.raises(TooManyRejects):
        pipeline.dry_run(replace(plan(file(folder, [*LINES * 200, "torn"])), max_rejects=0.0))


def test_a_line_of_which_several_parts_are_rejected_is_one_line(folder: Path) -> None:
    labels = '{"x": {"label": "no id"}, "y": {"label": "no id"}, "Q1": {"label": 7}, "Q2": {"label": "two"}}'
    paths = []
    for name in ("a", "b"):  # files of one name are different files
        (folder / name).mkdir()
        paths.append(file(folder / name, [labels], "entities.json"))
    triples = file(folder, ["Q1\tP1\tQ2"] * 2, "train.txt")
    bad = plan(*paths, triples, importer="codex")
    with pytest.raises(TooManyRejects, match="kb: 2 of 4 lines cannot be read"):
        pipeline.dry_run(bad)
    report = pipeline.dry_run(replace(bad, max_rejects=0.5))
    assert (report.rejected, report.named, report.records) == (6, 2, 2)
    assert len(Path(report.rejects).read_text().splitlines()) == 7


def test_fewer_records_than_expected_leave_what_stood(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    whole = digest(graph)
    short = replace(plan(file(folder, LINES[:2], "short.tsv")), expect=3)
    with pytest.raises(UnreadableFile, match=r"short.tsv:2: 2 records where at least 3 are expected"):
        pipeline.load(graph, short)
    assert digest(graph) == whole
    assert pipeline.load(graph, replace(short, expect=2)).records == 2


def test_a_truncated_file_says_where_and_a_whole_one_then_mends_it(graph: Graph, folder: Path) -> None:
    whole_file = folder / "kb.tsv.gz"
    lines = "".join(f"head {n}\tIsA\ttail {n * 7919 % 1009}\n" for n in range(5_000))
    whole_file.write_bytes(gzip.compress(lines.encode()))
    pipeline.load(graph, plan(whole_file))
    undisturbed = digest(graph)
    graph.autocommit("schema/wipe")
    (folder / "torn").mkdir()
    torn = folder / "torn" / "kb.tsv.gz"
    torn.write_bytes(whole_file.read_bytes()[:-2_000])
    with pytest.raises(UnreadableFile, match="ends in the middle of its compressed data"):
        pipeline.load(graph, plan(torn))
    pipeline.load(graph, plan(whole_file))
    assert digest(graph) == undisturbed


def test_a_source_that_is_being_loaded_says_so_until_it_is_complete(graph: Graph, folder: Path) -> None:
    lines = [f"h{n}\tIsA\tt" for n in range(6_000)]
    with pytest.raises(UnreadableFile):
        pipeline.load(graph, replace(plan(file(folder, lines)), expect=7_000))
    assert sources.facts(graph, "kb")["state"] == "loading"
    pipeline.load(graph, plan(file(folder, lines)))
    assert sources.facts(graph, "kb")["state"] == "complete"


def test_the_lock_is_given_up_after_a_failure(graph: Graph, folder: Path) -> None:
    with pytest.raises(UnreadableFile):
        pipeline.load(graph, replace(plan(file(folder)), expect=99))
    assert pipeline.load(graph, plan(file(folder))).records == 4


def test_a_load_waits_for_nobody(graph: Graph, folder: Path) -> None:
    with Graph.open(graph.address) as other, other.holding("label vader"), pytest.raises(Busy, match="label vader"):
        pipeline.load(graph, plan(file(folder)))


def test_a_missing_file_touches_nothing(graph: Graph, folder: Path) -> None:
    missing = plan(file(folder), folder / "missing.tsv")
    with pytest.raises(UnreadableFile, match=r"missing.tsv: no such file"):
        pipeline.load(graph, missing)
    assert sources.names(graph) == []


def test_an_option_that_the_importer_lacks_touches_nothing(graph: Graph, folder: Path) -> None:
    with pytest.raises(BadName, match="is not one of the importer triples"):
        pipeline.load(graph, replace(plan(file(folder)), options={"colour": "red"}))
    assert sources.names(graph) == []


def test_a_term_that_is_no_target_is_counted(graph: Graph, folder: Path) -> None:
    pipeline.load(
        graph, replace(plan(file(folder, ["nurse,profession"], "list.csv"), importer="targets"), source="list")
    )
    lines = ["nurse\tNurses care.", "elf\tElves sing.", "elf\tElves dance.", "orc\tOrcs march."]
    report = pipeline.load(graph, plan(file(folder, lines), importer="genericskb"))
    assert (report.about, report.no_target) == (1, {"elf": 2, "orc": 1})
    assert (report.no_target_terms, report.no_target_statements) == (2, 3)


def test_what_decides_the_content_decides_the_id(folder: Path) -> None:
    base = plan(file(folder))
    same = {pipeline.import_id(one, ["d"]) for one in (base, replace(base, max_rejects=0.5, expect=3, rejects=None))}
    assert len(same) == 1
    others = {
        pipeline.import_id(base, ["e"]),
        pipeline.import_id(base, ["d", "d"]),
        *(
            pipeline.import_id(replace(base, **change), ["d"])
            for change in (
                {"source": "other"},
                {"version": "2"},
                {"limit": 3},
                {"keep_duplicates": True},
                {"options": {"language": "de"}},
                {"importer": importers.get("conceptnet100k")},
            )
        ),
    }
    assert len(others | same) == 9


@pytest.mark.parametrize("source", ["../../etc/passwd", "a/b", "\n", "x" * 500, "é ü"])
def test_the_file_of_rejects_stays_in_its_folder(source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    path = replace(plan(tmp_path / "kb.tsv"), source=source, rejects=None).rejects_path
    assert path.parent == tmp_path / "rejects"
    assert len(path.name) < 100


@pytest.mark.parametrize("command", ["load", "dry_run"])
def test_an_input_is_never_taken_for_the_file_of_rejects(graph: Graph, folder: Path, command: str) -> None:
    path = file(folder, [*LINES, "torn"])
    before = path.read_bytes()
    own = replace(plan(path), rejects=folder / "." / "kb.tsv", max_rejects=1.0)
    with pytest.raises(BadName, match="is one of the files to load"):
        pipeline.load(graph, own) if command == "load" else pipeline.dry_run(own)
    assert path.read_bytes() == before


def test_back_and_forth_counts_each_change_once(graph: Graph, folder: Path) -> None:
    """Going back to an older file is a new import: only what changed is new."""
    one = plan(file(folder, ["a\tIsA\tb", "a\tIsA\tc"], "one.tsv"))
    two = plan(file(folder, ["a\tIsA\tb", "a\tIsA\td"], "two.tsv"))
    for the_plan, changed in ((one, (2, 0)), (two, (1, 1)), (one, (1, 1))):
        report = pipeline.load(graph, the_plan)
        total = sources.difference(graph, sources.facts(graph, "kb"))[-1]
        assert (report.added, report.removed) == changed
        assert (total["added"], total["removed"]) == changed


def test_another_kind_of_load_does_not_replace_a_source(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    whole = digest(graph)
    groups = plan(file(folder, ["nurse,profession"], "groups.csv"), importer="targets")
    with pytest.raises(BadName, match="was loaded with the importer triples"):
        pipeline.load(graph, groups)
    assert digest(graph) == whole


def test_of_equal_triples_the_last_one_is_written_and_the_others_are_counted(graph: Graph, folder: Path) -> None:
    weighted = Plan(
        importers.get("triples"),
        (file(folder, ["a\tIsA\tb\t1", "a\t/r/IsA\tb\t2"]),),
        "kb",
        options={"columns": "head,relation,tail,weight"},
    )
    report = pipeline.load(graph, weighted)
    assert (report.records, report.duplicates, report.in_graph) == (2, 1, 1)
    assert graph.rows("explore/relationship_properties")[0]["properties"]["weight"] == 2.0


def test_a_target_named_twice_with_other_facts_is_rejected(graph: Graph, folder: Path) -> None:
    lines = ["gizmo,x,a1", "gizmo,x,a2", "gizmo,x,a1", "widget,all"]
    groups = replace(plan(file(folder, lines, "groups.csv"), importer="targets"), max_rejects=1.0)
    report = pipeline.load(graph, groups)
    assert (report.records, report.duplicates, report.rejected) == (2, 1, 2)
    assert graph.rows("explore/targets")[0]["aliases"] == ["a1"]


def test_a_load_without_a_record_or_with_a_limit_does_not_replace_what_stands(graph: Graph, folder: Path) -> None:
    pipeline.load(graph, plan(file(folder)))
    whole = digest(graph)
    with pytest.raises(UnreadableFile, match="has no records"):
        pipeline.load(graph, plan(file(folder, ["x\tExternalURL\ty"], "empty.tsv")))
    with pytest.raises(BadName, match="what --limit leaves out"):
        pipeline.load(graph, replace(plan(file(folder)), limit=1))
    assert digest(graph) == whole

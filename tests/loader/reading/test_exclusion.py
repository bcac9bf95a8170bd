"""``load --exclude``: which lines leave out what, counted; without a server."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading import division, process
from harmgraph.loader.reading.exclusion import Exclusion, read_exclusion
from harmgraph.loader.reading.plan import Plan, facts, import_id
from harmgraph.loader.reading.spread import reading_on
from tests.support.knowledge_bases import conceptnet
from tests.support.memory_cluster import MemoryCluster


def exclusion(tmp_path: Path, text: str, importer: str = "conceptnet", *files: Path) -> Exclusion:
    path = tmp_path / "exclude.txt"
    path.write_text(text, encoding="utf-8")
    return read_exclusion(path, importers.get(importer), files)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.csv"
    path.write_text(conceptnet(), encoding="utf-8")
    return path


def plan_of(dump: Path, left_out: Exclusion | None = None) -> Plan:
    rejects = dump.with_name("rejects.tsv")
    return Plan(importers.get("conceptnet"), (dump,), "kb", max_rejects=0.5, rejects=rejects, exclusion=left_out)


def test_what_is_left_out_is_counted_and_lines_that_fit_nothing_too(tmp_path: Path, dump: Path) -> None:
    """Counted by hand in the text of the file: lines with both ends English, and the head or the tail of that name."""
    every = pipeline.dry_run(plan_of(dump))
    nurse = sum("\t/c/en/nurse\t/c/en/" in line and line.count("\t") == 4 for line in dump.read_text().splitlines())
    report = pipeline.dry_run(plan_of(dump, exclusion(tmp_path, "# c\n\n/c/en/nurse\n/c/en/nobody\n/a/[nothing]\n")))
    assert nurse > 10
    assert report.skipped["excluded: an address in it"] == nurse
    assert report.records == every.records - nurse
    assert (report.read, report.rejected) == (every.read, every.rejected)
    assert (report.exclude_lines, report.exclude_unmatched) == (3, 2)


def test_every_line_that_fits_a_statement_has_left_something_out(tmp_path: Path, dump: Path) -> None:
    text = "/c/en/nurse\n/c/en\n/r/IsA\n"
    report = pipeline.dry_run(plan_of(dump, exclusion(tmp_path, text)))
    assert (report.records, report.exclude_lines, report.exclude_unmatched) == (0, 3, 0)


@pytest.mark.parametrize("way", ["process", "workers"])
def test_other_readers_leave_out_the_same(
    tmp_path: Path, dump: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(division, "SMALLEST", 2_000)
    monkeypatch.setattr(process, "WORTH_A_PROCESS", 1)
    plan = plan_of(dump, exclusion(tmp_path, "/c/en/lawyer/n\n/c/en/tail_7\n/c/en/nobody\n"))
    read = process.reading if way == "process" else partial(reading_on, MemoryCluster(3))
    here, there = pipeline.dry_run(plan), pipeline.dry_run(plan, read=read)
    assert here.skipped["excluded: an address in it"] > 10
    names = ("read", "records", "skipped", "rejected", "duplicates", "exclude_lines", "exclude_unmatched")
    assert [getattr(there, name) for name in names] == [getattr(here, name) for name in names]
    assert here.exclude_unmatched == 1


def test_derived_words_are_left_out_and_their_root_is_not(tmp_path: Path) -> None:
    edges = [("DerivedFrom", "wordy", "word"), ("IsA", "word", "text"), ("IsA", "wordy/a", "text"), ("IsA", "x", "y")]
    lines = [
        f"/a/{number}\t/r/{kind}\t/c/en/{head}\t/c/en/{tail}\t{{}}" for number, (kind, head, tail) in enumerate(edges)
    ]
    path = tmp_path / "kb.csv"
    path.write_text("\n".join(lines))
    report = pipeline.dry_run(plan_of(path, exclusion(tmp_path, "DERIVED /c/en/word\n", "conceptnet", path)))
    assert report.skipped == {"excluded: an address in it": 2}
    assert (report.records, report.exclude_unmatched) == (2, 0)


def test_an_import_is_another_with_other_exclusions_and_not_with_other_comments(tmp_path: Path, dump: Path) -> None:
    first, same, other = (
        plan_of(dump, exclusion(tmp_path, text))
        for text in ("/c/en/a\n/c/en/b\n", "# x\n/c/en/b\n/c/en/a\n", "/c/en/a\n")
    )
    identities = [import_id(plan, ["d"]) for plan in (plan_of(dump), first, same, other)]
    assert len(set(identities)) == 3
    assert identities[1] == identities[2] != identities[0]
    assert '"exclude": "exclude.txt"' in facts(first, ["d"])["options"]
    assert "exclude" not in facts(plan_of(dump), ["d"])["options"]


def test_a_blocklist_serves_a_file_without_addresses_too(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("IsA\tlawyer\tliar\nIsA\tlawyers union\tunion\nCapableOf\tdog\tbark\n")
    left_out = exclusion(tmp_path, "/c/en/lawyer\n/r/CapableOf\n", "conceptnet100k", path)
    report = pipeline.dry_run(Plan(importers.get("conceptnet100k"), (path,), "kb", exclusion=left_out))
    assert (report.records, report.exclude_unmatched) == (1, 0)


def test_a_file_that_is_empty_leaves_nothing_out(tmp_path: Path, dump: Path) -> None:
    left_out = exclusion(tmp_path, "# nothing\n\n")
    assert (left_out.lines, left_out.kinds) == (0, frozenset())
    assert pipeline.dry_run(plan_of(dump, left_out)).records == pipeline.dry_run(plan_of(dump)).records


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("/c/en/a\nlawyer\tIsA\tliar\n", 2, "not a line of the form blocklist"),
        ("-Q1\tP1\tQ2\n/c/en/a\n", 2, "not a line of the form quickstatements"),
        ("# c\nlawyer\n", 2, "not a line of any form of corrections: blocklist"),
        ("DERIVED lawyer\n", 1, "not a line of any form"),
        ("f\t0\ta\tIS_A\tb\t\trow\n", 1, "not a line of any form"),
        ("f\t1\ta\tIS_A\tb\t\n", 1, "not a line of any form"),
        ("/c/en/a\x00\n", 1, "cannot be read"),
    ],
)
def test_a_line_of_no_form_or_of_another_one_is_told(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said) as failed:
        exclusion(tmp_path, text)
    assert failed.value.line == line


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        read_exclusion(tmp_path / "none", importers.get("conceptnet"), ())

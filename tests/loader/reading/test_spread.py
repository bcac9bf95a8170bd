"""Files that several workers read give the graph, the counts and the rejects file of one that is read on one machine."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, TooManyRejects, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading import division
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import Reader
from harmgraph.loader.reading.spread import reading_on, rows_of
from tests.support import sbic, wikidata_sample
from tests.support.knowledge_bases import conceptnet, genericskb, wd50k, wd50k_names
from tests.support.memory_cluster import MemoryCluster

HARDLY_TOLD = ("seconds", "rejects")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "SMALLEST", 2_000)


def spread(workers: int = 3) -> Reader:
    return partial(reading_on, MemoryCluster(workers))


def both(graph: Graph, plan: Plan) -> tuple[LoadReport, LoadReport, str, str, str, str]:
    """The report, the graph and the rejected lines of a load without and with workers."""
    told: list[LoadReport] = []
    graphs: list[str] = []
    rejects: list[str] = []
    for read in (None, spread()):
        graph.autocommit("schema/wipe")
        default_targets.ensure(graph)
        told.append(pipeline.load(graph, plan, read=read) if read else pipeline.load(graph, plan))
        graphs.append(digest(graph))
        rejects.append(plan.rejects_path.read_text() if plan.rejects_path.exists() else "")
    return (told[0], told[1], graphs[0], graphs[1], rejects[0], rejects[1])


def facts(report: LoadReport) -> dict[str, object]:
    return {name: value for name, value in asdict(report).items() if name not in HARDLY_TOLD}


@pytest.mark.parametrize(
    ("importer", "text", "keep_duplicates"),
    [
        ("conceptnet", conceptnet(), False),
        ("conceptnet", conceptnet(), True),
        ("genericskb", genericskb(), False),
        ("genericskb", genericskb(), True),
        ("wd50k", wd50k(), False),
        ("sbic", sbic.table(), False),
        ("wikidata-json", wikidata_sample.dump(*wikidata_sample.EVERY), False),
    ],
)
def test_same_graph_counts_and_rejects(
    graph: Graph, tmp_path: Path, importer: str, text: str, keep_duplicates: bool
) -> None:
    path = tmp_path / "kb.txt"
    path.write_text(text, encoding="utf-8", newline="")
    options = {}
    if importer == "wd50k":
        names = tmp_path / "names.tsv"
        names.write_text(wd50k_names(), encoding="utf-8")
        options = {"names": str(names), "qualifiers": "P580,P582"}
    plan = Plan(
        importers.get(importer),
        (path,),
        "kb",
        options=options,
        keep_duplicates=keep_duplicates,
        max_rejects=0.5,
        rejects=tmp_path / "rejects.tsv",
    )
    here, there, graph_here, graph_there, rejects_here, rejects_there = both(graph, plan)
    assert here.in_graph > 0
    assert facts(there) == facts(here)
    assert rejects_there == rejects_here
    assert graph_there == graph_here


def test_relative_paths_hold_in_the_workers_folder_and_the_source_says_the_same(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kb.txt").write_text(wd50k() + "bad\n", encoding="utf-8")
    Path("names.tsv").write_text(wd50k_names(), encoding="utf-8")
    plan = Plan(
        importers.get("wd50k"),
        (Path("kb.txt"),),
        "kb",
        options={"names": "names.tsv"},
        max_rejects=0.5,
        rejects=Path("rejects.tsv"),
    )
    here, there, graph_here, graph_there, rejects_here, rejects_there = both(graph, plan)
    assert graph_there == graph_here
    assert rejects_there == rejects_here != ""
    assert facts(there) == facts(here)
    assert there.files == ("kb.txt",)
    assert there.names_kept > 0
    told = sources.facts(graph, "kb")
    assert told["files"] == ["kb.txt", "names.tsv"]
    assert told["options"]["names"] == "names.tsv"


def test_a_relative_list_of_targets_holds_in_the_workers_folder(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("told.txt").write_text("a Martian met a judge.|||It was green. They talked.\n" * 200)
    Path("list.csv").write_text("name,category\nmartian,origin\n")
    options = {"targets": "list.csv"}
    plan = Plan(importers.get("stories"), (Path("told.txt"),), "kb", options=options, rejects=Path("rejects.tsv"))
    here, there, graph_here, graph_there, *_ = both(graph, plan)
    assert graph_there == graph_here
    assert facts(there) == facts(here)
    assert there.in_graph == 3
    assert sources.facts(graph, "kb")["options"]["targets"] == "list.csv"
    assert plan.located().options["targets"] == str(tmp_path / "list.csv")
    assert replace(plan, options={}).located().options["targets"] == ""


def test_a_list_that_a_worker_lacks_is_told_as_the_workers(tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    told.write_text("a judge met a cook.|||It was green.\n" * 200)
    plan = Plan(importers.get("stories"), (told,), "kb", options={"targets": str(tmp_path / "list.csv")})
    pieces = division.divided(plan, MemoryCluster())
    assert len(pieces) > 1
    for piece in pieces:
        with pytest.raises(UnreadableFile, match=r"list\.csv: .* on a worker; every worker must see"):
            next(rows_of(plan, piece))


def test_the_planted_faults_are_there(tmp_path: Path) -> None:
    path = tmp_path / "kb.txt"
    for importer, text in (("conceptnet", conceptnet()), ("genericskb", genericskb())):
        path.write_text(text, encoding="utf-8", newline="")
        plan = Plan(importers.get(importer), (path,), "kb", max_rejects=0.5, rejects=tmp_path / "rejects.tsv")
        assert len(division.divided(plan, MemoryCluster())) > 3
        report = pipeline.dry_run(plan, read=spread())
        assert report.rejected > 3
        assert report.duplicates > 3
        assert facts(report) == facts(pipeline.dry_run(plan))


def test_several_files_of_which_later_lines_win(graph: Graph, tmp_path: Path) -> None:
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    first.write_text("".join(f"head {number}\tIsA\ttail\t{number}\n" for number in range(300)))
    second.write_text("".join(f"head {number}\tis a\ttail\t{number + 1000}\n" for number in range(0, 300, 2)))
    columns = {"columns": "head,relation,tail,weight"}
    plan = Plan(importers.get("triples"), (first, second), "kb", options=columns)
    here, there, graph_here, graph_there, *_ = both(graph, plan)
    assert here.duplicates == 150
    assert facts(there) == facts(here)
    assert graph_there == graph_here


@pytest.mark.parametrize("bad_at", [0, 900, 2_000])
def test_too_many_rejects_are_told_alike_and_nothing_is_written(graph: Graph, tmp_path: Path, bad_at: int) -> None:
    path = tmp_path / "kb.tsv"
    lines = [f"head {number}\tIsA\ttail\n" for number in range(3_000)]
    lines[bad_at : bad_at + 60] = ["bad\n"] * 60
    path.write_text("".join(lines))
    plan = Plan(importers.get("triples"), (path,), "kb", max_rejects=0.01, rejects=tmp_path / "rejects.tsv")
    default_targets.ensure(graph)
    before = digest(graph)
    with pytest.raises(TooManyRejects) as there:
        pipeline.load(graph, plan, read=spread())
    rejects = plan.rejects_path.read_text()
    assert digest(graph) == before
    with pytest.raises(TooManyRejects) as here:
        pipeline.dry_run(plan)
    assert str(there.value) == str(here.value)
    assert rejects == plan.rejects_path.read_text()


def test_a_file_that_is_not_whole_is_not_loaded(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\n" * 10)
    plan = Plan(importers.get("triples"), (path,), "kb", expect=11)
    with pytest.raises(UnreadableFile, match="at least 11"):
        pipeline.load(graph, plan, read=spread())


@pytest.mark.parametrize(
    ("importer", "plan_facts", "why"),
    [("targets", {}, "one machine"), ("aser", {}, "one process"), ("triples", {"limit": 3}, "--limit")],
)
def test_what_cannot_be_divided_is_refused(tmp_path: Path, importer: str, plan_facts: dict[str, int], why: str) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\n")
    plan = Plan(importers.get(importer), (path,), "kb", **plan_facts)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=why), spread()(plan) as items:
        list(items)

"""Loads and labels on a real Spark cluster: the same graph as on one machine, after a kill too, and no secret anywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.scorers.vader import SCORER
from harmgraph.common.engines.engine import Cluster, engines
from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading import division
from harmgraph.loader.reading.exclusion import read_exclusion
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.spread import reading_on
from tests.support import processes
from tests.support.commands import command
from tests.support.knowledge_bases import conceptnet
from tests.support.loaded import relationships
from tests.support.places import ROOT
from tests.support.processes import children_of, wait_for, wait_until_gone
from tests.support.spark import Standalone, needs_spark, standalone
from tests.support.watching import Watch

pytestmark = [
    needs_spark,
    # pyspark leaves its sockets to the garbage collector
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

LINES = 9_000


@pytest.fixture(scope="module", autouse=True)
def patient() -> Iterator[None]:
    """Several programs of Java start at the same time, which takes minutes where the machine is busy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "PATIENCE", 600.0)
        yield


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    with standalone(tmp_path_factory.mktemp("spark")) as running:
        yield running


@pytest.fixture(scope="module")
def cluster(spark: Standalone) -> Iterator[Cluster]:
    with engines.get("spark").cluster({"master": spark.master}) as made:
        assert made is not None
        yield made


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("kb")
    path = folder / "assertions.csv"
    text = conceptnet(LINES)
    path.write_text(text, encoding="utf-8", newline="")
    assertions = [line.split("\t")[0] for line in text.splitlines() if line.startswith("/a/[/r/IsA/,/c/en/")]
    excluded = folder / "blocklist.txt"
    excluded.write_text("\n".join((*assertions[::100], "/c/en/head_7", "/c/en/stands_nowhere")) + "\n")
    importer = importers.get("conceptnet")
    exclusion = read_exclusion(excluded, importer, (path,))
    return Plan(importer, (path,), "kb", max_rejects=0.5, rejects=folder / "rejects.tsv", exclusion=exclusion)


@pytest.fixture(scope="module")
def over_bolt(connection: Graph, plan: Plan) -> tuple[str, LoadReport, str]:
    """The digest, the report and the rejected lines of a load on one machine."""
    connection.autocommit("schema/wipe")
    default_targets.ensure(connection)
    report = pipeline.load(connection, plan)
    return digest(connection), report, plan.rejects_path.read_text()


def differing(graph: Graph) -> int:
    """Triples whose labels ``here`` and ``there`` differ."""
    found = graph.driver.execute_query(
        "MATCH ()-[r]->() WHERE r.here IS NOT NULL AND (r.there IS NULL OR r.here <> r.there OR r.here_score <> r.there_score) "
        "RETURN count(r) AS different",
        database_=graph.address.database,
    )
    count: int = found.records[0]["different"]
    return count


# The commands come first: the cluster has room for one session, and the tests below keep one open.
@pytest.mark.long
def test_killed_and_run_again_and_no_secret(
    graph: Graph, spark: Standalone, plan: Plan, over_bolt: tuple[str, LoadReport, str], home: Path
) -> None:
    default_targets.ensure(graph)
    arguments = (
        "load",
        "conceptnet",
        os.path.relpath(plan.paths[0], ROOT),  # the workers run elsewhere
        "--source",
        "kb",
        "--max-rejects",
        "0.5",
        "--engine",
        "spark",
    )
    assert plan.exclusion
    files = ("--rejects", str(plan.rejects_path), "--exclude", str(plan.exclusion.path))
    arguments = (*arguments, "--master", spark.master, *files)
    with Watch() as watch:
        with command(*arguments) as process:
            wait_for(lambda: relationships(graph) > 1_000 or process.poll() is not None)
            children = children_of(process.pid)
            process.kill()
        wait_until_gone(*children)
        assert children, "the command ended before it was killed"
        wait_for(lambda: not graph.rows("lock/holders"))
        assert sources.facts(graph, "kb")["state"] == "loading"
        plan.rejects_path.unlink()
        with command(*arguments) as process:
            _, err = process.communicate()
    assert process.returncode == 0, err
    assert digest(graph) == over_bolt[0]
    assert plan.rejects_path.read_text() == over_bolt[2]
    assert any("SparkSubmit" in line for line in watch.seen), "Spark was not seen"
    assert any("CoarseGrainedExecutorBackend" in line for line in watch.seen), "no worker was seen"
    secret = graph.address.password
    assert not [line for line in watch.seen if secret in line]
    logs = [path for path in (home / "spark.log", *spark.folder.rglob("*")) if path.is_file()]
    assert len(logs) > 3
    assert not [path for path in logs if secret.encode() in path.read_bytes()]


def test_label_as_a_command_with_the_python_that_was_named(
    graph: Graph, spark: Standalone, plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default_targets.ensure(graph)
    pipeline.load(graph, plan)
    expected = label(graph, SCORER, measure="here")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho started >> "{tmp_path}/used"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("PYSPARK_PYTHON", str(python))
    with command("label", "vader", "--as", "there", "--engine", "spark", "--master", spark.master) as process:
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert (tmp_path / "used").exists()
    assert differing(graph) == 0
    again = label(graph, SCORER, measure="there")
    assert again.up_to_date == again.statements == expected.statements > 200


def test_same_graph_counts_and_rejects(
    graph: Graph, cluster: Cluster, plan: Plan, over_bolt: tuple[str, LoadReport, str]
) -> None:
    default_targets.ensure(graph)
    assert len(division.divided(plan, cluster)) > 1
    report = pipeline.load(graph, plan, read=partial(reading_on, cluster))
    expected, here, rejects = over_bolt
    assert digest(graph) == expected
    assert plan.rejects_path.read_text() == rejects
    assert report.rejected == here.rejected > 100
    assert report.duplicates == here.duplicates > 100
    assert (report.read, report.records, report.skipped) == (here.read, here.records, here.skipped)
    assert {why for why, count in report.skipped.items() if count} >= {"excluded: its id", "excluded: an address in it"}
    assert report.exclude_unmatched == here.exclude_unmatched == 1
    again = pipeline.load(graph, plan, read=partial(reading_on, cluster))
    assert (again.in_graph, again.added, again.removed) == (report.in_graph, 0, 0)
    assert (report.unchanged, again.unchanged) == (False, True)
    assert report.first_rejected == here.first_rejected != ()
    assert digest(graph) == expected


def test_a_worker_says_in_one_line_what_is_wrong_with_a_file(
    graph: Graph, cluster: Cluster, plan: Plan, tmp_path: Path
) -> None:
    import gzip

    path = tmp_path / "torn.csv.gz"
    path.write_bytes(gzip.compress(plan.paths[0].read_bytes())[:-200])
    torn = Plan(plan.importer, (path,), "kb", max_rejects=0.5, rejects=tmp_path / "rejects.tsv")
    default_targets.ensure(graph)
    with pytest.raises(UnreadableFile, match="fetch the file again"):
        pipeline.load(graph, torn, read=partial(reading_on, cluster))
    assert sources.find(graph, "kb") is None


def test_labels_are_those_of_one_machine(graph: Graph, cluster: Cluster, plan: Plan) -> None:
    default_targets.ensure(graph)
    pipeline.load(graph, plan)
    here = label(graph, SCORER, measure="here")
    there = label(graph, SCORER, measure="there", cluster=cluster)
    assert there.labels == here.labels
    assert there.scored == here.scored > 200
    assert differing(graph) == 0
    assert label(graph, SCORER, measure="there", cluster=cluster).up_to_date == there.statements


@pytest.mark.long
@pytest.mark.parametrize(
    ("importer", "file", "options"),
    [
        ("genericskb", "genericskb/genericskb_targets.tsv", {}),
        ("wd50k", "wd50k/statements_valid.txt", {"names": "wd50k/labels.tsv", "qualifiers": "P580,P582"}),
    ],
)
def test_real_data(
    graph: Graph,
    cluster: Cluster,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    importer: str,
    file: str,
    options: dict[str, str],
) -> None:
    monkeypatch.setattr(division, "SMALLEST", 100_000)
    given = {**options, "names": str(data / options["names"])} if options else {}
    path = tmp_path / Path(file).name
    with (data / file).open("rb") as lines:
        path.write_bytes(b"".join(islice(lines, LINES)))
    plan = Plan(importers.get(importer), (path,), "kb", options=given, rejects=tmp_path / "rejects.tsv")
    assert len(division.divided(plan, cluster)) > 2
    default_targets.ensure(graph)
    here = pipeline.load(graph, plan)
    expected = digest(graph)
    graph.autocommit("schema/wipe")
    default_targets.ensure(graph)
    there = pipeline.load(graph, plan, read=partial(reading_on, cluster))
    assert digest(graph) == expected
    assert there.in_graph == here.in_graph > 5_000
    assert (there.read, there.records, there.duplicates) == (here.read, here.records, here.duplicates)

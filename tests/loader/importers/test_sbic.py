"""SBIC: posts with the means of the annotators' answers, and what they imply about which group."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Implication, Record, Rejection, Skip, Statement
from harmgraph.graph.statements import parse
from harmgraph.graph.target_names import group_names
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.reading.plan import Plan
from tests.support import sbic
from tests.support.sbic import DRIVE, LUNCH, RUDE, RUN

NAME = "sbic"
EDGES = parse(
    "edges",
    "MATCH (p:Post)-[r:IMPLIES]->(t:Target) RETURN p.text AS post, r.group AS group, r.text AS text, r.annotator AS annotator, "
    "t.name AS target, t.category AS category, t.source AS source ORDER BY post, target, annotator, text",
)
LIST = "name,category,alias\nwoman,gender\nEthiopian,origin\n"


def read(folder: Path, text: str | None = None, name: str = "SBIC.v2.dev.csv", **options: str) -> list[Record]:
    return list(importers.get(NAME).records(sbic.written(folder, text, name), **options))


def posts(records: list[Record]) -> dict[str, Statement]:
    return {record.text: record for record in records if isinstance(record, Statement)}


def why(records: list[Record]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for record in records:
        if isinstance(record, Skip):
            counts[record.reason] = counts.get(record.reason, 0) + record.count
    return counts


def load(graph: Graph, path: Path, source: str = NAME) -> LoadReport:
    return pipeline.load(graph, Plan(importers.get(NAME), (path,), source))


def load_list(graph: Graph, folder: Path, text: str = LIST) -> None:
    (folder / "list.csv").write_text(text)
    pipeline.load(graph, Plan(importers.get("targets"), (folder / "list.csv",), "list"))


def test_the_means_are_over_annotators_and_binary(tmp_path: Path) -> None:
    found = posts(read(tmp_path))
    assert list(found) != [] and set(found) == {DRIVE, RUN, LUNCH, RUDE}
    drive = found[DRIVE].properties
    # Three annotators; 7 stands in two rows and counts once, and 9 annotated it in another task.
    assert (drive["annotators"], drive["offensive_answers"], drive["group_targeted_answers"]) == (3, 3, 2)
    assert drive["offensive"] == pytest.approx(2 / 3)
    assert drive["intent"] == pytest.approx(2 / 3), "probably is 1"
    assert (drive["group_targeted"], drive["in_group"], drive["lewd"]) == (1.0, 0.0, 0.0)
    run = found[RUN].properties
    assert (run["offensive"], run["intent"]) == (1.0, 0.0), "maybe is 1, probably not is 0"
    assert (run["origin"], run["split"]) == ("t/founta", "valid")
    lunch = found[LUNCH].properties
    assert (lunch["offensive"], lunch["offensive_answers"], lunch["group_targeted_answers"]) == (0.0, 1, 0)
    assert "group_targeted" not in lunch, "nobody was asked"


def test_each_group_and_statement_is_an_implication(tmp_path: Path) -> None:
    records = read(tmp_path)
    found = posts(records)
    assert found[DRIVE].implies == (
        Implication("women", "gender", "women drive badly", "7"),
        Implication("women", "gender", "women are careless", "8"),
    )
    assert set(found[RUN].implies or ()) == {
        Implication("black folks", "race", "are fast", "7"),
        Implication("Ethiopian folks", "race", "are fast", "7"),
        Implication("black folks", "culture", "", "9"),
        Implication("Ethiopians", "race", "are fast", "8"),
    }
    assert found[LUNCH].implies == ()
    assert why(records) == {
        "header": 1,
        "line of a row of several lines": 5,
        "annotation that stands twice": 1,
        "empty statement beside another of the same worker about the same group": 1,
    }


def test_an_aggregated_file_is_told_by_its_header(tmp_path: Path) -> None:
    found = posts(read(tmp_path, sbic.aggregated()))
    drive = found[DRIVE]
    assert [made.text for made in drive.implies or ()] == ["women drive badly", "women are careless"]
    assert (drive.properties["offensive"], drive.properties["graded"]) == (0.66, True)
    assert "offensive_answers" not in drive.properties
    run = found[RUN]
    assert run.implies == (Implication("black folks", "unknown"), Implication("Ethiopian folks", "unknown"))
    assert run.properties["implied"] == json.dumps(["are fast"]), "it does not say about which group"


def test_a_packed_file_without_a_header_is_the_same(tmp_path: Path) -> None:
    plain = posts(read(tmp_path, sbic.table(header="").lstrip("\n")))
    path = tmp_path / "packed"
    path.mkdir()
    (path / "SBIC.v2.dev.csv").write_bytes(gzip.compress(sbic.table().encode()))
    packed = posts(list(importers.get(NAME).records(path / "SBIC.v2.dev.csv")))
    assert {text: post.implies for text, post in plain.items()} == {text: post.implies for text, post in packed.items()}
    assert {text: post.properties for text, post in plain.items()} == {
        text: post.properties for text, post in packed.items()
    }


@pytest.mark.parametrize(
    ("name", "split"), [("SBIC.v2.trn.csv", "train"), ("SBIC.v2.tst.csv", "test"), ("posts.csv", None)]
)
def test_the_split_is_that_of_the_name(tmp_path: Path, name: str, split: str | None) -> None:
    assert posts(read(tmp_path, name=name))[RUN].properties.get("split") == split
    assert posts(read(tmp_path, name=name, split="valid"))[RUN].properties["split"] == "valid"


def test_another_version_of_the_header_is_one_clear_line(tmp_path: Path) -> None:
    old = sbic.table(header=sbic.HEADER.replace("offensiveYN", "offensive"))
    with pytest.raises(UnreadableFile, match="has no column offensiveYN: it is another version of the corpus"):
        read(tmp_path, old)


def test_a_column_that_stands_twice_is_one_clear_line(tmp_path: Path) -> None:
    twice = sbic.table(header=sbic.HEADER.replace("sexReason", "offensiveYN"))
    with pytest.raises(UnreadableFile, match="has the column offensiveYN twice"):
        read(tmp_path, twice)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"offensive": "0.7"}, "offensiveYN is '0.7', not one of 0, 0.5, 1"),
        ({"intent": "nan"}, "is not a number"),
        ({"implied": "are so"}, "an implied statement about no group"),
        ({"group": "women", "category": "all"}, "'all' is not a category of groups"),
        ({"group": "x" * 1_001, "category": "race"}, "longer than 1,000 characters"),
    ],
)
def test_what_cannot_be_read_is_rejected_alone(tmp_path: Path, cells: dict[str, str], reason: str) -> None:
    bad = sbic.row("a post", "1", **cells)
    records = read(tmp_path, sbic.table([bad, *sbic.ROWS]))
    (rejected,) = [record for record in records if isinstance(record, Rejection)]
    assert reason in rejected.reason
    assert rejected.line == 2
    assert set(posts(records)) == {DRIVE, RUN, LUNCH, RUDE}


def test_a_quote_that_is_not_closed_costs_its_line_alone(tmp_path: Path) -> None:
    first, rest = sbic.table().split("\n", 1)
    records = read(tmp_path, f'{first}\n1.0,"open\n{rest}')
    assert [record.line for record in records if isinstance(record, Rejection)] == [2]
    assert set(posts(records)) == {DRIVE, RUN, LUNCH, RUDE}


def test_answers_that_contradict_one_another_are_reported(tmp_path: Path) -> None:
    records = read(tmp_path, sbic.table([*sbic.ROWS, sbic.drive("7", "", offensive="0.0")]))
    (rejected,) = [record for record in records if isinstance(record, Rejection)]
    assert "another answer of the same worker" in rejected.reason
    assert posts(records)[DRIVE].properties["offensive"] == pytest.approx(2 / 3)


def test_names_by_which_a_group_is_looked_for() -> None:
    assert group_names("mexican folks") == ("mexican folks", "mexican")
    assert group_names("ethiopians") == ("ethiopians", "ethiopian")
    assert group_names("women") == ("women", "woman")
    assert group_names("folks") == ("folks", "folk")


def test_groups_are_the_targets_that_stand_or_are_made(graph: Graph, tmp_path: Path) -> None:
    load_list(graph, tmp_path)
    report = load(graph, sbic.written(tmp_path))
    assert (report.records, report.in_graph, report.rejected) == (4, 4 + 6 + 1, 0)
    rows = graph.rows(EDGES)
    assert {(row["group"], row["target"], row["category"], row["source"]) for row in rows} == {
        ("women", "woman", "gender", "list"),
        ("Ethiopian folks", "ethiopian", "origin", "list"),
        ("Ethiopians", "ethiopian", "origin", "list"),
        ("black folks", "black folks", "culture", "sbic"),
    }, "of two categories given equally often the first in the alphabet"
    assert sources.facts(graph, NAME)["counts"]["relations"] == {"IMPLIES": 6}
    assert not sources.is_list_of_targets(sources.facts(graph, NAME))


def test_twice_is_once_and_another_list_moves_the_groups(graph: Graph, tmp_path: Path) -> None:
    path = sbic.written(tmp_path)
    load(graph, path)
    alone = digest(graph)
    load(graph, path)
    assert digest(graph) == alone
    assert {row["target"] for row in graph.rows(EDGES)} == {"women", "ethiopian folks", "ethiopians", "black folks"}
    load_list(graph, tmp_path, LIST + "black folks,origin,african americans\n")
    assert {row["category"] for row in graph.rows(EDGES) if row["target"] == "black folks"} == {"origin"}
    load(graph, path)
    after = digest(graph)
    assert {row["target"] for row in graph.rows(EDGES)} == {"woman", "ethiopian", "black folks"}
    assert len(graph.rows(EDGES)) == 6
    graph.autocommit("schema/wipe")
    load_list(graph, tmp_path, LIST + "black folks,origin,african americans\n")
    load(graph, path)
    assert digest(graph) == after, "the order of the loads does not matter once the posts are loaded again"


def test_a_list_that_goes_leaves_what_posts_imply(graph: Graph, tmp_path: Path) -> None:
    load_list(graph, tmp_path)
    load(graph, sbic.written(tmp_path))
    before = [(row["post"], row["text"], row["annotator"]) for row in graph.rows(EDGES)]
    sources.drop(graph, "list")
    assert [(row["post"], row["text"], row["annotator"]) for row in graph.rows(EDGES)] == before
    assert {row["source"] for row in graph.rows(EDGES)} == {"sbic"}
    sources.drop(graph, NAME)
    assert graph.rows("explore/targets") == []
    assert graph.rows(EDGES) == []


def test_two_sources_share_targets_and_one_can_go(graph: Graph, tmp_path: Path) -> None:
    load(graph, sbic.written(tmp_path))
    (tmp_path / "again").mkdir()
    load(graph, sbic.written(tmp_path / "again", sbic.aggregated()), "posts")
    sources.drop(graph, NAME)
    rows = graph.rows(EDGES)
    assert {(row["target"], row["source"]) for row in rows} == {
        ("women", "posts"),
        ("black folks", "posts"),
        ("ethiopian folks", "posts"),
    }


def test_the_real_files(data: Path) -> None:
    folder = data / "sbic"
    records = list(importers.get(NAME).records(folder / "SBIC.v2.dev.csv.gz"))
    found = posts(records)
    assert len(found) == 4_673
    assert sum(int(str(post.properties["annotators"])) for post in found.values()) == 12_566
    assert why(records)["annotation that stands twice"] == 10
    assert not [record for record in records if isinstance(record, Rejection)]
    every = posts(list(importers.get(NAME).records(folder / "SBIC.v2.agg.dev.csv")))
    assert len(every) == 4_666
    assert set(every) < set(found)

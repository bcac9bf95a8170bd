"""``harmgraph schema``: what commands print is what their schemas say, and they say all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.common.version import SHAPE
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Triple
from harmgraph.graph.statement_schema import parameters_schema
from harmgraph.graph.statements import for_readers, statement
from harmgraph.schema_command import schema_of
from tests.support import figures_sample
from tests.support.filling import fill
from tests.support.schemas import faults

KB, TEXT = figures_sample.SOURCES
NEEDED = {
    "source": ["--source", KB],
    "other": ["--other", TEXT],
    "target": ["lawyer"],
    "word": ["kind"],
}
ROWLESS = {"frame_echoes", "frame_examples", "frame_groups", "frame_origins", "frames", "generated"}
"""Statistics of what this graph has none of.

``tests/analytics/statistics/test_frames.py`` has social bias frames, ``test_generated_triples`` what a model said.
"""


@pytest.fixture
def filled(connection: Graph) -> Graph:
    return figures_sample.standing(connection)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments]) == 0
    return json.loads(capsys.readouterr().out)


def asked(name: str) -> list[str]:
    """The command of a statistic, with the arguments that it needs."""
    words: list[str] = []
    for parameter in statistic(name).statement.parameters:
        if parameter.required:
            words.append(NEEDED[parameter.name][-1])
        elif parameter.name == "min_support":
            words += ["--min-support", "1"]
    return ["stats", name, *words, "--resamples", "20"]


@pytest.mark.parametrize("name", sorted({*statistic_names()} - ROWLESS))
def test_the_rows_of_a_statistic_are_what_its_schema_says(
    name: str, filled: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = printed(capsys, *asked(name), "--output", "json")
    assert rows, "the test needs a row"
    assert faults(schema_of("stats", name), rows) == []
    if statistic(name).pools:
        pooled = printed(capsys, *asked(name), "--pooled", "--output", "json")
        assert faults(schema_of("stats", name), pooled) == []
        assert pooled[0].keys() > rows[0].keys()


def test_generated_triples(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    fill(graph, Triple(Concept("lawyer"), "IsA", Concept("liar")), source="kb")
    ends = {"head": "lawyer", "relation": "IsA", "tail": "liar"}
    fill(graph, Statement("Lawyers lie.", "lawyer", ends), source="said")
    rows = printed(capsys, "stats", "generated", "said", "kb", "--output", "json")
    assert [(row["relation"], row["n"], row["known"]) for row in rows] == [("all", 1, 1), ("IsA", 1, 1)]
    assert faults(schema_of("stats", "generated"), rows) == []


def test_a_row_that_differs_is_not_what_the_schema_says(filled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    schema = schema_of("stats", "disparity")
    (row, *_) = printed(capsys, *asked("disparity"), "--output", "json")
    assert faults(schema, [row]) == []
    assert len(faults(schema, [row | {"pairs": "ten"}])) == 1
    assert len(faults(schema, [row | {"more": 1}])) == 1
    assert len(faults(schema, [{name: value for name, value in row.items() if name != "d_r"}])) == 1


def test_of_every_statistic_the_columns_are_known() -> None:
    for name in computed.names():
        assert computed.get(name).rows, f"{name} says nothing of its rows"
    for name in (*statistic_names(), *computed.names(), "history"):
        assert faults(schema_of("stats", name), []) == []


def test_saved_numbers_are_what_their_schema_says(filled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    rows = printed(capsys, "stats", "history", "-o", "json")
    assert rows
    assert faults(schema_of("stats", "history"), rows) == []


def test_two_sources_side_by_side(filled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    for by in ("category", "target"):
        command = ["stats", "side_by_side", "--source", KB, "--source", TEXT, "--min-support", "1", "--by", by]
        rows = printed(capsys, *command, "-o", "json")
        assert rows
        assert faults(schema_of("stats", "side_by_side"), rows) == []


def test_the_report_is_what_its_schema_says(filled: Graph, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("sentence,label\nlawyer is a awful,prejudice\nlawyer is a kind,favouritism\n", "utf-8")
    options = ["--human-csv", str(table), "--min-support", "1", "--resamples", "20", "--out", "-", "--format", "json"]
    found = printed(capsys, "report", *options)
    assert found["shape"] == SHAPE
    assert all(found[part] for part in ("sources", "comparisons", "agreement", "history", "figures"))
    assert any(one["confusion"] for one in found["agreement"])
    assert faults(schema_of("report"), found) == []


@pytest.mark.parametrize("name", ["explore/targets", "explore/target_lists", "source/list", "explore/most_harmed"])
def test_the_rows_of_a_statement_are_what_its_header_says(
    name: str, filled: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"limit": "10", "category": "profession"}
    takes = [one.name for one in statement(name).parameters if one.required]
    words = [word for one in takes for word in ("--param", f"{one}={given[one]}")]
    rows = printed(capsys, "query", name, *words, "--output", "json")
    assert rows
    assert faults(schema_of("query", name), rows) == []


def test_every_statement_for_readers_has_a_schema_of_what_it_takes() -> None:
    for name in for_readers():
        schema = parameters_schema(statement(name))
        given = {one.name: one.default for one in statement(name).parameters if not one.required}
        assert {fault for fault in faults(schema, given) if "is a required property" not in fault} == set(), name
    assert faults(parameters_schema(statement("statistics/called")), {"word": 3})
    assert faults(parameters_schema(statement("statistics/called")), {"wrod": "kind", "word": "kind"})


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["report"], ["job"], ["event"], ["stats", "disparity"], ["query", "explore/targets"]):
        found = printed(capsys, "schema", *words)
        assert found == schema_of(*words)
        assert found["$id"] == f"urn:harmgraph:{':'.join(words)}:{SHAPE}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stats"], "harmgraph schema stats NAME"),
        (["report", "x"], "report takes no name"),
        (["stats", "disparities"], "did you mean disparity?"),
        (["query", "explore/target"], "explore/targets"),
    ],
)
def test_a_wrong_name_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", *words]) in (1, 2)
    assert said in capsys.readouterr().err


LISTS = (
    ["source", "list"],
    ["source", "show", KB],
    ["target", "list"],
    ["target", "lists"],
    ["db", "status"],
    ["load", "--list"],
    ["label", "--list"],
    ["query", "--list"],
    ["query", "MATCH (t:Target) RETURN t, t.name AS name, t.aliases AS aliases, {a: [1]} AS deep"],
    ["figure", "--list"],
    ["stats"],
    ["stats", "overgeneralization", "--min-support", "1"],
    ["stats", "overgeneralization", "--category", "no such"],
    ["label", "keyword", "--source", KB],
)


@pytest.mark.parametrize("words", LISTS[:-2], ids=" ".join)
def test_a_command_prints_the_same_rows_in_every_form(
    words: list[str], filled: Graph, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    from pyarrow import BufferReader, parquet

    found = {}
    for form in ("json", "jsonl", "csv", "markdown", "parquet"):
        assert main([*words, "--output", form]) == 0
        found[form] = capsysbinary.readouterr().out
    rows = json.loads(found["json"])
    rows = rows if isinstance(rows, list) else [rows]
    moving = {"store_bytes"}  # the server writes meanwhile
    lines = [json.loads(line) for line in found["jsonl"].decode().splitlines()]
    assert [without(row, moving) for row in lines] == [without(row, moving) for row in rows]
    table = parquet.read_table(BufferReader(found["parquet"]))
    assert table.num_rows == len(rows)
    assert table.schema.metadata == {b"harmgraph": b"0.1.0", b"shape": b"1"}
    assert table.column_names == found["csv"].decode().splitlines()[0].split(",")
    assert found["markdown"].decode().rstrip().endswith(f"shape {SHAPE} -->")


def without(row: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def test_polars_reads_the_rows_through_arrow(filled: Graph, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    out = tmp_path / "rows.parquet"
    with out.open("wb") as file:
        command = [sys.executable, "-m", "harmgraph", "stats", "overgeneralization", "--min-support", "1"]
        subprocess.run([*command, "--output", "parquet"], stdout=file, check=True, timeout=240)
    frame = polars.read_parquet(out)
    same = polars.DataFrame(statistic("overgeneralization")(filled, min_support=1))
    assert frame.columns == same.columns
    assert frame["target"].to_list() == same["target"].to_list()
    assert frame.schema["o_minus"] == polars.Float64
    assert frame.schema["n"] == polars.Int64


def test_rows_that_are_none_have_the_types_of_the_header(
    filled: Graph, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    from pyarrow import BufferReader, parquet

    assert main(["stats", "overgeneralization", "--min-support", "1000", "--output", "parquet"]) == 0
    table = parquet.read_table(BufferReader(capsysbinary.readouterr().out))
    assert table.num_rows == 0
    assert [str(table.schema.field(name).type) for name in ("target", "n", "o_minus_q")] == [
        "string",
        "int64",
        "double",
    ]

"""Saved queries run at a click, whatever the values hold."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from harmgraph.graph.browser.saved_queries import (
    addressed,
    archive,
    favourites,
    filled,
    saved_queries,
    saved_query,
)
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.statements import NULLABLE, parse, statement
from tests.support import browser_sample

SUGGESTED = {"target": "lawyer", "source": "triples", "other": "sentences", "word": "dishonest person"}
NAMES = favourites()
CHOICES: list[dict[str, object]] = [
    {},
    {"source": "triples", "category": "profession", "label": "negative"},
    {"source": "sentences", "measure": "it's `odd` & more"},
    {"source": "nowhere", "target": "teacher", "limit": 2},
]


@pytest.fixture
def sampled(connection: Graph) -> Graph:
    """The sample, which stays from test to test."""
    if sources.names(connection) != ["sentences", "triples"]:
        connection.autocommit("schema/wipe")
        browser_sample.load(connection)
    return connection


def test_only_parameters_are_replaced() -> None:
    found = parse(
        "x",
        "// X\n// takes: $a string = 'b': a\nRETURN $a, '$a', \"it's $a\", `$a`, 'don\\'t $a' // $a\n/* $a */",
    )
    assert filled(found) == "RETURN \"b\", '$a', \"it's $a\", `$a`, 'don\\'t $a' // $a\n/* $a */"


@pytest.mark.parametrize("value", ["it's", 'a"b', "\\", "\\u0022", "a\nb", "`", "') RETURN 1 //", "€ $target", "\x00"])
def test_a_value_comes_back_as_it_went_in(graph: Graph, value: str) -> None:
    found = parse("x", "// X\n// takes: $value string: any\nRETURN $value AS value")
    text = filled(found, {"value": value})
    assert graph.rows(parse("x", "// X\n" + text)) == [{"value": value}]


def test_a_comment_stays_one_comment() -> None:
    query = saved_query("explore/statements_of_target", {"target": "a;\nMATCH (n) DETACH DELETE n;\r//\u2028b"})
    header = [line for line in query.text.splitlines() if line.startswith("//")]
    assert len(header) == 2 + len(statement("explore/statements_of_target").parameters)
    assert ";" not in "".join(header)


@pytest.mark.parametrize("name", NAMES)
def test_every_saved_query_runs_as_it_stands(sampled: Graph, name: str) -> None:
    query = saved_query(name, SUGGESTED)
    frame = sampled.frame(parse(name, query.text))
    assert query.text.startswith(f"// {query.title}\n")
    assert list(frame.columns) == [column.name for column in statement(name).for_reading().columns]
    assert not any(column.type.startswith("list<list") for column in statement(name).for_reading().columns)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_query_gives_what_the_statement_gives(sampled: Graph, name: str) -> None:
    """Written for its values, a statement is another text with the same rows; only numbers with a point are rounded."""
    found = statement(name)
    taken = {parameter.name for parameter in found.parameters}
    chosen = [{key: value for key, value in (SUGGESTED | choice).items() if key in taken} for choice in CHOICES]
    for place, given in enumerate(chosen):
        if given in chosen[:place]:
            continue  # it takes nothing in which the choices differ
        text = filled(found, given)
        assert "coalesce(null" not in text
        assert "$" not in text.replace("'$'", "")
        expected, rows = sampled.rows(found.for_reading(), **given), sampled.rows(parse(name, "// X\n" + text))
        assert _alike(rows, expected)
        for row in rows:
            numbers = [row[column.name] for column in found.columns if column.type.removesuffix(NULLABLE) == "float"]
            assert all(number is None or round(number, 3) == number for number in numbers)


def _alike(one: object, other: object) -> bool:
    """The same but for what rounding takes away."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return abs(one - other) <= 0.0005001 if isinstance(one, float) and isinstance(other, float) else one == other


def test_what_only_the_bootstrap_needs_is_shown_to_nobody() -> None:
    for name in (name for name in NAMES if statement(name).raw):
        found = statement(name)
        assert {*found.raw} & {column.name for column in found.columns}
        given = {one.name: SUGGESTED[one.name] for one in found.parameters if one.required}
        for text in (filled(found, given), found.pasteable(given)):
            last = text.rpartition("RETURN ")[2]
            assert not any(raw in last for raw in found.raw)
    assert sum(bool(statement(name).raw) for name in NAMES) >= 3


def test_a_property_is_written_as_one_would_write_it() -> None:
    found = parse(
        "x",
        "// X\n// takes: $m string = 'sentiment': m\n// takes: $s string = null: s\n// takes: $n int = 1: n\n"
        "MATCH (r) WHERE r[$m] IS NOT NULL AND r.source = coalesce($s, r.source) AND r[$m] = coalesce($s, r[$m])\n"
        "RETURN r[$m + '_score'], [1, 2][$n], coalesce($s, r.a + 1), [$n]",
    )
    assert filled(found) == (
        "MATCH (r) WHERE r.sentiment IS NOT NULL AND r.source IS NOT NULL AND r.sentiment IS NOT NULL\n"
        "RETURN r.sentiment_score, [1, 2][1], (r.a + 1), [1]"
    )
    assert filled(found, {"s": "kb", "m": "a b"}) == (
        'MATCH (r) WHERE r["a b"] IS NOT NULL AND r.source = "kb" AND r["a b"] = "kb"\n'
        'RETURN r["a b" + "_score"], [1, 2][1], "kb", [1]'
    )


def test_numbers_are_rounded_where_they_are_returned() -> None:
    found = parse(
        "x",
        "// X\n// returns: a float: a\n// returns: b float: b\n// returns: c string: c\n// returns: d float: d\n"
        "WITH 1.23456 AS a, 2 AS k\nRETURN a, 100 * (a + k) / 3 AS b,\n  ', (' AS c, round(a, 1) AS d\nORDER BY a\nLIMIT 3",
    )
    assert filled(found).splitlines()[1:] == [
        "RETURN round(a, 3) AS a, round(100 * (a + k) / 3, 3) AS b,",
        "  ', (' AS c, round(a, 1) AS d",
        "ORDER BY a",
        "LIMIT 3",
    ]


def test_what_an_address_cannot_hold_is_written_otherwise(graph: Graph) -> None:
    text = addressed(filled(parse("x", "// X\n// takes: $v string: v\nRETURN $v AS v"), {"v": "a&b#c%41"}))
    assert not set("&#%") & set(text)
    assert graph.rows(parse("x", "// X\n" + text)) == [{"v": "a&b#c%41"}]
    assert [name for name in NAMES if set("&#%") & set(re.sub(r"'[^']*'", "", statement(name).text))] == []


def test_jobs_and_probes_have_folders() -> None:
    folders = {query.folder: query for query in saved_queries(SUGGESTED)}
    assert sorted(folders) == ["harmgraph explore", "harmgraph jobs", "harmgraph probes", "harmgraph statistics"]
    titles = {query.title for query in saved_queries(SUGGESTED) if query.folder == "harmgraph jobs"}
    assert titles == {"Runs of jobs", "Exceeded thresholds", "What changed between the last two runs"}
    assert [name for name in NAMES if re.search(r"\b(SET|CREATE|MERGE|DELETE)\b", statement(name).text)] == []


def test_what_changed_between_the_last_two_runs(graph: Graph) -> None:
    numbers = {"first": (9.0, 1.0), "second": (4.0, 1.0), "third": (5.0, 1.0)}
    for name, (changed, kept) in numbers.items():
        graph.write("job/begin", run={"id": name, "job": "nightly", "command": "job run nightly"})
        rows = [
            {"id": f"{name} d", "metric": "disparity.d_r", "category": "all", "source": "kb", "value": changed, "n": 3},
            {"id": f"{name} n", "metric": "neutral.mean", "category": "all", "source": "kb", "value": kept, "n": 3},
        ]
        step = {"id": f"{name} step", "command": "stats disparity"}
        graph.write("measure/save", run=step, rows=rows, job={"run": name, "step": "stats disparity"})
        state = "exceeded" if name == "second" else "done"
        graph.write("job/finish", run={"id": name}, end={"state": state, "message": "disparity.d_r > 3"})
    (row,) = graph.rows("job/changes")
    assert (row["job"], row["metric"], row["before"], row["value"]) == ("nightly", "disparity.d_r", 4.0, 5.0)
    assert (row["change"], row["change_percent"]) == (1.0, 25.0)
    assert [row["run"] for row in graph.rows("job/exceeded")] == ["second"]


def test_a_default_is_not_overruled_by_a_suggestion() -> None:
    assert statement("statistics/representation").parameters[0].name == "source"
    assert '"triples"' not in saved_query("statistics/representation", SUGGESTED).text


def test_titles_differ_and_the_archive_holds_all() -> None:
    queries = saved_queries(SUGGESTED)
    assert len({(query.folder, query.title) for query in queries}) == len(NAMES)
    packed = zipfile.ZipFile(io.BytesIO(archive(queries)))
    assert len(packed.namelist()) == len(NAMES)
    assert packed.read("harmgraph explore/harm_map.cypher").decode() == saved_query("explore/harm_map").text
    assert archive(queries) == archive(saved_queries(SUGGESTED))

"""Saved queries run at a click, whatever the values hold."""

from __future__ import annotations

import io
import zipfile

import pytest

from graph.connection import Graph
from graph.saved_queries import archive, filled, saved_queries, saved_query
from graph.statements import names, parse, statement
from tests.graph import browser_sample

SUGGESTED = {"target": "lawyer", "source": "triples", "other": "sentences"}
NAMES = (*names("explore"), *names("statistics"))


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
def test_every_saved_query_runs_as_it_stands(graph: Graph, name: str) -> None:
    browser_sample.load(graph)
    query = saved_query(name, SUGGESTED)
    frame = graph.frame(parse(name, query.text))
    assert query.text.startswith(f"// {query.title}\n")
    assert list(frame.columns) == [column.name for column in statement(name).columns]


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

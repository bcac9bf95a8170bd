"""The statements of ``cypher/``: their headers hold, and nothing of a file enters their text unchecked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.errors import BadName, NotFound, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import checked_type, from_file, literal, names, parse, statement
from tests.support.explained import explained

HEADED = """// Title
// What it does,
// in two lines.
// takes: $source string = null: name of the source
// takes: $limit int: how many
// returns: target string: name
// cites: Somebody 2020
// measures: target n
MATCH (n {source: $source, note: '$no', `$odd`: "$non"}) // $comment
RETURN n.name AS target LIMIT $limit;
"""


def test_the_header_is_the_signature() -> None:
    found = parse("folder/name", HEADED)
    assert (found.title, found.description) == ("Title", "What it does, in two lines.")
    assert [(one.name, one.type, one.default, one.required) for one in found.parameters] == [
        ("source", "string", None, False),
        ("limit", "int", None, True),
    ]
    assert [column.name for column in found.columns] == ["target"]
    assert found.cites == ("Somebody 2020",)
    assert found.notes == {"measures": ("target n",)}
    assert found.text.startswith("MATCH")
    assert found.text.endswith("LIMIT $limit\n")


@pytest.mark.parametrize("default", ["1", "1.5", "'it''s'", "true", "['a','b']", "null"])
def test_a_default_is_a_value(default: str) -> None:
    text = f"// T\n// takes: $x any = {default}: meaning\nRETURN $x"
    if default == "'it''s'":
        with pytest.raises(UnreadableFile, match="not a JSON value"):
            parse("name", text)
    else:
        assert parse("name", text).parameters[0].default == json.loads(default.replace("'", '"'))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("// T\n// takes: $y int: one\nRETURN $x", "disagree about the parameters x, y"),
        ("// T\n// takes: $x int: one\nRETURN 1", "disagree about the parameters x"),
        ("// T\n// takes: x int: one\nRETURN $x", "cannot read the header line"),
        ("// T\n// returns: no type\nRETURN 1 AS no", "cannot read the header line"),
    ],
)
def test_a_wrong_header_is_refused(text: str, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        parse("name", text)


TABLE = """// Title
// takes: $source string: name of the source
// returns: target string: name
// returns: n int: statements
// returns: other_n int: the other's
// keys: target
// first: other_n n
// heading: other_n = $source n
// table: what $source says
RETURN $source AS target, 1 AS n, 2 AS other_n
"""


def test_the_header_says_how_a_table_reads() -> None:
    found = parse("name", TABLE)
    assert (found.keys, found.first) == (("target",), ("other_n", "n"))
    assert found.headings({"source": "kb"}) == {"other_n": "kb n"}
    assert found.table_title({"source": "kb"}) == "what kb says"
    bare = parse("name", "// Title\n// returns: n int: one\nRETURN 1 AS n")
    assert (bare.keys, bare.first, bare.headings({}), bare.table_title({})) == ((), (), {}, "Title")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("keys: target nothing", "'keys:' names no column of its own: nothing"),
        ("first: nothing", "'first:' names no column of its own: nothing"),
        ("heading: nothing = x", "'heading:' names no column of its own: nothing"),
        ("heading: target", "cannot read the header line 'heading: target'"),
        ("heading: n = $other n", "'heading:' names no parameter of its own: other"),
        ("table: $other", "'table:' names no parameter of its own: other"),
    ],
)
def test_a_line_about_the_table_names_what_there_is(line: str, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why):
        parse("name", TABLE.replace("// keys: target\n", f"// {line}\n"))


def test_without_a_signature_such_lines_are_remarks() -> None:
    assert parse("mine", "// A remark\n// keys: open the door\nRETURN 1 AS n").keys == ()


def test_without_a_header_every_parameter_is_needed() -> None:
    found = parse("mine", "// A remark\nMATCH (n) WHERE n.a = $a AND n.b = $b RETURN n")
    assert [(one.name, one.required) for one in found.parameters] == [("a", True), ("b", True)]


def test_arguments_are_those_given_over_the_defaults() -> None:
    found = parse("folder/name", HEADED)
    assert found.arguments({"limit": 3}) == {"source": None, "limit": 3}
    with pytest.raises(BadName, match=r"is needed by folder/name \(how many\): give it as --param limit=VALUE"):
        found.arguments({})
    with pytest.raises(BadName, match="is not taken by folder/name"):
        found.arguments({"limit": 3, "other": 1})


def test_a_checked_type_takes_the_place_of_the_placeholder() -> None:
    made = statement("load/triples").with_type("IS_A")
    assert "-[r:IS_A {" in made.text
    assert "RELATED_TO" not in made.text


HOSTILE_TYPES = ("", "is_a", "_A", "7A", "A-B", "A B", "A`", "A]->() DETACH DELETE n //", "A\n", "É", "A" * 201)


@pytest.mark.parametrize("kind", HOSTILE_TYPES)
def test_no_other_type_ever_enters_a_statement(kind: str) -> None:
    with pytest.raises(BadName, match="relationship type"):
        statement("load/triples").with_type(kind)


@given(st.text(max_size=30))
def test_a_type_is_refused_or_as_harmless_as_a_word(kind: str) -> None:
    try:
        checked_type(kind)
    except BadName:
        return
    assert kind.isascii()
    assert kind.replace("_", "").isalnum()
    assert kind == kind.upper()


@pytest.mark.parametrize("name", ["nothing/such", "../README", "load/../load/triples", "load", "", "/etc/passwd"])
def test_a_statement_that_is_not_there_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="no statement named"):
        statement(name)


def test_every_statement_says_what_it_is() -> None:
    every = names()
    assert len(every) > 40
    for name in every:
        found = statement(name)
        assert found.title and found.title != name, f"{name} has no title"
        assert all(parameter.meaning for parameter in found.parameters), f"{name}: a parameter without a meaning"
        assert not found.text.startswith("//"), f"{name}: the header is not read to its end"


def test_names_of_one_folder() -> None:
    assert names("lock") == ("lock/at_work", "lock/end", "lock/holders", "lock/make", "lock/stamp", "lock/take")


def test_a_file_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    path.write_text("MATCH (n) RETURN count(n) AS nodes;\n")
    assert from_file(path).text == "MATCH (n) RETURN count(n) AS nodes\n"
    path.write_bytes(b"\xff\xfe\x00")
    for unreadable in (path, tmp_path / "missing", tmp_path):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            from_file(unreadable)


def test_a_literal_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="no Cypher literal for object"):
        literal(object())


VALUES: list[Any] = [
    None,
    True,
    -3,
    0.1,
    1e300,
    "",
    "quote \" and ' and ` and \\ and \n and \t and \u2028 and é and 🙂",
    "\\u0041 \\' }) DETACH DELETE n //",
    "\x00\x1f\x7f",
    ["a", [1, None], {}],
    {"a`b": 1, "": {"x": [True]}},
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_literal_is_the_value_to_the_server(graph: Graph, value: Any) -> None:
    assert graph.rows(parse("literal", f"RETURN {literal(value)} AS value")) == [{"value": value}]


def test_what_is_pasteable_runs_with_the_same_result(graph: Graph) -> None:
    text = statement("explore/targets").pasteable({"category": "a'b\"c"})
    lines = text.splitlines()
    assert lines[:2] == [':param category => "a\'b\\"c";', ":param limit => 1000;"]
    assert text.endswith(";")


@pytest.mark.parametrize(
    "name", [name for name in names() if not name.startswith(("schema/make_", "lock/holders", "job/under_way"))]
)
def test_the_server_understands_every_statement_and_returns_its_columns(connection: Graph, name: str) -> None:
    assert explained(connection, name) == [column.name for column in statement(name).columns]

"""``harmgraph query``: statements of ``cypher/``, and the user's own as a file, as text and from stdin."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import NotFound, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import TEXT, from_name
from tests.support.filling import fill, triple

COUNT = "MATCH (c:Concept) RETURN count(c) AS concepts"


class Stdin:
    """What a pipe brings."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["query", *arguments, "--output", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def concepts(graph: Graph) -> Graph:
    fill(graph, triple("lawyer", "/r/IsA", "kind person"))
    return graph


@pytest.mark.parametrize("text", [COUNT, f"{COUNT};", f"\n// Concepts\n{COUNT}\n", COUNT.replace(" (", "(")])
def test_a_statement_runs_as_text_as_a_file_and_from_stdin(
    text: str, concepts: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "count.cypher"
    path.write_text(text)
    piped(monkeypatch, text.encode())
    assert rows(capsys, text) == rows(capsys, str(path)) == rows(capsys, "-") == [{"concepts": 2}]


def test_a_parameter_goes_beside_the_text(concepts: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    text = "MATCH (c:Concept {text: $text}) RETURN c.key AS key"
    assert rows(capsys, text, "-p", "text=lawyer") == [{"key": "en/lawyer"}]
    assert main(["query", text]) == 1
    assert "parameter 'text' is needed by your statement: give it as --param text=VALUE" in capsys.readouterr().err
    assert main(["query", text, "-p", "text=lawyer", "--cypher"]) == 0
    assert capsys.readouterr().out.startswith(':param text => "lawyer";\nMATCH (c:Concept')


@pytest.mark.parametrize("way", ["text", "file", "stdin"])
def test_what_changes_the_graph_needs_a_word(
    way: str, concepts: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "MATCH (c:Concept) DETACH DELETE c"
    path = tmp_path / "forget.cypher"
    path.write_text(text)
    name = {"text": text, "file": str(path), "stdin": "-"}[way]
    piped(monkeypatch, text.encode())
    assert main(["query", name]) == 1
    assert "the statement changes the graph; add --write" in capsys.readouterr().err
    assert rows(capsys, COUNT) == [{"concepts": 2}]
    piped(monkeypatch, text.encode())
    assert main(["query", name, "--write"]) == 0
    capsys.readouterr()
    assert rows(capsys, COUNT) == [{"concepts": 0}]


def test_a_statement_of_harmgraph_is_not_for_writing(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "schema/wipe", "--write"]) == 1
    assert "--write is for statements of your own" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "kind", "why"),
    [
        ("statistics/wurds", NotFound, "near: statistics/words"),
        ("no.cypher", UnreadableFile, "no such file"),
        ("my file.cypher", UnreadableFile, "no such file"),
    ],
)
def test_what_is_no_statement(name: str, kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why):
        from_name(name)


@pytest.mark.parametrize(
    ("data", "why"), [(b"", "holds no statement"), (b" \n", "holds no statement"), (b"RETURN '\xff'", "not UTF-8")]
)
def test_a_pipe_without_a_statement(data: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, data)
    with pytest.raises(UnreadableFile, match=f"stdin.*{why}"):
        from_name("-")


def test_a_name_stays_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert from_name("statistics/words.cypher").name == from_name("statistics/words").name == "statistics/words"
    assert from_name(COUNT).name == TEXT
    monkeypatch.chdir(tmp_path)
    (tmp_path / "RETURN 1").write_text("RETURN 2 AS n")
    assert from_name("RETURN 1").text == "RETURN 2 AS n\n", "a file comes first"


def test_a_text_that_is_no_cypher_is_one_line(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "MATCH (n RETURN n"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "Invalid input" in error


def test_nobody_is_shown_what_a_computation_needs(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    fill(graph, triple("lawyer", "/r/IsA", "kind person"))
    [row] = rows(capsys, "statistics/neutral") or [{}]
    assert "counts" not in row


def test_a_relation_is_read_as_it_was_written(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    fill(graph, triple("lawyer", "HasProperty", "kind"))
    [row] = rows(capsys, "explore/relationship_properties")
    assert (row["relation"], row["type"]) == ("HasProperty", "HAS_PROPERTY")

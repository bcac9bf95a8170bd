"""Sentences of any file: text, tables, JSON lines, Parquet."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harmgraph.common.errors import MissingExtra, UnreadableFile
from harmgraph.graph.records import Rejection, Skip, Statement
from harmgraph.loader.formats.importer import importers
from tests.support.reading import reason

NAME = "sentences"
SAID = ["The lawyer lied.", 'A nurse said "no", twice.']


def read(folder: Path, content: str, name: str = "file.txt", **options: object) -> list[str]:
    """The sentences of a file; of other lines the reason in brackets."""
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    found = importers.get(NAME).records(path, **options)
    return [one.text if isinstance(one, Statement) else f"[{reason(one)}]" for one in found]


def test_lines_of_text(tmp_path: Path) -> None:
    assert read(tmp_path, "The lawyer lied.\n\n  A nurse, she said; yes.\n") == [
        "The lawyer lied.",
        "[empty line]",
        "A nurse, she said; yes.",
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "|"])
def test_a_table_with_quotes_and_rows_of_several_lines(tmp_path: Path, delimiter: str) -> None:
    rows = [f"id{delimiter}Text", f"1{delimiter}The lawyer lied.", f'2{delimiter}"A nurse said ""no"", twice."']
    rows += [f'3{delimiter}"two', 'lines"', f"4{delimiter}", "5"]
    assert read(tmp_path, "\n".join(rows) + "\n") == [
        "[header]",
        *SAID,
        "[line of a row of several lines]",
        "two\nlines",
        "[the sentence is empty]",
        "[1 columns where 2 are expected]",
    ]


def test_a_table_separated_by_tabs(tmp_path: Path) -> None:
    table = 'label\tsentence\n1\tThe lawyer lied.\n0\t"A nurse said ""no"", twice."\n0\t"Yes" and "no"\n0\n'
    assert read(tmp_path, table) == [
        "[header]",
        *SAID,
        '"Yes" and "no"',
        "[1 columns where 2 are expected]",
    ]


def test_a_column_by_name_and_by_number(tmp_path: Path) -> None:
    table = "Claim,text\na nurse,a lawyer\n"
    assert read(tmp_path, table) == ["[header]", "a lawyer"]
    assert read(tmp_path, table, column="claim") == ["[header]", "a nurse"]
    assert read(tmp_path, table, column="1") == ["[header]", "a nurse"]
    assert read(tmp_path, "-1\tThe lawyer lied.\n1\tA nurse.\n", column="2") == ["The lawyer lied.", "A nurse."]
    with pytest.raises(UnreadableFile, match="has no column 'claims'; it has Claim, text"):
        read(tmp_path, table, column="claims")
    with pytest.raises(UnreadableFile, match="has no column '3'"):
        read(tmp_path, table, column="3")


def test_one_column_is_text_unless_the_file_is_called_csv(tmp_path: Path) -> None:
    assert read(tmp_path, "text\nA nurse, a cook.\n") == ["[header]", "A nurse, a cook."]
    assert read(tmp_path, 'text\n"A nurse, a cook."\n', "my.csv") == ["[header]", "A nurse, a cook."]
    assert read(tmp_path, "text\nyes\n", header=False) == ["text", "yes"]


def test_json_lines(tmp_path: Path) -> None:
    lines = '{"text": "The lawyer lied.", "post": "x"}\n{"post": "p"}\n{"n": 1}\n[1]\n{"text": 3}\n'
    assert read(tmp_path, lines) == [
        "The lawyer lied.",
        "p",
        "[the JSON object has no 'text': name the key of the sentences with --column]",
        "[no JSON object on one line]",
        "['text' is not a text]",
    ]
    assert read(tmp_path, lines, column="post")[:2] == ["x", "p"]


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "said.parquet"
    parquet.write_table(arrow.table({"id": [1, 2, 3], "Sentence": [SAID[0], None, SAID[1]]}), path)
    found = list(importers.get(NAME).records(path))
    assert [type(one) for one in found] == [Statement, Rejection, Statement]
    assert [one.text for one in found if isinstance(one, Statement)] == SAID
    assert [one.line for one in found] == [1, 2, 3]
    with pytest.raises(UnreadableFile, match="has no column 'claim'; it has id, Sentence"):
        list(importers.get(NAME).records(path, column="claim"))
    with arrow.ipc.new_stream(str(path), (table := parquet.read_table(path)).schema) as writer:
        writer.write_table(table)
    assert [one.text for one in importers.get(NAME).records(path) if isinstance(one, Statement)] == SAID
    parquet.write_table(table, path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match="is no whole Parquet file"):
        list(importers.get(NAME).records(path))


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1\x15")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="the package pyarrow is not installed"):
        list(importers.get(NAME).records(tmp_path / "x.parquet"))


def test_every_line_of_a_real_table_is_read(data: Path) -> None:
    found = list(importers.get(NAME).records(data / "sentiment" / "sst2_test.tsv"))
    assert not [one for one in found if isinstance(one, Rejection)]
    assert [one.reason for one in found if isinstance(one, Skip)] == ["header"]
    assert {one.properties["searched"] for one in found if isinstance(one, Statement)} == {"not yet"}


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_text_that_is_not_utf8(tmp_path: Path, ending: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    ends = b"".join(end.to_bytes(4, "little") for end in (0, 2, 4))
    texts = arrow.Array.from_buffers(arrow.string(), 2, [None, arrow.py_buffer(ends), arrow.py_buffer(b"ok\xff\xfe")])
    table, path = arrow.table({"text": texts}), tmp_path / f"file.{ending}"
    if ending == "parquet":
        parquet.write_table(table, path)
    else:
        with arrow.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    sentence, rejected = importers.get("sentences").records(path)
    assert isinstance(sentence, Statement)
    assert sentence.text == "ok"
    assert isinstance(rejected, Rejection)
    assert (rejected.line, rejected.reason) == (2, "'text' is not UTF-8")


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "file.parquet"
    parquet.write_table(arrow.Table.from_arrays([arrow.array(["a"]), arrow.array(["b"])], names=["text", "text"]), path)
    with pytest.raises(UnreadableFile, match="has several columns 'text'"):
        list(importers.get("sentences").records(path))

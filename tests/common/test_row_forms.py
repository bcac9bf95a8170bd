"""Rows as JSON lines, Markdown and Parquet; texts of the rows are data in each of them."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pyarrow import BufferReader, parquet

from harmgraph.__main__ import main
from harmgraph.common.errors import InputError, MissingExtra
from harmgraph.common.markdown_text import markdown_text
from harmgraph.common.output import show, show_list, show_one
from harmgraph.common.row_forms import arrow_table, bytes_to_stdout

HOSTILE = "a|b\n<script>alert(1)</script> [x](http://e.org) ![i](//e.org) `c` **d** ~~e~~ \\| # f www.e.org $g$ &lt;"
ROWS: list[dict[str, Any]] = [
    {"target": HOSTILE, "n": 12_345, "rate": 12.345, "rate_low": 10.0, "rate_high": 15.0, "of": ["a", "b"]},
    {"target": "nurse", "n": 0, "rate": float("nan"), "rate_low": None, "rate_high": None, "of": []},
]
GITHUB = MarkdownIt("gfm-like", {"linkify": False})


def cells(markdown: str) -> list[list[str]]:
    """The texts of the cells of a table, as a reader of Markdown finds them; there must be no other markup in them."""
    rows: list[list[str]] = []
    for token in GITHUB.parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and rows:
            assert {child.type for child in token.children or ()} <= {"text", "text_special"}, token.children
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


def test_a_line_of_json_is_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, "jsonl")
    lines = capsys.readouterr().out.split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == [ROWS[0], ROWS[1] | {"rate": None}]
    show([], "jsonl", columns=["target"])
    assert capsys.readouterr().out == ""


def test_markdown_has_the_columns_of_a_table_and_an_interval_behind_its_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(ROWS, "markdown", title="rates *of* all", headings={"n": "statements"})
    out = capsys.readouterr().out
    assert out.startswith(
        "**rates \\*of\\* all**\n\n| target | statements | rate | of |\n| --- | ---: | ---: | --- |\n"
    )
    assert cells(out)[1:] == [
        [" ".join(HOSTILE.split()), "12,345", "12.35 (10.00–15.00)", "a, b"],
        ["nurse", "0", "nan", ""],
    ]
    assert out.endswith("<!-- harmgraph 0.1.0, shape 1 -->\n\n")


def test_markdown_of_no_rows_has_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show([], "markdown", columns=["target", "n"])
    assert cells(capsys.readouterr().out) == [["target", "n"]]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_no_text_leaves_its_cell(texts: Sequence[str]) -> None:
    line = f"| {' | '.join(map(markdown_text, texts))} |"
    head = f"{'| x ' * len(texts)}|\n{'| --- ' * len(texts)}|\n"
    (_, *rows) = cells(head + line)
    assert len(rows) == 1
    assert len(rows[0]) == len(texts)


def test_a_bare_address_is_no_link() -> None:
    assert "://" not in markdown_text("see https://e.org")
    assert "www." not in markdown_text("www.e.org")


def test_nobody_is_told_and_no_issue_is_noted() -> None:
    written = markdown_text("@octocat, see #12; vader@3.3.2 is # 1")
    assert not re.search(r"(?<![A-Za-z0-9])@[A-Za-z0-9]|#[0-9]", written.replace("&#8203;", "\u200b"))
    assert "vader@3.3.2" in written
    assert cells(f"| x |\n| --- |\n| {written} |")[1] == ["@\u200boctocat, see #\u200b12; vader@3.3.2 is # 1"]


def read(printed: bytes) -> Any:
    return parquet.read_table(BufferReader(printed))


def test_parquet_has_types_and_the_version(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    show(ROWS, "parquet", types={"rate_low": "float|null"})
    table = read(capsysbinary.readouterr().out)
    assert {name: str(table.schema.field(name).type) for name in table.column_names} == {
        "target": "string",
        "n": "int64",
        "rate": "double",
        "rate_low": "double",
        "rate_high": "double",
        "of": "list<element: string>",
    }
    assert table.to_pylist() == [ROWS[0], ROWS[1] | {"rate": None}]
    assert table.schema.metadata == {b"harmgraph": b"0.1.0", b"shape": b"1"}


def test_what_no_column_of_one_type_holds_is_a_text_of_json() -> None:
    odd: list[Any] = ["a", 1, None, {"b": [1]}, [1, "c"], [[1], [2]]]
    table = arrow_table([{"odd": value, "deep": {"k": 1}, "none": None} for value in odd], ["odd", "deep", "none"], {})
    assert table["odd"].to_pylist() == ["a", "1", None, '{"b": [1]}', '[1, "c"]', "[[1], [2]]"]
    assert table["deep"].to_pylist() == ['{"k": 1}'] * len(odd)
    assert table["none"].null_count == len(odd)


def test_a_declared_type_that_does_not_hold_loses_nothing() -> None:
    table = arrow_table([{"n": 1.5}, {"n": 2}], ["n"], {"n": "int"})
    assert table["n"].to_pylist() == [1.5, 2.0]
    assert arrow_table([{"n": 2**70}], ["n"], {"n": "int"})["n"].to_pylist() == [str(2**70)]


@given(
    st.lists(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers() | st.text()))
)
def test_any_values_become_a_column(values: list[Any]) -> None:
    table = arrow_table([{"x": value} for value in values], ["x"], {})
    assert table.num_rows == len(values)
    lost = [value is None or (isinstance(value, float) and value - value != 0) for value in values]
    assert [value is None for value in table["x"].to_pylist()] == lost


def test_one_object_is_one_row(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    facts = {"source": "kb", "files": ["a.tsv"], "counts": {"IS_A": 3}}
    show_one(facts, "jsonl")
    assert json.loads(capsysbinary.readouterr().out) == facts
    show_one(facts, "parquet")
    assert read(capsysbinary.readouterr().out).to_pylist() == [facts | {"counts": '{"IS_A": 3}'}]
    show_one(facts, "markdown", title="kb")
    assert cells(capsysbinary.readouterr().out.decode())[1:] == [
        ["source", "kb"],
        ["files", "a.tsv"],
        ["counts", "IS_A 3"],
    ]


def test_a_list_to_choose_from_has_all_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show_list([{"name": "a", "what": "b", "more": "c"}], "markdown", line=("name", "what"))
    assert cells(capsys.readouterr().out) == [["name", "what", "more"], ["a", "b", "c"]]


def test_while_bytes_go_to_stdout_all_else_goes_to_stderr(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with bytes_to_stdout():
        print("a remark")
        with bytes_to_stdout():  # of a command that another one calls
            show([{"n": 1}], "parquet")
    out, err = capsysbinary.readouterr()
    assert read(out).to_pylist() == [{"n": 1}]
    assert err == b"a remark\n"


def test_a_terminal_gets_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    with (
        pytest.raises(InputError, match=r"a terminal cannot show; write them to a file: > FILE\.parquet"),
        bytes_to_stdout(),
    ):
        pass


def test_without_pyarrow_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["stats", "--output", "parquet"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("harmgraph: the package pyarrow is not installed; install it with: pip install")
    assert "[arrow]" in err
    assert err.count("\n") == 1
    for form in ("jsonl", "markdown"):
        assert main(["stats", "--output", form]) == 0
    with pytest.raises(MissingExtra):
        arrow_table([], [], {})

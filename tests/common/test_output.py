"""The three forms of what a command prints."""

from __future__ import annotations

import csv
import io
import json

import pytest

from harmgraph.common.output import show, show_one

ROWS = [
    {"target": "nurse", "n": 12_345, "o_minus": 12.345, "o_minus_low": 10.0, "o_minus_high": 15.0},
    {"target": "[bold]é\u202e", "n": 0, "o_minus": None, "o_minus_low": None, "o_minus_high": None},
]


def test_json_is_an_array_of_the_rows_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, "json")
    assert json.loads(capsys.readouterr().out) == ROWS


def test_json_of_no_rows_is_an_empty_array(capsys: pytest.CaptureFixture[str]) -> None:
    show([], "json", columns=["target"])
    assert json.loads(capsys.readouterr().out) == []


def test_json_says_null_for_what_json_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"n": float("nan"), "deep": {"x": [float("inf"), 1.5]}}], "json")
    assert json.loads(capsys.readouterr().out) == [{"n": None, "deep": {"x": [None, 1.5]}}]


def test_csv_has_the_columns_in_order_and_quotes_what_needs_it(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"b": 'a "quoted", torn\nline', "a": ["x", "y"], "c": None}], "csv", columns=["a", "b", "c"])
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows == [["a", "b", "c"], ['["x", "y"]', 'a "quoted", torn\nline', ""]]


def test_csv_of_no_rows_has_its_header(capsys: pytest.CaptureFixture[str]) -> None:
    show([], "csv", columns=["target", "n"])
    assert capsys.readouterr().out.split() == ["target,n"]


def test_a_table_has_an_interval_under_its_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    show(ROWS, "table", title="Overgeneralization")
    out = capsys.readouterr().out
    assert "Overgeneralization" in out
    assert "12,345" in out
    assert "10.00–15.00" in out
    assert "o minus low" not in out


def test_a_table_prints_markup_of_the_data_as_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    show(ROWS, "table", title="[red]title")
    out = capsys.readouterr().out
    assert "[bold]é" in out
    assert "[red]title" in out


def test_a_narrow_table_is_folded_and_leaves_nothing_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show([{f"column_{number}": f"a {word}" for number in range(10)} for word in ("word", "second")], "table")
    captured = capsys.readouterr()
    assert max(map(len, captured.out.splitlines())) <= 40
    assert captured.err == ""
    assert all(captured.out.split().count(str(number)) == 1 for number in range(1, 10))


def test_a_table_of_nothing_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show([], "table", title="sources")
    assert capsys.readouterr().out.strip() == "sources: nothing"


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_one_object_shows_all_its_values(
    output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    show_one({"source": "kb", "files": ["a.tsv"], "counts": {"IS_A": 3}}, output)
    out = capsys.readouterr().out
    assert all(part in out for part in ("source", "kb", "a.tsv", "IS_A", "3"))

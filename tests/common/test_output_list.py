"""What there is to choose from: one line for each, in groups."""

from __future__ import annotations

import csv
import io
import json

import pytest

from harmgraph.common.output import in_groups, show_list

ROWS = [
    {"name": "alpha", "what": "first", "group": "b", "cite": "Ada 1843"},
    {"name": "be", "what": "second\x1b[31m", "group": "", "cite": "Bell 1876"},
    {"name": "c", "what": "a third one that is longer than the line allows it to be", "group": "a", "cite": ""},
    {"name": "d", "what": "fourth", "group": "last", "cite": "Dee 1564"},
]


def test_each_row_is_one_line_under_its_group_and_the_named_groups_come_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    show_list(ROWS, "table", line=("name", "what"), group="group", order=("last",))
    assert capsys.readouterr().out.splitlines() == [
        "last",
        "  d      fourth",
        "a",
        "  c      a third one that is longer than the line allows it to be",
        "b",
        "  alpha  first",
        "others",
        "  be     second\\x1b[31m",
    ]


def test_a_line_that_is_too_long_goes_on_under_its_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show_list(ROWS[2:3], "table", line=("name", "what"))
    assert capsys.readouterr().out.splitlines() == [
        "what",
        "  c  a third one that is longer than the",
        "     line allows it to be",
    ]


def test_whom_to_cite_follows_in_a_list_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    show_list(ROWS[:1], "table", line=("name", "what"), then="cite")
    assert capsys.readouterr().out.splitlines() == ["what", "  alpha  first", "cite", "  alpha  Ada 1843"]


def test_json_and_csv_have_all_columns_in_the_order_of_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    show_list(ROWS, "json", line=("name", "what"), group="group")
    assert json.loads(capsys.readouterr().out) == ROWS
    show_list(ROWS, "csv", line=("name", "what"), group="group")
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == ROWS


def test_groups_keep_the_order_of_their_members() -> None:
    assert in_groups("bcaB", str.upper, "C") == [("C", ["c"]), ("A", ["a"]), ("B", ["b", "B"])]
    assert in_groups("", str) == []

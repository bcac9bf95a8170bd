"""Tables on narrow terminals: no column is left out for its width, and what tells rows apart stands in every block."""

from __future__ import annotations

import pytest

from harmgraph.graph.common.output import show

KEYS = ("target", "category")
WIDE = [
    {
        "target": f"group {number}",
        "category": "origin",
        **{f"rate_{letter}": 1234.5 + number for letter in "abcdef"},
        "o_minus": 12.5,
        "o_minus_low": 10.25,
        "o_minus_high": 15.75,
    }
    for number in range(3)
]
NAMES = [*(f"rate {letter}" for letter in "abcdef"), "o minus"]


@pytest.fixture(params=[40, 60, 80, 100, 200])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def test_no_column_no_interval_and_no_value_is_lost(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    show(WIDE, "table", keys=KEYS)
    captured = capsys.readouterr()
    assert max(map(len, captured.out.splitlines())) <= width
    assert captured.err == ""
    for letter in "abcdef":
        assert letter in captured.out
    assert captured.out.count("12.50") == len(WIDE)
    assert captured.out.count("10.25–15.75") == len(WIDE)
    for number in range(3):
        assert captured.out.count(f"{1234.5 + number:,.1f}") == 6


def blocks(text: str) -> list[str]:
    """The tables that were printed one below another: each has one rule under its header."""
    lines = text.splitlines()
    rules = [at for at, line in enumerate(lines) if set(line.strip()) == {"─"}]
    starts = [max(at for at in range(rule) if not lines[at].strip()) if rule else 0 for rule in rules]
    return ["\n".join(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


def test_each_block_has_the_keys_and_the_first_has_what_comes_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "46")
    rows = [row | {"category": f"c{at}"} for at, row in enumerate(WIDE)]
    show(rows, "table", keys=KEYS, first=("o_minus", "rate_f"))
    parts = blocks(capsys.readouterr().out)
    assert len(parts) > 1
    for part in parts:
        for at in range(3):
            assert f"group {at}" in part
            assert f"c{at}" in part
    assert "10.25–15.75" in parts[0]
    assert all("10.25–15.75" not in part for part in parts[1:])


def test_what_every_row_says_alike_is_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "46")
    show(WIDE, "table", keys=KEYS)
    out = capsys.readouterr().out
    assert "in every row: category origin" in out
    assert out.count("origin") == 1
    monkeypatch.setenv("COLUMNS", "200")
    show(WIDE, "table", keys=KEYS)
    assert capsys.readouterr().out.count("origin") == len(WIDE)


def test_where_the_keys_leave_no_place_each_row_is_a_record(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = [{f"key_{at}": f"{at}x{number:015}" for at in range(3)} | {"n": number} for number in (7, 8)]
    show(rows, "table", keys=("key_0", "key_1", "key_2"))
    out = capsys.readouterr().out
    assert out.split("\n\n")[0].strip().splitlines() == [
        "key 0: 0x000000000000007",
        "key 1: 1x000000000000007",
        "key 2: 2x000000000000007",
        "n: 7",
    ]


def test_a_heading_takes_the_place_of_a_name_in_tables_alone(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"target": "nurse", "other_n": 5}]
    show(rows, "table", headings={"other_n": "genericskb n"})
    out = capsys.readouterr().out
    assert "genericskb" in out
    assert "other" not in out
    show(rows, "csv", headings={"other_n": "genericskb n"})
    assert capsys.readouterr().out.split() == ["target,other_n", "nurse,5"]


def test_an_interval_takes_two_lines_before_a_table_becomes_records(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    rows = [
        {"a": f"{at}123456789012345", "b": f"{at}bc", "d": 1e6, "d_low": 1e5 + at, "d_high": 1e7} for at in range(2)
    ]
    show(rows, "table", keys=("a", "b"))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "10,000,000" in lines
    assert any(line.endswith("100,000–") for line in lines)

"""Tables on narrow terminals: no column is left out for its width, and what tells rows apart stands in every block."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from harmgraph.common.output import heading, show, wrapped

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


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("d_r", "D_R"),
        ("o_minus", "O-"),
        ("d_o_plus_change", "D_O+ change"),
        ("other_o_minus", "other O-"),
        ("parts_o_plus", "parts O+"),
        ("polarised_percent", "polarised %"),
        ("percent", "%"),
        ("without_label", "without label"),
        ("hits@10", "hits@10"),
        ("add_r", "add r"),
        ("IS_A", "IS_A"),
        ("/people/person_a", "/people/person_a"),
        ("written: IS_A", "written: IS_A"),
    ],
)
def test_headings_write_symbols_as_the_papers_do(column: str, expected: str) -> None:
    assert heading(column) == expected


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_only_headings_change(output: str, capsys: pytest.CaptureFixture[str]) -> None:
    show([{"d_r": 1, "o_minus": 2.5}, {"d_r": 3, "o_minus": 1.5}], output)
    out = capsys.readouterr().out
    assert ("D_R" in out, "O-" in out, "o_minus" in out) == (output == "table", output == "table", output != "table")


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("2026-11-24T17:23:15.446Z", "2026-11-24 17:23:15"),
        ("2026-11-24T17:23:15.446000000+00:00", "2026-11-24 17:23:15"),
        ("2026-11-24T17:23:15", "2026-11-24 17:23:15"),
        ("2026-11-24 17:23", "2026-11-24 17:23"),
        (datetime(2026, 11, 24, 17, 23, 15, tzinfo=UTC), "2026-11-24 17:23:15"),
        ("2026-11-24T17:23:15+02:00", "2026-11-24 17:23:15 +02:00"),
    ],
)
def test_a_moment_is_one_cell_on_one_line(
    moment: object, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "46")
    show([{"at": moment, "what": f"some words that need lines {at}"} for at in range(2)], "table")
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.strip().startswith(f"{shown} ") for line in lines) == 2
    show([{"at": moment}], "csv")
    assert capsys.readouterr().out.splitlines()[1] == str(moment)


def test_a_time_within_a_text_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"text": "born 1990-01-01T00:00:00Z"}], "table")
    assert "born 1990-01-01T00:00:00Z" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (-0.342, -0.279, "-0.34 to -0.28"),
        (-1.0, 2.0, "-1.00 to 2.00"),
        (0.5, 2.0, "0.50–2.00"),
        (0.0, 0.0, "0.00–0.00"),
    ],
)
def test_an_interval_with_a_negative_end_has_a_word_between_its_ends(
    low: float, high: float, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show([{"x": "a", "d": 0.0, "d_low": low, "d_high": high}] * 2, "table")
    assert capsys.readouterr().out.count(f" {shown} ") == 2


def test_a_name_is_broken_between_its_parts_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    numbers = {
        name: 0.5 for metric in ("mrr", "mr", "h1", "h3", "h10") for name in (metric, f"{metric}_low", f"{metric}_high")
    }
    names = [
        "/people/person/profession",
        "/award/award_nominee/award_nominations./award/award_nomination/award_nominee",
    ]
    show([{"relation": name, **numbers, "n": 20_466} for name in names], "table", keys=("relation",))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    begun = [line.split()[0] for line in lines if line.strip().startswith("/")]
    assert names[0] in begun, "a name that has room is on one line"
    assert "".join(begun) == "".join(names), "each part begins at its slash, in one table"


@pytest.mark.parametrize("numbers", range(3, 12))
@pytest.mark.parametrize("columns", [60, 80, 100])
def test_no_column_has_a_table_of_its_own(
    numbers: int, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = [f"measure {letter}" for letter in "abcdefghijkl"[:numbers]]
    row = {
        name: value
        for name in names
        for name, value in ((name, 1234.5), (f"{name}_low", 12.25), (f"{name}_high", 987.5))
    }
    show([{"target": f"group {at}", **row} for at in range(2)], "table")
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= columns
    assert out.count("1,234.5") == 2 * numbers
    heads = [block.splitlines()[:4] for block in blocks(out)]
    shown = [" ".join(head).split("─")[0].count("measure") for head in heads]
    assert sum(shown) == numbers
    assert min(shown) > 1


def test_only_the_intervals_that_must_be_are_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    row = {
        "d_r": 385_667,
        "d_r_low": 145_441,
        "d_r_high": 4_074_088,
        "o_plus": 5.5,
        "o_plus_low": 4.25,
        "o_plus_high": 6.25,
    }
    show([{"category": f"c{at}", **row, "n": 123_456} for at in range(2)], "table")
    out = capsys.readouterr().out
    assert len(blocks(out)) == 1
    assert out.count("145,441–\n") + out.count("145,441– ") == 2
    assert out.count("4.25–6.25") == 2


def test_one_wide_row_is_a_record(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show([{"target": "nurse", **{f"rate_{letter}": 1234.5 for letter in "abcdef"}, "o_minus": -1.5}], "table")
    assert capsys.readouterr().out.strip().splitlines() == [
        "target: nurse",
        *(f"rate {letter}: 1,234.5" for letter in "abcdef"),
        "O-: -1.50",
    ]


@given(st.text(max_size=80), st.integers(2, 30))
def test_wrapping_loses_nothing_and_is_never_too_wide(text: str, width: int) -> None:
    lines = wrapped(text, width).split("\n")
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(cell_len, lines)) <= width

"""The lists of what there is: one line a member at 80 columns, in groups that the members name themselves."""

from __future__ import annotations

import csv
import io

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.drawing.drawing import in_order
from harmgraph.analytics.statistics.commands import GROUPS, KEPT, stats
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import every_statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph.statements import for_readers
from harmgraph.loader.commands import KINDS
from harmgraph.loader.formats.importer import importers

WIDTH = 80
LISTS = {
    "stats": [*(each.name for each in every_statistic()), *computed.names(), "history"],
    "load --list": importers.names(),
    "label --list": scorers.names(),
    "query": for_readers(),
    "query --list": for_readers(),
}


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.mark.parametrize("command", LISTS)
def test_each_member_has_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    members = [line.split()[0] for line in lines if line.startswith("  ")]
    times = 2 if command.startswith("label") else 1  # then whom to cite
    assert sorted(members) == sorted([*LISTS[command]] * times)
    headings = [line for line in lines if line and not line.startswith("  ")]
    assert len(lines) == len(members) + len(headings) + (not all(lines))
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines if line.startswith("  ")), "each says what it is"


def test_what_is_drawn_has_one_line_and_then_the_figure_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", "--list"]) == 0
    drawn, _, after = capsys.readouterr().out.partition("\nafter\n")
    names = [drawing.name for drawing in in_order()]
    assert sorted(line.split()[0] for line in drawn.splitlines() if line.startswith("  ")) == sorted(names)
    assert all(f"\n  {name} " in f"\n{after}" for name in names)


def test_the_groups_are_those_that_the_headers_name(capsys: pytest.CaptureFixture[str]) -> None:
    main(["stats"])
    headings = [line for line in capsys.readouterr().out.split("\n\n")[0].splitlines() if not line.startswith(" ")]
    named = {each.group for each in every_statistic()} | {each.group for each in computed}
    assert headings == [*GROUPS, KEPT]
    assert named == set(GROUPS)
    main(["load", "--list"])
    headings = [line for line in capsys.readouterr().out.split("\n\n")[0].splitlines() if not line.startswith(" ")]
    assert headings == list(KINDS)


def test_the_help_has_the_same_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{group.capitalize()}:\n" in out for group in (*GROUPS, KEPT))
    assert "..." not in out.partition("Rates:")[2], "nothing is cut"
    assert stats.list_commands(None) == [*sorted(LISTS["stats"][:-1]), "history"]  # type: ignore[arg-type]


@pytest.mark.parametrize("command", LISTS)
def test_csv_has_all_that_is_known(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--output", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert sorted(row[0] for row in rows[1:]) == sorted(LISTS[command])
    assert {len(row) for row in rows} == {len(rows[0])}

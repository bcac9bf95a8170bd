"""The pages that compare the papers' numbers with ours: nothing of a paper is left out, and nothing is typed wrongly."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from harmgraph.__main__ import cli
from tests.papers import measure, page, results
from tests.papers.__main__ import papers
from tests.papers.contents import numbers_of
from tests.papers.measure import measured, ranked
from tests.papers.paper import Computed, Item, Paper, Pick, Row, Study, TopList
from tests.papers.results import Number

EVERY = papers()
STUDIES = [(paper, study) for paper in EVERY.values() for study in paper.studies]


@pytest.fixture(params=list(EVERY.values()), ids=list(EVERY))
def paper(request: pytest.FixtureRequest) -> Paper:
    made: Paper = request.param
    return made


def text_of(paper: Paper, data: Path) -> str:
    file = data.parent / "papers" / paper.file
    if not file.is_file():
        pytest.skip("the paper's text is not beside the data")
    return file.read_text(encoding="utf-8")


def kept_of(study: Study, **found: Any) -> results.Measured:
    """What a study gave, measured with its commands."""
    known = results.Measured(commit="", changed=False, commands=study.commands, files={}, seconds=1, numbers={})
    return replace(known, **found)


def test_every_table_figure_and_equation_is_there(paper: Paper, data: Path) -> None:
    found = numbers_of(text_of(paper, data))
    wanted = {f"{kind} {number}" for kind in ("table", "figure", "equation") for number in found[kind]}
    there = [item.name for item in paper.items]
    assert wanted == {name for name in there if not name.startswith("section")}
    assert len(there) == len(set(there))


def test_each_number_is_printed_in_the_paper(paper: Paper, data: Path) -> None:
    """Somewhere: this finds a wrong digit, and not two numbers exchanged."""
    printed = set(re.findall(r"\d+(?:\.\d+)?", text_of(paper, data).replace(",", "")))
    rows = [row for item in paper.items for row in item.rows if row.paper is not None]
    assert [row.what for row in rows if f"{row.paper:.{row.digits}f}" not in printed] == []


def test_each_list_is_printed_in_the_paper(paper: Paper, data: Path) -> None:
    """Line by line, in its order, and all of it."""
    printed = f"{text_of(paper, data)}\n"
    for item in paper.items:
        for one in filter(lambda one: one.paper, item.lists):
            lines = "".join(f"{' | '.join(line)} |\n" for line in one.paper)
            after = printed.partition(lines)
            assert after[1], f"{item.name} is not as printed"
            assert after[0].endswith("|\n") and not re.match(r"(?!Profession )[^|\n]+\|", after[2]), (
                f"{item.name} is a part"
            )
    printed_lists = [one.paper for one in paper.lists if one.paper]
    assert len(set(printed_lists)) == len(printed_lists)


def test_a_list_stands_beside_the_papers() -> None:
    printed = (("nun", "0.1", "9", "1"), ("maid", "0.05", "3", "1"), ("count", "0.01", "2", "7"))
    sides = ("men", "women")
    first, last = (
        TopList(paper=printed, counts=sides[::-1], study="s", asked="shift", last=side, ours=sides)
        for side in (False, True)
    )
    answer: list[dict[str, Any]] = [
        {"name": name, "score": at / 8, "count_a": 1000, "count_b": at, "residual": at, "entity": name}
        | {"residual_low": at - 1.0, "residual_high": at + 1.0}
        for at, name in enumerate("abcde")
    ]
    answer[-1] |= {"residual": None, "residual_low": None, "residual_high": None}
    ours = {one.key: ranked(one, answer) for one in (first, last)}
    assert {key: [row["name"] for row in rows] for key, rows in ours.items()} == {
        "shift.first": ["a", "b"],  # at most half of the five
        "shift.last": ["e", "d"],
    }
    study = Study(name="s", files=(), asked={"shift": "harmgraph probe shift"}, prepare=("harmgraph load",))
    found = kept_of(study, lists=ours)
    items = tuple(Item(name=f"table {at}", what="It.", lists=(one,)) for at, one in enumerate((first, last), 1))
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=items)
    lines = page.page(paper, {"s": found}).splitlines()
    assert lines.count("harmgraph probe shift") == 2
    assert (
        "|  | paper | score | women | men | here | score | men here | women here | what the counts do not predict |"
        in lines
    )
    assert "| 2 | maid | 0.05 | 3 | 1 | b | 0.125 | 1,000 | 1 | 1 (0 to 2) |" in lines
    assert "| 1 | nun | 0.1 | 9 | 1 | e | 0.5 | 1,000 | 4 |  |" in lines
    assert lines.count("| 3 | count | 0.01 | 2 | 7 |  |  |  |  |  |") == 2


def test_a_list_may_stand_beside_none() -> None:
    one = TopList(study="s", asked="shift", last=True, ours=("UK", "all others"), what="Towards all others")
    answer = [{"name": f"job {at}", "score": at / 8, "count_a": at, "count_b": 9} for at in range(30)]
    study = Study(name="s", files=(), asked={"shift": "harmgraph probe shift"})
    paper = Paper(
        name="p2000", title="P", file="", studies=(study,), items=(Item(name="section 1", what="It.", lists=(one,)),)
    )
    found = kept_of(study, lists={one.key: ranked(one, answer)})
    lines = page.page(paper, {"s": found}).splitlines()
    assert "Towards all others:" in lines
    assert "|  | here | score | UK here | all others here | what the counts do not predict |" in lines
    assert "| 10 | job 20 | 2.5 | 20 | 9 |  |" in lines
    assert not [line for line in lines if line.startswith("| 11 |")]
    assert "Towards all others:\n\nnot measured yet\n" in page.page(paper, {})


def test_a_study_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"first": "harmgraph stats relations", "second": "harmgraph stats degrees"}
    study = Study(name="s", files=(), asked=asked, prepare=("harmgraph demo",))
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=())
    said: list[str] = []
    broken = {"harmgraph stats degrees"}

    def run(command: str, data: Path, home: str) -> str:
        said.append(command)
        if command in broken:
            raise RuntimeError(command)
        return "[]"

    monkeypatch.setattr(measure, "_run", run)
    with pytest.raises(RuntimeError, match="degrees"):
        measured(paper, study, tmp_path, tmp_path / "kept")
    broken.clear()
    said.clear()
    measured(paper, study, tmp_path, tmp_path / "kept")
    assert said == ["harmgraph demo", "harmgraph stats degrees", "harmgraph db stop"]
    monkeypatch.setattr(measure, "_git", lambda *_: "another commit")
    with pytest.raises(RuntimeError, match="of other code or data"):
        measured(paper, study, tmp_path, tmp_path / "kept")


def test_a_command_that_failed_is_said_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(name="s", files=(), asked={"first": "harmgraph stats relations"})
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=())

    def run(command: str, data: Path, home: str) -> str:
        raise RuntimeError(f"{command}: no")

    monkeypatch.setattr(measure, "_run", run)
    with pytest.raises(RuntimeError, match="stats relations: no") as failed:
        measured(paper, study, tmp_path, tmp_path / "kept")
    assert failed.value.__notes__ == ["harmgraph db stop: no"]
    monkeypatch.setattr(measure, "_run", lambda command, *_: run(command, tmp_path, "") if "stop" in command else "[]")
    with pytest.raises(RuntimeError, match="db stop: no"):
        measured(paper, study, tmp_path, tmp_path / "other")


def test_what_a_kept_study_answered_is_read_by_other_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(name="s", files=("data.txt",), asked={"first": "harmgraph stats relations"})
    (tmp_path / "data.txt").write_text("data")
    keep = tmp_path / "kept"
    monkeypatch.setattr(measure, "_run", lambda *_: '[{"count": 3}]')
    before = measured(Paper(name="p2000", title="P", file="", studies=(study,), items=()), study, tmp_path, keep)
    pick = Pick(study="s", asked="first", column="count")
    item = Item(name="table 1", what="T", rows=(Row(what="r", paper=3, ours=pick),))
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=(item,))
    monkeypatch.setattr(measure, "_run", lambda *_: pytest.fail("a command was run"))
    monkeypatch.setattr(measure, "_git", lambda *_: "another commit")
    again = measure.read_again(paper, replace(study, prepare=("harmgraph demo",)), tmp_path, keep)
    assert again == replace(before, numbers={pick.key: Number(value=3.0)})
    (tmp_path / "data.txt").write_text("other data")
    with pytest.raises(RuntimeError, match="of other data"):
        measure.read_again(paper, study, tmp_path, keep)


def test_a_computed_number_has_the_commands_of_its_answers() -> None:
    asked = {"first": "harmgraph stats relations", "other": "harmgraph stats degrees", "last": "harmgraph stats hops"}
    computed = {"sum": Computed(("first", "last"), lambda answers: [{"n": len(answers)}])}
    study = Study(name="two words", files=(), asked=asked, computed=computed, prepare=("harmgraph demo",))
    pick = Pick(study="two words", asked="sum", column="n")
    item = Item(name="table 1", what="T", rows=(Row(what="r", paper=2.5, ours=pick, why="ours is whole"),))
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=(item,), note="To be known.")
    assert computed["sum"].rows({name: [] for name in asked}) == [{"n": 2}]
    found = kept_of(study, numbers={pick.key: Number(value=2.0, low=1.0, high=3.0)})
    made = page.page(paper, {study.name: found})
    block = "```text\nharmgraph stats relations\nharmgraph stats hops\n```"
    assert f"In the store [two words](#store-two-words), filled as below:\n\n{block}" in made
    assert "### Store two words\n\n```text\nharmgraph demo\n```" in made
    assert "| r | 2.5 | 2.00 | 1.00 to 3.00 |  | -20.0% | in the interval: ours is whole |" in made
    assert "To be known." in made
    assert "1 numbers not measured yet" in page.page(paper, {})
    for commands, said in (
        (("harmgraph demo", *asked.values()), ""),
        (("harmgraph demo", "harmgraph stats relations"), "Other commands were asked"),
        (("harmgraph demo --seed 3", *asked.values()), "filled by other commands"),
    ):
        lines = page.page(paper, {study.name: replace(found, commands=commands)}).splitlines()
        assert [said in line for line in lines if "ther commands" in line] == ([True] if said else [])


def test_a_share_of_nothing_is_none_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(name="s", files=(), asked={"first": "harmgraph stats relations"})
    pick = Pick(study="s", asked="first", column="precision", n="posts", absent="never said")
    item = Item(name="table 1", what="T", rows=(Row(what="r", paper=3, ours=pick, why="other posts"),))
    paper = Paper(name="p2000", title="P", file="", studies=(study,), items=(item,))
    monkeypatch.setattr(measure, "_run", lambda *_: '[{"precision": null, "posts": 7}]')
    found = measured(paper, study, tmp_path)
    assert found.numbers == {pick.key: Number(value=None, n=7)}
    made = page.page(paper, {"s": found})
    assert "| r | 3.0 | | | | | cannot be had: never said |" in made
    assert "1 numbers cannot be had" in made
    must = replace(item, rows=(replace(item.rows[0], ours=replace(pick, absent="")),))
    with pytest.raises(RuntimeError, match="0 rows have this number"):
        measured(replace(paper, items=(must,)), study, tmp_path)


def test_what_is_off_or_missing_says_why(paper: Paper) -> None:
    known = page.numbers(results.read(paper))
    silent = [
        row.what
        for item in paper.items
        for row in item.rows
        if page.verdict(row, known) in ("off", "cannot be had") and not page.reason(row, known)
    ]
    assert silent == []
    assert [item.name for item in paper.items if not item.rows and not item.lists and not item.note] == []


def test_the_page_is_what_the_results_give(paper: Paper) -> None:
    made, path = page.page(paper, results.read(paper)), page.path(paper)
    if os.environ.get("HARMGRAPH_RENEW"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made, "make docs writes it again"


def test_the_overview_is_what_the_results_give() -> None:
    made = page.overview(EVERY, {name: results.read(paper) for name, paper in EVERY.items()})
    if os.environ.get("HARMGRAPH_RENEW"):
        page.OVERVIEW.write_text(made, encoding="utf-8")
    assert page.OVERVIEW.read_text(encoding="utf-8") == made, "make docs writes it again"


def test_every_number_is_read_from_a_study(paper: Paper) -> None:
    for pick in paper.picks:
        study = paper.study(pick.study)
        assert study.commands_of(pick.asked)
    assert all(one.asked in paper.study(one.study).asked for one in paper.lists)
    assert len({study.name for study in paper.studies}) == len(paper.studies)


def test_every_command_has_its_options(paper: Paper) -> None:
    """Some studies take hours, and a command may stand at their end. Reasons name commands that nobody runs."""
    reasons = {row.why for item in paper.items for row in item.rows}
    named = [command for why in reasons for command in re.findall(r"`(harmgraph [^`]+)`", why)]
    for typed in (*named, *(typed for study in paper.studies for typed in (*study.prepare, *study.asked.values()))):
        command: click.Command = cli
        context, words = None, shlex.split(typed)[1:]
        while isinstance(command, click.Group):
            context = click.Context(command, parent=context)
            _, left, _ = command.make_parser(context).parse_args(words)
            _, found, words = command.resolve_command(context, left)
            assert found is not None, typed
            command = found
        command.make_parser(click.Context(command, parent=context)).parse_args(words)


@pytest.mark.parametrize(
    ("paper", "study"),
    [pytest.param(*each, id=f"{each[0].name}-{each[1].name}") for each in STUDIES if each[1].quick],
)
def test_what_is_quick_is_measured_again(paper: Paper, study: Study, data: Path) -> None:
    kept = results.read(paper)[study.name]
    again = measured(paper, study, data)
    assert again.files == kept.files
    assert again.numbers.keys() == kept.numbers.keys()
    for key, number in again.numbers.items():
        assert number.value == pytest.approx(kept.numbers[key].value, rel=1e-6), key
        assert number.n == kept.numbers[key].n

"""Lists of targets, and the one that ships: that of the paper's tables."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.records import Rejection, Skip, Target
from harmgraph.graph.target_names import listed_targets, target_names
from harmgraph.loader.loading import default_targets
from tests.support.places import ROOT
from tests.support.reading import of_line, of_lines, outcomes, reason

NAME = "targets"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Nurse,Profession", Target("nurse", "profession", "Nurse", (), 1)),
        (" Puerto_Rican , origin ", Target("puerto rican", "origin", "Puerto_Rican", (), 1)),
        ("elf,fantasy,Elves, half elf ,,", Target("elf", "fantasy", "elf", ("elves", "half elf"), 1)),
        ('"Smith, ""Bob""",people', Target('smith, "bob"', "people", 'Smith, "Bob"', (), 1)),
        ("queer,gender & orientation", Target("queer", "gender & orientation", "queer", (), 1)),
        ("né,übrige", Target("né", "übrige", "né", (), 1)),
    ],
)
def test_a_line(tmp_path: Path, line: str, expected: Target) -> None:
    assert of_line(NAME, tmp_path, line) == expected


def test_a_list_has_a_language_and_perhaps_a_header_in_it(tmp_path: Path) -> None:
    lines = ["# Gruppen", "Name,Kategorie", "Arzt,Beruf"]
    found = of_lines(NAME, tmp_path, *lines, header=True, language="DE")
    assert found[1:] == [Skip(2, "header"), Target("arzt", "beruf", "Arzt", (), 3, "de")]
    kept = of_lines(NAME, tmp_path, "name,category", header=False)
    assert kept == [Target("name", "category", "name", (), 1)]
    with pytest.raises(BadName, match="is not a language code"):
        of_line(NAME, tmp_path, "Arzt,Beruf", language="d e")


def test_comments_and_a_header_are_left_out(tmp_path: Path) -> None:
    found = of_lines(NAME, tmp_path, "# a list", "Name, Category,alias", "", "elf,fantasy", "  # more")
    assert [reason(record) for record in found] == ["comment", "header", "empty line", "", "comment"]
    assert of_lines(NAME, tmp_path, "name,category") == [Skip(1, "header")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("elf", "no category"),
        (",fantasy", "the name is empty"),
        (" _ ,fantasy", "the name is empty"),
        ("elf,", "the category is empty"),
        ("elf,`; MATCH (n)", "the category is empty, or has other characters than letters"),
        ("elf," + "x" * 101, "the category is empty, or has other characters than letters"),
        ("e" * 1_001 + ",fantasy", "the name is longer than 1,000 characters"),
        ("elf,fantasy," + "日" * 1_001, "the name is longer than 1,000 characters"),
        ("elf" + " " * 1_000 + "s,fantasy", "the name is longer than 1,000 characters"),
        ('"elf,fantasy', "is not CSV"),
        ("e\rlf,fantasy", "is not CSV"),
        ("x" * 200_000 + ",fantasy", "is not CSV (field larger than field limit"),
    ],
    ids=range(12),
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert why in found.reason


def default_list() -> list[Target]:
    found = outcomes(NAME, default_targets.path())
    assert {reason(record) for record in found} == {"", "comment", "header"}
    return [record for record in found if isinstance(record, Target)]


def test_the_list_that_ships() -> None:
    found = default_list()
    assert Counter(target.category for target in found) == {
        "profession": 120,
        "origin": 157,
        "gender": 40,
        "religion": 12,
    }
    assert len({target.name for target in found}) == 329
    assert [(target.name, target.aliases) for target in found if target.aliases] == [("hairstylist", ("hairdresser",))]
    first = default_targets.path().read_text(encoding="utf-8").split("\n", 1)[0]
    assert first.startswith("# The 329 targets of Mehrabi, Zhou")


def test_the_list_that_ships_is_that_of_the_paper() -> None:
    paper = ROOT.parent / "shared" / "papers" / "mehrabi2021_cskb_harms.txt"
    if not paper.is_file():
        pytest.skip(f"the paper is not here: {paper}")
    listed: list[tuple[str, str]] = []
    category = ""
    text = paper.read_text(encoding="utf-8")
    for line in text[text.rindex("| Profession |") :].split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] in ("Profession", "Origin", "Gender", "Religion"):
            category = cells[0].lower()
        elif line.startswith("|") and not re.fullmatch(r"[-|\s]+", line):
            listed += [(cell, category) for cell in cells if cell]
    assert len(listed) == 329
    assert sorted((target.title, target.category) for target in default_list()) == sorted(listed)


def test_a_group_that_combines_others(tmp_path: Path) -> None:
    parts = ("black", "woman")
    expected = Target("black woman", "both", "Black woman", ("black women",), 1, parts=parts)
    assert of_line(NAME, tmp_path, "Black woman,both,black women,+Black,+woman,+woman") == expected
    for line in ("black woman,both,+black", "black woman,both,+black,+", "black woman,both,+black,+black woman"):
        found = of_line(NAME, tmp_path, line)
        assert isinstance(found, Rejection)
        assert "two other targets or more" in found.reason
    path = tmp_path / "list.csv"
    path.write_text("black woman,both,black women,+black,+woman\n", encoding="utf-8")
    assert [(target.name, target.aliases) for target in listed_targets(path)] == [("black woman", ("black women",))]
    assert target_names(path) == ("black woman", "black women")

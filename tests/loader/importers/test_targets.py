"""Lists of targets, and the one that ships: that of the paper's tables."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.errors import BadName
from harmgraph.graph.records import Record, Rejection, Skip, Target
from harmgraph.graph.target_names import listed_targets, target_names
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets
from harmgraph.loader.reading.look import look
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


HOLISTIC = {
    "ability": {"auditory": [{"descriptor": "Deaf", "preference": "reviewed"}, "hard-of-hearing"]},
    "gender_and_sex": {"queer": ["queer"]},
    "sexual_orientation": {"queer": ["queer", {"descriptor": "lesbian", "gender": "female"}], "odd": [{"x": 1}, 3, ""]},
    "nonce": {"all": ["blicket"]},
}
PHRASES = {
    "ability": [
        {
            "noun_phrase": "{article} {noun} who uses a wheelchair",
            "plural_noun_phrase": "{article} {noun} who use them",
        },
        {"noun_phrase": "a wheelchair user", "plural_noun_phrase": "wheelchair users", "preference": "reviewed"},
        "{article} {noun} of short stature",
    ]
}
SEEGULL = """identity,attribute,region_stereo,NA_stereo,mean offensiveness_score
Zimbabwean,"loud, old",2,2,4
Zimbabwean,quiet,2,1,-1
New Yorker,snobbish,1,1,1.666666667
Welsh,too,few
"""
SHADES = """index,subset,bias_type,stereotype_valid_langs,stereotyped_entity,type,en_biased_sentences
1.0,_original,gender+age,"['en']",females ∩ children,declaration,"One, two"
1.0,a,gender,"['en']",females,declaration,
2.0,_original,['age'],,children [language-dependent] ∪ adults,declaration,
3.0,_original,occupation,,"nurses, cooks and drivers",description,
4.0,_original,other,,,,
"""


def listed(path: Path, text: str, **options: str) -> list[Record]:
    path.write_text(text, encoding="utf-8")
    return list(importers.get(NAME).records(path, **options))


def named(found: list[Record]) -> list[tuple[str, str]]:
    return [(one.name, one.category) for one in found if isinstance(one, Target)]


@pytest.mark.parametrize("indent", [None, 1])
def test_descriptors_of_holisticbias(tmp_path: Path, indent: int | None) -> None:
    found = listed(tmp_path / "descriptors.json", json.dumps(HOLISTIC, indent=indent))
    assert named(found) == [
        ("deaf", "ability"),
        ("hard-of-hearing", "ability"),
        ("queer", "gender and sex"),
        ("lesbian", "sexual orientation"),
    ]
    assert found[0] == Target("deaf", "ability", "Deaf", (), 1)
    assert [one.reason for one in found if isinstance(one, Skip)] == [
        "the same group again, in another category",
        "an invented word of a control",
    ]
    assert [(one.line, one.reason) for one in found if isinstance(one, Rejection)] == [
        (6, "neither a descriptor nor a noun phrase of HolisticBias"),
        (7, "neither a descriptor nor a noun phrase of HolisticBias"),
        (8, "the name is empty"),
    ]


def test_noun_phrases_of_holisticbias(tmp_path: Path) -> None:
    found = listed(tmp_path / "standalone_noun_phrases.json", json.dumps(PHRASES), language="xx")
    assert [one for one in found if isinstance(one, Target)] == [
        Target("wheelchair user", "ability", "wheelchair user", ("wheelchair users",), 2, "xx")
    ]
    assert [one.reason for one in found if isinstance(one, Skip)] == ["a phrase with a place for a noun"] * 2


def test_identities_of_seegull(tmp_path: Path) -> None:
    found = listed(tmp_path / "stereotypes.csv", SEEGULL)
    assert named(found) == [("zimbabwean", "origin"), ("new yorker", "origin")]
    assert [(one.line, one.reason) for one in found if isinstance(one, Skip)] == [
        (1, "header"),
        (3, "the same group again"),
    ]
    assert [one.reason for one in found if isinstance(one, Rejection)] == ["3 columns where 5 are expected"]


def test_entities_of_shades(tmp_path: Path) -> None:
    """Parts of an intersection are groups; the kind of bias is that of rows about a group alone."""
    found = listed(tmp_path / "shades.csv", SHADES)
    assert named(found) == [
        ("females", "gender"),
        ("children", "age"),
        ("adults", "age"),
        ("nurses", "occupation"),
        ("cooks", "occupation"),
        ("drivers", "occupation"),
    ]
    assert [one.reason for one in found if isinstance(one, Skip)] == [
        "header",
        "the same group again",
        "no stereotyped entity",
    ]
    raw = SHADES.replace("stereotyped_entity", "Stereotyped Entity").replace("bias_type", "Bias Type")
    assert named(listed(tmp_path / "raw.csv", raw)) == named(found)


def test_what_is_none_of_these_lists_is_read_line_by_line(tmp_path: Path) -> None:
    for text in ('{"a": 1}\n', '{"a": {"b": ["c"]}\nnurse,profession\n', "identity,origin\n", "stereotyped_entity,x\n"):
        path = tmp_path / "list"
        path.write_text(text, encoding="utf-8")
        lines = text.splitlines()
        assert [one.line for one in importers.get(NAME).records(path)] == [*range(1, len(lines) + 1)]


def test_a_look_at_a_file_knows_these_lists(tmp_path: Path) -> None:
    whole = json.dumps({"ability": HOLISTIC["ability"]}, indent=1)
    for name, text in (("a.json", whole), ("b.csv", SEEGULL.replace("Welsh,too,few\n", "")), ("c.csv", SHADES)):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert look(path).candidates[0].importer.name == NAME


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    path = tmp_path_factory.mktemp("json") / "list.json"
    path.write_text(json.dumps({"ability": value}), encoding="utf-8")
    for one in importers.get(NAME).records(path):
        assert isinstance(one, Target | Rejection | Skip)


def test_an_article_is_taken_from_the_beginning_alone(tmp_path: Path) -> None:
    phrases = {"ability": [{"noun_phrase": each} for each in ("Latina woman", "person with a limp", "An amputee")]}
    assert [name for name, _ in named(listed(tmp_path / "p.json", json.dumps(phrases)))] == [
        "latina woman",
        "person with a limp",
        "amputee",
    ]


def test_a_category_of_a_list_is_one_of_statistics(tmp_path: Path) -> None:
    found = listed(tmp_path / "c.json", json.dumps({"all": ["nurse"], "": ["judge"], "<b>": ["cook"], "job": ["maid"]}))
    assert named([one for one in found if isinstance(one, Target)]) == [("maid", "job")]
    assert [one.reason[:12] for one in found if isinstance(one, Rejection)] == ["the category"] * 3

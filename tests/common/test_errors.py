"""Every error is one line: what, where, what to do."""

from __future__ import annotations

import inspect
import re

import pytest

from harmgraph.common import errors
from harmgraph.common.errors import (
    BadName,
    EndpointError,
    EngineError,
    GraphError,
    HarmgraphError,
    InputError,
    NotFound,
    ServerError,
    StartFailed,
    TooManyRejects,
    UnknownMember,
    UnreadableFile,
    first_line,
    near,
)

CLASSES = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, HarmgraphError) and kind.__module__ == "harmgraph.common.errors"
]


def test_the_drawn_tree_is_the_tree() -> None:
    drawn = re.findall(r"^[│├└─ ]*(\w+)", errors.__doc__ or "", re.MULTILINE)
    assert {kind.__name__ for kind in CLASSES} <= set(drawn)


def test_every_error_is_of_one_family() -> None:
    families = (InputError, GraphError, EndpointError, EngineError, ServerError)
    for kind in CLASSES:
        assert kind in {HarmgraphError, *families} or len([f for f in families if issubclass(kind, f)]) == 1


def test_every_error_ends_a_command_with_one() -> None:
    assert {kind.exit_code for kind in CLASSES} == {1}


def test_what_where_and_what_to_do_stand_in_one_line() -> None:
    error = HarmgraphError("the line\nis torn", where="file\r.tsv", remedy="mend\tit")
    assert str(error) == "file .tsv: the line is torn; mend it"


def test_what_is_not_known_leaves_no_punctuation() -> None:
    assert str(HarmgraphError("it failed")) == "it failed"


def test_an_unknown_member_lists_the_known_ones_and_the_nearest_first() -> None:
    error = UnknownMember("importer", "concepnet", ["triples", "conceptnet"])
    assert str(error) == "no importer named 'concepnet'; did you mean conceptnet? known: conceptnet, triples"
    assert "known: none" in str(UnknownMember("importer", "x", []))


def test_what_is_not_found_lists_near_names_or_what_there_is() -> None:
    assert "near: atomic" in str(NotFound("source", "atomik", ["atomic", "glucose"]))
    many = [f"s{number:02}" for number in range(30)]
    assert str(NotFound("source", "zebra", many)).endswith("there are: " + ", ".join(many[:10]) + ", ...")
    long = [f"{'RELATION_' * 8}{number}" for number in range(20)]
    assert str(NotFound("relation", "zebra", long)).endswith(f"there are: {long[0]}, {long[1]}, ...")
    kinds = ["PEOPLE_PERSON_GENDER", "PEOPLE_PERSON_PLACE_OF_BIRTH", "OTHER_THINGS_OF_SOME_GENDER_OR_NONE"]
    assert str(NotFound("relation", "gender", kinds)).endswith(f"near: {kinds[0]}, {kinds[2]}")
    assert str(NotFound("source", "zebra")) == "no source named 'zebra' in the graph"


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("mal", ["Female", "Male", "Malaysia"], ["Male", "Malaysia", "Female"]),
        ("MALE", ["female", "male"], ["male", "female"]),
        ("mael", ["Female", "Male"], ["Male", "Female"]),
        ("gender", ["PEOPLE_PERSON_GENDER", "place"], ["PEOPLE_PERSON_GENDER"]),
        ("re", ["regions", "retrained", "relations", "representation", "words"], ["regions", "relations", "retrained"]),
        (" lawyer ", ["Lawyer", "lawyer"], ["Lawyer", "lawyer"]),
        ("zebra", ["Male"], []),
        ("", ["Male"], []),
    ],
)
def test_a_name_that_begins_so_is_nearer_than_others(word: str, known: list[str], meant: list[str]) -> None:
    assert near(word, known) == meant


def test_a_name_for_people_finds_the_one_that_begins_so() -> None:
    assert str(NotFound("value of gender", "mal", ["Female", "Male"])).endswith("near: Male, Female")
    assert "did you mean disparity?" in str(UnknownMember("statistic", "disp", ["regions", "disparity"]))


@pytest.mark.parametrize(("line", "where"), [(0, "a.tsv: "), (7, "a.tsv:7: ")])
def test_an_unreadable_file_names_the_line_where_one_was_read(line: int, where: str) -> None:
    assert str(UnreadableFile("a.tsv", "is torn", line=line)).startswith(where)


def test_too_many_rejects_says_where_they_are_listed() -> None:
    error = TooManyRejects("kb", 1_200, 5_000, 0.01, "/tmp/kb.tsv")
    assert str(error).startswith("kb: 1,200 of 5,000 lines cannot be read (allowed: 1.0%); see /tmp/kb.tsv")


def test_a_long_bad_name_is_cut() -> None:
    error = BadName("relation", "x" * 10_000, "is too long")
    assert len(str(error)) < 120
    assert error.name == "x" * 10_000


def test_a_failed_start_quotes_the_last_lines_of_the_server() -> None:
    error = StartFailed("did not start", ["one", "", "port 7687 in use\n"], where="/home", remedy="free the port")
    assert str(error) == "/home: did not start; the server said: one | port 7687 in use; free the port"
    assert "the server said: nothing" in str(StartFailed("did not start", [], where="/home", remedy=""))


def test_the_first_line_of_another_error() -> None:
    assert first_line(ValueError("\n  no such file  \nat line 3\n")) == "no such file  "
    assert [first_line(error) for error in (ValueError(" \n"), KeyError())] == ["ValueError", "KeyError"]

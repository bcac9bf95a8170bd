"""``harmgraph probe --by``: a row for each country or decade, on people of two countries whose professions are reversed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.models.probing.literals import Condition, decade
from tests.support.filling import import_triples
from tests.support.people import GENDER, PROFESSION, entity
from tests.support.probed import train

pytestmark = pytest.mark.usefixtures("without_models")
NATIONALITY = "/people/person/nationality"
SIDES = ["--a", "Male", "--b", "Female", "--min-count", "2"]
JOBS = 6


def folk_of_two_countries() -> list[Triple]:
    """In the north men have the later professions, in the south the earlier ones; of the isle there are two people."""
    made = []
    for country in ("north", "south"):
        for job in range(JOBS):
            for gender in ("male", "female"):
                many = (country == "north") == (gender == "male")
                for number in range(job + 1 if many else JOBS - job):
                    name = f"{country}{job}{gender}{number}"
                    made += [(name, GENDER, gender), (name, PROFESSION, f"job{job}"), (name, NATIONALITY, country)]
    for gender in ("male", "female"):
        made += [(f"isle{gender}", GENDER, gender), (f"isle{gender}", NATIONALITY, "isle")]
    made.append(("north0male0", NATIONALITY, "south"))  # of both countries
    return [Triple(entity(head), kind, entity(tail)) for head, kind, tail in made]


@pytest.fixture
def folk(graph: Graph, capsys: pytest.CaptureFixture[str]) -> Graph:
    import_triples(graph, *folk_of_two_countries(), source="folk")
    train()
    capsys.readouterr()
    return graph


def test_a_row_for_each_group_and_the_small_ones_by_name(
    folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "groups.json"
    words = ["probe", "shift", "folk", *SIDES, "--by", "nationality", "--control", "9", "-o", "json"]
    assert main([*words, "--min-people", "5", "--summary", str(path)]) == 0
    out, err = capsys.readouterr()
    rows = {row["group"]: row for row in json.loads(out)}
    assert list(rows) == ["all", "South", "North"]
    assert (rows["North"]["people"], rows["North"]["people_a"], rows["North"]["objects"]) == (42, 21, 6)
    assert (rows["South"]["people"], rows["South"]["people_a"]) == (43, 22), "who is of two countries counts in both"
    assert rows["all"]["people"] == 86
    # The same scores, against counts that are reversed: what the row of all hides.
    assert rows["North"]["spearman"] == pytest.approx(-rows["South"]["spearman"], abs=0.1)
    assert abs(rows["North"]["spearman"]) <= 1
    assert rows["North"]["low"] <= rows["North"]["spearman"] <= rows["North"]["high"]
    assert 0 < rows["North"]["p"] <= rows["North"]["q"] <= 1
    assert rows["all"].get("q") is None
    assert "too small, 1 groups: Isle (2 people: 1 with a and 1 with b, each side needs 5)" in err
    assert "q of a single one of 2 groups is 0.2 at the least, as p is 1/10: --control 39 or more" in err
    facts = json.loads(path.read_text())
    assert [row["group"] for row in facts["too_small"]] == ["Isle"]
    assert not folk.rows("probe/results", model="folk"), "what is of a group is not written as what is of all"


def test_enough_draws_for_a_small_q(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["probe", "shift", "folk", *SIDES, "--by", "nationality", "--min-people", "5"]
    assert main([*words, "--control", "39"]) == 0
    assert "at the least" not in capsys.readouterr().err
    assert main([*words, "--control", "38"]) == 0
    assert "q of a single one of 2 groups" in capsys.readouterr().err
    assert main(words) == 0
    assert "at the least" not in capsys.readouterr().err, "no control, no q"


def test_decades_of_a_literal_and_what_goes_wrong(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    born = "MATCH (e:Entity) WHERE e.key STARTS WITH $key SET e.P569 = $born"
    for key, date in (("freebase/m.north", "1952-03-11"), ("freebase/m.south", "1961")):
        folk.driver.execute_query(born, {"key": key, "born": date})
    words = ["probe", "parity", "folk", *SIDES, "--min-people", "5"]
    assert main([*words, "--by", "P569"]) == 0
    out = capsys.readouterr().out
    assert "1950s" in out and "1960s" in out
    assert "in no group: 2 people" in out
    # Wikidata knows of some the decade alone, of others the century alone.
    coarse = "MATCH (e:Entity) WHERE e.key STARTS WITH 'freebase/m.north0' SET e.P569 = $born"
    folk.driver.execute_query(coarse, {"born": "+1950-00-00T00:00:00Z/8"})
    folk.driver.execute_query(born, {"key": "freebase/m.isle", "born": "+1900-00-00T00:00:00Z/7"})
    assert main([*words, "--by", "P569", "-o", "json"]) == 0
    assert {row["group"]: row["people"] for row in json.loads(capsys.readouterr().out)}["1950s"] == 42
    assert main([*words, "--by", "P569"]) == 0
    out, err = capsys.readouterr()
    assert "in no group: 2 people" in out
    assert "/7" not in out + err
    assert main([*words, "--by", "P570"]) == 1
    assert "no relation named 'P570'" in capsys.readouterr().err
    assert main([*words, "--by", "P569", "--min-people", "50"]) == 1
    err = capsys.readouterr().err
    assert "no group of P569 can be probed: the largest, 1950s, has 42 people" in err
    assert "each side needs 50" in err
    assert main([*words, "--by", "P569", "--figure", "x.svg"]) == 2


def test_a_named_object_that_too_few_of_a_group_have(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    folk.driver.execute_query(
        "MATCH (h:Entity)-[r]->(:Entity {key: 'freebase/m.job0'}) WHERE h.key STARTS WITH 'freebase/m.north0' "
        "WITH r LIMIT 6 DELETE r"
    )
    sets = ["--x", "Job0", "--x", "Job1", "--y", "Job4", "--y", "Job5"]
    assert main(["probe", "weat", "folk", *SIDES, "--by", "nationality", "--min-people", "5", *sets]) == 0
    out, err = capsys.readouterr()
    assert "fewer of these people have freebase/m.job0 than --min-count asks for" in out + err
    assert "no vector" not in out + err


def test_two_sides_of_a_date(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    born = "MATCH (e:Entity) WHERE e.key STARTS WITH $key SET e.P569 = $born"
    for key, date in (("freebase/m.north", "1952-03-11"), ("freebase/m.south", "1961"), ("freebase/m.isle", "1950")):
        folk.driver.execute_query(born, {"key": key, "born": date})
    words = ["--relation", "P569", "--a", "<1961", "--min-count", "2"]
    for name in ("pairs", "parity", "weat"):
        assert main(["probe", name, "folk", *words, "--b", ">=1961", "-o", "json"]) == 0
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert [(rows[f"Job{job}"]["count_a"], rows[f"Job{job}"]["count_b"]) for job in range(JOBS)] == [(7, 7)] * JOBS
    assert main(["probe", "parity", "folk", *words, "--b", ">=1961-06", "-o", "json"]) == 1
    assert "0 people have P569 >=1961-06" in capsys.readouterr().err
    assert main(["probe", "parity", "folk", "--relation", "P569", "--a", "<1950-06", "--min-count", "2"]) == 1
    assert "0 people have P569 <1950-06" in capsys.readouterr().err
    assert main(["probe", "parity", "folk", *words, "--b", ">1950", "-o", "json"]) == 1
    assert "is on both sides of P569" in capsys.readouterr().err
    assert main(["probe", "shift", "folk", *words]) == 1
    assert "shift moves people towards a value" in capsys.readouterr().err
    assert main(["probe", "parity", "folk", *words, "--b", "later"]) == 1
    assert "is not a comparison with a date or a number" in capsys.readouterr().err
    assert main(["probe", "parity", "folk", "--relation", "P570", "--a", "<1950"]) == 1
    assert "no literal named 'P570'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ("<1950", "1949-12-31", True),
        ("<1950", "1950-01-01", False),
        ("<=1950", "1950-12-31", True),
        (">1950-06", "1950", None),
        (">1950-06", "1951", True),
        ("=1950", "1950-03", True),
        (">=1.8", "1.96", True),
        ("<1950", "+1900-00-00T00:00:00Z/7", None),
        ("<-44", "-0100", True),
    ],
)
def test_conditions(condition: str, value: str, holds: bool | None) -> None:
    assert Condition.read(condition).holds(value) is holds


@pytest.mark.parametrize(
    ("date", "group"),
    [
        ("1952-03-11", "1950s"),
        ("1952", "1950s"),
        ("-0044-03-15", "-50s"),
        ("+1950-00-00T00:00:00Z/8", "1950s"),
        ("+1952-00-00T00:00:00Z/8", "1950s"),
        ("-0044-00-00T00:00:00Z/8", "-50s"),
        ("+1952-03-11T10:30:00Z/13", "1950s"),
        ("+1900-00-00T00:00:00Z/7", None),
        ("+1952-03-11T00:00:00Z/None", None),
        ("1.9", "1.9"),
    ],
)
def test_decade(date: str, group: str | None) -> None:
    assert decade(date) == group

"""Families, in which grandparents follow from parents: what a model learns of one holds for another of other people."""

from __future__ import annotations

from harmgraph.graph.records import Triple
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled
from tests.support.toy import entity

SIZE = 31


def rows(family: str) -> list[tuple[str, str, str, str]]:
    """Head, relation, tail and split: everyone has two children; every fourth grandparent is to be found."""
    people = [f"{family}{number:02d}" for number in range(SIZE)]
    made = []
    for number in range(1, SIZE):
        parent = (number - 1) // 2
        made.append((people[number], "PARENT", people[parent], "train"))
        if parent:
            split = ("valid", "train", "test", "train")[number % 4]
            made.append((people[number], "GRANDPARENT", people[(parent - 1) // 2], split))
    return made


def family(name: str) -> Subgraph:
    """A family as a subgraph."""
    return assembled(Columns(*(list(column) for column in zip(*rows(name), strict=True))))


def records(name: str) -> list[Triple]:
    """The same as records."""
    return _records(rows(name))


def lives(family: str) -> list[tuple[str, str, str, str]]:
    """Head, relation, tail and split: everyone has a gender, and a job that two of three of that gender have, and a town."""
    made = []
    for number in range(SIZE):
        person, gender = f"{family}{number:02d}", ("male", "female")[number % 2]
        usual = ("pilot", "nurse")[number % 2]
        made.append((person, "GENDER", gender, "train"))
        made.append((person, "JOB", usual if number % 3 else "teacher", "train"))
        made.append((person, "TOWN", ("north", "south", "west")[number % 5 % 3], "train"))
    return made


def working_family(name: str) -> Subgraph:
    """A family with genders, jobs and towns as a subgraph."""
    made = [*rows(name), *lives(name)]
    return assembled(Columns(*(list(column) for column in zip(*made, strict=True))))


def working_records(name: str) -> list[Triple]:
    """The same as records."""
    return _records([*rows(name), *lives(name)])


def _records(made: list[tuple[str, str, str, str]]) -> list[Triple]:
    return [
        Triple(entity(head), relation, entity(tail), properties={"split": split})
        for head, relation, tail, split in made
    ]

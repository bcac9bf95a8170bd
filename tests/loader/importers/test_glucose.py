"""GLUCOSE: both tables, the relations of the ten dimensions, and what is left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers.glucose import relation_of
from tests.support.reading import of_line, reason

NAME = "glucose"


def slots(subject: str, verb: str, rest: str) -> str:
    return f"{{{subject}}}_[subject] {{{verb}}}_[verb] {{{rest}}}_[object1]"


def rule(head: str, connective: str, tail: str) -> str:
    return f"{head} >{connective}> {tail}"


def read(path: Path, *lines: str, **options: Any) -> list[Record]:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(importers.get(NAME).records(path, **options))


def ends(record: Record) -> tuple[str, str, str]:
    assert isinstance(record, Triple)
    assert isinstance(record.head, Concept)
    assert isinstance(record.tail, Concept)
    return record.head.text, record.relation, record.tail.text


def test_a_table_of_one_dimension(tmp_path: Path) -> None:
    text = rule(
        slots("Someone_A ||who is tall||", "feel(s)", "pain"), "Motivates", slots("Some People_A", "fell", "down")
    )
    records = read(
        tmp_path / "dim_2.csv", "unique_id,2_specificStructured,2_generalStructured", f"id__3,escaped,{text}"
    )
    assert records[0] == Skip(1, "header")
    # Of dimension 2, head and tail change places.
    assert ends(records[1]) == ("peoplex fall down", "xAttr", "personx feel pain")
    assert isinstance(records[1], Triple)
    assert records[1].properties["dimension"] == 2
    assert records[1].properties["sentence_id"] == "id__3"


def test_the_training_table_has_all_dimensions_in_a_row(tmp_path: Path) -> None:
    header = "experiment_id," + ",".join(f"{number}_generalStructured" for number in range(1, 11))
    causes = rule(slots("Someone_A", "runs", "home"), "Causes/Enables", slots("Someone_B", "sees", "Someone_A"))
    place = rule(slots("Someone_A", "is", "at Somewhere_A"), "Enables", slots("Someone_A", "sleeps", "well"))
    cells = [causes, "escaped", place, *["escaped"] * 7]
    records = read(tmp_path / "train.csv", header, "id__0," + ",".join(cells), "id__1," + ",".join(["escaped"] * 10))
    assert [ends(record) for record in records if isinstance(record, Triple)] == [
        ("personx run home", "oEffect", "persony see personx"),
        ("personx be at somewherea", "Causes", "personx sleep well"),
    ]
    assert records[-1] == Skip(3, "no rule")


def test_the_level(tmp_path: Path) -> None:
    specific = rule(slots("Sam", "runs", "home"), "Causes", slots("Sam", "sleeps", "well"))
    header = "unique_id,1_specificStructured,1_generalStructured"
    records = read(tmp_path / "dim_1.csv", header, f"id__3,{specific},escaped", level="specific")
    assert ends(records[1]) == ("sam run home", "gEffect", "sam sleep well")


@pytest.mark.parametrize(
    ("dimension", "head", "tail", "relation"),
    [
        (1, "PersonX run", "PeopleX run", "xEffect"),
        (6, "PersonX run", "PersonY run", "oEffect"),
        (6, "PersonX run", "it rain", "gEffect"),
        (1, "SomethingA break", "PersonX run", "gEffect"),
        (2, "PersonX run", "PersonX feel good", "xAttr"),
        (2, "PersonX run", "PersonX want exercise", "xIntent"),
        *((number, "PersonX run", "PersonX rest", "Causes") for number in (3, 4, 8, 9)),
        (5, "PersonX run", "PersonX rest", "xWant"),
        (10, "PersonX run", "PeopleY rest", "oWant"),
        (7, "PersonX run", "PersonX feel good", "xReact"),
    ],
)
def test_table_1(dimension: int, head: str, tail: str, relation: str) -> None:
    assert relation_of(dimension, head, tail) == relation


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "no structured rule"),
        (slots("Someone_A", "runs", "home"), "dimension 1: expected two events"),
        (slots("Someone_A", "runs", "home") + " >Causes> rest", "an event without slots"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    record = of_line(NAME, tmp_path, line)
    assert isinstance(record, Rejection)
    assert reason(record).startswith(why)


def test_a_table_without_structured_columns(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has no column such as 1_generalStructured"):
        read(tmp_path / "dim.csv", "unique_id,1_generalNL", "id__0,a")


def test_real_files(data: Path) -> None:
    relations: Counter[str] = Counter()
    for path in [*sorted((data / "glucose/dev").glob("dim_*.csv")), data / "formats/GLUCOSE_training_data_final.csv"]:
        for record in importers.get(NAME).records(path):
            assert not isinstance(record, Rejection)
            if isinstance(record, Triple):
                relations[record.relation] += 1
    assert sum(relations.values()) > 4_000
    assert {f"{who}{kind}" for who in "xog" for kind in ("Effect", "Want", "React")} <= set(relations)
    assert {"xAttr", "xIntent", "Causes"} <= set(relations)

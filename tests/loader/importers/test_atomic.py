"""ATOMIC: the table with JSON lists, and the two preprocessed forms."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from tests.support.reading import of_line, reason

NAME = "atomic"
HEADER = "event,oEffect,oReact,oWant,xAttr,xEffect,xIntent,xNeed,xReact,xWant,prefix,split"


def ends(record: Record) -> tuple[str, str, str]:
    assert isinstance(record, Triple)
    assert isinstance(record.head, Concept)
    assert isinstance(record.tail, Concept)
    assert record.head.event
    assert record.tail.event
    return record.head.text, record.relation, record.tail.text


def row(event: str, split: str = "trn", **tails: list[str]) -> str:
    lists = [json.dumps(tails.get(name, [])).replace('"', '""') for name in HEADER.split(",")[1:10]]
    return ",".join([event, *(f'"{text}"' for text in lists), '"[""x""]"', split])


def read(path: Path, *lines: str) -> list[Record]:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(importers.get(NAME).records(path))


def test_a_row_of_the_table_gives_a_triple_for_each_tail(tmp_path: Path) -> None:
    line = row("PersonX gets exercise", "dev", xReact=["tired", "none"], oWant=["to watch ___"], xWant=["to rest"])
    records = read(tmp_path / "v4.csv", HEADER, line)
    triples = [record for record in records if isinstance(record, Triple)]
    assert [ends(triple) for triple in triples] == [
        ("personx get exercise", "xReact", "personx be tired"),
        ("personx get exercise", "xWant", "personx want to rest"),
    ]
    assert triples[0].properties == {"split": "valid", "head_text": "PersonX gets exercise", "tail_text": "tired"}
    skipped = Counter({record.reason: record.count for record in records if isinstance(record, Skip)})
    assert skipped == {"header": 1, "none": 1, "blank (___)": 1}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "John gives Tom a book\toReact\tthankful to john",
            ("personx give persony a book", "oReact", "persony be thankful to personx"),
        ),
        (
            "personx~calls~persony~'s~friends\txwant\tto~talk",
            ("personx call persony friend", "xWant", "personx want to talk"),
        ),
        ("PersonX runs\txAttr\tfast", ("personx run", "xAttr", "personx be fast")),
    ],
)
def test_both_preprocessed_forms(tmp_path: Path, line: str, expected: tuple[str, str, str]) -> None:
    assert ends(of_line(NAME, tmp_path, line)) == expected


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("John wears  to school\txWant\tto study", "blank (___)"),
        ("John gives tom \txWant\tto study", "blank (___)"),
        ("personx~plays~a~___\txwant\tto~win", "blank (___)"),
        ("PersonX runs\toEffect\tnone", "none"),
        ("PersonX thinks that PersonY left\txAttr\tsad", "event with a clause"),
        ("PersonX runs\txWant\tto " + "very " * 12, "event of more than 10 words"),
        ("PersonX runs\tIsA\tsport", "the relation 'IsA' is not one of ATOMIC's"),
        ("PersonX runs\txAttr\t ", "the tail is empty"),
        ("PersonX runs\txAttr\ta\tb", "1 columns where 12 are expected"),
        ('PersonX "runs,a', "2 columns where 12 are expected"),
        (row("PersonX runs").replace('"[]"', '"[3]"', 1), "the tails of oEffect are not a JSON list of texts"),
        (row("PersonX runs").replace('"[]"', "x", 1), "the tails of oEffect are not a JSON list"),
    ],
)
def test_what_is_left_out_or_rejected(tmp_path: Path, line: str, why: str) -> None:
    record = of_line(NAME, tmp_path, line)
    assert reason(record).startswith(why)
    assert isinstance(record, Skip) == (why in ("blank (___)", "none") or why.startswith("event"))


def test_as_written(tmp_path: Path) -> None:
    assert ends(of_line(NAME, tmp_path, "PersonX runs\txAttr\tfast", as_written=True)) == (
        "personx runs",
        "xAttr",
        "fast",
    )


def test_a_table_without_a_column(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="lacks the columns xWant"):
        read(tmp_path / "v4.csv", HEADER.replace("xWant,", ""), row("PersonX runs"))


@pytest.mark.parametrize(
    ("file", "triples"),
    [("atomic/v4_atomic_all_agg_sample.csv", 80), ("atomic/tucker_ATOMIC2_valid.txt.gz", 30_000)],
)
def test_real_files(data: Path, file: str, triples: int) -> None:
    kinds = Counter(type(record) for record in importers.get(NAME).records(data / file))
    assert kinds[Triple] > triples
    assert kinds[Rejection] == 0

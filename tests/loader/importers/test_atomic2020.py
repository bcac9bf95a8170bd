"""ATOMIC 2020: three forms of the file, and what a model generated."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from tests.support.reading import of_line, reason

NAME = "atomic2020"
FACTS = {
    "head": "PersonX gets exercise",
    "relation": "xReact",
    "tails": ["tired", "none"],
    "generations": ["happy", "healthy", "none"],
    "greedy": "happy",
}


def tails(folder: Path, line: str, **options: Any) -> list[str]:
    path = folder / "kb.txt"
    path.write_text(line + "\n", encoding="utf-8")
    records: list[Record] = list(importers.get(NAME).records(path, **options))
    return [record.tail.text for record in records if isinstance(record, Triple) and isinstance(record.tail, Concept)]


@pytest.mark.parametrize(
    "line",
    [
        "PersonX gets exercise @@ xReact\ttired| none| happy",
        json.dumps({"head": "PersonX gets exercise", "relation": "xReact", "tails": ["tired", "none", "happy"]}),
    ],
)
def test_a_line_with_several_tails(tmp_path: Path, line: str) -> None:
    assert tails(tmp_path, line) == ["personx be tired", "personx be happy"]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("tails", ["personx be tired"]),
        ("generations", ["personx be happy", "personx be healthy"]),
        ("greedy", ["personx be happy"]),
    ],
)
def test_generations_are_a_source_of_their_own(tmp_path: Path, what: str, expected: list[str]) -> None:
    assert tails(tmp_path, json.dumps(FACTS), what=what) == expected


def test_other_relations_are_left_out_and_counted_or_kept_as_written(tmp_path: Path) -> None:
    line = "bread\tObjectUse\tmakes french toast"
    assert of_line(NAME, tmp_path, line) == Skip(1, "relation that is not between events")
    assert tails(tmp_path, line, all_relations=True) == ["makes french toast"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "no JSON object on one line"),
        ("[]", "1 columns where 3 are expected"),
        ('{"head": "a", "relation": "xReact"}', "the JSON object has no 'tails'"),
        ('{"head": "a", "relation": "xReact", "tails": [1]}', "'tails' is not a list of texts"),
        ("a\tx y\tb", "the relation 'x y' is not one of ATOMIC 2020's"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    assert reason(of_line(NAME, tmp_path, line)).startswith(why)


def test_only_json_has_generations(tmp_path: Path) -> None:
    record = of_line(NAME, tmp_path, "PersonX runs\txAttr\tfast", what="generations")
    assert reason(record) == "only JSON lines have generations"


def test_real_files(data: Path) -> None:
    folder = data / "atomic2020"
    for name, what, least in (
        ("test_sample.jsonl", "tails", 10_000),
        ("comet_bart_generations.jsonl.gz", "greedy", 2_000),
    ):
        kinds = Counter(type(record) for record in importers.get(NAME).records(folder / name, what=what))
        assert kinds[Triple] > least
        assert kinds[Rejection] == 0

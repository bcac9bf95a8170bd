"""Knowlywood: tagged words, activities and things."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.graph.records import Concept, Triple
from tests.support.reading import of_line, reason

NAME = "knowlywood"


def test_a_line(tmp_path: Path) -> None:
    record = of_line(NAME, tmp_path, "get#v;exercise#n\tnextActivity\ttake#v;shower#n\t2")
    properties = {"weight": 2.0, "head_text": "get exercise", "tail_text": "take shower"}
    ends = Concept("personx get exercise", "en", True), Concept("personx take shower", "en", True)
    assert record == Triple(ends[0], "nextActivity", ends[1], properties=properties, line=1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("get#v;exercise#n\tlocation\tgym#n\t2", "tail that is not an activity"),
        ("gym#n\tnextActivity\ttake#v\t2", "the head has no verb"),
        ("get#v\tnextActivity\ttake#v\tmany", "the weight 'many' is not a number"),
        ("get#v\tnextActivity", "2 columns where 4 are expected"),
    ],
)
def test_what_is_left_out(tmp_path: Path, line: str, why: str) -> None:
    assert reason(of_line(NAME, tmp_path, line)).startswith(why)


def test_things_can_be_kept(tmp_path: Path) -> None:
    record = of_line(NAME, tmp_path, "get#v;exercise#n\tlocation\tgym#n\t2", things=True)
    assert isinstance(record, Triple)
    assert record.tail == Concept("gym")

"""Events of ConceptNet: PersonX is added, noun phrases are left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harmgraph.graph.records import Concept, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from tests.support.reading import of_line, reason

NAME = "conceptnet-events"


def test_a_line(tmp_path: Path) -> None:
    record = of_line(NAME, tmp_path, "get exercise\tHasSubEvent\tride bicycle\tdev")
    properties = {"split": "valid", "head_text": "get exercise", "tail_text": "ride bicycle"}
    ends = Concept("personx get exercise", "en", True), Concept("personx ride bicycle", "en", True)
    assert record == Triple(ends[0], "HasSubEvent", ends[1], properties=properties, line=1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("the belief\tCauses\ttrust\ttrn", "noun phrase"),
        ("run\tCauses\tdetergent\ttrn", "noun phrase"),
        ("run\tCauses", "2 columns"),
    ],
)
def test_what_is_left_out(tmp_path: Path, line: str, why: str) -> None:
    assert reason(of_line(NAME, tmp_path, line)).startswith(why)


def test_noun_phrases_can_be_kept(tmp_path: Path) -> None:
    assert isinstance(of_line(NAME, tmp_path, "run\tCauses\tdetergent\ttrn", noun_phrases=True), Triple)


def test_the_real_file(data: Path) -> None:
    records = list(importers.get(NAME).records(data / "population/conceptnet_events.tsv"))
    kinds = Counter(type(record) for record in records)
    assert kinds[Triple] > 10_000
    assert kinds[Rejection] == 0
    assert kinds[Triple] + kinds[Skip] == 11_539

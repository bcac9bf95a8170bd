"""COMeT's generations: the head is the first word, what was generated the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.graph.records import Rejection, Statement
from tests.support.reading import counts, of_line, outcomes

NAME = "comet"


def test_a_line(tmp_path: Path) -> None:
    assert of_line(NAME, tmp_path, "African_american is located at  usa ") == Statement(
        "African american is located at  usa", "african american", {"head": "African american"}, 1
    )


@pytest.mark.parametrize("line", ["lawyer", "lawyer ", "_ is a person"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert "expected a head" in found.reason


def test_every_real_line_is_read(data: Path) -> None:
    path = data / "comet" / "comet_generations.txt"
    assert counts(NAME, path) == {"record": 112_200}
    heads = [record.term for record in outcomes(NAME, path) if isinstance(record, Statement)]
    assert len(set(heads)) == 329  # 340 statements each, one twice
    assert min(heads.count(head) for head in sorted(set(heads))[:20]) == 340


def test_a_language(tmp_path: Path) -> None:
    found = of_line("comet", tmp_path, "junger_Arzt heilt alle", language="de")
    assert found == Statement("junger Arzt heilt alle", "junger arzt", {"head": "junger Arzt", "language": "de"}, 1)

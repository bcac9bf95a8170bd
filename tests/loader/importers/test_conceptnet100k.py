"""The split of ConceptNet that models are trained on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.records import Concept, Rejection, Triple
from tests.support.reading import counts, of_line, outcomes

NAME = "conceptnet100k"


def test_a_line_with_and_without_a_weight(tmp_path: Path) -> None:
    plain = Triple(Concept("go to court", "en"), "HasSubevent", Concept("meet a judge", "en"), line=1)
    assert of_line(NAME, tmp_path, "HasSubevent\tgo to court\tmeet a judge") == plain
    weighed = of_line(NAME, tmp_path, "HasSubevent\tGo to  court\tmeet_a judge\t0.25")
    assert weighed == Triple(plain.head, plain.relation, plain.tail, properties={"weight": 0.25}, line=1)


def test_the_language_is_part_of_the_key(tmp_path: Path) -> None:
    found = of_line(NAME, tmp_path, "IsA\tanwalt\tmensch", language="de")
    assert isinstance(found, Triple)
    assert (found.head.key, found.tail.key) == ("de/anwalt", "de/mensch")
    with pytest.raises(BadName):
        of_line(NAME, tmp_path, "IsA\ta\tb", language="")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("IsA\tlawyer", "2 columns where 3 or 4 are expected"),
        ("IsA lawyer person", "1 columns where 3 or 4 are expected"),
        ("IsA\tlawyer\tperson\t1\t2", "5 columns where 3 or 4 are expected"),
        ("IsA\t\tperson", "the head is empty"),
        ("IsA\tlawyer\t _ ", "the tail is empty"),
        ("\tlawyer\tperson", "gives no relationship type"),
        ("12\tlawyer\tperson", "gives no relationship type"),
        ("About\tlawyer\tperson", "which is reserved"),
        ("I" * 1_001 + "\tlawyer\tperson", "is longer than 1,000 characters"),
        ("IsA\tlawyer\tperson\t", "the weight '' is not a number"),
        ("IsA\tlawyer\tperson\theavy", "the weight 'heavy' is not a number"),
        ("IsA\tlawyer\tperson\tnan", "the weight 'nan' is not a number"),
        ("IsA\tlawyer\tperson\t1_0", "the weight '1_0' is not a number"),
        ("IsA\tlawyer\tperson\t\u0661", "is not a number"),
        ("IsA\tlawyer\t" + "日" * 2_700, "the tail is longer than 8,000 bytes"),
    ],
    ids=range(15),
)
def test_what_cannot_be_read(tmp_path: Path, line: str, why: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection)
    assert why in found.reason


@pytest.mark.parametrize("part", ["train", "valid", "test", "dev1", "dev2"])
def test_every_real_line_is_read(data: Path, part: str) -> None:
    path = data / "conceptnet" / f"cn100k_{part}.txt"
    rows = path.read_bytes().split(b"\n")[:-1]
    assert counts(NAME, path) == {"record": len(rows)}
    found = [record for record in outcomes(NAME, path) if isinstance(record, Triple)]
    weights = Counter(record.properties.get("weight") for record in found)
    if part.startswith("dev"):
        assert weights == Counter(float(row.rsplit(b"\t", 1)[1]) for row in rows)
        assert set(weights) == {0.0, 1.0}
    else:
        assert set(weights) == {None}
    assert Counter(record.relation for record in found) == Counter(row.split(b"\t")[0].decode() for row in rows)

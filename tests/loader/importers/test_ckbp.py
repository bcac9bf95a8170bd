"""CKBP: five orders of columns, labels and votes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from tests.support.reading import of_line, reason

NAME = "ckbp"


def read(folder: Path, *lines: str) -> list[Record]:
    path = folder / "kb.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(importers.get(NAME).records(path))


@pytest.mark.parametrize(
    ("header", "row", "properties"),
    [
        (
            "head,relation,tail,label,class,split",
            "a b,xWant,c d,1,cs_head,tst",
            {"plausible": True, "part": "cs_head", "split": "test"},
        ),
        (
            "head,relation,tail,class,split,label",
            "a b,xWant,c d,all_head,dev,0",
            {"plausible": False, "part": "all_head", "split": "valid"},
        ),
        ("head,tail,relation,dataset,label", "a b,c d,xWant,atomic,1", {"plausible": True, "dataset": "atomic"}),
        (
            "head,relation,tail,worker_vote,split,class,reverse_aser_edge",
            'a b,xWant,c d,"[1, 1, 1, 0]",trn,cs_head,False',
            {"plausible": True, "part": "cs_head", "split": "train"},
        ),
        ("head,relation,tail,worker_vote", 'a b,xWant,c d,"[1, 1, 0, 0]"', {"plausible": False}),
        ("head,relation,tail", "a b,xWant,c d", {}),
    ],
)
def test_the_columns_are_told_by_the_header(
    tmp_path: Path, header: str, row: str, properties: dict[str, object]
) -> None:
    triple = Triple(Concept("a b", "en", True), "xWant", Concept("c d", "en", True), properties=properties, line=2)  # type: ignore[arg-type]
    assert read(tmp_path, header, row) == [Skip(1, "header"), triple]


def test_general_effect_is_g_effect(tmp_path: Path) -> None:
    record = of_line(NAME, tmp_path, "a b,general Effect,c d")
    assert isinstance(record, Triple)
    assert record.relation == "gEffect"


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ("head,relation,tail,mood", "unknown columns mood"),
        ("head,relation,label", "no column tail"),
        ("head,relation,tail,tail", "the column tail twice"),
    ],
)
def test_a_header_that_is_not_understood(tmp_path: Path, header: str, what: str) -> None:
    with pytest.raises(UnreadableFile, match=f"has {what}"):
        read(tmp_path, header)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("a,xWant,b,2", "the label '2' is neither 0 nor 1"),
        ("a,IsA,b,1", "the relation 'IsA' is not one of table 11"),
        ("a,xWant,,1", "the tail is empty"),
        ("a,xWant,b", "3 columns where 4 are expected"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, row: str, why: str) -> None:
    record = read(tmp_path, "head,relation,tail,label", row)[1]
    assert isinstance(record, Rejection)
    assert reason(record).startswith(why)


def test_votes_that_cannot_be_read(tmp_path: Path) -> None:
    records = read(tmp_path, "head,relation,tail,worker_vote", "a,xWant,b,[1;2]", 'a,xWant,b,"[""1""]"')
    assert [reason(record) for record in records[1:]] == ["the votes are not a JSON list of numbers"] * 2


@pytest.mark.parametrize("votes", ["[]", "[NaN]", "[1, Infinity]", f"[1{'0' * 400}, 0.5]", "[true]", "[" * 50_000])
def test_votes_that_are_no_numbers(tmp_path: Path, votes: str) -> None:
    """Once a NaN, and a list of none, said that the triple is not plausible."""
    _, record = read(tmp_path, "head,relation,tail,worker_vote", f'a,xWant,b,"{votes}"')
    assert reason(record) == "the votes are not a JSON list of numbers"


def test_the_real_file(data: Path) -> None:
    records = list(importers.get(NAME).records(data / "ckbp/evaluation_set.csv"))
    triples = [record for record in records if isinstance(record, Triple)]
    splits = Counter(triple.properties["split"] for triple in triples)
    assert splits == {"valid": 6_217, "test": 25_514}  # table 5 of Fang et al. 2021
    share = (
        sum(bool(triple.properties["plausible"]) for triple in triples if triple.properties["split"] == "test") / 25_514
    )
    assert round(100 * share, 2) == 51.74

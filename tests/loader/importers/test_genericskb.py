"""GenericsKB: by its header in any order, or bare."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Rejection, Scalar, Skip, Statement
from tests.support.reading import counts, of_line, of_lines, outcomes, reason

NAME = "genericskb"
HEADER = "SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE"


def test_a_bare_line(tmp_path: Path) -> None:
    assert of_line(NAME, tmp_path, "Tennis_Player\t Tennis players run. ") == Statement(
        "Tennis players run.", "tennis player", {}, 1
    )
    assert of_line(NAME, tmp_path, "\tNobody is meant.") == Statement("Nobody is meant.", "", {}, 1)


def test_a_full_line_by_its_header(tmp_path: Path) -> None:
    header, full, empty = of_lines(
        NAME, tmp_path, HEADER, "ARC\tlawyer\tmany\tMany lawyers argue.\t0.5", "ARC\tlawyer\t\tLawyers argue.\t"
    )
    assert header == Skip(1, "header")
    kept: dict[str, Scalar] = {"corpus": "ARC", "quantifier": "many", "score": 0.5}
    assert full == Statement("Many lawyers argue.", "lawyer", kept, 2)
    assert empty == Statement("Lawyers argue.", "lawyer", {"corpus": "ARC"}, 3)


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("GENERIC SENTENCE\tTERM", "Lawyers argue.\tlawyer"),
        ("term\tgeneric sentence", "lawyer\tLawyers argue."),
        ("TERM\tNOTE\tGENERIC SENTENCE", "lawyer\tx\tLawyers argue."),
        ("\ufeffTERM\tGENERIC SENTENCE", "lawyer\tLawyers argue."),
    ],
)
def test_a_header_in_another_order(tmp_path: Path, header: str, line: str) -> None:
    assert of_lines(NAME, tmp_path, header, line)[1] == Statement("Lawyers argue.", "lawyer", {}, 2)


def test_a_header_alone_gives_nothing(tmp_path: Path) -> None:
    assert of_lines(NAME, tmp_path, HEADER) == [Skip(1, "header")]


@pytest.mark.parametrize("header", ["SOURCE\tTERM\tSCORE", "TERM\tQUANTIFIER", "SOURCE\tGENERIC SENTENCE"])
def test_a_header_that_lacks_a_column(tmp_path: Path, header: str) -> None:
    with pytest.raises(UnreadableFile, match=r"kb.txt:1: the header lacks (TERM|GENERIC SENTENCE); name the columns"):
        of_lines(NAME, tmp_path, header, "a\tb")


def test_a_word_of_the_header_may_be_a_term(tmp_path: Path) -> None:
    assert of_line(NAME, tmp_path, "source\tSources tell.") == Statement("Sources tell.", "source", {}, 1)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["lawyer Lawyers argue."], "1 columns where term and sentence are expected"),
        (["lawyer\tLawyers argue.\tmore"], "3 columns where term and sentence are expected"),
        (["lawyer\t "], "the sentence is empty"),
        (["x" * 8_001 + "\tLong."], "the term is longer than 8,000 bytes"),
        ([HEADER, "ARC\tlawyer\t\tLawyers argue."], "4 columns where the header has 5"),
        ([HEADER, "ARC\tlawyer\t\tLawyers argue.\thigh"], "the score 'high' is not a number"),
        ([HEADER, "ARC\tlawyer\t\t\t0.5"], "the sentence is empty"),
    ],
    ids=range(7),
)
def test_what_cannot_be_read(tmp_path: Path, lines: list[str], why: str) -> None:
    found = of_lines(NAME, tmp_path, *lines)[-1]
    assert isinstance(found, Rejection)
    assert why in reason(found)


def test_a_first_line_that_cannot_be_read_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "kb"
    path.write_bytes(HEADER.encode() + b"\x00\nlawyer\tLawyers argue.\n")
    assert counts(NAME, path) == {"rejected": 1, "record": 1}


def test_the_released_targets(data: Path) -> None:
    path = data / "genericskb" / "genericskb_targets.tsv"
    rows = path.read_bytes().split(b"\n")[:-1]
    assert counts(NAME, path) == {"record": len(rows)}
    terms = Counter(record.term for record in outcomes(NAME, path) if isinstance(record, Statement))
    assert terms == Counter(row.split(b"\t")[0].decode().lower().strip() for row in rows)
    assert len(rows) == 29_505


@pytest.mark.parametrize("name", ["GenericsKB.tsv", "GenericsKB-Best.tsv"])
def test_the_true_format(data: Path, name: str) -> None:
    path = data / "formats" / name
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert counts(NAME, path) == {"header": 1, "record": len(rows)}
    for row, found in zip(rows, outcomes(NAME, path)[1:], strict=True):
        assert isinstance(found, Statement)
        assert (found.text, found.term) == (row["GENERIC SENTENCE"], row["TERM"])
        assert found.properties == {"corpus": row["SOURCE"], "score": float(row["SCORE"])}


def test_a_header_of_two_columns_and_a_language(tmp_path: Path) -> None:
    header, german = of_lines(NAME, tmp_path, "term\tsentence", "Arzt\tÄrzte heilen.", language="de")
    assert header == Skip(1, "header")
    assert german == Statement("Ärzte heilen.", "arzt", {"language": "de"}, 2)
    [kept] = of_lines(NAME, tmp_path, "term\tsentence", header=False)
    assert kept == Statement("sentence", "term", {}, 1)
    given, _ = of_lines(NAME, tmp_path, "Wort\tSatz", "Arzt\tÄrzte heilen.", header=True)
    assert given == Skip(1, "header")

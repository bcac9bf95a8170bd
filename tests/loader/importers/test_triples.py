"""Any delimited triples: delimiters, columns, quotes, relations that are left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.graph.records import Concept, Rejection, Skip, Triple
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.reading import division
from harmgraph.loader.reading.look import look
from harmgraph.loader.reading.plan import Plan
from tests.support.memory_cluster import MemoryCluster
from tests.support.reading import counts, of_line, of_lines, outcomes, reason

LAWYER = (Concept("lawyer", "en"), "IsA", Concept("honest person", "en"))


def parts(found: object) -> tuple[object, ...]:
    assert isinstance(found, Triple), reason(found)  # type: ignore[arg-type]
    return (found.head, found.relation, found.tail)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("lawyer\tIsA\thonest person", {}),
        ("Lawyer\t IsA \tHonest_person", {}),
        ("lawyer IsA honest person", {"delimiter": "space"}),
        ("lawyer IsA honest_person", {"delimiter": " "}),
        ("lawyer,IsA,honest person", {"delimiter": "comma"}),
        ("lawyer;IsA;honest person", {"delimiter": "semicolon"}),
        ("lawyer|IsA|honest person", {"delimiter": "pipe"}),
        ("lawyer ||| IsA ||| honest person", {"delimiter": " ||| "}),
        ("lawyer\tIsA\thonest person", {"delimiter": "\\t"}),
        ("IsA\tlawyer\thonest person", {"columns": "relation,head,tail"}),
        ("7\thonest person\tx\tlawyer\tIsA\ty", {"columns": "-,tail,-,head,relation,-"}),
        ("honest person\tlawyer\tIsA", {"columns": "tail, head, relation,-"}),
        ('"lawyer","IsA","honest person"', {"delimiter": "comma", "quotes": True}),
    ],
    ids=range(13),
)
def test_delimiters_and_columns(tmp_path: Path, line: str, options: dict[str, Any]) -> None:
    assert parts(of_line("triples", tmp_path, line, **options)) == LAWYER


def test_quotes_hold_delimiters_and_quotes(tmp_path: Path) -> None:
    line = '"lawyer, ""the"" best",IsA,x'
    found = of_line("triples", tmp_path, line, delimiter="comma", quotes=True)
    assert parts(found)[0] == Concept('lawyer, "the" best', "en")
    plain = of_line("triples", tmp_path, line, delimiter="comma")
    assert reason(plain) == "4 columns where 3 are expected"
    open_quote = of_line("triples", tmp_path, '"lawyer,IsA,x', delimiter="comma", quotes=True)
    assert "the quotes do not match" in reason(open_quote)


def test_control_characters_are_part_of_a_term(tmp_path: Path) -> None:
    found = of_line("triples", tmp_path, "law\x85yer IsA a\x1cb \u2028c", delimiter="space")
    assert parts(found) == (Concept("law\x85yer", "en"), "IsA", Concept("a\x1cb \u2028c", "en"))


def test_underscores(tmp_path: Path) -> None:
    line = "a_b\tis_a\tc_d"
    as_it_is = of_line("triples", tmp_path, line)
    spaced = of_line("triples", tmp_path, line, underscores=True)
    assert parts(as_it_is) == (Concept("a b", "en"), "is_a", Concept("c d", "en"))
    assert parts(spaced) == (Concept("a b", "en"), "is a", Concept("c d", "en"))
    assert isinstance(as_it_is, Triple)
    assert isinstance(spaced, Triple)
    assert as_it_is.type == spaced.type == "IS_A"


def test_weights(tmp_path: Path) -> None:
    columns = "head,relation,tail,weight"
    weighed = of_line("triples", tmp_path, "lawyer\tIsA\tperson\t-0.5e1", columns=columns)
    assert isinstance(weighed, Triple)
    assert weighed.properties == {"weight": -5.0}
    without = of_line("triples", tmp_path, "lawyer\tIsA\tperson", columns=columns)
    assert isinstance(without, Triple)
    assert without.properties == {}
    assert "is not a number" in reason(of_line("triples", tmp_path, "lawyer\tIsA\tperson\tx", columns=columns))


def test_relations_that_are_left_out(tmp_path: Path) -> None:
    for relation, counted in {
        "ExternalURL": "relation ExternalURL",
        "/r/ExternalURL": "relation /r/ExternalURL",
        "dbpedia": "relation dbpedia",
        "dbpedia/genre": "relation dbpedia/genre",
    }.items():
        assert of_line("triples", tmp_path, f"a\t{relation}\tb") == Skip(1, counted)
        assert parts(of_line("triples", tmp_path, f"a\t{relation}\tb", skip_relations=""))[1] == relation
    assert of_line("triples", tmp_path, "a\tIsA\tb", skip_relations="HasA, IsA") == Skip(1, "relation IsA")
    assert len(reason(of_line("triples", tmp_path, f"a\tdbpedia/{'x' * 10_000}\tb"))) < 200


@pytest.mark.parametrize(
    "line",
    ["a", "a\tIsA", "a\tIsA\tb\tc", "\tIsA\tb", "a\tIsA\t", "a\t\tb", "a\tNAMES\tb", "a\tproposed\tb", "a\t\u2192\tb"],
)
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    assert isinstance(of_line("triples", tmp_path, line), Rejection)


@pytest.mark.parametrize(
    "options",
    [
        {"columns": "head,relation"},
        {"columns": "head,relation,tail,tail"},
        {"columns": "head,relation,tail,weight,weight"},
        {"columns": "head,relation,tail,colour"},
        {"columns": ""},
        {"delimiter": ""},
        {"delimiter": "\n"},
        {"delimiter": "||", "quotes": True},
        {"delimiter": '"', "quotes": True},
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UnreadableFile, match=r"cannot be read with the .*; name "):
        of_line("triples", tmp_path, "a\tIsA\tb", **options)
    with pytest.raises(BadName, match="is not a language code"):
        of_line("triples", tmp_path, "a\tIsA\tb", language="e n")


def test_the_released_targets_of_conceptnet(data: Path) -> None:
    path = data / "conceptnet" / "conceptnet_targets.txt"
    rows = [row.split(b" ", 2) for row in path.read_bytes().split(b"\n")[:-1]]
    relations = Counter(row[1].decode() for row in rows)
    external, dbpedia = relations.pop("ExternalURL"), relations.pop("dbpedia")
    assert counts("triples", path, delimiter="space") == {
        "record": len(rows) - external - dbpedia,
        "relation ExternalURL": external,
        "relation dbpedia": dbpedia,
    }
    found = [record for record in outcomes("triples", path, delimiter="space") if isinstance(record, Triple)]
    assert Counter(record.relation for record in found) == relations
    assert len(rows) == 101_229


def test_a_first_line_that_names_the_columns_is_a_header(tmp_path: Path) -> None:
    from harmgraph.loader.formats.importer import importers

    path = tmp_path / "kb.csv"
    path.write_text("Head,Relation,Tail\nlawyer,IsA,liar\nhead,HasA,tail\n", encoding="utf-8")
    found = list(importers.get("triples").records(path, delimiter="comma"))
    assert [type(one) for one in found] == [Skip, Triple, Triple]
    assert isinstance(found[0], Skip)
    assert found[0].reason == "header: Head,Relation,Tail"


@pytest.mark.parametrize(
    ("first", "header"),
    [
        ("subject,predicate,object", None),
        ("start,rel,end", None),
        ("Kopf,Beziehung,Ende", True),
        ('"Kopf,Beziehung,Ende', True),
        ("anything at all", True),
    ],
)
def test_a_header_is_left_out_and_named(tmp_path: Path, first: str, header: bool | None) -> None:
    lines = ["", first, "lawyer,IsA,liar"]
    found = of_lines("triples", tmp_path, *lines, delimiter="comma", quotes=True, header=header)
    assert found[1] == Skip(2, f"header: {first}")
    assert isinstance(found[2], Triple)


@pytest.mark.parametrize(
    ("first", "header"),
    [
        ("subject,predicate,object", False),
        ("head,IsA,end", None),
        ("subject,IsA,term", None),
        ("head,relation,x", None),
    ],
)
def test_a_first_line_that_is_no_header_stays(tmp_path: Path, first: str, header: bool | None) -> None:
    [found] = of_lines("triples", tmp_path, first, delimiter="comma", header=header)
    assert isinstance(found, Triple)
    assert found.head.key == f"en/{first.partition(',')[0]}"


def test_each_file_has_its_own_header_and_a_later_line_is_none(tmp_path: Path) -> None:
    names = "head\trelation\ttail"
    found = of_lines("triples", tmp_path, names, names)
    assert [type(record) for record in found] == [Skip, Triple]


def columns_file(path: Path, columns: dict[str, Any]) -> Path:
    """A file of columns: Parquet, Arrow as a file, or as a stream, by its ending."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = arrow.table(columns)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        make = arrow.ipc.new_stream if path.suffix == ".stream" else arrow.ipc.new_file
        with make(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    return path


KB = {
    "weight": [2.0, None, 1.0, 3.0],
    "Subject": ["lawyer", "lawyer", None, "lawyer"],
    "id": [1, 2, 3, 4],
    "predicate": ["IsA", "ExternalURL", "IsA", "IsA"],
    "object": ["honest person", "http://x", "x", "tab\tand\nline"],
}


@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream"])
def test_a_file_of_columns(tmp_path: Path, ending: str) -> None:
    path = columns_file(tmp_path / f"kb.{ending}", KB)
    found = outcomes("triples", path)
    assert parts(found[0]) == LAWYER
    assert [dict(one.properties) for one in found if isinstance(one, Triple)] == [{"weight": 2.0}, {"weight": 3.0}]
    assert [one.reason for one in found if isinstance(one, Skip)] == ["relation ExternalURL"]
    assert [one.reason for one in found if isinstance(one, Rejection)] == ["the head is empty"]
    assert isinstance(found[3], Triple), "a tab or a line end parts no cell"
    best = look(columns_file(path, {name: column[:2] for name, column in KB.items()})).candidates[0]
    assert (best.importer.name, best.arguments[:1]) == ("triples", [])


@pytest.mark.parametrize("name", ["PAR1", "ARROW1"])
def test_lines_that_begin_as_such_a_file_does(tmp_path: Path, name: str) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text(f"{name}\tIsA\tgene\n", encoding="utf-8")
    assert [type(one) for one in outcomes("triples", path)] == [Triple]


def test_which_columns_a_file_of_columns_has(tmp_path: Path) -> None:
    path = columns_file(tmp_path / "kb.parquet", {"a": ["IsA"], "b": ["lawyer"], "c": ["x"], "d": ["honest person"]})
    with pytest.raises(
        UnreadableFile, match="does not say which of its 4 columns are head, relation and tail; it has a, b"
    ):
        outcomes("triples", path)
    assert parts(outcomes("triples", path, columns="relation,head,-,tail")[0]) == LAWYER
    with pytest.raises(UnreadableFile, match="does not say which"):
        outcomes("triples", path, columns="relation,head,tail")
    twice = {"head": ["a"], "subject": ["b"], "relation": ["IsA"], "tail": ["c"]}
    with pytest.raises(UnreadableFile, match="does not say which"):
        outcomes("triples", columns_file(tmp_path / "twice.parquet", twice))
    three = {"0": ["lawyer"], "1": ["IsA"], "2": ["honest person"]}
    assert parts(outcomes("triples", columns_file(tmp_path / "three.parquet", three))[0]) == LAWYER


@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream"])
def test_a_file_of_columns_that_is_cut_off(tmp_path: Path, ending: str) -> None:
    path = columns_file(tmp_path / f"kb.{ending}", KB)
    path.write_bytes(path.read_bytes()[: -path.stat().st_size // 3])
    with pytest.raises(UnreadableFile, match=r"is no whole (Parquet|Arrow) file"):
        list(importers.get("triples").records(path))


def test_a_large_file_of_columns_is_one_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "SMALLEST", 10)
    path = columns_file(tmp_path / "kb.parquet", KB)
    lines = tmp_path / "kb.tsv"
    lines.write_text("a\tIsA\tb\n" * 500, encoding="utf-8")
    plan = Plan(importers.get("triples"), (path, lines), "kb")
    pieces = division.divided(plan, MemoryCluster(2))
    assert sum(piece.number == 0 for piece in pieces) == 1
    assert sum(piece.number == 1 for piece in pieces) > 1


def test_cells_that_are_no_texts(tmp_path: Path) -> None:
    """Old programs write texts as bytes; what is neither a text nor a number is never written as Python shows it."""
    relation, tail = ["IsA"] * 3, ["honest person"] * 3
    found = outcomes(
        "triples",
        columns_file(tmp_path / "b.parquet", {"head": [b"lawyer", b"\xff", b"x"], "relation": relation, "tail": tail}),
    )
    assert parts(found[0]) == LAWYER
    assert [one.reason for one in found if isinstance(one, Rejection)] == ["the head is not UTF-8"]
    nested = {"head": [{"a": 1}, None, {"a": 2}], "relation": relation, "tail": tail}
    found = outcomes("triples", columns_file(tmp_path / "n.parquet", nested))
    assert [one.reason for one in found if isinstance(one, Rejection)] == [
        "the head is not a text",
        "the head is empty",
        "the head is not a text",
    ]

"""ASER's databases: both versions, alignment, thresholds, ids, and files that cannot be read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName, TooManyRejects, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers import aser
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import ReadResult, batches
from tests.support.aser import identifier, relation_id, write_aser, write_aser1, write_concepts

SAUSAGE, SALT = "the sausage have good flavor", "i would have like a little salt on egg"
EVENTUALITIES = [
    (SAUSAGE, "s-v-o", 1.0),
    (SALT, "s-v-o", 1.0),
    ("he get exercise", "s-v-o", 5.0),
    ("he be tired", "s-be-a", 4.0),
    ("she get exercise", "s-v-o", 3.0),
    ("she be tired", "s-be-a", 2.0),
    ("he visit she at work", "s-v-o-p-o", 2.0),
    ("she be happy", "s-be-a", 9.0),
]
EDGES: list[tuple[int, int, dict[str, float]]] = [
    (0, 1, {"Contrast": 1.0, "Co_Occurrence": 1.0}),
    (2, 3, {"Result": 0.5}),
    (4, 5, {"Result": 0.25, "Conjunction": 2.0}),
    (6, 7, {"Precedence": 1.5}),
]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return write_aser(tmp_path / "KG.db", EVENTUALITIES, EDGES)


def read(path: Path, **options: Any) -> list[Record]:
    return list(importers.get("aser").records(path, **options))


def edges(records: list[Record]) -> set[tuple[str, str, str, object]]:
    triples = [record for record in records if isinstance(record, Triple)]
    shown = [
        (t.head.text, t.relation, t.tail.text, t.properties["weight"])
        for t in triples
        if isinstance(t.head, Concept) and isinstance(t.tail, Concept)
    ]
    assert len(shown) == len(set(shown)) == len(triples)
    return set(shown)


def test_as_written_each_sense_of_a_row_is_a_triple_with_the_id_of_the_relation(database: Path) -> None:
    records = read(database, as_written=True)
    assert edges(records) == {
        (SAUSAGE, "Contrast", SALT, 1.0),
        (SAUSAGE, "Co_Occurrence", SALT, 1.0),
        ("he get exercise", "Result", "he be tired", 0.5),
        ("she get exercise", "Result", "she be tired", 0.25),
        ("she get exercise", "Conjunction", "she be tired", 2.0),
        ("he visit she at work", "Precedence", "she be happy", 1.5),
    }
    first = records[0]
    assert isinstance(first, Triple)
    assert first.assertion == relation_id(identifier(SAUSAGE), identifier(SALT))
    assert isinstance(first.head, Concept)
    assert first.head.event


def test_aligned_equal_edges_are_one_with_the_sum_of_their_weights_and_stand_in_both_forms(database: Path) -> None:
    exercise, tired = "get exercise", "be tired"
    assert edges(read(database)) == {
        (SAUSAGE, "Contrast", "personx would have like a little salt on egg", 1.0),
        (SAUSAGE, "Contrast", "persony would have like a little salt on egg", 1.0),
        (SAUSAGE, "Co_Occurrence", "personx would have like a little salt on egg", 1.0),
        (SAUSAGE, "Co_Occurrence", "persony would have like a little salt on egg", 1.0),
        (f"personx {exercise}", "Result", f"personx {tired}", 0.75),
        (f"persony {exercise}", "Result", f"persony {tired}", 0.75),
        (f"personx {exercise}", "Conjunction", f"personx {tired}", 2.0),
        (f"persony {exercise}", "Conjunction", f"persony {tired}", 2.0),
        ("personx visit persony at work", "Precedence", "persony be happy", 1.5),
        ("persony visit personx at work", "Precedence", "personx be happy", 1.5),
    }


def test_many_edges_are_summed_in_smaller_parts(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = edges(read(database))
    for name in ("WAITING", "WAITING_AGAIN", "SUMMED_AT_ONCE"):
        monkeypatch.setattr(aser, name, 1)
    assert edges(read(database)) == at_once


@pytest.mark.parametrize("as_written", [True, False])
def test_the_rows_of_the_database_are_counted_and_not_what_becomes_of_them(database: Path, as_written: bool) -> None:
    plan = Plan(
        importers.get("aser"), (database, database), "aser", options={"as_written": as_written, "min_weight": 0.5}
    )
    *_, result = batches(plan)
    assert isinstance(result, ReadResult)
    assert result.tally.read == 2 * len(EDGES)
    assert result.tally.skipped == {"weight below 0.5": 2}


def test_lemmas_are_taken_of_a_database_that_has_tokens(tmp_path: Path) -> None:
    words = [("he gets exercise", "s-v-o", 1.0), ("he is tired", "s-be-a", 1.0)]
    path = write_aser(tmp_path / "KG.db", words, [(0, 1, {"Result": 1.0})])
    assert ("personx get exercise", "Result", "personx be tired", 1.0) in edges(read(path, lemmatise=True))
    assert ("he get exercise", "Result", "he be tired", 1.0) in edges(read(path, lemmatise=True, as_written=True))
    assert ("he gets exercise", "Result", "he is tired", 1.0) in edges(read(path, as_written=True))


@pytest.mark.parametrize(
    ("options", "kept", "reasons"),
    [
        ({"min_frequency": 3.0}, 1, {"eventuality of a frequency below 3": 3}),
        ({"core": True}, 4, {"eventuality of a frequency below 2": 1}),
        ({"min_weight": 1.0}, 4, {"weight below 1": 2}),
        ({"senses": "Result, Contrast"}, 3, {"no weight above 0 for these relations": 1}),
        ({"longest": 4}, 4 - 1, {"event of more than 4 words": 3}),
    ],
)
def test_thresholds_leave_out_and_count(
    database: Path, options: dict[str, Any], kept: int, reasons: dict[str, int]
) -> None:
    records = read(database, as_written=True, **options)
    assert len(edges(records)) == kept
    assert Counter(record.reason for record in records if isinstance(record, Skip)) == reasons


def test_version_1_is_told_by_its_columns(tmp_path: Path) -> None:
    path = write_aser1(tmp_path / "KG.db", EVENTUALITIES, EDGES)
    assert ("he get exercise", "Result", "he be tired", 0.5) in edges(read(path, as_written=True))
    with pytest.raises(UnreadableFile, match="has none of the relations Co_Occurrence"):
        read(path, senses="Co_Occurrence")


def test_ids_are_checked(database: Path) -> None:
    assert not [record for record in read(database, verify=True) if isinstance(record, Rejection)]
    with closing(sqlite3.connect(database)) as db:
        db.execute("UPDATE Eventualities SET info = replace(info, 'sausage', 'cabbage') WHERE words = ?", (SAUSAGE,))
        db.execute("UPDATE Eventualities SET info = 'no JSON' WHERE words = 'she be happy'")
        db.execute("UPDATE Relations SET _id = 'x' WHERE hid = ?", (identifier(SAUSAGE),))
        db.commit()
    reasons = [record.reason for record in read(database, verify=True) if isinstance(record, Rejection)]
    assert reasons == [
        "the id of the eventuality is not the digest of its content",
        "the info of the eventuality cannot be read (Expecting value: line 1 column 1 (char 0))",
        "the id of the relation is not the digest of its ends",
    ]


def test_a_relation_whose_end_is_missing_is_rejected(database: Path) -> None:
    with closing(sqlite3.connect(database)) as db:
        db.execute("DELETE FROM Eventualities WHERE words = ?", (SALT,))
        db.commit()
    rejected = [record for record in read(database) if isinstance(record, Rejection)]
    assert [(record.line, record.reason) for record in rejected] == [
        (1, "an end of the relation is not in Eventualities")
    ]


def damage(path: Path, place: str) -> None:
    """Updates a cell, of a column that keeps what it is given."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = 1")
        db.execute("UPDATE sqlite_master SET sql = replace(replace(sql, ' REAL', ''), ' TEXT', '')")
        db.commit()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(f"UPDATE {place}").rowcount == 1
        db.commit()


HEAD = f"Eventualities SET {{}} WHERE words = '{SAUSAGE}'"
WRONG = [
    (HEAD.format("words = x'ff00'"), "the cell words of its head (Eventualities:1) is a blob, not a text"),
    (HEAD.format("words = 7"), "the cell words of its head (Eventualities:1) is a number, not a text"),
    (HEAD.format("words = NULL"), "the cell words of its head (Eventualities:1) is missing, not a text"),
    (
        HEAD.format("words = CAST(x'c328' AS TEXT)"),
        "the cell words of its head (Eventualities:1) is a text that is not UTF-8, not a text",
    ),
    (HEAD.format("words = 'a' || char(0) || 'b'"), "the head has a NUL character"),
    (HEAD.format("words = replace(hex(zeroblob(5000)), '00', 'y')"), ""),
    (HEAD.format("words = replace(hex(zeroblob(9000)), '00', 'y')"), "the head is longer than 8,000 bytes"),
    (HEAD.format("words = ''"), "the head is empty"),
    (HEAD.format("frequency = 'often'"), "the frequency of its head (Eventualities:1) is a text, not a number"),
    (HEAD.format("frequency = NULL"), "the frequency of its head (Eventualities:1) is missing, not a number"),
    (HEAD.format("frequency = x'01'"), "the frequency of its head (Eventualities:1) is a blob, not a number"),
    ("Relations SET Contrast = 'much' WHERE rowid = 1", "the weight of Contrast is a text, not a number"),
    ("Relations SET Contrast = '' WHERE rowid = 1", "the weight of Contrast is a text, not a number"),
    ("Relations SET Contrast = NULL WHERE rowid = 1", "the weight of Contrast is missing, not a number"),
    ("Relations SET Contrast = x'' WHERE rowid = 1", "the weight of Contrast is a blob, not a number"),
    ("Relations SET Contrast = 1e999 WHERE rowid = 1", "the weight of Contrast is not a finite number"),
    ("Relations SET _id = NULL WHERE rowid = 1", "the _id is missing, not a text"),
    ("Relations SET _id = x'ab' WHERE rowid = 1", "the _id is a blob, not a text"),
    ("Relations SET hid = x'ab' WHERE rowid = 1", "an end of the relation is not in Eventualities"),
]


@pytest.mark.parametrize("as_written", [True, False])
@pytest.mark.parametrize(("place", "why"), WRONG)
def test_a_wrong_cell_costs_its_row_alone(database: Path, place: str, why: str, as_written: bool) -> None:
    others = {edge for edge in edges(read(database, as_written=as_written)) if SAUSAGE not in (edge[0], edge[2])}
    damage(database, place)
    records = read(database, as_written=as_written)
    assert others <= edges(records)
    rejected = [(one.file, one.line, one.reason) for one in records if isinstance(one, Rejection)]
    assert rejected == ([("KG.db:Relations", 1, why)] if why else [])
    assert (others == edges(records)) == bool(why)


def test_weights_whose_sum_is_infinite_are_rejected(database: Path) -> None:
    damage(database, "Relations SET Result = 1e308 WHERE rowid = 2")
    damage(database, "Relations SET Result = 1e308 WHERE rowid = 3")
    rejected = [record for record in read(database) if isinstance(record, Rejection)]
    assert [record.reason for record in rejected] == ["the weight is not a finite number"] * 2  # one with X, one with Y
    assert len(edges(read(database, as_written=True))) == 6


def test_a_separator_of_the_sums_in_the_words_changes_nothing(tmp_path: Path) -> None:
    said = "he\x1fis\x1ethere"
    path = write_aser(tmp_path / "KG.db", [(said, "s-v-o", 1.0), ("she leave", "s-v", 1.0)], [(0, 1, {"Result": 1.0})])
    assert (said, "Result", "she leave", 1.0) in edges(read(path, as_written=True))
    assert read(path)


def test_a_column_that_is_called_rowid_is_no_row_number(database: Path) -> None:
    with closing(sqlite3.connect(database)) as db:
        for table in ("Relations", "Eventualities"):
            db.execute(f"ALTER TABLE {table} ADD COLUMN rowid TEXT DEFAULT 'first'")
        db.commit()
    assert sorted({record.line for record in read(database, as_written=True)}) == [1, 2, 3, 4]


def test_json_that_is_nested_too_deeply_is_rejected(database: Path) -> None:
    damage(database, "Eventualities SET info = replace(hex(zeroblob(30000)), '00', '[') WHERE rowid = 1")
    rejected = [record for record in read(database, verify=True) if isinstance(record, Rejection)]
    assert [(one.file, one.line, one.reason) for one in rejected] == [
        ("KG.db:Eventualities", 1, "the info of the eventuality cannot be read (nested too deeply)")
    ]


def test_wrong_cells_are_counted_and_the_load_goes_on(graph: Graph, database: Path, tmp_path: Path) -> None:
    damage(database, "Relations SET Result = 'much' WHERE rowid = 2")
    with pytest.raises(TooManyRejects, match="1 of 4 lines cannot be read"):
        KnowledgeBase(graph, progress=False).load("aser", database, as_written=True)
    rejects = tmp_path / "rejects.tsv"
    report = KnowledgeBase(graph, progress=False).load(
        "aser", database, as_written=True, max_rejects=0.3, rejects=rejects
    )
    assert (report.rejected, report.in_graph) == (1, 5)
    told = rejects.read_text(encoding="utf-8").splitlines()[1].split("\t")
    assert told[:3] == ["KG.db:Relations", "2", "the weight of Result is a text, not a number"]


class TestWhatCannotBeRead:
    def test_no_database(self, tmp_path: Path) -> None:
        path = tmp_path / "KG.db"
        path.write_text("he\tResult\tshe\n")
        with pytest.raises(UnreadableFile, match="is not an SQLite database"):
            read(path)

    def test_a_truncated_database(self, database: Path) -> None:
        whole = database.read_bytes()
        database.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(UnreadableFile, match=r"is truncated: [\d,]+ of [\d,]+ bytes are there"):
            read(database)

    def test_a_damaged_database(self, database: Path) -> None:
        whole = bytearray(database.read_bytes())
        whole[5_000:20_000] = b"\xff" * 15_000
        database.write_bytes(whole)
        with pytest.raises(UnreadableFile, match=r"is a damaged database|cannot be read"):
            read(database, verify=True)

    def test_a_locked_database(self, database: Path) -> None:
        with closing(sqlite3.connect(database, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            with pytest.raises(UnreadableFile, match="is locked by a program that writes it"):
                read(database)

    @pytest.mark.parametrize("table", ["Eventualities", "Relations"])
    def test_a_missing_table(self, database: Path, table: str) -> None:
        with closing(sqlite3.connect(database)) as db:
            db.execute(f"DROP TABLE {table}")
            db.commit()
        with pytest.raises(UnreadableFile, match=f"has no table {table}"):
            read(database)

    def test_an_unknown_sense(self, database: Path) -> None:
        with pytest.raises(BadName, match="is not one of ASER's: Precedence, Succession"):
            read(database, senses="Because")


class TestConcepts:
    """``concept.db``."""

    @pytest.fixture
    def concepts(self, tmp_path: Path) -> Path:
        return write_concepts(
            tmp_path / "concept.db",
            ["__PERSON__0 eat food", "__PERSON__0 be full"],
            [(0, 1, {"Result": 0.5, "Contrast": 0.1})],
            [(0, identifier("he be tired"), 0.25)],
        )

    def test_relations_between_concepts_are_loaded_as_they_are(self, concepts: Path) -> None:
        records = read(concepts, min_weight=0.2)
        assert edges(records) == {("person 0 eat food", "Result", "person 0 be full", 0.5)}
        assert Counter(record.reason for record in records if isinstance(record, Skip)) == {
            "weight below 0.2": 1,
            "instance of a concept, whose words are in KG.db (give --kg)": 1,
        }

    def test_instances_have_their_words_from_the_other_database(self, concepts: Path, database: Path) -> None:
        instances = {edge for edge in edges(read(concepts, kg=str(database))) if edge[1] == "InstanceOf"}
        assert {(edge[0], edge[3]) for edge in instances} == {("he be tired", 0.25)}

    @pytest.mark.parametrize(
        ("place", "table", "why"),
        [
            (
                "Concepts SET info = replace(hex(zeroblob(30000)), '00', '[') WHERE rowid = 1",
                "",
                "is not JSON (nested too deeply)",
            ),
            (
                'Concepts SET info = \'{"words": {"a": 1}}\' WHERE rowid = 1',
                "",
                "the info of the head has no list of words",
            ),
            ("Concepts SET info = 5 WHERE rowid = 1", "", "the info of the head is a number, not a text"),
            ('Concepts SET info = \'{"words": ["\\ud800"]}\' WHERE rowid = 1', "", "has half a character"),
            ("Relations SET Result = 'x' WHERE rowid = 1", "", "the weight of Result is a text, not a number"),
            ("ConceptInstancePairs SET score = NULL WHERE rowid = 1", "pairs", "the score is missing, not a number"),
            ("ConceptInstancePairs SET score = 'x' WHERE rowid = 1", "pairs", "the score is a text, not a number"),
            ("ConceptInstancePairs SET score = -1e999 WHERE rowid = 1", "pairs", "the score is not a finite number"),
        ],
    )
    def test_a_wrong_cell(self, concepts: Path, database: Path, place: str, table: str, why: str) -> None:
        damage(concepts, place)
        records = read(concepts, kg=str(database))
        rejected = [record for record in records if isinstance(record, Rejection)]
        names = {one.file for one in rejected}
        assert (f"concept.db:{'ConceptInstancePairs' if table else 'Relations'}") in names
        assert any(why in one.reason for one in rejected), rejected
        assert {one.line for one in rejected} == {1}

    def test_an_instance_whose_eventuality_is_missing_is_rejected(self, concepts: Path, database: Path) -> None:
        with closing(sqlite3.connect(database)) as db:
            db.execute("DELETE FROM Eventualities WHERE words = 'he be tired'")
            db.commit()
        rejected = [record.reason for record in read(concepts, kg=str(database)) if isinstance(record, Rejection)]
        assert rejected == ["an end is not in the tables"]

"""The split, and the folder: written whole, read back, and never over files of the user's."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.graph.statements import statement
from harmgraph.models.population.training_data.data import (
    CLASSES,
    FILES,
    OF_TYPE,
    SPLITS,
    LabelledTriple,
    check_folder,
    read_data,
    read_table,
    split_of,
    write_data,
)

ROWS = (
    LabelledTriple("personx run", "xWant", "personx rest", 1, "", "atomic"),
    LabelledTriple('personx say "no"', "xWant", "personx\tleave", 0, "test_set", "atomic"),
    LabelledTriple("personx run", "Causes", "personx sweat", None, "cs_head", "aser"),
)


def test_the_statement_reads_every_type() -> None:
    assert all(f"{kind}|" in statement("population/triples").text.replace("]", "|") for kind in OF_TYPE)


def test_eight_to_one_to_one() -> None:
    counted = Counter(split_of(f"personx do {number}", "xWant", "personx rest") for number in range(20_000))
    shares = {split: counted[split] / 20_000 for split in SPLITS}
    assert shares == pytest.approx({"train": 0.8, "valid": 0.1, "test": 0.1}, abs=0.01)


def test_the_split_of_a_triple_never_changes() -> None:
    """Data of an earlier version must stay comparable, so the values themselves are held here."""
    triples = [(f"personx do {number}", "xWant", "personx rest") for number in range(12)]
    assert "".join(split_of(*ends)[:2] for ends in triples) == "vatrtetrtrtrtrtrtrtrtetr"


@given(st.text(), st.text(), st.text(min_size=1))
def test_a_sentence_decides_alone(head: str, tail: str, sentence: str) -> None:
    assert split_of(head, "xWant", tail, sentence) == split_of("another", "Causes", "one", sentence)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    tables = {"train": ROWS[:1], "valid": (), "test": ROWS[1:2], "candidates": ROWS[2:]}
    facts = write_data(tmp_path / "data", tables, {"options": {"seed": 1}})
    data = read_data(tmp_path / "data")
    assert data.tables == tables
    assert data.facts == facts
    assert {path.name for path in (tmp_path / "data").iterdir()} == set(FILES)
    assert {row.kind for row in ROWS} <= {"", *CLASSES}
    assert [path.name for path in tmp_path.iterdir()] == ["data"]  # no lock and no part stays


def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"has other files, such as thesis\.tex"):
        write_data(tmp_path, {"train": ROWS}, {})
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    check_folder(tmp_path / "new")
    with pytest.raises(InputError, match="not a folder to write to"):
        check_folder(tmp_path / "thesis.tex")


def test_a_table_that_was_changed_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    write_data(folder, {"train": ROWS}, {})
    with (folder / "train.tsv").open("a") as file:
        file.write("personx run\txWant\tpersonx rest\t0\t\tatomic\n")
    with pytest.raises(UnreadableFile, match="not those that"):
        read_data(folder)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("head\trelation\ttail\n", "another header"),
        ("head\trelation\ttail\tlabel\tclass\tsource\na\txWant\tb\t2\t\ts\n", ":2: no triple"),
        ("head\trelation\ttail\tlabel\tclass\tsource\na\tIsA\tb\t1\t\ts\n", ":2: no triple"),
        ("head\trelation\ttail\tlabel\tclass\tsource\na\txWant\tb\t1\n", ":2: no triple"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=why):
        list(read_table(path))


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON", '{"form": 99, "digest": "", "tables": []}'])
def test_a_folder_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "data.json").write_text(text)
    with pytest.raises(UnreadableFile, match="is none of 'harmgraph population data'"):
        read_data(tmp_path)

"""Reading of examples: a folder of 'population data', and the five forms of files that people labelled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.common.errors import HarmgraphError, InputError, UnreadableFile
from harmgraph.models.population.examples import TripleExample, of_split, read_file, read_folder
from harmgraph.models.population.relations import RELATIONS, read_relation
from tests.support.population import FORMS, write_folder


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_examples(tmp_path: Path, form: str) -> None:
    path = tmp_path / "file.csv"
    path.write_text(FORMS[form], encoding="utf-8-sig")
    full, hungry = read_file(path)
    labels = (None, None) if form == "bare" else (1, 0)
    parts = ("", "") if form == "bare" else ("cs_head", "test_set")
    splits = ("", "") if form in ("bare", "dataset") else ("test", "valid")
    assert full == TripleExample("personx eat", "gEffect", "personx be full", labels[0], parts[0], splits[0])
    assert hungry == TripleExample("personx eat", "gEffect", "personx be hungry", labels[1], parts[1], splits[1])
    kept = (full, hungry) if splits == ("", "") else (full,)
    assert of_split((full, hungry), "test") == kept
    assert of_split((full, hungry), "all") == (full, hungry)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("head,relation,colour\na,b,c\n", "has no column tail"),
        ("head,relation,tail,colour\na,b,c,d\n", "unknown columns: colour; begin it with a line of the names"),
        ("head,relation,tail,tail\n", "the column tail twice"),
        ("head,relation,tail,label\na,xWant,c,2\n", ":2: the label '2' is neither 0 nor 1"),
        ("head,relation,tail,worker_vote\na,xWant,c,yes\n", ":2: the votes are not a JSON list"),
        ("head,relation,tail\na,xWant\n", ":2: has 2 cells instead of 3"),
        ("head,relation,tail\na,xWant,c\n ,xWant,c\n", ":3: lacks its head"),
        ("", "has no column head, relation, tail"),
        ("head,relation,tail\n\xff,xWant,c\n", "cannot be read"),
        ('head,relation,tail\n"a,xWant,c\n', "cannot be read"),
    ],
)
def test_bad_files_are_a_line_each(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UnreadableFile) as raised:
        read_file(path)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_folder(examples: Path) -> None:
    read = read_folder(examples)
    assert (len(read.train), len(read.valid)) == (96, 48)
    assert read.graph == ("folk",)
    assert read.relations == ("Causes", "xEffect", "xWant")
    assert {example.part for example in read.train} == {"kb", "drawn"}
    assert read_folder(examples).digest == read.digest


def test_the_digest_is_that_of_the_examples(tmp_path: Path) -> None:
    first, second = (read_folder(write_folder(tmp_path / name, train=size)) for name, size in (("a", 40), ("b", 42)))
    assert first.digest != second.digest


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("data.json", None, "data.json: is missing; make the folder with: harmgraph population data"),
        ("train.tsv", None, "train.tsv: is missing"),
        ("data.json", "[]", "is not a JSON object"),
        ("data.json", "{", "cannot be read"),
        ("data.json", '{"graph": 3}', "does not name the sources"),
        ("valid.tsv", "head\trelation\ttail\tlabel\na\txWant\tb\t1\n", "only one of the two labels"),
        ("valid.tsv", "head\trelation\ttail\na\txWant\tb\n", "needs labelled triples"),
    ],
)
def test_bad_folders_are_a_line_each(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    folder = write_folder(tmp_path / "data")
    (folder / name).unlink()
    if text is not None:
        (folder / name).write_text(text)
    with pytest.raises(InputError) as raised:
        read_folder(folder)
    assert isinstance(raised.value, HarmgraphError)
    assert said in str(raised.value)


@pytest.mark.parametrize("graph", ["folk", ["folk"]])
def test_a_graph_is_a_source_or_several(tmp_path: Path, graph: str | list[str]) -> None:
    folder = write_folder(tmp_path / "data")
    (folder / "data.json").write_text(json.dumps({"graph": graph}))
    assert read_folder(folder).graph == ("folk",)


def test_relations_have_one_name() -> None:
    assert [read_relation(name) for name in RELATIONS] == list(RELATIONS)
    assert {read_relation(name) for name in ("general Effect", "gEffect", "G_EFFECT", "general effect", "geffect")} == {
        "gEffect"
    }
    assert [read_relation(name) for name in ("X_WANT", "HAS_SUB_EVENT", "HasSubevent", "IS_BEFORE")] == [
        *("xWant", "HasSubEvent", "HasSubEvent", "isBefore")
    ]
    assert [read_relation(name) for name in ("RESULT", "CO_OCCURRENCE", "Co_Occurrence", "!")] == [
        *("Result", "CoOccurrence", "CoOccurrence", "!")
    ]

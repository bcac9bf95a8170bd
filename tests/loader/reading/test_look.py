"""A look at a file: what it is, and the importer and options that read it."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, MissingExtra, UnreadableFile
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.formats.sample import BYTES, sample_of
from harmgraph.loader.reading.look import look, proposed
from tests.support.aser import write_aser
from tests.support.places import real_data

NOTHING = ""
RIGHT = {
    "atomic/*": "atomic",
    "atomic2020/comet_bart_generations.jsonl.gz": "atomic2020 --what generations",
    "atomic2020/system_eval_test.tsv": "atomic2020",
    "atomic2020/test_sample.jsonl": "atomic2020",
    "ckbp/*": "ckbp",
    "codex-m/*": "codex",
    "comet/*": "comet",
    "conceptnet/assertions_5x_sample.csv": "conceptnet",
    "conceptnet/cn100k_*.txt": "conceptnet100k",
    "conceptnet/conceptnet_targets.txt": "triples --delimiter space",
    "fb15k-237/mid2name.tsv": NOTHING,  # names alone make no graph: they go beside triples, as --names
    "fb15k-237/*.txt.gz": "freebase",
    "formats/GLUCOSE*": "glucose",
    "formats/GenericsKB*": "genericskb",
    "formats/SBIC*": "sbic",
    "formats/conceptnet*": "conceptnet",
    "formats/cskb*": NOTHING,  # nested JSON, which no importer reads
    "formats/v4_atomic*": "atomic",
    "genericskb/*": "genericskb",
    "glucose/dev/*": "glucose",
    "human_labels/conceptnet/labels.txt": NOTHING,
    "human_labels/conceptnet/sentences.txt": "sentences",
    "ilpc2022/*/*": "ilpc",
    "population/*": "conceptnet-events",
    "regard/conceptnet_silver.tsv": "sentences --column 3",
    "regard/prompts_dialogpt_*": "sentences --column 2",
    "regard/prompts_gpt2_*": "sentences",
    "regard/[dt]*.tsv": "sentences --column 2",
    "sbic/*": "sbic",
    "sentiment/*-words.txt": NOTHING,
    "sentiment/nlg_*": "sentences --column 2",
    "sentiment/sst2_*": "sentences",
    "stories/*": "stories",
    "wd50k/*": "wd50k",
    "wikitext2/*": "sentences",
}
"""The importer and its options for the files of ../shared/data."""


def found(path: Path) -> str:
    """The proposal, without the file."""
    candidates = look(path).candidates
    return " ".join([candidates[0].importer.name, *candidates[0].arguments]) if candidates else NOTHING


def real_files() -> list[tuple[Path, str]]:
    folder = real_data()
    return (
        [(path, right) for pattern, right in RIGHT.items() for path in sorted(folder.glob(pattern))] if folder else []
    )


@pytest.mark.parametrize(("path", "right"), real_files(), ids=lambda value: getattr(value, "name", None))
def test_every_real_file(path: Path, right: str) -> None:
    assert found(path) == right


def test_no_real_file_is_left_out(data: Path) -> None:
    files = {path for path in data.rglob("*") if path.is_file() and path.suffix != ".md"}
    assert {path for path, _ in real_files()} == files


@pytest.mark.parametrize(
    ("name", "content", "right"),
    [
        ("a.tsv", "lawyer\tIsA\tliar\nnurse\tIsA\twoman\n", "triples"),
        ("a.csv", "subject,predicate,object\nlawyer,is,liar\n", "triples --delimiter comma"),
        ("a.csv", "Is,cook,0.5,tall\nIs,nurse,1,woman\n", "triples --delimiter comma --columns relation,head,weight,tail"),
        ("a.txt", 'lawyer;IsA;"a ""liar"""\nnurse;IsA;woman\n', "triples --delimiter semicolon --quotes"),
        ("a.csv", "name,category\nmartian,planet\n", "targets"),
        ("a.csv", "martian,planet\nvenusian,planet\n# more\nmoonling,moon\nplutonian,planet\n", "targets"),
        ("a.csv", 'id,Comment\n1,"The nurse, a man, lied to us."\n2,Two lawyers came home today.\n', "sentences"),
        ("a.csv", "id,claim\n1,The nurse lied to us.\n2,Two lawyers came home today.\n", "sentences --column claim"),
        ("a.txt", "The nurse lied to us.\nTwo lawyers, at home, read the news.\n", "sentences"),
        ("a.jsonl", '{"id": 1, "said": "The nurse lied to us."}\n', "sentences --column said"),
        ("a.txt", "7\n8\n", NOTHING),
        ("a.txt", "", NOTHING),
    ],
)  # fmt: skip
def test_files_of_ones_own(name: str, content: str, right: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert found(tmp_path / name) == right
    (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    assert found(tmp_path / name) == right


def test_facts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress('\ufeffid,text\n1,"The nurse, a man, lied."\n'.encode()))
    assert dict(look(path).facts) == {
        "file": str(path),
        "bytes": f"{path.stat().st_size} (gzip)",
        "encoding": "UTF-8",
        "lines looked at": "2",
        "delimiter": "comma",
        "quotes": "yes",
        "header": "yes",
        "columns": "2: id, text",
    }
    path.write_bytes("The nurse was naïve, I say.\n".encode("latin-1") + b"Two lawyers came home.\n")
    assert look(path).facts["encoding"].startswith("not all of it is UTF-8: line 1: not UTF-8 (byte 0xef")
    path.write_bytes("text".encode("utf-16"))
    with pytest.raises(UnreadableFile, match="is UTF-16"):
        look(path)


def test_files_that_are_not_lines(tmp_path: Path) -> None:
    words = [("i nap", "s-v", 2.0), ("i be tired", "s-be-a", 3.0)]
    write_aser(tmp_path / "KG.db", words, [(1, 0, {"Result": 1.0})])
    assert found(tmp_path / "KG.db") == "aser"
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.table({"text": ["The nurse lied."]}), tmp_path / "said.parquet")
    assert found(tmp_path / "said.parquet") == "sentences"


def test_a_parquet_file_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1\x15")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="the package pyarrow is not installed"):
        look(tmp_path / "x.parquet")


def test_only_the_beginning_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The nurse lied to us.\n" * 100_000)
    sample = sample_of(path)
    assert not sample.whole
    assert BYTES <= len(sample.content) + 100 <= 3 * BYTES
    assert sample.content.endswith(b"\n")


def test_files_together_are_of_one_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The nurse lied to us.\n")
    (tmp_path / "b.tsv").write_text("lawyer\tIsA\tliar\nnurse\tIsA\twoman\n")
    assert len(proposed([tmp_path / "a.txt", tmp_path / "a.txt"])) == 2
    with pytest.raises(InputError, match=r"looks like a file for triples, and .*a.txt like one for sentences"):
        proposed([tmp_path / "a.txt", tmp_path / "b.tsv"])


@pytest.mark.parametrize("name", [one.name for one in importers if one.reads == "lines"])
def test_an_importer_could_read_its_example(name: str, tmp_path: Path) -> None:
    """Of a few lines: one alone does not tell whether relations repeat."""
    path = tmp_path / "a.txt"
    path.write_text(f"{importers.get(name).example}\n" * 3, encoding="utf-8")
    assert name in [one.importer.name for one in look(path).candidates]
    json.dumps(dict(look(path).facts))

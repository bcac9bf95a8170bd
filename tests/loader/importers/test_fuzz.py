"""Ten thousand damaged lines for each importer: a record, a rejection or a skip for every line, never a traceback."""

from __future__ import annotations

import bz2
import gzip
import math
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.graph.common.errors import HarmgraphError, UnreadableFile
from harmgraph.graph.records import (
    Entity,
    Record,
    Rejection,
    RelationLabel,
    Skip,
    Statement,
    Target,
    Triple,
    normalise,
)
from harmgraph.graph.schema import RESERVED_TYPES
from harmgraph.loader.formats.importer import MAX_REJECTED_TEXT, Importer, importers

pytestmark = pytest.mark.long

OF_LINES = [importer for importer in importers if importer.reads == "lines"]
LINES = 10_000
IN_ARCHIVE = 300
ARCHIVES = 40
SEED = 20_210_907
INDEX_LIMIT = 8_000  # bytes that an index of Neo4j takes, with some room
TYPE = re.compile(r"[A-Z][A-Z0-9_]*")

HOSTILE: tuple[bytes, ...] = (
    b"\x00",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    "é".encode("latin-1"),
    "日本語".encode("shift_jis"),
    "text".encode("utf-16-le"),
    "\u2028\x85\x1c\u202e\ufeff".encode(),
    "e\u0301\u0130\u1e9e\U0001f468\u200d\U0001f469".encode(),
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\t\t\t\t",
    b" ",
    b"_",
    b",",
    b'"',
    b'""',
    b"`",
    b"'",
    b"\\",
    b"#",
    b"/",
    b"/c/en/",
    b"/r/",
    b"`]->() WITH 1 AS a MATCH (n) DETACH DELETE n //",
    b"'}) MATCH (n) DETACH DELETE n //",
    b"$rows",
    b"NAMES",
    b"1e999",
    b"NaN",
    b'{"weight": ',
    b"{}",
    b"[]",
    b'"\\ud800"',
    b"[" * 300,
    b'{"a":' * 2_000,
    b"y" * 10_000,
    "日本".encode() * 1_500,
    b" " * 5_000,
)
HUGE: tuple[bytes, ...] = (
    b"z" * 1_000_000,
    b"z" * 1_300_000,
    b"\xff" * 1_000_000,
    b"\x00" * 1_000_000,
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"weight":' + b"9" * 500_000 + b"}",
    b"\t" * 500_000,
    b"," * 500_000,
    b'"' * 500_000,
    b"/" * 500_000,
)


def damaged(line: bytes, chance: random.Random) -> bytes:
    """A line with one to three places cut, doubled, swapped, overwritten or filled with something hostile."""
    found = bytearray(line)
    for _ in range(chance.randint(1, 3)):
        start = chance.randint(0, len(found))
        end = min(len(found), start + chance.randint(0, 20))
        match chance.randrange(6):
            case 0:
                del found[start:end]
            case 1:
                found[start:end] = chance.choice(HOSTILE)
            case 2:
                found[start:start] = chance.choice(HOSTILE)
            case 3:
                found[start:end] = chance.randbytes(end - start)
            case 4:
                found[start:start] = found[start:end]
            case _:
                cells = bytes(found).split(b"\t")
                chance.shuffle(cells)
                found = bytearray(b"\t".join(cells))
    return bytes(found)


def fuzzed(example: bytes) -> bytes:
    """A file of damaged lines; the same one every time."""
    chance = random.Random(SEED)
    cells = example.split(b"\t" if b"\t" in example else b",")
    whole = [cells[0], *(example.replace(cells[0], huge, 1) for huge in HUGE)]
    whole += [example.replace(cells[-1], huge, 1) for huge in HUGE]
    while len(whole) < LINES:
        whole.append(damaged(example, chance))
    chance.shuffle(whole)
    # A damaged header could say that the file is of another format, which is another matter than a line.
    return b"\n".join([example, *whole])


def sound(record: Record) -> None:
    """Holds a record to what the graph can store."""
    texts: list[str] = []
    if isinstance(record, Triple):
        assert TYPE.fullmatch(record.type)
        assert record.type not in RESERVED_TYPES
        keys = [record.head.key, record.tail.key]
        texts = [record.relation, record.assertion]
    elif isinstance(record, Statement):
        assert record.text.strip(" ")
        keys = [record.term, record.key("source")]
        texts = [record.text]
    elif isinstance(record, Target):
        assert record.name
        assert record.category
        keys = [record.name, record.category, *record.aliases]
        texts = [record.title]
    elif isinstance(record, Entity):
        assert record.name or record.properties
        keys = [record.key, normalise(record.name)]
        texts = [record.name]
    elif isinstance(record, RelationLabel):
        assert TYPE.fullmatch(record.type)
        assert record.label
        keys, texts = [record.relation], [record.label]
    else:
        keys = [record.reason]
        assert record.reason
        if isinstance(record, Rejection):
            assert len(record.text) <= MAX_REJECTED_TEXT
            texts = [record.text]
        assert len(record.reason) < 700
    values = list(getattr(record, "properties", {}).values())
    assert all(math.isfinite(value) for value in values if isinstance(value, float))
    texts += [value for value in values if isinstance(value, str)]
    assert all(len(key.encode()) <= INDEX_LIMIT for key in keys)
    assert all("\x00" not in text for text in [*keys, *texts] if not isinstance(record, Triple))
    assert all(text.encode() is not None for text in texts), "every text is valid Unicode"


@pytest.mark.parametrize("importer", OF_LINES, ids=[importer.name for importer in OF_LINES])
def test_ten_thousand_damaged_lines(importer: Importer, tmp_path: Path) -> None:
    content = fuzzed(importer.example.encode())
    path = tmp_path / "kb.txt"
    path.write_bytes(content)
    kinds: Counter[str] = Counter()
    last = 0
    for record in importer.records(path):
        assert record.line in (last, last + 1)  # a line may give several records
        last = record.line
        sound(record)
        kinds[type(record).__name__] += 1
    assert last == content.count(b"\n") + (not content.endswith(b"\n")) > LINES
    # The damage is neither so light nor so heavy that it tests one thing only.
    assert kinds["Rejection"] > 500
    assert kinds["Triple"] + kinds["Statement"] + kinds["Target"] > 500


OPTIONS: dict[str, list[dict[str, object]]] = {
    "conceptnet": [{"language": "all", "include_external": True}],
    "triples": [
        {"delimiter": "space", "columns": "head,relation,tail,weight", "skip_relations": "", "underscores": True},
        {"delimiter": "comma", "quotes": True, "skip_relations": ""},
        {"delimiter": "semicolon", "columns": "-,tail,relation,head"},
    ],
    "wd50k": [{"qualifiers": "P805,P580", "split": "test"}],
    "codex": [{"split": "none"}],
    "freebase": [{"order": "thr"}, {"order": "htr"}],
    "wikidata-json": [
        {"around": "P31=Q5", "language": "de,en", "ranks": "all", "qualifiers": "P580", "literals": "P31,P569"},
        {"properties": "P21,P106", "ranks": "valid"},
    ],
    "wikidata-truthy": [{"properties": "P31", "language": "de,en"}],
}


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name, several in OPTIONS.items() for options in several]
)
def test_damaged_lines_with_other_options(name: str, options: dict[str, object], tmp_path: Path) -> None:
    importer = importers.get(name)
    separator = {"space": b" ", "comma": b",", "semicolon": b";"}.get(str(options.get("delimiter")), b"\t")
    content = fuzzed(importer.example.encode()).replace(b"\t", separator)
    path = tmp_path / "kb.txt"
    path.write_bytes(content)
    last = 0
    for record in importer.records(path, **options):
        assert record.line in (last, last + 1)
        last = record.line
        sound(record)
    assert last == content.count(b"\n") + (not content.endswith(b"\n"))


@pytest.mark.parametrize("importer", OF_LINES, ids=[importer.name for importer in OF_LINES])
def test_a_header_of_anything(importer: Importer, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    path = tmp_path / "kb.txt"
    headers = [b"SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE", b"name,category,alias"]
    for _ in range(300):
        path.write_bytes(damaged(chance.choice(headers), chance) + b"\n" + importer.example.encode())
        for record in read(importer, path)[0]:
            sound(record)


def read(importer: Importer, path: Path) -> tuple[list[Record], UnreadableFile | None]:
    """What a file gives until it ends or says, in one line, why it cannot be read further."""
    found: list[Record] = []
    broken = None
    try:
        found.extend(importer.records(path))
    except UnreadableFile as error:
        broken = error
        assert str(error).startswith(str(path))
        assert "\n" not in str(error)
        assert error.remedy
    lines = [record.line for record in found]
    assert sorted(set(lines)) == list(range(1, len(set(lines)) + 1))
    assert lines == sorted(lines)
    return found, broken


@pytest.mark.parametrize("importer", OF_LINES, ids=[importer.name for importer in OF_LINES])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gzip", "bzip2"])
def test_damaged_archives(
    importer: Importer, tmp_path: Path, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second one is cut, the others have one bit turned; each is read in several blocks, as a large one is."""
    monkeypatch.setattr("harmgraph.loader.formats.lines.BLOCK", 1 << 12)
    chance = random.Random(SEED)
    plain = tmp_path / "kb.txt"
    plain.write_text("\n".join(f"{importer.example}{number}" for number in range(IN_ARCHIVE)), encoding="utf-8")
    undamaged, _ = read(importer, plain)
    packed = pack(plain.read_bytes())
    path = tmp_path / "damaged" / "kb.txt"
    path.parent.mkdir()
    for number in range(ARCHIVES):
        content = bytearray(packed)
        if number % 2:
            del content[chance.randrange(len(content)) :]
        else:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        found, broken = read(importer, path)
        if number % 2 and len(content) > 10:
            assert "ends in the middle of its compressed data" in str(broken)
            assert found == undamaged[: len(found)]
        for record in found[-50:]:
            sound(record)


@settings(max_examples=150)
@given(content=st.binary(max_size=400), name=st.sampled_from(importers.names()))
def test_any_bytes_at_all(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb"
        path.write_bytes(content)
        for record in read(importers.get(name), path)[0]:
            sound(record)


@settings(max_examples=300)
@given(text=st.text(max_size=60), name=st.sampled_from(importers.names()))
def test_any_text_at_all(text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb"
        path.write_text(text, encoding="utf-8", newline="")
        for record in read(importers.get(name), path)[0]:
            sound(record)


@settings(max_examples=200)
@given(delimiter=st.text(max_size=3), columns=st.text("headrlation,wg- ", max_size=30), quotes=st.booleans())
def test_any_option_at_all(delimiter: str, columns: str, quotes: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb"
        path.write_text("lawyer\tIsA\tperson\n")
        for given_columns in (columns, "head,relation,tail"):
            try:
                options = {"delimiter": delimiter, "columns": given_columns, "quotes": quotes}
                found = list(importers.get("triples").records(path, **options))
            except HarmgraphError as error:
                assert error.remedy
            else:
                assert len(found) == 1
                assert isinstance(found[0], Rejection | Skip | Triple)

"""Ten thousand damaged lines, or a thousand damaged cells, for each importer: a record, a rejection or a skip of each, never a
traceback. Importers are taken from the registry by name: a new one of lines is damaged without an edit here, a new one of
databases fails until ``DATABASES`` has a database of its form.
"""

from __future__ import annotations

import bz2
import gzip
import json
import math
import random
import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.common.errors import HarmgraphError, UnreadableFile
from harmgraph.graph.records import (
    MAX_TEXT,
    Concept,
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
from tests.support.aser import identifier, write_aser, write_aser1, write_concepts
from tests.support.reading import each_line

pytestmark = pytest.mark.long

OF_LINES = [importer for importer in importers if importer.reads == "lines"]
OF_DATABASES = [importer for importer in importers if importer.reads == "database"]
LINES = 10_000
OF_OTHER_CASES = 3_000  # damaged lines
CELLS = 200  # damaged cells of a database, one at a time
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
    b"1" + b"0" * 400,
    b"NaN",
    b"-Infinity",
    b'{"weight": ',
    b"{}",
    b"[]",
    b'"\\ud800"',
    b"\\ud800",
    b"\\u0000",
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


VALUES: tuple[str, ...] = (
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "-1e999",
    "1" + "0" * 400,
    "9" * 5_000,
    "1.5",
    "NaN",
    "Infinity",
    '""',
    '" "',
    '"0"',
    '"nonsense"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u001b[2J"',
    json.dumps("y" * 10_000),
    "[]",
    "[[]]",
    "[null]",
    "[1, 2]",
    '[["a"], ["b"]]',
    "{}",
    '{"": {}}',
    "[" * 30_000,
    "[" * 30_000 + "]" * 30_000,
    *("[" * depth + "]" * depth for depth in (500, 900, 940, 960, 980)),  # as deep as can just be read
    '{"a":' * 30_000 + "1" + "}" * 30_000,
)
"""Values in JSON, one of which takes the place of a value somewhere in a line."""
PLACE = "\ue000"


def places(value: object) -> Iterator[tuple[Any, Any]]:
    """Each list or object in a value of JSON, with the index or name of something in it."""
    if isinstance(value, dict | list):
        for at, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, at
            yield from places(inner)


def with_another_value(line: str, chance: random.Random) -> str | None:
    """A line in whose JSON one value is another, or one name is; None if it has no JSON."""
    cells = line.split("\t")
    parsed: list[tuple[int, Any, str]] = []
    for at, cell in enumerate(cells):
        try:
            value = json.loads(cell.removesuffix(","))
        except ValueError:
            continue
        if isinstance(value, dict | list):
            parsed.append((at, value, "," if cell.endswith(",") else ""))
    if not parsed:
        return None
    at, value, end = chance.choice(parsed)
    several = list(places(value))
    if not several:
        return None
    holder, name = chance.choice(several)
    if isinstance(holder, dict) and chance.random() < 0.2:
        holder[chance.choice(("", "\x00", "\ud800", "id", "x" * 9_000))] = holder.pop(name)
    else:
        holder[name] = PLACE
    cells[at] = json.dumps(value).replace(json.dumps(PLACE), chance.choice(VALUES)) + end
    return "\t".join(cells)


def damaged(line: bytes, chance: random.Random) -> bytes:
    """A line with another value in its JSON, or with one to three places cut, doubled, swapped or filled with a hostile text."""
    if chance.random() < 0.4:
        other = with_another_value(line.decode(), chance)
        if other is not None:
            return other.encode()
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


def fuzzed(case: Case, count: int = LINES) -> bytes:
    """A file of damaged lines below those of a case; the same one every time."""
    chance = random.Random(SEED)
    example = case.lines[-1].encode()
    cells = example.split(b"\t" if b"\t" in example else b",")
    whole = [cells[0], *(example.replace(cells[0], huge, 1) for huge in HUGE)]
    whole += [example.replace(cells[-1], huge, 1) for huge in HUGE]
    while len(whole) < count:
        whole.append(damaged(chance.choice(case.lines[case.header :]).encode(), chance))
    chance.shuffle(whole)
    # A damaged header could say that the file is of another format, which is another matter than a line.
    return b"\n".join([*(line.encode() for line in case.lines), *whole])


@dataclass(frozen=True)
class Case:
    """Lines that an importer reads with some options. Each is damaged but the first ``header`` ones."""

    importer: str
    lines: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    header: int = 0
    file: str = "kb.txt"


def examples() -> list[Case]:
    """The example of each importer of lines, as it stands in the registry."""
    return [Case(importer.name, (importer.example,)) for importer in OF_LINES]


STATEMENT = {"mainsnak": {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": "Q5"}}}}
WIKIDATA = json.dumps(
    {
        "type": "item",
        "id": "Q42",
        "labels": {"en": {"language": "en", "value": "Ann"}, "de": {"language": "de", "value": "Anna"}},
        "descriptions": {"en": {"language": "en", "value": "a writer"}},
        "sitelinks": {"enwiki": {"site": "enwiki", "title": "Ann"}},
        "claims": {
            "P31": [
                STATEMENT
                | {
                    "id": "Q42$1",
                    "rank": "normal",
                    "qualifiers-order": ["P580"],
                    "qualifiers": {
                        "P580": [
                            {
                                "snaktype": "value",
                                "datavalue": {
                                    "type": "time",
                                    "value": {"time": "+1952-03-11T00:00:00Z", "precision": 11},
                                },
                            }
                        ]
                    },
                }
            ],
            "P213": [{"mainsnak": {"snaktype": "value", "datavalue": {"type": "string", "value": "0000"}}}],
            "P569": [
                {
                    "mainsnak": {
                        "snaktype": "value",
                        "datavalue": {"type": "time", "value": {"time": "+1952-03-11T00:00:00Z", "precision": 9}},
                    }
                }
            ],
            "P2048": [
                {"mainsnak": {"snaktype": "value", "datavalue": {"type": "quantity", "value": {"amount": "+1.8"}}}}
            ],
            "P625": [
                {
                    "mainsnak": {
                        "snaktype": "value",
                        "datavalue": {"type": "globecoordinate", "value": {"latitude": 1.5, "longitude": 2}},
                    }
                }
            ],
            "P1559": [
                {
                    "mainsnak": {
                        "snaktype": "value",
                        "datavalue": {"type": "monolingualtext", "value": {"text": "Ann", "language": "en"}},
                    }
                }
            ],
        },
    }
)
ATOMIC = ",".join(["event", "oEffect", "oReact", "oWant", "xAttr", "xEffect", "xIntent", "xNeed", "xReact", "xWant"])
LANGFAIR = {
    "male_prompt": ["he is a nurse"],
    "male_response": ["fine"],
    "female_prompt": ["she is"],
    "female_response": ["x"],
}
SAMPLE = {
    "attribute": "race",
    "value": "black",
    "subgroup": "s",
    "template": "{value} is",
    "prompt": "p",
    "text": "t",
    "score": 0.3,
}
PAIR = {
    "head": "PersonX naps",
    "relation": "xWant",
    "tails": ["to rest", "to sleep"],
    "generations": ["a", "b"],
    "greedy": "c",
}
OTHERS = [
    Case(
        "conceptnet",
        (
            importers.get("conceptnet").example,
            '/a/x\t/r/IsA\t/c/en/a/n\t/c/en/b/v/wn\t{"weight": 2, "dataset": "/d/x", "license": "by", "surfaceText": "[[a]]"}',
        ),
        {"language": "all", "include_external": True},
    ),
    Case(
        "triples",
        ("lawyer IsA professional",),
        {"delimiter": "space", "columns": "head,relation,tail,weight", "skip_relations": "", "underscores": True},
    ),
    Case("triples", ("lawyer,IsA,professional",), {"delimiter": "comma", "quotes": True, "skip_relations": ""}),
    Case("triples", ("x;professional;IsA;lawyer",), {"delimiter": "semicolon", "columns": "-,tail,relation,head"}),
    Case("wd50k", (importers.get("wd50k").example,), {"qualifiers": "P805,P580", "split": "test"}),
    Case("wd50k", ("Q42\tDouglas Adams", "P31\tinstance of")),
    Case("codex", (importers.get("codex").example,), {"split": "none"}),
    Case("codex", ('{"Q42": {"label": "Ann", "description": "a writer"}, "P31": {"label": "is"}}',)),
    Case("freebase", (importers.get("freebase").example,), {"order": "thr"}),
    Case("freebase", (importers.get("freebase").example,), {"order": "htr"}),
    Case(
        "wikidata-json",
        (WIKIDATA,),
        {
            "around": "P31=Q5",
            "language": "de,en",
            "ranks": "all",
            "qualifiers": "P580",
            "literals": "P31,P213,P569,P2048,P625,P1559",
        },
    ),
    Case("wikidata-json", (WIKIDATA + ",",), {"properties": "P31,P213", "ranks": "valid"}),
    Case("wikidata-json", (json.dumps({"entities": {"Q42": json.loads(WIKIDATA)}}),)),
    Case("wikidata-truthy", (importers.get("wikidata-truthy").example,), {"properties": "P31", "language": "de,en"}),
    Case(
        "wikidata-truthy",
        (
            '<http://www.wikidata.org/entity/Q42> <http://www.w3.org/2000/01/rdf-schema#label> "Ann \\u00e9"@en .',
            '<http://www.wikidata.org/entity/Q43> <http://schema.org/description> "a \\"writer\\""@en .',
        ),
    ),
    Case(
        "atomic",
        (f"{ATOMIC},prefix,split", 'PersonX naps,[],[],[],[],"[""rests""]",[],[],[],"[""to rest""]",[],trn'),
        header=1,
    ),
    Case("atomic2020", (json.dumps(PAIR), "PersonX naps @@ xWant\tto rest| to sleep"), {"what": "tails"}),
    Case("atomic2020", (json.dumps(PAIR),), {"what": "generations", "all_relations": True}),
    Case("ckbp", ("head,relation,tail,label,worker_vote", 'PersonX nap,xWant,PersonX rest,,"[1, 1, 0]"'), header=1),
    Case("generations", (json.dumps(SAMPLE),)),
    Case("generations", (json.dumps(LANGFAIR), json.dumps({"data": LANGFAIR})), {"attribute": "gender"}),
    Case(
        "sbic",
        (importers.get("sbic").example, '0,a post,"[""women""]","[""gender""]","[""are weak""]",1,0.5,0,1,r/x,1'),
    ),
    Case("comet", (importers.get("comet").example,), {"language": "de"}),
    Case("knowlywood", (importers.get("knowlywood").example, "get#v\tlocation\tgym#n\t2"), {"things": True}),
    Case("genericskb", ("SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE", "x\tcat\tall\tCats purr.\t0.5"), header=1),
    *(
        Case(name, (importers.get(name).example,), {"as_written": True})
        for name in ("atomic", "glucose", "conceptnet-events")
    ),
]
"""Cases beside the examples, of importers that read several forms, or other ones by their options."""


def sound(record: Record) -> None:
    """Holds a record to what the graph can store."""
    texts: list[str] = []
    keys: list[str] = []
    if isinstance(record, Triple):
        assert TYPE.fullmatch(record.type)
        assert record.type not in RESERVED_TYPES
        for end in (record.head, record.tail):
            keys += [end.key, normalise(end.name)] if isinstance(end, Entity) else [end.key, end.text, end.language]
            assert end.text if isinstance(end, Concept) else True
        texts = [record.relation, record.assertion]
    elif isinstance(record, Statement):
        assert record.text.strip(" ")
        keys = [record.term, record.key("source")]
        texts = [record.text, record.place]
        for made in record.implies or ():
            keys.append(normalise(made.group))
            texts += [made.group, made.category, made.text, made.annotator]
    elif isinstance(record, Target):
        assert record.name
        assert record.category
        keys = [record.name, record.category, *record.aliases, *record.parts]
        texts = [record.title, record.language]
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
            assert (record.text + record.reason).encode(), "it can be printed"
        assert len(record.reason) < 700
    for name, value in getattr(record, "properties", {}).items():
        assert isinstance(value, str | int | float | bool), name
        if isinstance(value, str):
            texts.append(value)
        else:
            assert math.isfinite(value)
            assert isinstance(value, float) or -(2**63) <= value < 2**63
    assert all(len(key.encode()) <= INDEX_LIMIT for key in keys)
    assert all("\x00" not in text for text in [*keys, *texts])
    assert all(len(text.encode()) >= len(text) <= MAX_TEXT for text in texts), "every text is valid Unicode"


def fuzz(case: Case, tmp_path: Path, count: int) -> Counter[str]:
    """Reads the damaged lines of a case; returns how many there are of each kind of record."""
    content = fuzzed(case, count)
    path = tmp_path / case.file
    path.write_bytes(content)
    kinds: Counter[str] = Counter()
    last = 0
    for record in importers.get(case.importer).records(path, **case.options):
        assert record.line in (last, last + 1)  # a line may give several records
        last = record.line
        sound(record)
        kinds[type(record).__name__] += 1
    assert last == content.count(b"\n") + (not content.endswith(b"\n")) > count
    return kinds


@pytest.mark.parametrize("case", examples(), ids=lambda case: case.importer)
def test_ten_thousand_damaged_lines(case: Case, tmp_path: Path) -> None:
    kinds = fuzz(case, tmp_path, LINES)
    # The damage is neither so light nor so heavy that it tests one thing only.
    assert kinds["Rejection"] > 500
    assert kinds["Triple"] + kinds["Statement"] + kinds["Target"] > 500


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: f"{case.importer}-{case.options}")
def test_damaged_lines_of_other_forms_and_with_other_options(case: Case, tmp_path: Path) -> None:
    kinds = fuzz(case, tmp_path, OF_OTHER_CASES)
    assert kinds["Rejection"] > 100
    assert sum(kinds[kind] for kind in ("Triple", "Statement", "Entity", "RelationLabel")) > 100


DATABASES: dict[str, list[tuple[Callable[[Path], Path], dict[str, object]]]] = {
    "aser": [
        (lambda folder: write_aser(folder / "KG.db", EVENTUALITIES, EDGES), {}),
        (lambda folder: write_aser(folder / "KG.db", EVENTUALITIES, EDGES), {"as_written": True, "verify": True}),
        (lambda folder: write_aser1(folder / "KG.db", EVENTUALITIES, EDGES), {"core": True}),
        (lambda folder: write_concepts(folder / "concept.db", ["a eat", "a be full"], CONCEPT_EDGES, INSTANCES), {}),
        (
            lambda folder: write_concepts(folder / "concept.db", ["a eat", "a be full"], CONCEPT_EDGES, INSTANCES),
            {"kg": "KG.db"},
        ),
    ]
}
"""Makers of sound databases by importer, each with options; a relative path among these is in the same folder."""
EVENTUALITIES = [("he get exercise", "s-v-o", 5.0), ("he be tired", "s-be-a", 4.0), ("she be happy", "s-be-a", 9.0)]
EDGES = [(0, 1, {"Result": 0.5, "Contrast": 2.0}), (1, 2, {"Conjunction": 1.0}), (2, 0, {"Reason": 1.5})]
CONCEPT_EDGES = [(0, 1, {"Result": 0.5})]
INSTANCES = [(0, identifier("he be tired"), 0.25)]

HOSTILE_CELLS: tuple[str, ...] = (
    "NULL",
    "x''",
    "x'ff'",
    "x'00'",
    "x'7b7d'",
    "CAST(x'ff' AS TEXT)",
    "CAST(x'610062' AS TEXT)",
    "CAST(x'eda080' AS TEXT)",
    "''",
    "'  '",
    "'nonsense'",
    "'0.5'",
    "'1e999'",
    "1e999",
    "-1e999",
    "1e308",
    "9223372036854775807",
    "'he' || char(31) || 'is' || char(30)",
    "-1",
    "0",
    "replace(hex(zeroblob(5000)), '00', 'y')",
    "replace(hex(zeroblob(30000)), '00', '[')",
    "'{}'",
    "'[]'",
    "'null'",
    '\'{"words": "a\\u0000b"}\'',
    '\'{"words": ["\\ud800"]}\'',
    "'{\"words\": {}}'",
    '\'{"words": [[1]], "pos_tags": 3, "_dependencies": [[1]]}\'',
)
"""Expressions of SQL, one of which takes the place of a cell."""


def test_every_importer_of_databases_has_one_to_damage() -> None:
    assert {importer.name for importer in OF_DATABASES} == set(DATABASES)


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in DATABASES for number in range(len(DATABASES[name]))]
)
def test_damaged_cells(name: str, number: int, tmp_path: Path) -> None:
    """One cell of a database at a time: its row is rejected, or can be stored."""
    make, given_options = DATABASES[name][number]
    options = {
        option: str(tmp_path / str(value)) if value == "KG.db" else value for option, value in given_options.items()
    }
    if "kg" in options:
        write_aser(tmp_path / "KG.db", EVENTUALITIES, EDGES)
    whole = make(tmp_path)
    with closing(sqlite3.connect(whole)) as db:
        tables = {
            table: [row[0] for row in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        }
        rows = {table: db.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] for table in tables}
        # Without its affinity, a column keeps what it is given.
        db.execute("PRAGMA writable_schema = 1")
        db.execute("UPDATE sqlite_master SET sql = replace(replace(sql, ' REAL', ''), ' TEXT', '')")
        db.commit()
    chance = random.Random(SEED)
    kinds: Counter[str] = Counter()
    path = tmp_path / "damaged.db"
    for _ in range(CELLS):
        shutil.copy(whole, path)
        table = chance.choice(list(tables))
        place = f"{table} SET {chance.choice(tables[table])} = {chance.choice(HOSTILE_CELLS)}"
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute(f"UPDATE {place} WHERE rowid = ?", (chance.randint(1, rows[table]),))
            db.commit()
        for record in importers.get(name).records(path, **options):
            sound(record)
            kinds[type(record).__name__] += 1
            if isinstance(record, Rejection):
                assert record.file.startswith("damaged.db:")
                assert record.file.partition(":")[2] in tables
    assert kinds["Rejection"] > 20
    assert kinds["Triple"] > CELLS / 3


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
        found.extend(each_line(importer.records(path)))
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

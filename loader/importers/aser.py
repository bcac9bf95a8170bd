"""ASER: eventualities (activities, states and events) and the discourse relations between them, from large corpora."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harmgraph.graph.common.errors import BadName, UnreadableFile
from harmgraph.graph.common.options import Option
from harmgraph.graph.common.spill import PARTS, Spill
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.corrections.triples import Triples
from harmgraph.loader.formats.event_triples import AS_WRITTEN, LONGEST
from harmgraph.loader.formats.events import align_eventualities, exchanged, lemmas, words
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sqlite_file import columns, opened
from harmgraph.loader.formats.terms import ENGLISH, event

SENSES = (
    "Precedence",
    "Succession",
    "Synchronous",
    "Reason",
    "Result",
    "Condition",
    "Contrast",
    "Concession",
    "Conjunction",
    "Instantiation",
    "Restatement",
    "ChosenAlternative",
    "Alternative",
    "Exception",
    "Co_Occurrence",
)
CORE_FREQUENCY = 2.0
"""Eventualities that occur at least twice are ASER's core (Zhang et al. 2021)."""
Edge = tuple[Concept, str, Concept, float, str, int]
"""Head, sense, tail, weight, id of the relation, number of the row in ``Relations``."""
Weighed = tuple[int, str, float]
"""A digest by which edges are divided, the aligned edge as a text, its weight."""
ENDS = {"2": ("hid", "tid"), "1": ("event1_id", "event2_id")}
INSTANCE = "InstanceOf"
"""The relation of an eventuality to its concept, for which ASER has a table without a name."""
TELL_EVERY = 20_000
WAITING = 1_000  # edges of a part that wait in memory
SUMMED_AT_ONCE = 20_000  # edges
WAITING_AGAIN = 100  # edges of a part of a part
SHOWN = 200
WHICH = "name KG.db of ASER 1.0 or 2.x, or its concept.db"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What of a database is read.

    Attributes:
        frequency: least frequency of an eventuality.
        weight: least weight of a relation; zeros are never read.
    """

    senses: tuple[str, ...]
    frequency: float
    weight: float
    lemmatise: bool
    verify: bool
    longest: int
    aligned: bool
    kg: str


class Aser(Importer):
    """``KG.db`` of ASER 2.x or 1.0, told by its columns, and ``concept.db``. A row of ``Relations`` has several senses.

    Aligned, people are PersonX and PersonY (Fang et al. 2021, section 4.4): edges that become equal are one edge, with the sum of
    their weights, and every edge with a person is there a second time with PersonX and PersonY exchanged.
    """

    name = "aser"
    about = About(
        title="ASER",
        home="https://hkust-knowcomp.github.io/ASER/",
        licence="MIT",
        citation="Zhang et al. 2020, 2021, ASER: A Large-scale Eventuality Knowledge Graph",
        version="2.1",
    )
    gives = "triples"
    divisible = False
    reads = "database"
    properties = ("weight",)
    options = (
        AS_WRITTEN,
        LONGEST,
        Option("senses", "", "relations to read, separated by commas; all by default: " + ", ".join(SENSES)),
        Option("min_frequency", 0.0, "least frequency of an eventuality"),
        Option("min_weight", 0.0, "least weight of a relation; weights of 0 are never read"),
        Option("core", False, f"ASER's core: the same as --min-frequency {CORE_FREQUENCY:g}"),
        Option("lemmatise", False, "take lemmas: ASER 2.1 has the words as they occur, 2.0 has lemmas"),
        Option("verify", False, "check the ids, which are digests of the content (2.x)"),
        Option("kg", "", "with concept.db: the KG.db that has the words of the concepts' instances"),
    )
    corrections = Triples()
    example = "KG.db"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; ASER has rows, which ``read`` reads."""
        raise UnreadableFile(lines.path, "is not an SQLite database", remedy=WHICH)

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """The triples of a database, in the order of its rows, or, aligned, once all rows are read.

        Raises:
            UnreadableFile: it is not a database of ASER, or is truncated, damaged or locked.
            BadName: a sense is not one of ASER's.
        """
        chosen = _chosen(options)
        with opened(lines.path) as connection:
            tables = columns(connection)
            if "Concepts" in tables and "Eventualities" not in tables:
                yield from _read_concepts(connection, lines, tables, chosen)
                return
            version = _version(lines, tables)
            if chosen.verify and version == "2":
                yield from _verified(connection, lines)
            edges = _edges(connection, lines, version, tables["Relations"], chosen)
            yield from _summed(edges, chosen) if chosen.aligned else _triples(edges)


def _chosen(options: Mapping[str, Any]) -> Chosen:
    senses = tuple(sense.strip() for sense in options["senses"].split(",") if sense.strip()) or SENSES
    for sense in senses:
        if sense not in SENSES:
            raise BadName("sense", sense, f"is not one of ASER's: {', '.join(SENSES)}")
    frequency = max(options["min_frequency"], CORE_FREQUENCY if options["core"] else 0.0)
    return Chosen(
        senses,
        frequency,
        options["min_weight"],
        options["lemmatise"],
        options["verify"],
        options[LONGEST.name],
        not options[AS_WRITTEN.name],
        options["kg"],
    )


def _version(lines: Lines, tables: Mapping[str, Sequence[str]]) -> str:
    for table in ("Eventualities", "Relations"):
        if table not in tables:
            raise UnreadableFile(lines.path, f"has no table {table}", remedy=WHICH)
    for version, ends in ENDS.items():
        if set(ends) <= set(tables["Relations"]):
            missing = [name for name in ("words", "frequency") if name not in tables["Eventualities"]]
            if missing:
                raise UnreadableFile(lines.path, f"has no column {missing[0]} in Eventualities", remedy=WHICH)
            return version
    raise UnreadableFile(lines.path, "has neither hid and tid nor event1_id and event2_id in Relations", remedy=WHICH)


def _edges(
    connection: sqlite3.Connection, lines: Lines, version: str, held: Sequence[str], chosen: Chosen
) -> Iterator[Edge | Rejection | Skip]:
    """The edges as the database has them, in the order of the rows."""
    head, tail = ENDS[version]
    senses = [sense for sense in chosen.senses if sense in held]
    if not senses:
        raise UnreadableFile(
            lines.path, f"has none of the relations {', '.join(chosen.senses)}", remedy="choose others with --senses"
        )
    last = connection.execute("SELECT max(rowid) FROM Relations").fetchone()[0] or 0
    # CROSS JOIN keeps this order: relations by their row, and their ends through the index of _id, so memory stays flat.
    query = (
        f"SELECT r.rowid, r._id, h.words, t.words, h.frequency, t.frequency, {', '.join(f'r.{sense}' for sense in senses)} "
        f"FROM Relations r LEFT JOIN Eventualities h ON h._id = r.{head} LEFT JOIN Eventualities t ON t._id = r.{tail} "
        "ORDER BY r.rowid"
    )
    for number, relation_id, head_words, tail_words, head_often, tail_often, *weights in connection.execute(query):
        lines.rows += 1
        if number % TELL_EVERY == 0:
            lines.note_progress(number, last)
        if head_words is None or tail_words is None:
            yield Rejection(
                lines.name, number, "an end of the relation is not in Eventualities", str(relation_id)[:SHOWN]
            )
            continue
        if min(head_often or 0.0, tail_often or 0.0) < chosen.frequency:
            yield Skip(number, f"eventuality of a frequency below {chosen.frequency:g}")
            continue
        given = [(sense, weight) for sense, weight in zip(senses, weights, strict=True) if weight]
        if not given:
            yield Skip(number, "no weight above 0 for these relations")
        for sense, weight in given:
            if weight < chosen.weight:
                yield Skip(number, f"weight below {chosen.weight:g}")
                continue
            try:
                ends = _ends(head_words, tail_words, chosen)
            except BadLine as bad:
                yield Rejection(lines.name, number, bad.reason, f"{head_words} {sense} {tail_words}"[:SHOWN])
            except LeftOut as left:
                yield Skip(number, left.reason)
            else:
                yield ends[0], sense, ends[1], float(weight), relation_id, number


def _ends(head: str, tail: str, chosen: Chosen) -> tuple[Concept, Concept]:
    if chosen.longest and max(head.count(" "), tail.count(" ")) >= chosen.longest:
        raise LeftOut(f"event of more than {chosen.longest} words")
    if chosen.lemmatise and not chosen.aligned:
        head, tail = (" ".join(lemmas(words(text))) for text in (head, tail))
    return event(head, ENGLISH, "head"), event(tail, ENGLISH, "tail")


def _triples(edges: Iterator[Edge | Rejection | Skip]) -> Iterator[Record]:
    """The edges as they are written."""
    for edge in edges:
        if isinstance(edge, tuple):
            head, sense, tail, weight, identifier, number = edge
            yield Triple(head, sense, tail, str(identifier), {"weight": weight}, number)
        else:
            yield edge


def _summed(edges: Iterator[Edge | Rejection | Skip], chosen: Chosen) -> Iterator[Record]:
    """Aligned edges, each once, with the sum of the weights of the edges that became equal to it."""
    last = 0
    counts = [0] * PARTS
    spill: Spill[list[Weighed]] = Spill(list)
    with closing(spill):
        for edge in edges:
            if not isinstance(edge, tuple):
                last = max(last, edge.line)
                yield edge
                continue
            head, sense, tail, weight, _, number = edge
            last = max(last, number)
            try:
                forms = _forms(head.text, tail.text, chosen)
            except LeftOut as left:
                yield Skip(number, left.reason)
                continue
            for head_text, tail_text in forms:
                key = f"{head_text}\x1f{sense}\x1f{tail_text}"
                digest = zlib.crc32(key.encode())
                part = digest % PARTS
                spill.waiting[part].append((digest // PARTS, key, weight))
                counts[part] += 1
                if len(spill.waiting[part]) >= WAITING:
                    spill.write(part)
        for part, count in enumerate(counts):
            for key, total in _sums(spill, part, count):
                head_text, sense, tail_text = key.split("\x1f")
                last += 1
                ends_of_edge = event(head_text, ENGLISH, "head"), event(tail_text, ENGLISH, "tail")
                yield Triple(ends_of_edge[0], sense, ends_of_edge[1], "", {"weight": total}, last)
            spill.drop(part)


def _sums(spill: Spill[list[Weighed]], part: int, count: int) -> Iterator[tuple[str, float]]:
    """The sum of the weights of each edge of a part. A part with many is divided once more, so that memory stays flat."""
    if count <= SUMMED_AT_ONCE:
        yield from _totals(spill.pieces(part))
        return
    finer: Spill[list[Weighed]] = Spill(list)
    with closing(finer):
        for piece in spill.pieces(part):
            for weighed in piece:
                number = weighed[0] % PARTS
                finer.waiting[number].append(weighed)
                if len(finer.waiting[number]) >= WAITING_AGAIN:
                    finer.write(number)
        for number in range(PARTS):
            yield from _totals(finer.pieces(number))
            finer.drop(number)


def _totals(pieces: Iterator[list[Weighed]]) -> Iterator[tuple[str, float]]:
    sums: dict[str, float] = {}
    for piece in pieces:
        for _, key, weight in piece:
            sums[key] = sums.get(key, 0.0) + weight
    yield from sums.items()


def _forms(head: str, tail: str, chosen: Chosen) -> list[tuple[str, str]]:
    """The ends of an edge aligned, and, if they have a person, with PersonX and PersonY exchanged."""
    ends = align_eventualities(words(head), words(tail))
    if chosen.lemmatise:
        ends = lemmas(ends[0]), lemmas(ends[1])
    others = exchanged(ends[0]), exchanged(ends[1])
    return [(" ".join(head), " ".join(tail)) for head, tail in ((ends,) if others == ends else (ends, others))]


def _verified(connection: sqlite3.Connection, lines: Lines) -> Iterator[Record]:
    """Rejections of rows whose id is not the digest of their content."""
    for number, identifier, info in connection.execute("SELECT rowid, _id, info FROM Eventualities ORDER BY rowid"):
        lines.rows += 1
        reason = _wrong_id(identifier, info)
        if reason:
            yield Rejection(lines.name, number, reason, str(identifier)[:SHOWN])
    for number, identifier, head, tail in connection.execute(
        "SELECT rowid, _id, hid, tid FROM Relations ORDER BY rowid"
    ):
        lines.rows += 1
        if hashlib.sha1(f"{head}${tail}".encode()).hexdigest() != identifier:
            yield Rejection(
                lines.name, number, "the id of the relation is not the digest of its ends", str(identifier)[:SHOWN]
            )


def _wrong_id(identifier: str, info: bytes | str) -> str:
    try:
        facts = json.loads(info)
        said, tags = facts["words"], facts["pos_tags"]
        edges = [
            [[governor, said[governor], tags[governor]], label, [dependent, said[dependent], tags[dependent]]]
            for governor, label, dependent in facts["_dependencies"]
        ]
    except (ValueError, TypeError, KeyError, IndexError):
        return "the info of the eventuality cannot be read"
    content = json.dumps([edges, said, tags])
    digest = hashlib.sha1(content.encode()).hexdigest()
    return "" if digest == identifier else "the id of the eventuality is not the digest of its content"


def _read_concepts(
    connection: sqlite3.Connection, lines: Lines, tables: Mapping[str, Sequence[str]], chosen: Chosen
) -> Iterator[Record]:
    """``concept.db``: relations between concepts, such as ``__PERSON__0 eat food``, and which eventualities are their instances.

    Concepts are abstract already, so they are loaded as they are. The words of eventualities are in ``KG.db``.
    """
    senses = [sense for sense in chosen.senses if sense in tables.get("Relations", ())]
    if not senses or not {"hid", "tid"} <= set(tables["Relations"]):
        raise UnreadableFile(
            lines.path, "has no table Relations with hid, tid and ASER's relations", remedy="name concept.db"
        )
    query = (
        f"SELECT r.rowid, r._id, h.info, t.info, {', '.join(f'r.{sense}' for sense in senses)} FROM Relations r "
        "LEFT JOIN Concepts h ON h._id = r.hid LEFT JOIN Concepts t ON t._id = r.tid ORDER BY r.rowid"
    )
    last = 0
    for number, relation_id, head, tail, *weights in connection.execute(query):
        last = number
        lines.rows += 1
        for sense, weight in zip(senses, weights, strict=True):
            if weight and weight >= chosen.weight:
                yield _concept_triple(lines, number, head, sense, tail, weight, str(relation_id))
            elif weight:
                yield Skip(number, f"weight below {chosen.weight:g}")
    if "ConceptInstancePairs" not in tables:
        return
    if not chosen.kg:
        pairs = connection.execute("SELECT count(*) FROM ConceptInstancePairs").fetchone()[0]
        if pairs:
            yield Skip(last + 1, "instance of a concept, whose words are in KG.db (give --kg)", pairs)
        return
    with opened(Path(chosen.kg)):  # says in one line what is wrong with it
        pass
    connection.execute("ATTACH ? AS kg", (f"file:{quote(str(Path(chosen.kg).resolve()))}?mode=ro",))
    query = (
        "SELECT p.rowid, p._id, e.words, c.info, p.score FROM ConceptInstancePairs p "
        "LEFT JOIN kg.Eventualities e ON e._id = p.eid LEFT JOIN Concepts c ON c._id = p.cid ORDER BY p.rowid"
    )
    for number, pair_id, instance, concept, score in connection.execute(query):
        lines.rows += 1
        yield _concept_triple(lines, last + number, instance, INSTANCE, concept, score, str(pair_id))


def _concept_triple(
    lines: Lines, number: int, head: str | bytes | None, name: str, tail: bytes | None, weight: float, identifier: str
) -> Record:
    try:
        texts = head if isinstance(head, str) else _concept_words(head), _concept_words(tail)
        ends = event(texts[0], ENGLISH, "head"), event(texts[1], ENGLISH, "tail")
    except BadLine as bad:
        return Rejection(lines.name, number, bad.reason, identifier[:SHOWN])
    return Triple(ends[0], name, ends[1], identifier, {"weight": float(weight)}, number)


def _concept_words(info: bytes | None) -> str:
    if info is None:
        raise BadLine("an end is not in the tables")
    try:
        said = json.loads(info)["words"]
        return said if isinstance(said, str) else " ".join(said)
    except (ValueError, TypeError, KeyError) as error:
        raise BadLine("the info of the concept cannot be read") from error


IMPORTER = Aser()

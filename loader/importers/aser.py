"""ASER: eventualities (activities, states and events) and the discourse relations between them, from large corpora."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harmgraph.common.errors import BadName, BadRecord, UnreadableFile
from harmgraph.common.options import Option
from harmgraph.common.spill import PARTS, Spill
from harmgraph.graph.records import Concept, Record, Rejection, Skip, Triple
from harmgraph.loader.corrections.triples import Triples
from harmgraph.loader.formats.event_triples import AS_WRITTEN, LONGEST
from harmgraph.loader.formats.events import align_eventualities, exchanged, lemmas, words
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sqlite_file import Cell, columns, name_in, number_in, opened, row_id, shown, text_in
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
EVENTUALITIES, RELATIONS, CONCEPTS, PAIRS = "Eventualities", "Relations", "Concepts", "ConceptInstancePairs"
Edge = tuple[Concept, str, Concept, float, str, int]
"""Head, sense, tail, weight, id of the relation, number of the row in ``Relations``."""
Aligned = tuple[str, str, str]
"""Head, sense, tail."""
Weighed = tuple[int, Aligned, float]
"""A digest by which edges are divided, the edge, its weight."""
END = 3  # cells of an end of a row: its row, words and frequency
ENDS = {"2": ("hid", "tid"), "1": ("event1_id", "event2_id")}
INSTANCE = "InstanceOf"
"""The relation of an eventuality to its concept, for which ASER has a table without a name."""
TELL_EVERY = 20_000
WAITING = 1_000  # edges of a part that wait in memory
SUMMED_AT_ONCE = 20_000  # edges
WAITING_AGAIN = 100  # edges of a part of a part
BAD_INFO = "the info of the eventuality cannot be read"
WHICH = "name KG.db of ASER 1.0 or 2.x, or its concept.db"


@dataclass(frozen=True, slots=True)
class ChosenParts:
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
        kind="events",
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
        Option("min_weight", 0.0, "leave out relations of a lower weight; those of weight 0 are always left out"),
        Option("core", False, f"ASER's core: the same as --min-frequency {CORE_FREQUENCY:g}"),
        Option("lemmatise", False, "take lemmas; ASER 2.0 already has them, 2.1 has the words as they occur"),
        Option("verify", False, "check the ids against the content (2.x)"),
        Option("kg", "", "for concept.db: the KG.db with the words of the concepts' instances"),
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
            if CONCEPTS in tables and EVENTUALITIES not in tables:
                yield from _read_concepts(connection, lines, tables, chosen)
                return
            version = _version(lines, tables)
            if chosen.verify and version == "2":
                yield from _verified(connection, lines, tables)
            edges = _edges(connection, lines, version, tables, chosen)
            yield from _summed(edges, lines.name, chosen) if chosen.aligned else _triples(edges)


def _chosen(options: Mapping[str, Any]) -> ChosenParts:
    senses = tuple(sense.strip() for sense in options["senses"].split(",") if sense.strip()) or SENSES
    for sense in senses:
        if sense not in SENSES:
            raise BadName("sense", sense, f"is not one of ASER's: {', '.join(SENSES)}")
    frequency = max(options["min_frequency"], CORE_FREQUENCY if options["core"] else 0.0)
    return ChosenParts(
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
    for table in (EVENTUALITIES, RELATIONS):
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
    connection: sqlite3.Connection, lines: Lines, version: str, tables: Mapping[str, Sequence[str]], chosen: ChosenParts
) -> Iterator[Edge | Rejection | Skip]:
    """The edges as the database has them, in the order of the rows. A row with a wrong cell is a rejection."""
    head, tail = ENDS[version]
    senses = [sense for sense in chosen.senses if sense in tables[RELATIONS]]
    if not senses:
        raise UnreadableFile(
            lines.path, f"has none of the relations {', '.join(chosen.senses)}", remedy="choose others with --senses"
        )
    row, end_row = row_id(lines.path, tables[RELATIONS]), row_id(lines.path, tables[EVENTUALITIES])
    last = connection.execute(f"SELECT max({row}) FROM Relations").fetchone()[0] or 0
    # CROSS JOIN keeps this order: relations by their row, and their ends through the index of _id, so memory stays flat.
    query = (
        f"SELECT r.{row}, r._id, h.{end_row}, h.words, h.frequency, t.{end_row}, t.words, t.frequency, "
        f"{', '.join(f'r.{sense}' for sense in senses)} "
        f"FROM Relations r LEFT JOIN Eventualities h ON h._id = r.{head} LEFT JOIN Eventualities t ON t._id = r.{tail} "
        f"ORDER BY r.{row}"
    )
    for number, identifier, *cells in connection.execute(query):
        lines.rows += 1
        if number % TELL_EVERY == 0:
            lines.note_progress(number, last)
        try:
            name = name_in(identifier, "_id")
            ends, weights = _read_row(cells, senses, chosen)
        except BadRecord as bad:
            yield rejected(f"{lines.name}:{RELATIONS}", number, bad, shown(identifier))
            continue
        except LeftOut as left:
            yield Skip(number, left.reason)
            continue
        for sense, weight in weights:
            if weight < chosen.weight:
                yield Skip(number, f"weight below {chosen.weight:g}")
            elif ends is None:
                yield Skip(number, f"event of more than {chosen.longest} words")
            else:
                yield ends[0], sense, ends[1], weight, name, number


def _read_row(
    cells: Sequence[Cell], senses: Sequence[str], chosen: ChosenParts
) -> tuple[tuple[Concept, Concept] | None, list[tuple[str, float]]]:
    """The ends of a row of ``Relations``, None if one is too long, and its weights that are not 0.

    Args:
        cells: row, words and frequency of the head, the same of the tail, then a weight for each sense.

    Raises:
        BadRecord: a cell is wrong.
        LeftOut: an end is too rare, or no weight is above 0.
    """
    texts: list[str] = []
    often: list[float] = []
    for role, start in (("head", 0), ("tail", END)):
        row, said, frequency = cells[start : start + END]
        if row is None:
            raise BadLine("an end of the relation is not in Eventualities")
        # Where a cell stands is put into words only if it is wrong: most are not.
        if type(said) is not str or type(frequency) is not float or not isfinite(frequency):
            where = f"of its {role} ({EVENTUALITIES}:{shown(row)})"
            said = text_in(said, f"cell words {where}")
            frequency = number_in(frequency, f"frequency {where}")
        texts.append(said)
        often.append(frequency)
    weights = cells[2 * END :]
    given = [
        (sense, number_in(weight, f"weight of {sense}"))
        for sense, weight in zip(senses, weights, strict=True)
        if weight != 0
    ]
    if min(often) < chosen.frequency:
        raise LeftOut(f"eventuality of a frequency below {chosen.frequency:g}")
    if not given:
        raise LeftOut("no weight above 0 for these relations")
    if chosen.longest and max(text.count(" ") for text in texts) >= chosen.longest:
        return None, given
    if chosen.lemmatise and not chosen.aligned:
        texts = [" ".join(lemmas(words(text))) for text in texts]
    return (event(texts[0], ENGLISH, "head"), event(texts[1], ENGLISH, "tail")), given


def _triples(edges: Iterator[Edge | Rejection | Skip]) -> Iterator[Record]:
    """The edges as they are written."""
    for edge in edges:
        if isinstance(edge, tuple):
            head, sense, tail, weight, name, number = edge
            yield Triple(head, sense, tail, name, {"weight": weight}, number)
        else:
            yield edge


def _summed(edges: Iterator[Edge | Rejection | Skip], file: str, chosen: ChosenParts) -> Iterator[Record]:
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
                key = head_text, sense, tail_text
                digest = zlib.crc32("\x1f".join(key).encode())
                part = digest % PARTS
                spill.waiting[part].append((digest // PARTS, key, weight))
                counts[part] += 1
                if len(spill.waiting[part]) >= WAITING:
                    spill.write(part)
        for part, count in enumerate(counts):
            for (head_text, sense, tail_text), total in _sums(spill, part, count):
                last += 1
                ends = event(head_text, ENGLISH, "head"), event(tail_text, ENGLISH, "tail")
                try:
                    triple = Triple(ends[0], sense, ends[1], "", {"weight": total}, last)
                except BadRecord as bad:  # the sum of weights is infinite
                    yield rejected(f"{file}:{RELATIONS}", last, bad, f"{head_text} {sense} {tail_text}")
                else:
                    yield triple
            spill.drop(part)


def _sums(spill: Spill[list[Weighed]], part: int, count: int) -> Iterator[tuple[Aligned, float]]:
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


def _totals(pieces: Iterator[list[Weighed]]) -> Iterator[tuple[Aligned, float]]:
    sums: dict[Aligned, float] = {}
    for piece in pieces:
        for _, key, weight in piece:
            sums[key] = sums.get(key, 0.0) + weight
    yield from sums.items()


def _forms(head: str, tail: str, chosen: ChosenParts) -> list[tuple[str, str]]:
    """The ends of an edge aligned, and, if they have a person, with PersonX and PersonY exchanged."""
    ends = align_eventualities(words(head), words(tail))
    if chosen.lemmatise:
        ends = lemmas(ends[0]), lemmas(ends[1])
    others = exchanged(ends[0]), exchanged(ends[1])
    return [(" ".join(head), " ".join(tail)) for head, tail in ((ends,) if others == ends else (ends, others))]


def _verified(connection: sqlite3.Connection, lines: Lines, tables: Mapping[str, Sequence[str]]) -> Iterator[Record]:
    """Rejections of rows whose id is not the digest of their content."""
    row = row_id(lines.path, tables[EVENTUALITIES])
    for number, identifier, info in connection.execute(f"SELECT {row}, _id, info FROM Eventualities ORDER BY {row}"):
        lines.rows += 1
        try:
            digest = _digest_of(info)
            if digest != identifier:
                raise BadLine("the id of the eventuality is not the digest of its content")
        except BadRecord as bad:
            yield rejected(f"{lines.name}:{EVENTUALITIES}", number, bad, shown(identifier))
    row = row_id(lines.path, tables[RELATIONS])
    for number, identifier, head, tail in connection.execute(
        f"SELECT {row}, _id, hid, tid FROM Relations ORDER BY {row}"
    ):
        lines.rows += 1
        if hashlib.sha1(f"{head}${tail}".encode()).hexdigest() != identifier:
            wrong = BadLine("the id of the relation is not the digest of its ends")
            yield rejected(f"{lines.name}:{RELATIONS}", number, wrong, shown(identifier))


def _digest_of(info: Cell) -> str:
    """The id of an eventuality, from its content."""
    try:
        facts = json_value(_json_in(info, "info of the eventuality"), BAD_INFO)
        said, tags = facts["words"], facts["pos_tags"]
        edges = [
            [[governor, said[governor], tags[governor]], label, [dependent, said[dependent], tags[dependent]]]
            for governor, label, dependent in facts["_dependencies"]
        ]
        content = json.dumps([edges, said, tags])
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise BadLine(BAD_INFO) from error
    return hashlib.sha1(content.encode()).hexdigest()


def _json_in(cell: Cell, what: str) -> str | bytes:
    """The JSON in a cell, which is a blob in ASER's own files."""
    return cell if isinstance(cell, bytes) else text_in(cell, what)


def _read_concepts(
    connection: sqlite3.Connection, lines: Lines, tables: Mapping[str, Sequence[str]], chosen: ChosenParts
) -> Iterator[Record]:
    """``concept.db``: relations between concepts, such as ``__PERSON__0 eat food``, and which eventualities are their instances.

    Concepts are abstract already, so they are loaded as they are. The words of eventualities are in ``KG.db``.
    """
    senses = [sense for sense in chosen.senses if sense in tables.get(RELATIONS, ())]
    if not senses or not {"hid", "tid"} <= set(tables[RELATIONS]):
        raise UnreadableFile(
            lines.path, "has no table Relations with hid, tid and ASER's relations", remedy="name concept.db"
        )
    row = row_id(lines.path, tables[RELATIONS])
    query = (
        f"SELECT r.{row}, r._id, h.info, t.info, {', '.join(f'r.{sense}' for sense in senses)} FROM Relations r "
        f"LEFT JOIN Concepts h ON h._id = r.hid LEFT JOIN Concepts t ON t._id = r.tid ORDER BY r.{row}"
    )
    last = 0
    for number, identifier, head, tail, *weights in connection.execute(query):
        last = number
        lines.rows += 1
        try:
            name = name_in(identifier, "_id")
            given = [
                (sense, number_in(weight, f"weight of {sense}")) for sense, weight in zip(senses, weights, strict=True)
            ]
            ends = (
                event(_concept_words(head, "head"), ENGLISH, "head"),
                event(_concept_words(tail, "tail"), ENGLISH, "tail"),
            )
        except BadRecord as bad:
            yield rejected(f"{lines.name}:{RELATIONS}", number, bad, shown(identifier))
            continue
        for sense, weight in given:
            if weight and weight >= chosen.weight:
                yield Triple(ends[0], sense, ends[1], name, {"weight": weight}, number)
            elif weight:
                yield Skip(number, f"weight below {chosen.weight:g}")
    if PAIRS in tables:
        yield from _read_instances(connection, lines, row_id(lines.path, tables[PAIRS]), last, chosen.kg)


def _read_instances(connection: sqlite3.Connection, lines: Lines, row: str, last: int, kg: str) -> Iterator[Record]:
    """Which eventualities are instances of a concept; ``last`` is the number of the row before them."""
    if not kg:
        pairs = connection.execute("SELECT count(*) FROM ConceptInstancePairs").fetchone()[0]
        if pairs:
            yield Skip(last + 1, "instance of a concept, whose words are in KG.db (give --kg)", pairs)
        return
    with opened(Path(kg)):  # says in one line what is wrong with it
        pass
    connection.execute("ATTACH ? AS kg", (f"file:{quote(str(Path(kg).resolve()))}?mode=ro",))
    query = (
        f"SELECT p.{row}, p._id, e._id, e.words, c.info, p.score FROM ConceptInstancePairs p "
        f"LEFT JOIN kg.Eventualities e ON e._id = p.eid LEFT JOIN Concepts c ON c._id = p.cid ORDER BY p.{row}"
    )
    for number, identifier, found, said, concept, score in connection.execute(query):
        lines.rows += 1
        try:
            if found is None:
                raise BadLine("an end is not in the tables")
            ends = (
                event(text_in(said, "words of the instance"), ENGLISH, "head"),
                event(_concept_words(concept, "concept"), ENGLISH, "tail"),
            )
            weight = number_in(score, "score")
            triple = Triple(ends[0], INSTANCE, ends[1], name_in(identifier, "_id"), {"weight": weight}, last + number)
        except BadRecord as bad:
            yield rejected(f"{lines.name}:{PAIRS}", number, bad, shown(identifier))
        else:
            yield triple


def _concept_words(info: Cell, role: str) -> str:
    if info is None:
        raise BadLine("an end is not in the tables")
    facts = json_value(_json_in(info, f"info of the {role}"), f"the info of the {role} is not JSON")
    said = facts.get("words") if isinstance(facts, dict) else None
    words_of_it = [said] if isinstance(said, str) else said
    if not isinstance(words_of_it, list) or not all(isinstance(word, str) for word in words_of_it):
        raise BadLine(f"the info of the {role} has no list of words")
    return " ".join(words_of_it)


IMPORTER = Aser()

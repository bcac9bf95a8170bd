"""Reads the files of a plan on the workers of an engine: the same batches as ``process.reading``, in another order.

Each task reads a piece of a file with the importer and sends what it reads to where equal records meet; there the last of them is
kept, as ``Duplicates`` and the database do on one machine. What may differ between two runs is the order of the batches alone.
"""

from __future__ import annotations

import hashlib
import marshal
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from harmgraph.common.engines.engine import PLACE, Cluster, Keyed
from harmgraph.common.errors import EngineError, InputError
from harmgraph.common.progress import progress
from harmgraph.common.spill import Spill
from harmgraph.common.version import VERSION
from harmgraph.graph.records import (
    Concept,
    Entity,
    Implication,
    Rejection,
    RelationLabel,
    Skip,
    Statement,
    Target,
    Triple,
)
from harmgraph.graph.writing.batches import BATCH, NO_FILE, Batch, Batches, entity_row
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.division import Piece, check_same, divided, portions, telling_of_a_worker
from harmgraph.loader.reading.plan import Plan, check
from harmgraph.loader.reading.process import ReadResult, values_of
from harmgraph.loader.reading.records import Tally, check_expected, identity, line_id, read_records, rejects_of
from harmgraph.loader.reading.rejects import EARLY, Rejects

LINE_BITS, RECORD_BITS = 33, 20  # of the order of a record: file, line, record of the line
MOST_FILES = 1 << (63 - LINE_BITS - RECORD_BITS)
RECENT = 50_000  # mentions that are not sent again
TRIPLE, STATEMENT, ENTITY, RELATION = b"T", b"S", b"E", b"R"
MENTIONED = b""  # the content of a row that says that an entity or a relation occurs in a triple

Ends = tuple[str, str, bool] | tuple[str]


@dataclass(frozen=True, slots=True)
class Read:
    """What a task says of its piece.

    Attributes:
        rejections: file, line, reason and text of each.
        matched: lines of the file of excluded statements that left something out.
        version: of harmgraph on the worker.
    """

    read: int
    records: int
    names: int
    skipped: dict[str, int]
    relations: dict[str, str]
    rejections: list[tuple[str, int, str, str]]
    matched: frozenset[int] = frozenset()
    version: str = VERSION


@dataclass(slots=True)
class _Sums:
    duplicates: int = 0
    names_kept: Counter[int] = field(default_factory=Counter)


def check_dividable(plan: Plan) -> None:
    """Checks that the files of a plan can be read by several workers.

    Raises:
        InputError: they cannot; the message says why.
    """
    why = ""
    if plan.importer.gives == "targets":
        why = "a list of targets is read on one machine"
    elif plan.importer.reads == "database":
        why = "a database is read by one process"
    elif plan.limit:
        why = "--limit stops at a line, and several workers read at the same time"
    elif len(plan.files) >= MOST_FILES:
        why = f"{len(plan.files):,} files are too many for several workers"
    if why:
        raise InputError(why, where=plan.source, remedy="load it without --engine")


@contextmanager
def reading_on(cluster: Cluster, plan: Plan) -> Iterator[Iterator[Batch | ReadResult]]:
    """The same as ``process.reading``, by the workers of a cluster. Nothing is yielded before every line was read.

    Raises:
        UnreadableFile, TooManyRejects: as ``process.reading``.
        InputError: the files cannot be divided, or the workers do not see them.
        EngineError: the cluster failed.
    """
    check(plan)
    check_dividable(plan)
    with ExitStack() as stack:
        yield _batches(cluster, plan, stack)


def _batches(cluster: Cluster, plan: Plan, stack: ExitStack) -> Iterator[Batch | ReadResult]:
    _read_beginning(plan)
    progress("dividing the files", 0)
    sent = plan.located()  # workers run in folders of their own
    pieces = divided(sent, cluster)
    notes, contents = cluster.reduced(partial(rows_of, sent), partial(batches_of, sent), pieces, portions(pieces))
    tally = Tally()
    with rejects_of(plan) as rejects:
        _note(pieces, notes, tally, rejects)
    check_expected(plan, tally)
    first_names: dict[str, str] = {}
    for relation, kind in tally.relations.items():
        first_names.setdefault(kind, relation)
    sums = _Sums()
    # Names are written after everything that they may name; until then they wait on disk, as on one machine.
    waiting: Spill[list[bytes]] = stack.enter_context(closing(Spill(list)))
    for content in contents:
        kind, value = marshal.loads(content)
        if kind == "batch":
            batch = Batch(*value)
            batch.relations.clear()  # this worker's first names, which need not be the first ones of the files
            batch.relations.update(first_names)
            first_names = {}
            yield batch
        elif kind == "names":
            waiting.waiting[0].append(content)
            waiting.write(0)
        else:
            sums.duplicates += value[0]
            sums.names_kept.update(value[1])
    for names in waiting.pieces(0):
        for content in names:
            entities, labels = marshal.loads(content)[1]
            yield Batch(entities=entities, labels=labels)
    kept, types = dict(sums.names_kept), dict(tally.shared_types)
    yield ReadResult(tally, rejects.count, sums.duplicates, kept, types, tuple(rejects.first))


def _read_beginning(plan: Plan) -> None:
    """Reads the first lines here: where most cannot be read, or the header is another, this is known before anything starts.

    Raises:
        UnreadableFile, TooManyRejects: as ``reading_on``.
    """
    tally = Tally()
    with rejects_of(plan) as rejects:
        for _ in read_records(plan, tally, rejects=rejects):
            if tally.read > EARLY:
                break


def _note(pieces: list[Piece], notes: list[Read], tally: Tally, rejects: Rejects) -> None:
    """Adds up what the tasks say, and writes and checks rejected lines as if they had been read in their order."""
    before = {piece.number: 0 for piece in pieces}  # lines read before each file
    for piece, note in zip(pieces, notes, strict=True):
        for number in before:
            if number > piece.number:
                before[number] += note.read
    early = False
    for piece, note in zip(pieces, notes, strict=True):
        if note.version != VERSION:
            raise EngineError(
                f"a worker has harmgraph {note.version}, not {VERSION}", remedy="install the same one on every worker"
            )
        for file, line, reason, text in note.rejections:
            at = before[piece.number] + line
            if not early and at > EARLY:
                early = True
                rejects.check(EARLY)
            rejects.add(Rejection(file, line, reason, text), piece.number)
            rejects.check(at)
        tally.add(
            Tally(
                note.read,
                note.records,
                note.names,
                Counter(note.skipped),
                relations=note.relations,
                matched=set(note.matched),
            )
        )
    if not early and tally.read >= EARLY:
        rejects.check(EARLY)
    rejects.check(tally.read, last=True)


def rows_of(plan: Plan, piece: Piece) -> Generator[Keyed, None, Read]:
    """The records of a piece as rows, by what they must be reduced with; runs on a worker."""
    check_same(piece.path, piece.size)
    importer, options = plan.importer, plan.importer.chosen(plan.options)
    parse = None
    if piece.part and piece.part.line > 1:
        with telling_of_a_worker(piece.path), open_lines(piece.path, importer.longest_line) as start:
            parse = importer.parser(start, options)
    tally = Tally()
    rejections: list[tuple[str, int, str, str]] = []
    mentioned: set[bytes] = set()
    last = nth = 0
    with telling_of_a_worker(piece.path), open_lines(piece.path, importer.longest_line, piece.part) as lines:
        records = importer.rest(lines, parse, options) if parse else importer.read(lines, options)
        for record in plan.remaining(records, piece.path, tally.matched):
            tally.note(record)
            nth = nth + 1 if record.line == last else 0
            if record.line != last:
                last = record.line
                tally.read += 1
            if isinstance(record, Rejection):
                rejections.append((record.file, record.line, record.reason, record.text))
            elif not isinstance(record, Skip):
                order = ((piece.number << LINE_BITS | record.line) << RECORD_BITS) + nth
                yield from _rows(record, order, piece.number, mentioned)
        read = lines.rows or tally.read
    return Read(
        read,
        tally.records,
        tally.names,
        dict(tally.skipped),
        tally.relations,
        rejections,
        frozenset(tally.matched),
    )


def _rows(
    record: Triple | Statement | Target | Entity | RelationLabel, order: int, file: int, mentioned: set[bytes]
) -> Iterator[Keyed]:
    if isinstance(record, Triple):
        for end in (record.head, record.tail):
            if isinstance(end, Entity):
                key = _key(ENTITY, end.key)
                if key not in mentioned:
                    yield key, 0, MENTIONED
                    _remember(mentioned, key)
                if end.name:
                    yield key, order, marshal.dumps((NO_FILE, end.key, end.name, {}))
        relation = _key(RELATION, record.type)
        if relation not in mentioned:
            yield relation, 0, MENTIONED
            _remember(mentioned, relation)
        ends = _end(record.head), _end(record.tail)
        content = (*ends, record.relation, record.assertion, dict(record.properties), record.line, file)
        yield _key(TRIPLE, record.head.key, identity(record)), order, marshal.dumps(content)
    elif isinstance(record, Statement):
        implies = None if record.implies is None else [_implied(made) for made in record.implies]
        sentence = (record.text, record.term, dict(record.properties), record.line, implies, record.place, file)
        yield _key(STATEMENT, identity(record)), order, marshal.dumps(sentence)
    elif isinstance(record, Entity):
        yield _key(ENTITY, record.key), order, marshal.dumps((file, record.key, record.name, dict(record.properties)))
    elif isinstance(record, RelationLabel):
        yield _key(RELATION, record.type), order, marshal.dumps((file, record.type, record.label))


def _remember(mentioned: set[bytes], key: bytes) -> None:
    if len(mentioned) >= RECENT:
        mentioned.clear()
    mentioned.add(key)


def _key(kind: bytes, place: str, rest: str = "") -> bytes:
    """A key of fixed length: digests, which meet by chance once in 2**128 pairs. Triples of a head come to the same place."""
    digest = hashlib.blake2b(place.encode(), digest_size=PLACE - len(kind)).digest()
    whole = hashlib.blake2b(f"{place}\x1f{rest}".encode(), digest_size=16).digest()
    return kind + digest + whole


def _end(end: Concept | Entity) -> Ends:
    return (end.text, end.language, end.event) if isinstance(end, Concept) else (end.key,)


def _implied(made: Implication) -> tuple[str, str, str, str]:
    return made.group, made.category, made.text, made.annotator


def batches_of(plan: Plan, rows: Iterable[Keyed]) -> Iterator[bytes]:
    """What is to be written of the rows that met, as packed values; runs on a worker."""
    sums = _Sums()
    names = Batch()
    undescribed = dict.fromkeys(plan.described)
    with closing(Batches(plan.source, plan.carried, plan.described)) as gathered:
        for key, group in groupby(rows, key=itemgetter(0)):
            kind = key[:1]
            contents = (content for _, _, content in group)
            if kind in (TRIPLE, STATEMENT):
                for record, assertion in _kept(plan, kind, contents, sums):
                    batch = gathered.add(record, assertion)
                    if batch:
                        yield _packed(batch)
            elif next(contents) == MENTIONED:  # mentions come first; what has none is in no triple
                _add_names(names, kind, contents, undescribed, sums)
                if len(names.entities) >= BATCH:
                    yield _packed_names(names)
                    names = Batch()
        rest = gathered.rest()
    if rest:
        yield _packed(rest)
    if names.entities or names.labels:
        yield _packed_names(names)
    yield marshal.dumps(("sums", (sums.duplicates, dict(sums.names_kept))))


def _add_names(
    names: Batch, kind: bytes, contents: Iterator[bytes], undescribed: Mapping[str, None], sums: _Sums
) -> None:
    """Adds the names and descriptions of an entity or a relation that is mentioned."""
    for content in contents:
        if content == MENTIONED:
            continue
        file, *facts = marshal.loads(content)
        if file != NO_FILE:
            sums.names_kept[file] += 1
        if kind == RELATION:
            names.labels[facts[0]] = facts[1]
            continue
        row = entity_row(Entity(*facts), undescribed)
        if row:
            names.entities.append(row)


def _packed_names(names: Batch) -> bytes:
    return marshal.dumps(("names", (names.entities, names.labels)))


def _packed(batch: Batch) -> bytes:
    return marshal.dumps(("batch", values_of(batch)))


def _kept(plan: Plan, kind: bytes, contents: Iterator[bytes], sums: _Sums) -> Iterator[tuple[Triple | Statement, str]]:
    """Of equal records the last one, or each where lines are kept apart or where each post implies something."""
    sums.duplicates -= 1
    last: tuple[Triple | Statement, str] | None = None
    for content in contents:
        sums.duplicates += 1
        record, file = _triple(marshal.loads(content)) if kind == TRIPLE else _statement(marshal.loads(content))
        if plan.apart:
            yield record, line_id(file, record.line)
        elif isinstance(record, Statement) and record.implies is not None:
            yield record, ""
        else:
            last = record, ""
    if last:
        yield last


def _triple(values: Any) -> tuple[Triple, int]:
    head, tail, relation, assertion, properties, line, file = values
    ends = (Entity(*end) if len(end) == 1 else Concept(*end) for end in (head, tail))
    head_end, tail_end = ends
    return Triple(head_end, relation, tail_end, assertion, properties, line), file


def _statement(values: Any) -> tuple[Statement, int]:
    text, term, properties, line, implies, place, file = values
    implied = None if implies is None else tuple(Implication(*made) for made in implies)
    return Statement(text, term, properties, line, implied, place), file

"""Reads the records of a plan's files: counts them, writes rejected lines to a file, and leaves out recent repetitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.progress import progress
from harmgraph.graph.records import (
    Entity,
    Record,
    Rejection,
    RelationLabel,
    Skip,
    Statement,
    Target,
    Triple,
    same_relation,
)
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.duplicates import Duplicates
from harmgraph.loader.reading.plan import Plan, check
from harmgraph.loader.reading.rejects import EARLY, Rejects

TELL_EVERY = 2_000  # records, and lines that are left out, between two progress updates


@dataclass(slots=True)
class Tally:
    """Counts of lines read so far (of a database: rows), of their records, names of entities and relations, and of skipped
    lines by reason.

    Attributes:
        shared_types: names of relations by type, if different names (not only spellings) give the same type.
        relations: types of relations by name, in the order in which the names occur.
        matched: the lines of the file of excluded statements that left something out.
    """

    read: int = 0
    records: int = 0
    names: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    shared_types: dict[str, list[str]] = field(default_factory=dict, compare=False)
    relations: dict[str, str] = field(default_factory=dict, compare=False)
    matched: set[int] = field(default_factory=set)
    _first_names: dict[str, str] = field(default_factory=dict, compare=False)  # name of a relation by its type

    def note(self, record: Record) -> None:
        """Counts a record."""
        if type(record) is Triple:  # most are; asked first, because each question takes a part of the reading
            self.records += 1
            if record.relation not in self.relations:
                self._note_relation(record.relation, record.type)
        elif isinstance(record, Skip):
            self.skipped[record.reason] += record.count
            self.read += record.lines - 1  # whoever counts the lines counts one
        elif isinstance(record, Entity | RelationLabel):
            self.names += 1
        elif not isinstance(record, Rejection):
            self.records += 1

    def add(self, later: Tally) -> None:
        """Adds what was read after this."""
        self.read += later.read
        self.records += later.records
        self.names += later.names
        self.skipped += later.skipped
        self.matched |= later.matched
        for relation, kind in later.relations.items():
            if relation not in self.relations:
                self._note_relation(relation, kind)

    def _note_relation(self, relation: str, kind: str) -> None:
        self.relations[relation] = kind
        first = self._first_names.setdefault(kind, relation)
        if not same_relation(first, relation):
            self.shared_types.setdefault(kind, [first]).append(relation)


def read_records(plan: Plan, tally: Tally, *, rejects: Rejects) -> Iterator[tuple[int, Record]]:
    """The records of all files up to ``limit``, with the number of their file, from 0; writes rejections to their file.

    The line that reaches the limit is read completely, because it can have several records: the triples of an entity and
    then its name. Files of names are always read completely.

    Raises:
        UnreadableFile: a file cannot be opened, or is truncated.
        TooManyRejects: more rejected lines than allowed.
    """
    told = 0
    options = plan.importer.chosen(plan.options)
    for number, path in enumerate(plan.files):
        last, before = 0, tally.read
        with open_lines(path, plan.importer.longest_line) as lines:
            limit = 0 if plan.limit and plan.importer.only_names(lines, options) else plan.limit
            if limit and tally.records >= limit:
                continue
            for record in plan.remaining(plan.importer.read(lines, options), path, tally.matched):
                if limit and tally.records >= limit and record.line != last:
                    break
                told += record.lines if type(record) is Skip else 1
                if told >= TELL_EVERY:
                    told = 0
                    progress(f"reading {lines.name}", lines.position, lines.size)
                done = tally.read
                if record.line != last:  # a line can have several records
                    last = record.line
                    tally.read += not lines.rows
                if lines.rows:
                    tally.read = before + lines.rows
                tally.note(record)
                if type(record) is Rejection:
                    rejects.add(record, number)
                if rejects.count:
                    if type(record) is Skip and done < EARLY < tally.read:  # in the middle of lines that are left out
                        rejects.check(EARLY)
                    rejects.check(tally.read)
                yield number, record
            if lines.rows:
                tally.read = before + lines.rows
            progress(f"reading {lines.name}", lines.size, lines.size)


def rejects_of(plan: Plan) -> Rejects:
    """The file of rejected lines of a plan.

    Raises:
        BadName: as ``check``.
    """
    check(plan)
    advice = partial(plan.importer.advice, options=plan.importer.chosen(plan.options))
    return Rejects(plan.rejects_path, plan.max_rejects, plan.source, advice)


def kept_records(
    plan: Plan, tally: Tally, *, rejects: Rejects, duplicates: Duplicates
) -> Iterator[tuple[Triple | Statement | Target | Entity | RelationLabel, str, int]]:
    """The records to write, each with a substitute for a missing id (its line number, or empty) and the number of its file.

    Unless equal lines are kept apart, records that repeat a recent one are left out. At the end it checks that not too many lines
    were rejected and that there are enough records.

    Raises:
        UnreadableFile, TooManyRejects: the files cannot be read, have too few records or too many rejected lines.
    """
    yield from without_repetitions(plan, read_records(plan, tally, rejects=rejects), duplicates)
    rejects.check(tally.read, last=True)
    check_expected(plan, tally)


def without_repetitions(
    plan: Plan, numbered: Iterable[tuple[int, Record]], duplicates: Duplicates
) -> Iterator[tuple[Triple | Statement | Target | Entity | RelationLabel, str, int]]:
    """What ``kept_records`` yields, of records with the number of their file."""
    for number, record in numbered:
        if type(record) is not Triple:
            if isinstance(record, Rejection | Skip):
                continue
            if isinstance(record, Entity | RelationLabel):
                yield record, "", number
                continue
        repeated = duplicates.seen(identity(record), _content(record))
        if plan.apart:
            yield record, line_id(number, record.line), number
        elif not repeated:
            yield record, "", number


def line_id(file: int, line: int) -> str:
    """What keeps equal lines apart: the number of the line, with that of its file from the second on."""
    return f"{file}:{line}" if file else str(line)


def identity(record: Triple | Statement | Target) -> str:
    """What records have in common of which the last one is written."""
    if isinstance(record, Triple):
        return "\x1f".join((record.head.key, record.type, record.tail.key, record.assertion))
    if isinstance(record, Statement):
        return "\x1f".join((record.term, record.text))
    return record.name


def _content(record: Triple | Statement | Target) -> str:
    """The content of a record apart from its identity; the spelling of head and tail does not matter."""
    if isinstance(record, Target):
        return "\x1f".join((record.category, *record.names))
    implied = str(record.implies) if isinstance(record, Statement) and record.implies else ""
    return str(dict(record.properties)) + implied if record.properties else implied


def check_expected(plan: Plan, tally: Tally) -> None:
    """Checks that there are enough records.

    Raises:
        UnreadableFile: there are not.
    """
    if tally.records < plan.expect:
        raise UnreadableFile(
            plan.paths[-1],
            f"{tally.records:,} records where at least {plan.expect:,} are expected",
            line=tally.read,
            remedy="the file may be truncated: fetch it again, or lower --expect",
        )

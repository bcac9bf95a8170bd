"""Looks at the beginning of a file: what it is, and which importers could read it.

Each importer is tried on the sample with the options that it guesses. Of those that can read it, the least general comes first,
then the one that refuses most examples of the others: such a format is seldom met by chance. A name in the path counts for it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from harmgraph.common.errors import HarmgraphError, InputError, MissingExtra, UnreadableFile
from harmgraph.common.output import show, show_one
from harmgraph.graph.records import Concept, Entity, Record, Rejection, RelationLabel, Skip, Statement, Target, Triple
from harmgraph.loader.formats.columnar import columnar_form
from harmgraph.loader.formats.data_set import as_written, is_data_set
from harmgraph.loader.formats.evaluation_logs import ZIP
from harmgraph.loader.formats.importer import Importer, importers
from harmgraph.loader.formats.lines import open_lines, opened
from harmgraph.loader.formats.sample import DELIMITERS, FileSample, sample_of, sample_of_bytes

READS = 0.8  # share of the lines of a sample that an importer must read
MOST = 2_000  # records that are read of a sample
SHOWN = 5
LONGEST = 300  # characters of a sentence that is shown
FOLDERS = 2  # above the file whose names count
NAMED = 3.0  # examples of others; what a name in the path is worth
GENERAL = 100.0
SQLITE = b"SQLite format 3"
_LETTERS = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An importer that could read a file.

    Attributes:
        options: those that differ from its defaults.
        share: of the sample's lines that it reads, and that look like its format.
        rank: how sure it is, for the order.
        records: the first that it makes.
    """

    importer: Importer
    options: Mapping[str, Any]
    share: float
    rank: float
    records: tuple[Record, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """Its options on the command line."""
        given: list[str] = []
        for option in self.importer.options:
            value = self.options.get(option.name)
            if value is True:
                given.append(f"--{option.word}")
            elif value is not None and value is not False:
                given += [f"--{option.word}", str(value)]
        return given


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What a look at a file found.

    Attributes:
        facts: what the file is, by the names of the facts.
        candidates: importers that could read it, the likeliest first.
    """

    path: Path
    facts: Mapping[str, str]
    candidates: tuple[Candidate, ...] = field(default=())


def look(path: Path) -> LookedAt:
    """Looks at a file.

    Raises:
        UnreadableFile: it is missing, cannot be read, or is of a format that nothing reads.
        MissingExtra: it is read by a package that is not installed.
    """
    with opened(path) as raw:
        start = raw.read(16)
    columns = columnar_form(start)
    if columns or start.startswith((SQLITE, ZIP)):
        sample = sample_of_bytes(path, b"", size=path.stat().st_size)
        kind = "a zip archive" if start.startswith(ZIP) else "an SQLite database"
        kind = f"{'a' if columns == 'Parquet' else 'an'} {columns} file" if columns else kind
        facts = {"file": str(path), "bytes": f"{sample.size:,}", "content": kind}
    else:
        sample = sample_of(path)
        facts = _facts(sample)
    found = [candidate for importer in importers if (candidate := _tried(importer, sample))]
    found.sort(key=lambda candidate: (-candidate.rank, candidate.importer.name))
    return LookedAt(path, facts, tuple(found))


def proposed(files: Sequence[Path]) -> list[LookedAt]:
    """Looks at files that are to be loaded together.

    Raises:
        UnreadableFile: as ``look``; or no importer reads a file.
        InputError: another importer, or other options, are proposed for one than for the first.
    """
    for path in files:
        if is_data_set(path):
            raise InputError(
                "is not a file",
                where=as_written(path),
                remedy="a data set is read by 'load sentences' and 'load triples'",
            )
    found = [look(path) for path in files]
    for one in found:
        if not one.candidates:
            raise UnreadableFile(
                one.path,
                "is of no format that an importer reads" + (f" ({said})" if (said := _said(one.facts)) else ""),
                remedy="'harmgraph load --list' shows the formats; name the importer if it is one of them",
            )
    best = found[0].candidates[0]
    for one in found[1:]:
        other = one.candidates[0]
        if (other.importer.name, other.arguments) != (best.importer.name, best.arguments):
            raise InputError(
                f"looks like a file for {shlex.join([other.importer.name, *other.arguments])}, and {found[0].path} like one for "
                f"{shlex.join([best.importer.name, *best.arguments])}",
                where=str(one.path),
                remedy="load them one by one, or name the importer",
            )
    return found


def _said(facts: Mapping[str, str]) -> str:
    """What a file is, in a few words."""
    if "delimiter" in facts:
        return f"{facts['delimiter']} separated, columns {facts['columns']}"
    return facts.get("content", "")


def show_look(found: LookedAt, words: Sequence[str], output: str) -> None:
    """Prints what a file is, which importers could read it, the command, and the first records.

    Args:
        words: of the command, after the importer.
    """
    best = found.candidates[0]
    line = shlex.join(["harmgraph", "load", best.importer.name, *words])
    others = [shlex.join([one.importer.name, *one.arguments]) for one in found.candidates[1 : SHOWN + 1]]
    if output != "table":
        show_one({**found.facts, "importer": best.importer.name, "command": line, "others": others}, output)
        return
    show_one(
        {
            **found.facts,
            "looks like": f"{best.importer.name}: {best.importer.about.title}",
            "could be": ", ".join(others) or "nothing else",
        },
        output,
    )
    show([_row(record) for record in best.records], output, title="the first records")
    print(f"\n{line}\n")


def _row(record: Record) -> dict[str, str]:
    """A record for people."""
    if isinstance(record, Triple):
        ends = (end.text if isinstance(end, Concept) else end.name or end.key for end in (record.head, record.tail))
        head, tail = ends
        return {"head": head, "relation": record.relation, "tail": tail}
    if isinstance(record, Statement):
        return {"sentence": record.text[:LONGEST], "about": record.term}
    if isinstance(record, Target):
        return {"target": record.name, "category": record.category, "aliases": ", ".join(record.aliases)}
    if isinstance(record, Entity):
        return {"id": record.key, "name": record.name}
    if isinstance(record, RelationLabel):
        return {"relation": record.relation, "name": record.label}
    return {}


def _facts(sample: FileSample) -> dict[str, str]:
    packed = {"gz": " (gzip)", "bz2": " (bzip2)"}.get(sample.packed, "")
    facts = {"file": str(sample.path), "bytes": f"{sample.size:,}{packed}"}
    facts["encoding"] = f"not all of it is UTF-8: {sample.unreadable}" if sample.unreadable else "UTF-8"
    facts["lines looked at"] = f"{len(sample.texts):,}" + ("" if sample.whole else ", of more")
    first = sample.texts[0].lstrip() if sample.texts else ""
    if first.startswith("{"):
        facts["content"] = "JSON lines"
        return facts
    if not sample.delimiter:
        facts["content"] = "text, no table"
        return facts
    delimiter = DELIMITERS[sample.delimiter]
    rows = sample.rows(delimiter)
    facts["delimiter"] = sample.delimiter
    facts["quotes"] = "yes" if delimiter != "\t" and '"' in "".join(sample.texts) else "no"
    header = all(re.fullmatch(r"[^\W\d][\w /-]{0,40}|", cell.strip()) for cell in rows[0]) and not any(
        set(map(str.strip, rows[0])) & set(map(str.strip, row)) - {""} for row in rows[1:]
    )
    facts["header"] = "yes" if header and len(rows) > 1 else "no"
    names = ", ".join(cell.strip()[:20] for cell in rows[0][:8]) + (" …" if len(rows[0]) > 8 else "")
    facts["columns"] = (
        f"{sample.columns(delimiter)}: {names}" if facts["header"] == "yes" else str(sample.columns(delimiter))
    )
    return facts


def _tried(importer: Importer, sample: FileSample) -> Candidate | None:
    """What an importer makes of a file, with its rank; None if it cannot read it."""
    best = _best(importer, sample)
    if best is None:
        return None
    named = _is_named(importer, sample.path)
    rank = _strictness(importer.name) + NAMED * named + best.share - GENERAL * importer.general
    if not best.records and not named:
        rank -= GENERAL  # it leaves out all that it reads
    return replace(best, rank=rank)


def _best(importer: Importer, sample: FileSample) -> Candidate | None:
    """The best of an importer's guesses; None if it reads too little by each of them, or refuses to look."""
    best: Candidate | None = None
    try:
        resembles = importer.resembles(sample)
        guesses = tuple(importer.guesses(sample)) if resembles >= READS else ()
    except HarmgraphError:
        return None
    for options in guesses:
        share, records = _read(importer, sample, options)
        if share >= READS and (best is None or min(share, resembles) > best.share):
            best = Candidate(importer, options, min(share, resembles), 0.0, records)
    return best


def _read(importer: Importer, sample: FileSample, options: Mapping[str, Any]) -> tuple[float, tuple[Record, ...]]:
    """The share of the lines that it reads, and the first records."""
    rejected: set[int] = set()
    read: set[int] = set()
    shown: list[Record] = []
    try:
        for record in islice(_records(importer, sample, options), MOST):
            if isinstance(record, Rejection):
                rejected.add(record.line)
            elif not isinstance(record, Skip) or record.reason != "empty line":
                of_one = record.lines if isinstance(record, Skip) else 1
                read.update(range(record.line - of_one + 1, record.line + 1))
                if not isinstance(record, Skip) and len(shown) < SHOWN:
                    shown.append(record)
    except MissingExtra:
        raise  # it reads this file, once something is installed
    except HarmgraphError:
        if not (read and not sample.content):
            return 0.0, ()
    lines = read | rejected
    return (len(read - rejected) / len(lines) if lines else 0.0), tuple(shown)


def _records(importer: Importer, sample: FileSample, options: Mapping[str, Any]) -> Iterator[Record]:
    chosen = importer.chosen(options)
    if not sample.content:
        with open_lines(sample.path, importer.longest_line) as lines:
            yield from importer.read(lines, chosen)
    else:
        with sample.lines() as lines:
            yield from importer.read(lines, chosen)


@cache
def _strictness(name: str) -> float:
    """How many of the other importers' examples it refuses."""
    importer = importers.get(name)
    others = [other for other in importers if other.name != name and other.reads == "lines"]
    refused = 0
    for other in others:
        sample = sample_of_bytes(Path("example"), f"{other.example}\n".encode())
        refused += _best(importer, sample) is None
    return float(refused)


def _is_named(importer: Importer, path: Path) -> float:
    """Whether the name of the file or its folder names the importer: more than 0, and more for a longer name."""
    if importer.general:
        return 0.0
    where = _LETTERS.sub("", "".join(path.absolute().parts[-FOLDERS - 1 :]).lower())
    name = _LETTERS.sub("", importer.name)
    return 1.0 + len(name) / 100 if name in where else 0.0

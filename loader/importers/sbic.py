"""The Social Bias Inference Corpus: posts with what annotators say that they imply about whom (Sap et al. 2020)."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadRecord, UnreadableFile
from harmgraph.common.frames import VARIABLES, Variable, binary
from harmgraph.common.spill import PARTS, Spill
from harmgraph.common.user_file import check_once
from harmgraph.graph.records import Implication, Record, Rejection, Scalar, Skip, Statement, check_text, normalise
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.csv_rows import CsvRow, csv_rows
from harmgraph.loader.formats.importer import MAX_REJECTED_TEXT, About, BadLine, Importer, Parser, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SHORT, SPLIT, chosen_split
from harmgraph.loader.formats.terms import number

POST, ORIGIN, WORKER = "post", "dataSource", "WorkerId"
GROUP, CATEGORY, IMPLIED = "targetMinority", "targetCategory", "targetStereotype"
ORIGIN_NAME = "origin"  # the property
ASKED = {variable.column: variable for variable in VARIABLES}
ANNOTATION = (
    *(
        "whoTarget",
        "intentYN",
        "sexYN",
        "sexReason",
        "offensiveYN",
        "annotatorGender",
        "annotatorMinority",
        "sexPhrase",
    ),
    *("speakerMinorityYN", "WorkerId", "HITId", "annotatorPolitics", "annotatorRace", "annotatorAge", "post"),
    *("targetMinority", "targetCategory", "targetStereotype", "dataSource"),
)
"""The columns of a file with a row for each annotation, version 2."""
POSTS = (
    *(
        "",
        "post",
        "targetMinority",
        "targetCategory",
        "targetStereotype",
        "whoTarget",
        "intentYN",
        "sexYN",
        "offensiveYN",
    ),
    *("dataSource", "hasBiasedImplication"),
)
"""The columns of a file with a row for each post; the first has no name."""
NOT_AGGREGATED = "speakerMinorityYN"
NEEDED = (POST, GROUP, CATEGORY, IMPLIED, ORIGIN, *ASKED)
FEWEST_KNOWN = 2  # columns of a header of this corpus, of whatever version
UNKNOWN = "unknown"
EVERY = "all"  # in statistics it means every category
WAITING = 256  # annotations of a part that are kept in memory
GOES_ON = "line of a row of several lines"
_CATEGORY = re.compile(r"\w[\w .&/-]{0,99}")
_SHORT_SPLIT = re.compile(rf"(?<![a-z])({'|'.join(SHORT)})(?![a-z])")

Packed = tuple[int, str, str, str, tuple[float | None, ...], tuple[str, ...], str, str]
"""An annotation as plain values: line, post, origin, worker, answers, groups, category, implied statement."""


@dataclass(slots=True)
class _Annotated:
    """What the annotators of a post said; answers are by worker, in the order of ``VARIABLES``."""

    line: int
    origin: str
    answers: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    implies: dict[Implication, int] = field(default_factory=dict)  # with the line


class SocialBiasInferenceCorpus(Importer):
    """A file with a row for each annotation (``SBIC.v2.trn.csv``), or one with a row for each post, told by their headers.

    Annotations of a post need not be adjacent. They are divided by a hash of the post's text into parts on disk, and each part is
    put together in memory.
    """

    name = "sbic"
    about = About(
        title="Social Bias Inference Corpus",
        home="https://maartensap.com/social-bias-frames/",
        licence="CC-BY-4.0",
        citation="Sap et al. 2020, Social Bias Frames: Reasoning about Social and Power Implications of Language",
        version="2",
        kind="posts",
    )
    gives = "statements"
    divisible = False
    properties = (
        ORIGIN_NAME,
        "split",
        *(name for variable in VARIABLES for name in (variable.name, variable.answers)),
        "annotators",
        "graded",
        "implied",
    )
    options = (SPLIT,)
    corrections = Rows()
    example = "0,women can't drive,[],[],[],0.0,0.33,0.0,0.5,r/darkjokes,1"

    def named(self, path: Path) -> str:
        """See ``Importer.named``: the split."""
        return _split(path, {SPLIT.name: "auto"})

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; here a row can have several lines, and ``read`` reads it."""
        raise UnreadableFile(lines.path, "has rows of several lines", remedy="read it with records()")

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """See ``Importer.read``. A file without a header is told by the number of its columns.

        Raises:
            UnreadableFile: the header is that of another version.
        """
        split = _split(lines.path, options)
        rows = csv_rows(lines)
        first = None
        for row in rows:
            if row.cells is not None or row.problem:
                first = row
                break
            yield from _counted(row, lines)
        if first is None:
            return
        header = _header(first, lines)
        columns = header or (ANNOTATION if len(first.cells or ()) == len(ANNOTATION) else POSTS)
        if header:
            for further in range(first.lines):
                yield Skip(first.line + further, GOES_ON if further else "header")
        else:
            rows = _chained(first, rows)
        if WORKER in columns:
            yield from _annotations(rows, columns, lines, split)
        else:
            yield from _posts(rows, columns, lines, split)


def _chained(first: CsvRow, rows: Iterator[CsvRow]) -> Iterator[CsvRow]:
    yield first
    yield from rows


def _split(path: Path, options: Mapping[str, Any]) -> str:
    chosen = chosen_split(path, options)
    if not chosen and options[SPLIT.name] == "auto":
        match = _SHORT_SPLIT.search(path.name.lower())
        return SHORT[match[1]] if match else ""
    return chosen


def _header(first: CsvRow, lines: Lines) -> Sequence[str] | None:
    """The columns, if the first row names them.

    Raises:
        UnreadableFile: it does, and lacks some, or has one twice.
    """
    cells = first.cells or ()
    if len({*ANNOTATION, *POSTS[1:]} & set(cells)) < FEWEST_KNOWN:
        return None
    lacking = [name for name in NEEDED if name not in cells and (WORKER in cells or name != NOT_AGGREGATED)]
    if lacking:
        raise UnreadableFile(
            lines.path,
            f"has no column {', '.join(lacking)}: it is another version of the corpus",
            line=first.line,
            remedy="load version 2, such as SBIC.v2.trn.csv",
        )
    check_once(lines.path, cells, (*NEEDED, WORKER), first.line)
    return cells


def _cells(row: CsvRow, columns: Sequence[str]) -> dict[str, str]:
    assert row.cells is not None
    if len(row.cells) != len(columns):
        raise BadLine(f"{len(row.cells)} columns where {len(columns)} are expected")
    cells = dict(zip(columns, row.cells, strict=True))
    if not cells[POST].strip():
        raise BadLine("the post is empty")
    return cells


def _counted(row: CsvRow, lines: Lines) -> Iterator[Record]:
    """The records of a line without cells."""
    if row.problem:
        yield Rejection(lines.name, row.line, row.problem, row.text[:MAX_REJECTED_TEXT])
    else:
        yield Skip(row.line, "empty line")


def _posts(rows: Iterable[CsvRow], columns: Sequence[str], lines: Lines, split: str) -> Iterator[Record]:
    """The records of a file with a row for each post."""
    for row in rows:
        if row.cells is None:
            yield from _counted(row, lines)
            continue
        try:
            yield _post(_cells(row, columns), row.line, split)
        except BadRecord as bad:
            yield rejected(lines.name, row.line, bad, row.text)
        for further in range(1, row.lines):
            yield Skip(row.line + further, GOES_ON)


def _post(cells: Mapping[str, str], line: int, split: str) -> Statement:
    groups = tuple(dict.fromkeys(group for cell in _list(cells, GROUP) for group in _groups(cell)))
    categories = tuple(dict.fromkeys(_category(name) for name in _list(cells, CATEGORY)))
    texts = tuple(dict.fromkeys(text for text in _list(cells, IMPLIED) if text.strip()))
    category = categories[0] if len(categories) == 1 else UNKNOWN
    # Of several groups the file does not say which statement is about which, or which is of which category.
    paired = texts if len(groups) == 1 and texts else ("",)
    properties = _written(cells[ORIGIN], split)
    for name, variable in ASKED.items():
        if cells.get(name, "").strip():
            mean = number(cells[name].strip(), name)
            if not 0 <= mean <= 1:
                raise BadLine(f"{name} {mean:g} is not between 0 and 1")
            properties[variable.name] = mean
    properties["graded"] = True
    if texts and paired == ("",):
        properties["implied"] = json.dumps(texts)
    implies = tuple(Implication(group, category, text) for group in groups for text in paired)
    return Statement(cells[POST], properties=properties, line=line, implies=implies)


def _written(origin: str, split: str) -> dict[str, Scalar]:
    return {ORIGIN_NAME: origin, "split": split} if split else {ORIGIN_NAME: origin}


def _list(cells: Mapping[str, str], column: str) -> list[str]:
    texts = json_value(cells[column], f"{column} is not a JSON list")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadLine(f"{column} is not a list of texts")
    for text in texts:
        check_text(
            text, column
        )  # here, because of several groups the texts are written as JSON, which hides what is in them
    return texts


def _groups(cell: str) -> tuple[str, ...]:
    """The groups of a cell: those that an annotator chose together stand with commas between them."""
    return tuple(dict.fromkeys(part.strip() for part in cell.split(",") if normalise(part.strip())))


def _category(cell: str) -> str:
    category = cell.strip().lower()
    if not category:
        return UNKNOWN
    if not _CATEGORY.fullmatch(category) or category == EVERY:
        raise BadLine(f"{category[:40]!r} is not a category of groups")
    return category


def _annotations(rows: Iterable[CsvRow], columns: Sequence[str], lines: Lines, split: str) -> Iterator[Record]:
    """The records of a file with a row for each annotation: first what cannot be read, then the posts."""
    spill: Spill[list[Packed]] = Spill(list)
    try:
        for row in rows:
            lines.rows = row.line + row.lines - 1
            if row.cells is None:
                yield from _counted(row, lines)
                continue
            if row.lines > 1:
                yield Skip(row.line, GOES_ON, row.lines - 1)
            try:
                packed = _packed(_cells(row, columns), row.line)
            except BadRecord as bad:
                yield rejected(lines.name, row.line, bad, row.text)
                continue
            # Not hash(), which differs from process to process: the order of the records would too.
            part = zlib.crc32(packed[1].encode()) % PARTS
            spill.waiting[part].append(packed)
            if len(spill.waiting[part]) >= WAITING:
                spill.write(part)
        for part in range(PARTS):
            yield from _put_together(spill.pieces(part), lines, split)
            spill.drop(part)
    finally:
        spill.close()


def _packed(cells: Mapping[str, str], line: int) -> Packed:
    answers = tuple(_answer(cells[variable.column].strip(), variable) for variable in VARIABLES)
    groups = _groups(cells[GROUP])
    if not groups and cells[IMPLIED].strip():
        raise BadLine("an implied statement about no group")
    worker = cells[WORKER].strip()
    if not worker:
        raise BadLine("no worker")
    category = _category(cells[CATEGORY]) if groups else ""
    implied = cells[IMPLIED].strip()
    for group in groups:
        Implication(group, category, implied, worker)  # checks what is put together later, while the row is known
    return line, cells[POST], cells[ORIGIN], worker, answers, groups, category, implied


def _answer(text: str, variable: Variable) -> float | None:
    """The answer to a question; None if it was not asked."""
    if not text:
        return None
    answer = number(text, variable.column)
    if answer not in variable.choices:
        known = ", ".join(f"{choice:g}" for choice in variable.choices)
        raise BadLine(f"{variable.column} is {text[:20]!r}, not one of {known}")
    return answer


def _put_together(pieces: Iterable[Sequence[Packed]], lines: Lines, split: str) -> Iterator[Record]:
    """The posts of a part, in the order of their first lines, and what is left out of their annotations."""
    posts: dict[str, _Annotated] = {}
    for piece in pieces:
        for line, text, origin, worker, answers, groups, category, implied in piece:
            post = posts.setdefault(text, _Annotated(line, origin))
            if post.answers.setdefault(worker, answers) != answers:
                reason = (
                    "another answer of the same worker to the same question about the same post; the first one counts"
                )
                yield Rejection(lines.name, line, reason, text[:MAX_REJECTED_TEXT])
            new = 0
            for group in groups:
                implication = Implication(group, category, implied, worker)
                new += implication not in post.implies
                post.implies.setdefault(implication, line)
            if groups and not new:
                yield Skip(line, "annotation that stands twice")
    for text, post in posts.items():
        stated = {(made.annotator, made.group) for made in post.implies if made.text}
        kept = [made for made in post.implies if made.text or (made.annotator, made.group) not in stated]
        if len(kept) < len(post.implies):
            reason = "empty statement beside another of the same worker about the same group"
            yield Skip(post.line, reason, len(post.implies) - len(kept))
        properties = _written(post.origin, split)
        for place, variable in enumerate(VARIABLES):
            given = [answers[place] for answers in post.answers.values()]
            asked = [binary(answer) for answer in given if answer is not None]
            properties[variable.answers] = len(asked)
            if asked:
                properties[variable.name] = sum(asked) / len(asked)
        properties["annotators"] = len(post.answers)
        yield Statement(text, properties=properties, line=post.line, implies=tuple(kept))


IMPORTER = SocialBiasInferenceCorpus()

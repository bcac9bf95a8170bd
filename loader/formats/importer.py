"""Importers: each reads a file format and knows nothing about Neo4j.

An importer is a module in ``loader/importers`` that defines ``IMPORTER``, an instance of a subclass of ``Importer``.
``read`` streams: memory does not grow with the file, and a line that cannot be read becomes a ``Rejection`` with its line
number and reason, never an exception.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from harmgraph.common.errors import BadName, BadRecord
from harmgraph.common.options import Optioned
from harmgraph.common.registry import Registry
from harmgraph.graph.records import Record, Rejection, Skip, Statement, Target
from harmgraph.loader.corrections.form import Corrections
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.lines import MAX_LINE, LeftOutLines, Lines, open_lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.screen import Screen

MAX_REJECTED_TEXT = 200
MAX_REASON = 300


class BadLine(BadRecord):
    """Raised by a parser for a line that it cannot read; ``why`` says it in words.

    A record that cannot be stored raises ``BadRecord`` itself. ``Importer.read`` catches both.
    """


class LeftOut(Exception):
    """Raised by a parser for a line that is left out on purpose; the lines are counted by ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class About:
    """Facts about the knowledge base, which ``load --list`` prints and the ``Source`` node stores.

    Attributes:
        title: what a file is, in a line.
        kind: its group in the list, such as ``events``; without one it is among the others.
    """

    title: str
    home: str
    licence: str
    citation: str
    version: str
    kind: str = ""


Parser = Callable[[str, int], Record | list[Record]]
"""Turns a line (without its end) and its number, from 1, into one or several records.

Raises ``BadRecord``, of which ``BadLine`` is one, ``BadName`` or ``LeftOut``. A line of nothing gives an empty list.
"""


def rejected(file: str, line: int, bad: BadRecord | BadName, text: str) -> Rejection:
    """The rejection of a line, or of a part of one, for what is wrong with it; it can be printed, whatever the line has."""
    reason, excerpt = (
        part.encode(errors="backslashreplace").decode()[:longest]
        for part, longest in ((str(bad), MAX_REASON), (text[:MAX_REJECTED_TEXT], MAX_REJECTED_TEXT))
    )
    return Rejection(file, line, reason, excerpt)


class Importer(Optioned, ABC):
    """An importer of a file format.

    Attributes:
        name: its name on the command line.
        about: the knowledge base.
        revision: version of this importer; if it changes, loading an old file is a new import.
        gives: the kind of records; triples can come with names of entities and labels of relations.
        reads: what a file is; an importer of databases overrides ``read``.
        properties: names of the properties that its triples or statements can have, whatever the options.
        longest_line: maximum bytes of a line; longer lines are rejected.
        general: how general its format is: 0 for that of one knowledge base, 1 for one of many, 2 for almost any file. ``load
            FILE`` proposes the least general one that reads the file.
        data_sets: whether its files can be those of a Hugging Face data set, which are found by ``formats.data_set``.
        samples: whether equal lines are different samples, which are always kept apart, as by ``--keep-duplicates``.
        divisible: whether each line (after the header) is read without those before it, so that several processes can read the
            parts of a large file, as they do; False for an importer whose parser remembers earlier lines. One that overrides
            ``read`` or ``parsed`` is never divided.
        options: the importer's options.
        corrections: the form in which the maintainers take corrections, for ``findings export``; the row in the file where an
            importer says nothing.
        example: a line of the format, for the help text.
    """

    family = "importer"
    name: ClassVar[str]
    about: ClassVar[About]
    revision: ClassVar[str] = "1"
    gives: ClassVar[Literal["triples", "statements", "targets"]]
    reads: ClassVar[Literal["lines", "database"]] = "lines"
    properties: ClassVar[tuple[str, ...]] = ()
    longest_line: ClassVar[int] = MAX_LINE
    general: ClassVar[int] = 0
    data_sets: ClassVar[bool] = False
    samples: ClassVar[bool] = False
    divisible: ClassVar[bool] = True
    corrections: ClassVar[Corrections] = Rows()
    example: ClassVar[str] = ""

    @abstractmethod
    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """The parser for a file; it can read a header line from ``lines`` first.

        Raises:
            UnreadableFile: the header is not of this format, or an option does not fit.
        """

    def carried(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the properties that triples or statements can have with these options."""
        return self.properties

    def described(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the properties that entities can have with these options."""
        return ()

    def target_of(self, statement: Statement) -> Target | None:
        """The target that a sentence is about; it is made if no list in the graph has it.

        The default is none: sentences about something that is not a target remain without one.
        """
        return None

    def named(self, path: Path) -> str:
        """What the name of a file says about its records, such as the split; empty if nothing."""
        return ""

    def beside(self, options: Mapping[str, Any]) -> tuple[Path, ...]:
        """The files named by options, which are read after the files to load; ``Lines.path`` tells them apart."""
        return tuple(Path(options[option.name]) for option in self.options if option.file and options[option.name])

    def advice(self, rejected: Sequence[str], options: Mapping[str, Any]) -> str:
        """What the user can do about a file of which too many lines cannot be read; empty if the lines do not tell.

        Args:
            rejected: the beginnings of the first lines that cannot be read, at most ``MAX_REJECTED_TEXT`` characters of each.
        """
        return ""

    def guesses(self, sample: FileSample) -> Iterable[Mapping[str, Any]]:
        """The options under which it might read a file that begins so, the likeliest first; none if it certainly cannot.

        ``load FILE`` tries each on the sample. The default is one try with the importer's defaults.
        """
        return ({},)

    def resembles(self, sample: FileSample) -> float:
        """Which share of the lines looks like this format, from 0 to 1; for a parser that takes lines of other formats too."""
        return 1.0

    def only_names(self, lines: Lines, options: Mapping[str, Any]) -> bool:
        """Whether a file has only names of entities and relations, so that ``limit`` does not apply to it.

        Can read lines to find out, and puts them back.
        """
        return lines.path in self.beside(options)

    def of_whole(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record] | None:
        """The records of a file that is not one of lines, such as Parquet or a log; None where it is, as by default any is.

        Such a file is not divided, and its rows have numbers of their own. It consumes no line where it gives None.
        """
        return None

    def screen(self, options: Mapping[str, Any]) -> Screen | None:
        """Finds lines that the parser would leave out, many at a time; None where that would gain little, as by default."""
        return None

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """The records of an open file, in order, including rejections and skips."""
        records = self.of_whole(lines, options)
        return records if records is not None else self.rest(lines, self.parser(lines, options), options)

    def rest(self, lines: Lines, parse: Parser, options: Mapping[str, Any]) -> Iterator[Record]:
        """The records of the lines after the header, or of a part of the file that begins later."""
        lines.screen = self.screen(options)
        return self.parsed(lines, parse)

    def parsed(self, lines: Lines, parse: Parser) -> Iterator[Record]:
        """The records of lines by a parser of their file."""
        for line in lines:
            if line.problem:
                if isinstance(line, LeftOutLines):
                    yield Skip(line.number, line.problem, line.count, line.count)
                    continue
                yield Rejection(lines.name, line.number, line.problem, line.text[:MAX_REJECTED_TEXT])
                continue
            if not line.text.strip():
                yield Skip(line.number, "empty line")
                continue
            try:
                parsed = parse(line.text, line.number)
            except (BadRecord, BadName) as bad:
                yield rejected(lines.name, line.number, bad, line.text)
            except LeftOut as left:
                yield Skip(line.number, left.reason)
            else:
                if not isinstance(parsed, list):
                    yield parsed
                elif parsed:
                    yield from parsed
                else:
                    yield Skip(line.number, "nothing in the line")

    def records(self, path: str | Path, **options: Any) -> Iterator[Record]:
        """The records of a file: ``importers.get("conceptnet").records("assertions.csv.gz", language="en")``.

        Raises:
            UnreadableFile: the file is missing, not readable, truncated, or has another format.
            BadName: an option that this importer does not have.
        """
        with open_lines(Path(path), self.longest_line) as lines:
            yield from self.read(lines, self.chosen(options))


importers: Registry[Importer] = Registry("importer", "harmgraph.loader.importers", "IMPORTER", "importers")

"""Lists of groups that can be harmed."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Target, normalise
from harmgraph.graph.target_names import PART
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.header import HEADER, header_at
from harmgraph.loader.formats.identity_lists import axes_of, check_category, identity_list, table_columns
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.terms import ENGLISH, chosen_language

COMMENT = "#"
CATEGORIES = ("origin", "gender", "religion", "profession")  # of the shipped list


class Targets(Importer):
    """``name,category[,alias…][,+part…]`` in CSV; ``#`` starts a comment, a header line is optional.

    A cell with + before it names another target, which this one combines. Lists of HolisticBias, SeeGULL and SHADES are read in
    their own forms (``loader.formats.identity_lists``).
    """

    name = "targets"
    about = About(
        title="target groups",
        home="https://aclanthology.org/2021.emnlp-main.410",
        licence="that of the list",
        citation="default list: Mehrabi, Zhou et al. 2021, tables 14 and 15",
        version="that of the list",
        kind="files of yours",
    )
    gives = "targets"
    general = 1
    options = (
        Option("language", ENGLISH, "language of the names, and of the concepts and sentences in which they are found"),
        HEADER,
    )
    corrections = Rows()
    example = "hairstylist,profession,hairdresser"

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: comments, a header, known categories, or names with one of few categories."""
        texts = [text for text in sample.texts if not text.lstrip().startswith(COMMENT)]
        if not texts or _names_columns(texts[0]) or table_columns(texts[0]):
            return 1.0
        if texts[0].lstrip().startswith("{"):
            return float(sample.whole and axes_of(sample.content.decode("utf-8", "replace")) is not None)
        cells = [[cell.strip().lower() for cell in text.split(",")] for text in texts]
        known = sample.share([len(row) > 1 and row[1] in CATEGORIES for row in cells])
        pairs = sample.share([len(row) == 2 and len(row[0].split()) < 4 for row in cells])
        return max(known, pairs if 2 * len({row[-1] for row in cells}) <= len(cells) else 0.0)

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """See ``Importer.read``."""
        listed = identity_list(lines, chosen_language(options))
        return super().read(lines, options) if listed is None else listed

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""

        language = chosen_language(options)
        header = header_at(lines, options, _names_columns, comment=COMMENT)
        before: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}  # a list of groups is short

        def parse(line: str, line_number: int) -> Record:
            if line.lstrip().startswith(COMMENT):
                raise LeftOut("comment")
            if line_number == header:
                raise LeftOut("header")
            cells = _cells(line)
            if len(cells) < 2:
                raise BadLine("no category: name,category[,alias...]")
            title, category = cells[0].strip(), cells[1].strip().lower()
            name = normalise(title)
            more = [cell.strip() for cell in cells[2:]]
            aliases = tuple(alias for alias in map(normalise, (cell for cell in more if cell[:1] != PART)) if alias)
            parts = tuple(dict.fromkeys(normalise(cell[1:]) for cell in more if cell[:1] == PART))
            if not name:
                raise BadLine("the name is empty")
            check_category(category)
            if parts and (len(parts) < 2 or "" in parts or {name, *aliases} & {*parts}):
                raise BadLine(
                    "the parts of a combined target are two other targets or more: black woman,both,+black,+woman"
                )
            facts = category, aliases, parts
            if before.setdefault(name, facts) != facts:
                raise BadLine(
                    f"{name!r} is listed twice with different facts: write one line for each target, with all aliases"
                )
            return Target(name, category, title, aliases, line_number, language, parts)

        return parse


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise BadLine(f"is not CSV ({error})") from error


def _names_columns(line: str) -> bool:
    return [cell.strip().lower() for cell in _cells(line)[:2]] == ["name", "category"]


IMPORTER = Targets()

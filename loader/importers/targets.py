"""Lists of groups that can be harmed."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from typing import Any

from harmgraph.graph.common.options import Option
from harmgraph.graph.records import Record, Target, normalise
from harmgraph.loader.formats.header import HEADER, header_at
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.terms import ENGLISH, chosen_language

EVERY = "all"
COMMENT = "#"
MAX_NAME = 1_000  # bytes
_CATEGORY = re.compile(r"\w[\w .&/-]{0,99}")


class Targets(Importer):
    """``name,category[,alias…]`` in CSV; ``#`` starts a comment, a header line is optional."""

    name = "targets"
    about = About(
        title="target groups",
        home="https://aclanthology.org/2021.emnlp-main.410",
        licence="that of the list",
        citation="default list: Mehrabi, Zhou et al. 2021, tables 14 and 15",
        version="that of the list",
    )
    gives = "targets"
    options = (
        Option(
            "language", ENGLISH, "language of the names; they are looked for in concepts and sentences of this language"
        ),
        HEADER,
    )
    example = "hairstylist,profession,hairdresser"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""

        language = chosen_language(options)
        header = header_at(lines, options, _names_columns, comment=COMMENT)
        before: dict[str, tuple[str, tuple[str, ...]]] = {}  # a list of groups is short

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
            aliases = tuple(alias for alias in map(normalise, cells[2:]) if alias)
            if not name:
                raise BadLine("the name is empty")
            if any(len(text.encode("utf-8", "surrogatepass")) > MAX_NAME for text in (title, name, *aliases)):
                raise BadLine(f"a name is longer than {MAX_NAME:,} bytes")
            if not _CATEGORY.fullmatch(category):
                raise BadLine("the category is empty, or has other characters than letters, digits, spaces and . & / -")
            if category == EVERY:
                raise BadLine(f"the category cannot be {EVERY}, which in statistics means every category")
            if before.setdefault(name, (category, aliases)) != (category, aliases):
                raise BadLine(
                    f"{name!r} is listed twice with different facts: write one line for each target, with all aliases"
                )
            return Target(name, category, title, aliases, line_number, language)

        return parse


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise BadLine(f"is not CSV ({error})") from error


def _names_columns(line: str) -> bool:
    return [cell.strip().lower() for cell in _cells(line)[:2]] == ["name", "category"]


IMPORTER = Targets()

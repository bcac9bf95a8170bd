"""CoDEx: subsets of Wikidata as benchmarks, with true negatives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadRecord, UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.records import Entity, Record, RelationLabel, Skip
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SPLIT, chosen_split, split_of
from harmgraph.loader.wikidata.ids import entity, text, wikidata_property
from harmgraph.loader.wikidata.tabbed import tabbed_triple

NEGATIVES = ("negatives", "_neg.")  # in the name of a file
LONGEST = 128_000_000  # bytes; the names of all entities are on a single line


class CoDEx(Importer):
    """``Q108946 TAB P161 TAB Q39792``.

    A file that begins with ``{`` has labels, ``{"P749": {"label": …}, …}`` on one line (``relations.json``,
    ``entities.json``); it can be loaded together with the others. True negatives (``*_negatives.txt``) are not facts: they
    are left out and counted; triple classification reads these files itself.
    """

    name = "codex"
    about = About(
        title="CoDEx, benchmarks from Wikidata with true negatives",
        home="https://github.com/tsafavi/codex",
        licence="MIT",
        citation="Safavi and Koutra 2020, CoDEx: A Comprehensive Knowledge Graph Completion Benchmark",
        version="1.0",
        kind="entities",
    )
    gives = "triples"
    properties = ("split",)
    longest_line = LONGEST
    options = (
        Option("names", "", "file of labels of entities or relations, such as entities.json", file=True),
        SPLIT,
    )
    corrections = Rows()
    example = "Q108946\tP161\tQ39792"

    def described(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """See ``Importer.described``."""
        return ("description",)

    def named(self, path: Path) -> str:
        """See ``Importer.named``: the split, and whether the file has negatives."""
        return f"{split_of(path)}{' negatives' if _negative(path) else ''}"

    def only_names(self, lines: Lines, options: Mapping[str, Any]) -> bool:
        """See ``Importer.only_names``: by the first line."""
        first = lines.first()
        return super().only_names(lines, options) or (first is not None and first.text.startswith("{"))

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; a line of labels has many records.

        Raises:
            UnreadableFile: the labels are on several lines.
        """
        first = lines.first()
        if first is not None and first.text.strip() == "{":
            raise UnreadableFile(
                lines.path, "is JSON on several lines", line=first.number, remedy="write it on one: jq -c . FILE"
            )
        if self.only_names(lines, options):
            return lambda line, line_number: _labels(lines.name, line, line_number)
        split = chosen_split(lines.path, options)
        negative = _negative(lines.path)

        def parse(line: str, line_number: int) -> Record:
            triple = tabbed_triple(line, line_number, split)
            if negative:
                raise LeftOut("true negative")
            return triple

        return parse


def _negative(path: Path) -> bool:
    return any(word in path.name.lower() for word in NEGATIVES)


def _labels(file: str, line: str, line_number: int) -> list[Record]:
    labels = json_value(line, "no JSON object on one line")
    if not isinstance(labels, dict):
        raise BadLine("no JSON object on one line")
    if not labels:
        raise LeftOut("no label")
    records: list[Record] = []
    for identifier, facts in labels.items():
        try:
            records.append(_label(identifier, facts, line_number))
        except BadRecord as bad:
            records.append(rejected(file, line_number, bad, identifier))
    return records


def _label(identifier: str, facts: object, line_number: int) -> Record:
    if not isinstance(facts, dict):
        raise BadLine("the facts of an id are not an object")
    name = text(facts.get("label") or "", "label").strip(" ")
    about = text(facts.get("description") or "", "description").strip(" ")
    if identifier.startswith("P"):
        if not name:
            return Skip(line_number, "relation without a label")
        return RelationLabel(wikidata_property(identifier), name, line_number)
    if not name and not about:
        return Skip(line_number, "entity without a label")
    return Entity(entity(identifier).key, name, {"description": about} if about else {}, line_number)


IMPORTER = CoDEx()

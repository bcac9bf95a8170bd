"""WD50K: a subset of Wikidata as a benchmark, with and without qualifiers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Entity, Record, RelationLabel, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SPLIT, chosen_split, split_of
from harmgraph.loader.wikidata.ids import chosen_properties, entity, wikidata_property
from harmgraph.loader.wikidata.values import QUALIFIERS, qualifier_properties

_ESCAPED = re.compile(r"\\(['\"\\])")


class WD50K(Importer):
    """``Q482436,P1981,Q20644794``; the files ``statements_*`` append qualifiers, as pairs of property and value.

    A file whose first line has a tab has labels, ``Q42 TAB Douglas Adams``; it can be loaded together with the others.
    """

    name = "wd50k"
    about = About(
        title="WD50K, a benchmark from Wikidata with qualifiers",
        home="https://github.com/migalkin/StarE",
        licence="MIT",
        citation="Galkin et al. 2020, Message Passing for Hyper-Relational Knowledge Graphs",
        version="1",
        kind="entities",
    )
    gives = "triples"
    properties = ("split", "qualifiers")
    options = (
        Option("names", "", "file of labels of entities and properties: id, tab, label", file=True),
        QUALIFIERS,
        SPLIT,
    )
    corrections = Rows()
    example = "Q219546,P1411,Q103916,P805,Q369706"

    def carried(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """See ``Importer.carried``."""
        return (*self.properties, *chosen_properties("qualifiers", options["qualifiers"]))

    def named(self, path: Path) -> str:
        """See ``Importer.named``: the split."""
        return split_of(path)

    def only_names(self, lines: Lines, options: Mapping[str, Any]) -> bool:
        """See ``Importer.only_names``: by the first line."""
        first = lines.first()
        return super().only_names(lines, options) or (first is not None and "\t" in first.text)

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``.

        Raises:
            BadName: an option is not a list of properties.
        """
        chosen_qualifiers = chosen_properties("qualifiers", options["qualifiers"])
        if self.only_names(lines, options):
            return _label
        split = chosen_split(lines.path, options)
        part: dict[str, Scalar] = {"split": split} if split else {}

        def parse(line: str, line_number: int) -> Record:
            cells = [cell.strip(" ") for cell in line.split(",")]
            if len(cells) < 3 or len(cells) % 2 == 0:
                raise BadLine(f"{len(cells)} cells where head, relation, tail and pairs of a qualifier are expected")
            head, tail = entity(cells[0]), entity(cells[2])
            pairs = [(wikidata_property(cells[at]), cells[at + 1]) for at in range(3, len(cells), 2)]
            for _, value in pairs:
                entity(value)
            # The same triple with other qualifiers, or in another split, is another fact.
            assertion = " ".join([split, *(f"{name}={value}" for name, value in pairs)]).strip()
            properties = part | qualifier_properties(pairs, chosen_qualifiers) if pairs else part
            return Triple(head, wikidata_property(cells[1]), tail, assertion, properties, line_number)

        return parse


def _label(line: str, line_number: int) -> Record:
    columns = line.split("\t")
    if len(columns) != 2:
        # Otherwise three columns would be a label with a tab in it, and a whole benchmark would be read as labels.
        hint = ": three columns are a triple of another benchmark; for CoDEx load codex" if len(columns) == 3 else ""
        raise BadLine(f"{len(columns)} columns where id and label are expected, with a tab between them{hint}")
    identifier, label = columns
    labelled = entity(identifier.strip(" "))
    # The labels were exported from a database, which put a backslash before quotes.
    name = _ESCAPED.sub(r"\1", label).strip(" ")
    if not name:
        raise BadLine("the label is empty")
    if identifier.startswith("P"):
        return RelationLabel(wikidata_property(identifier.strip(" ")), name, line_number)
    return Entity(labelled.key, name, line=line_number)


IMPORTER = WD50K()

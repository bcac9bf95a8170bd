"""Any delimited file of triples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph.errors import UnreadableFile
from graph.records import Record, Scalar, Triple
from loader.importer import About, BadLine, Importer, LeftOut, Option, Parser
from loader.lines import Lines
from loader.terms import concept, number, relation

DELIMITERS = {"tab": "\t", "space": " ", "comma": ",", "semicolon": ";", "pipe": "|", "\\t": "\t"}
COLUMNS = ("head", "relation", "tail", "weight", "-")
NEEDED = ("head", "relation", "tail")


class Triples(Importer):
    """Columns in any order. With more delimiters than columns in a line, the last column takes the rest of it."""

    name = "triples"
    about = About(
        title="any delimited triples",
        home="https://en.wikipedia.org/wiki/Delimiter-separated_values",
        licence="that of the file",
        citation="that of the file",
        version="that of the file",
    )
    gives = "triples"
    properties = ("weight",)
    options = (
        Option("delimiter", "tab", "tab, space, comma, semicolon, pipe, or the text itself"),
        Option("columns", "head,relation,tail", "what the columns are, in order: head, relation, tail, weight, - to ignore"),
        Option("underscores", False, "an underscore stands for a space in the relation too (heads and tails always)"),
        Option("skip_relations", "ExternalURL,dbpedia", "relations to leave out, separated by commas; they are counted"),
        Option("language", "en", "language of the concepts"),
    )
    example = "lawyer\tIsA\tprofessional"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        delimiter = DELIMITERS.get(options["delimiter"], options["delimiter"])
        columns = [name.strip() for name in options["columns"].split(",")]
        odd = [name for name in columns if name not in COLUMNS]
        if odd or any(columns.count(name) != 1 for name in NEEDED) or columns.count("weight") > 1 or not delimiter:
            raise UnreadableFile(
                lines.path,
                f"cannot be read with the columns {options['columns']!r} and the delimiter {options['delimiter']!r}",
                remedy="name head, relation and tail once each, such as --columns relation,head,tail,weight",
            )
        at = {name: columns.index(name) for name in columns if name != "-"}
        head_at, relation_at, tail_at, weight_at = at["head"], at["relation"], at["tail"], at.get("weight")
        fewest = max(head_at, relation_at, tail_at) + 1
        skipped = frozenset(name.strip() for name in options["skip_relations"].split(",") if name.strip())
        language: str = options["language"]
        spaces: bool = options["underscores"]
        splits = len(columns) - 1

        def parse(line: str, number_: int) -> Record:
            parts = line.split(delimiter, splits)
            if len(parts) < fewest:
                raise BadLine(f"{len(parts)} columns where {fewest} are expected")
            name = parts[relation_at]
            if name in skipped or name.removeprefix("/r/") in skipped:
                raise LeftOut(f"relation {name}")
            properties: dict[str, Scalar] = {}
            if weight_at is not None and weight_at < len(parts):
                properties["weight"] = number(parts[weight_at])
            return Triple(
                concept(parts[head_at], language, "head"),
                relation(name.replace("_", " ") if spaces else name),
                concept(parts[tail_at], language, "tail"),
                properties=properties,
                line=number_,
            )

        return parse


IMPORTER = Triples()

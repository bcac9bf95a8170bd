"""ConceptNet-100K: the split of Li et al. 2016, as COMeT uses it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harmgraph.graph.records import Record, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.header import HEADER, header_at, left_out, names_columns
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.terms import LANGUAGE, chosen_language, concept, number, relation

_RELATION = re.compile(r"([A-Z][a-z]*)+\t")


class ConceptNet100K(Importer):
    """``Relation TAB head TAB tail [TAB weight]``; in the two development files the weight is a label, 0 or 1."""

    name = "conceptnet100k"
    about = About(
        title="ConceptNet-100K",
        home="https://ttic.edu/livescu/papers/li_acl2016.html",
        licence="CC-BY-SA-4.0",
        citation="Li, Taheri, Tu and Gimpel 2016, Commonsense Knowledge Base Completion",
        version="2016",
        kind="common sense",
    )
    gives = "triples"
    properties = ("weight",)
    options = (LANGUAGE, HEADER)
    corrections = Rows()
    example = "IsA\tlawyer\tprofessional\t1.0"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        language = chosen_language(options)

        def looks_so(line: str) -> bool:
            return names_columns(dict(zip(("relation", "head", "tail"), line.split("\t"), strict=False)))

        header = header_at(lines, options, looks_so)

        def parse(line: str, line_number: int) -> Record:
            if line_number == header:
                raise left_out(line)
            columns = line.split("\t")
            if len(columns) not in (3, 4):
                raise BadLine(f"{len(columns)} columns where 3 or 4 are expected")
            properties: dict[str, Scalar] = {"weight": number(columns[3])} if len(columns) == 4 else {}
            return Triple(
                concept(columns[1], language, "head"),
                relation(columns[0]),
                concept(columns[2], language, "tail"),
                properties=properties,
                line=line_number,
            )

        return parse

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: the first cell is a relation in CamelCase."""
        return sample.share([bool(_RELATION.match(text)) for text in sample.texts])


IMPORTER = ConceptNet100K()

"""An importer: one JSON object a line, with subject, predicate and object."""

import json
from collections.abc import Mapping
from typing import Any

from harmgraph.graph.records import Record, Triple
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.terms import concept, relation


class Facts(Importer):
    """One JSON object a line: subject, predicate, object."""

    name = "facts"
    about = About(
        title="an example of facts",
        home="https://example.org/facts",
        licence="CC0-1.0",
        citation="none",
        version="1",
    )
    gives = "triples"
    example = '{"subject": "lawyer", "predicate": "is a", "object": "professional"}'

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""

        def parse(line: str, line_number: int) -> Record:
            try:
                fact = json.loads(line)
                head, name, tail = (str(fact[key]) for key in ("subject", "predicate", "object"))
            except (ValueError, RecursionError, TypeError, KeyError) as error:
                raise BadLine("no JSON object with a subject, a predicate and an object") from error
            return Triple(
                concept(head, "en", "subject"), relation(name), concept(tail, "en", "object"), line=line_number
            )

        return parse


IMPORTER = Facts()

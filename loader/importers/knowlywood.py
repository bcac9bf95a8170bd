"""Knowlywood: activities and what comes before, after and with them, from film scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Scalar
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.event_triples import OPTIONS, PROPERTIES, EventTriples
from harmgraph.loader.formats.events import align_phrases
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.terms import ENGLISH, concept, number

THINGS = Option("things", False, "keep tails that are not activities, such as the place or who takes part")


class Knowlywood(Importer):
    """``activity TAB relation TAB activity TAB number``: the parts of an activity end in ``;``, words are tagged: ``get#v``."""

    name = "knowlywood"
    about = About(
        title="Knowlywood",
        home="https://www.mpi-inf.mpg.de/departments/databases-and-information-systems/research/knowledge-base/knowlywood",
        licence="CC-BY-4.0",
        citation="Tandon et al. 2015, Knowlywood: Mining Activity Knowledge From Hollywood Narratives",
        version="2015",
        kind="common sense",
    )
    gives = "triples"
    properties = (*PROPERTIES, "weight")
    options = (*OPTIONS, THINGS)
    corrections = Rows()
    example = "get#v;exercise#n\tnextActivity\ttake#v;shower#n\t2"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        things: bool = options[THINGS.name]

        maker = EventTriples(options, align_phrases)

        def parse(line: str, line_number: int) -> Record:
            cells = line.split("\t")
            if len(cells) not in (3, 4):
                raise BadLine(f"{len(cells)} columns where 4 are expected: activity, relation, activity, number")
            if "#v" not in cells[0]:
                raise BadLine("the head has no verb, such as get#v")
            if "#v" not in cells[2] and not things:
                raise LeftOut("tail that is not an activity")
            properties: dict[str, Scalar] = {"weight": number(cells[3])} if len(cells) == 4 else {}
            head, tail = _activity(cells[0]), _activity(cells[2])
            if "#v" in cells[2]:
                return maker.triple(head, cells[1], tail, line_number, properties)
            triple = maker.triple(head, cells[1], head, line_number, properties)
            texts: dict[str, Scalar] = {} if options["as_written"] else {"tail_text": tail}
            return replace(triple, tail=concept(tail, ENGLISH, "tail"), properties={**triple.properties, **texts})

        return parse


def _activity(text: str) -> str:
    return " ".join(part.partition("#")[0].replace("_", " ") for part in text.split(";")).strip()


IMPORTER = Knowlywood()

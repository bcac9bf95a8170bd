"""The relations between events of ConceptNet, with the split of Fang et al. 2021."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harmgraph.common.event_relations import relation_name
from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Scalar
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.event_triples import OPTIONS, PROPERTIES, EventTriples, check_verb_phrases
from harmgraph.loader.formats.events import Aligned, align_phrases
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.splits import long_name

PARTS = ("trn", "dev", "tst")
NOUN_PHRASES = Option("noun_phrases", False, "keep triples with a noun phrase, such as 'belief'")


class ConceptNetEvents(Importer):
    """``head TAB relation TAB tail TAB split``; events have no subject, so PersonX is added."""

    name = "conceptnet-events"
    about = About(
        title="events of ConceptNet",
        home="https://github.com/HKUST-KnowComp/CSKB-Population",
        licence="CC-BY-SA-4.0",
        citation="Speer, Chin and Havasi 2017, ConceptNet 5.5; selection and split: Fang et al. 2021",
        version="2021",
        kind="events",
    )
    gives = "triples"
    properties = (*PROPERTIES, "split")
    options = (*OPTIONS, NOUN_PHRASES)
    corrections = Rows()
    example = "get exercise\tHasSubEvent\tride bicycle\ttrn"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        noun_phrases: bool = options[NOUN_PHRASES.name]

        def form(head: str, name: str, tail: str, longest: int) -> Aligned:
            if not noun_phrases:
                check_verb_phrases(head, tail)
            return align_phrases(head, name, tail, longest=longest)

        maker = EventTriples(options, form)

        def parse(line: str, line_number: int) -> Record:
            cells = line.split("\t")
            if len(cells) not in (3, 4):
                raise BadLine(f"{len(cells)} columns where 4 are expected: head, relation, tail, split")
            properties: dict[str, Scalar] = {"split": long_name(cells[3])} if len(cells) == 4 and cells[3] else {}
            name = relation_name(cells[1]) or cells[1]
            return maker.triple(cells[0], name, cells[2], line_number, properties)

        return parse

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: the fourth cell is a part of the corpus."""
        return sample.share([text.count("\t") == 3 and text.rpartition("\t")[2] in PARTS for text in sample.texts])


IMPORTER = ConceptNetEvents()

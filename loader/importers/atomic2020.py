"""ATOMIC 2020: heads and relations with their tails, and what models generate for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harmgraph.common.event_relations import relation_name
from harmgraph.common.options import Option
from harmgraph.graph.records import Record, Skip
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.event_triples import AS_WRITTEN, OPTIONS, PROPERTIES, EventTriples
from harmgraph.loader.formats.events import align, align_phrases
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.splits import SPLIT, chosen_split

ALL_RELATIONS = Option(
    "all_relations", False, "also read relations that are not between events, such as ObjectUse, as they are written"
)
WHAT = Option(
    "what",
    "tails",
    "tails of people, all generations of a model, or only its greedy ones",
    choices=("tails", "generations", "greedy"),
)

_NAMED = re.compile(r"""(\t|@@ |"relation": ")[A-Za-z]?[a-z]*([A-Z][a-z]+)+[\t"]""")


class Atomic2020(Importer):
    """``head TAB relation TAB tail``, ``head @@ relation TAB tail| tail| …``, or JSON with ``head``, ``relation`` and ``tails``.

    The JSON lines of COMET's evaluation have ``generations`` and ``greedy`` too: ``--what generations`` loads what the model said
    as triples of a source of their own, so that they can be labelled and compared with people's tails.
    """

    name = "atomic2020"
    about = About(
        title="ATOMIC 2020",
        home="https://allenai.org/data/atomic-2020",
        licence="CC-BY-4.0",
        citation="Hwang et al. 2020, COMET-ATOMIC 2020: On Symbolic and Neural Commonsense Knowledge Graphs",
        version="2020",
        kind="events",
    )
    gives = "triples"
    properties = (*PROPERTIES, "split")
    options = (*OPTIONS, ALL_RELATIONS, WHAT, SPLIT)
    corrections = Rows()
    example = "PersonX gets exercise\txReact\ttired"

    def guesses(self, sample: FileSample) -> tuple[Mapping[str, Any], ...]:
        """See ``Importer.guesses``: the generations, of a file that has them."""
        generated = sample.texts and sample.texts[0].startswith("{") and '"generations": ' in sample.texts[0]
        return ({WHAT.name: "generations"}, {}) if generated else ({},)

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: the names of relations."""
        return sample.share([bool(_NAMED.search(text)) for text in sample.texts])

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        maker = EventTriples(options, align)
        unaligned = EventTriples({**options, AS_WRITTEN.name: True}, align_phrases)
        split = chosen_split(lines.path, options)
        properties = {"split": split} if split else {}
        what = options["what"]
        everything = options[ALL_RELATIONS.name]

        def parse(line: str, line_number: int) -> list[Record]:
            head, name, tails = _json(line, what) if line.startswith("{") else _table(line, what)
            relation = relation_name(name)
            if relation is None:
                if not name.isidentifier():
                    raise BadLine(f"the relation {name[:40]!r} is not one of ATOMIC 2020's")
                if not everything:
                    return [Skip(line_number, "relation that is not between events", len(tails))]
                pairs = ((name, tail) for tail in tails)
                return unaligned.triples(head, pairs, line_number, lines.name, properties)
            return maker.triples(head, ((relation, tail) for tail in tails), line_number, lines.name, properties)

        return parse


def _json(line: str, what: str) -> tuple[str, str, list[str]]:
    facts = json_value(line, "no JSON object on one line")
    if not isinstance(facts, dict):
        raise BadLine("no JSON object on one line")
    for name in ("head", "relation", what):
        if name not in facts:
            raise BadLine(f"the JSON object has no {name!r}")
    tails = [facts[what]] if isinstance(facts[what], str) else facts[what]
    if not isinstance(tails, list) or not all(
        isinstance(text, str) for text in (facts["head"], facts["relation"], *tails)
    ):
        raise BadLine(f"{what!r} is not a list of texts")
    return facts["head"], facts["relation"], tails


def _table(line: str, what: str) -> tuple[str, str, list[str]]:
    if what != "tails":
        raise BadLine(f"only JSON lines have {what}")
    cells = line.split("\t")
    if len(cells) == 2 and " @@ " in cells[0]:
        head, _, name = cells[0].rpartition(" @@ ")
        return head, name.strip(), cells[1].split("| ")
    if len(cells) != 3:
        raise BadLine(f"{len(cells)} columns where 3 are expected, or 2 with @@ between head and relation")
    return cells[0], cells[1].strip(), [cells[2]]


IMPORTER = Atomic2020()

"""Generated stories, ``prompt|||story``, as Mehrabi et al. 2021 released them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.options import Option
from harmgraph.graph.records import Properties, Record, Statement
from harmgraph.graph.target_names import finder, target_names
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.terms import SENTENCES, spoken

MARK = "|||"
PARTS = ("both", "sentences", "stories")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=\S)")


class Stories(Importer):
    """Each story becomes a statement per sentence and one for the whole story, all about the target in the prompt."""

    name = "stories"
    about = About(
        title="stories generated from prompts that name a target",
        home="https://github.com/Ninarehm/CSKB_bias",
        licence="MIT",
        citation="Guan et al. 2020, a knowledge-enhanced pretraining model; stories: Mehrabi, Zhou et al. 2021",
        version="2021",
        kind="what models said",
    )
    gives = "statements"
    properties = ("prompt", "part", "language")
    options = (
        Option(
            "targets",
            "",
            "file of the targets to find in the prompts: name,category[,alias...]; by default the shipped 329",
        ),
        Option("parts", "both", "make a statement from each sentence, each story, or both", choices=PARTS),
        SENTENCES,
    )
    corrections = Rows()
    example = "people are discussing about african american.||| it is a beautiful country. i love it."

    def located(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Importer.located``: the list of targets is not a file to read after the others, so it is not declared as one."""
        chosen = super().located(options)
        return chosen | {"targets": str(Path(chosen["targets"]).absolute())} if chosen["targets"] else chosen

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``; a line has several records."""
        parts, language = options["parts"], spoken(options)
        if parts not in PARTS:
            raise BadName("parts", parts, f"is not one of {', '.join(PARTS)}")
        find = finder(target_names(Path(options["targets"]) if options["targets"] else None))

        def parse(line: str, line_number: int) -> list[Record]:
            if MARK not in line:  # not searched for targets, which takes long in a line of a million letters
                raise BadLine(f"no prompt{MARK}story")
            target = find(line.partition(MARK)[0])
            if not target:
                raise LeftOut("no target in the prompt")
            return list(_statements(line, line_number, target, parts, language))

        return parse


def _statements(line: str, number: int, target: str, parts: str, language: Properties) -> Iterator[Statement]:
    prompt, _, story = (part.strip(" ") for part in line.partition(MARK))
    if not prompt or not story:
        raise BadLine(f"no prompt{MARK}story")
    if parts != "stories":
        for sentence in _ENDS.split(story):
            yield Statement(sentence.strip(), target, {"prompt": prompt, "part": "sentence", **language}, number)
    if parts != "sentences":
        yield Statement(story, target, {"prompt": prompt, "part": "story", **language}, number)


IMPORTER = Stories()

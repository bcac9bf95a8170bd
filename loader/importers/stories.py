"""Generated stories, ``prompt|||story``, as Mehrabi et al. 2021 released them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graph.errors import BadName
from graph.records import Record, Rejection, Skip, Statement
from graph.target_names import target_names
from loader.importer import MAX_REJECTED_TEXT, About, BadLine, Importer, Option, Parser
from loader.lines import Lines

MARK = "|||"
PARTS = ("both", "sentences", "stories")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=\S)")


class Stories(Importer):
    """Each story gives a statement a sentence, and one for the whole; all are about the target of the prompt."""

    name = "stories"
    about = About(
        title="stories generated from prompts that name a target",
        home="https://github.com/Ninarehm/CSKB_bias",
        licence="MIT",
        citation="Guan et al. 2020, a knowledge-enhanced pretraining model; stories: Mehrabi, Zhou et al. 2021",
        version="2021",
    )
    gives = "statements"
    properties = ("prompt", "part")
    options = (
        Option(
            "targets",
            "",
            "list of the targets to find in the prompts: name,category[,alias...]; the shipped 329 by default",
        ),
        Option("parts", "both", "a statement for each of the sentences, of the whole stories, or both", choices=PARTS),
    )
    example = "people are discussing about african american.||| it is a beautiful country. i love it."

    def read(self, lines: Lines, options: Mapping[str, Any]) -> Iterator[Record]:
        """See ``Importer.read``; one line gives several records."""
        if options["parts"] not in PARTS:
            raise BadName("parts", options["parts"], f"is none of {', '.join(PARTS)}")
        find = finder(target_names(Path(options["targets"]) if options["targets"] else None))
        for line in lines:
            if line.problem:
                yield Rejection(lines.name, line.number, line.problem, line.text[:MAX_REJECTED_TEXT])
                continue
            if not line.text.strip():
                yield Skip(line.number, "empty line")
                continue
            target = find(line.text.partition(MARK)[0])
            if MARK in line.text and not target:
                yield Skip(line.number, "no target in the prompt")
                continue
            try:
                yield from _told(line.text, line.number, target, options["parts"])
            except BadLine as bad:
                yield Rejection(lines.name, line.number, bad.reason, line.text[:MAX_REJECTED_TEXT])

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """Not used: one line gives several records, see ``read``."""
        raise NotImplementedError


def finder(names: tuple[str, ...]) -> Any:
    """A function from a prompt to the target in it, the longest of those that begin first; empty where there is none."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)

    def find(prompt: str) -> str:
        found = pattern.search(prompt.replace("_", " "))
        return found.group().lower() if found else ""

    return find


def _told(line: str, number: int, target: str, parts: str) -> Iterator[Statement]:
    prompt, mark, story = (part.strip(" ") for part in line.partition(MARK))
    if not mark or not prompt or not story:
        raise BadLine(f"no prompt{MARK}story")
    if parts != "stories":
        for sentence in _ENDS.split(story):
            yield Statement(sentence.strip(), target, {"prompt": prompt, "part": "sentence"}, number)
    if parts != "sentences":
        yield Statement(story, target, {"prompt": prompt, "part": "story"}, number)


IMPORTER = Stories()

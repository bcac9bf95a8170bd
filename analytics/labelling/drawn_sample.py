"""The sample that ``harmgraph review`` drew from the graph, and the file beside the judgements that keeps it.

It says how many statements each stratum has and what the scorer said of each sentence, so whatever corrects a statistic by these
judgements reads it too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import read_lines
from harmgraph.common.whole_file import written

FORM = "harmgraph review 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A statement to judge.

    Attributes:
        id: element id of the relationship or of the Statement.
        sentence: what it says: head, phrase and tail of a triple.
        masked: the sentence with its targets masked, as it was or would be scored.
        label, score, by: what the scorer says, who that is and its version; None where it says nothing.
        stratum: where it was drawn from; empty without strata.
        sources: all sources with a statement that says this; empty in samples of before.
        prompt: of a sample of a prompt, the prompt; empty for any other statement.
        also: element ids of further samples with the same prompt and text.
    """

    id: str
    sentence: str
    masked: str
    targets: tuple[str, ...]
    source: str
    label: str | None
    score: float | None
    by: str | None
    stratum: str
    sources: tuple[str, ...] = ()
    prompt: str = ""
    also: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The element ids of all statements that get the label."""
        return (self.id, *self.also)

    @property
    def said_by(self) -> tuple[str, ...]:
        """The sources that say it."""
        return self.sources or (self.source,)


@dataclass(frozen=True, slots=True)
class Wish:
    """What sample is wanted.

    Attributes:
        source, target: names; None for every one.
        lists: names of the target lists that it is about; none for the usual ones.
        question: name of what people are asked.
        strata: names from ``review.sample.STRATA``; none for a simple random sample.
        size: how many statements.
    """

    measure: str = "sentiment"
    source: str | None = None
    target: str | None = None
    strata: tuple[str, ...] = ("label",)
    size: int = 150
    seed: int = 0
    lists: tuple[str, ...] = ()
    question: str = "harm"


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample in the order in which it is shown.

    Attributes:
        statements: how many statements there are in each stratum.
        revealed: whether annotators were ever told the scorer's labels of what they had judged.
    """

    wish: Wish
    items: tuple[Item, ...]
    statements: Mapping[str, int] = field(default_factory=dict)
    revealed: bool = False


def sample_file(judgements: Path) -> Path:
    """Where the sample of a file of judgements is kept: ``ours.sample.jsonl`` beside ``ours.csv``."""
    return judgements.with_name(f"{judgements.stem}.sample.jsonl")


def keep(path: Path, sample: Sample) -> None:
    """Writes a sample as JSON lines: first what was wanted, then an item a line. The file appears whole or not at all."""
    with written(path) as file:
        facts = {"form": FORM, **asdict(sample.wish), "statements": dict(sample.statements)}
        if sample.revealed:
            facts["revealed"] = True
        for value in (facts, *map(asdict, sample.items)):
            file.write(json.dumps(value, ensure_ascii=False) + "\n")


def read(path: Path) -> Sample:
    """Reads a sample that ``keep`` wrote.

    Raises:
        UnreadableFile: it is not one.
    """
    lines = read_lines(path)
    try:
        facts = dict(from_json(lines[0]))
        statements = facts.pop("statements")
        form = facts.pop("form")
        revealed = bool(facts.pop("revealed", False))
        wish = Wish(**facts | {"strata": tuple(facts["strata"]), "lists": tuple(facts.get("lists", ()))})
        sample = Sample(wish, tuple(_items(map(from_json, lines[1:]))), statements, revealed)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise unknown(path) from error
    if form != FORM:
        raise unknown(path)
    return sample


def unknown(path: Path) -> UnreadableFile:
    """The error of a file that is no sample."""
    return UnreadableFile(
        path,
        "is not a sample that this version of 'harmgraph review' wrote",
        remedy="delete it, or name another file with --into",
    )


def _items(rows: Iterable[Mapping[str, Any]]) -> Iterator[Item]:
    for row in rows:
        several = {name: tuple(row.get(name, ())) for name in ("sources", "also")}
        yield Item(**{**row, **several, "targets": tuple(row["targets"])})

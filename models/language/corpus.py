"""What a language model learns from: texts of files, or statements or triples of a source, split by a hash of each."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.common.user_file import read_text
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import Phrases
from harmgraph.models.drawn import OVER, drawn
from harmgraph.models.language.recipe import COMET

if TYPE_CHECKING:
    from harmgraph.graph.connection import Graph

HEADING = re.compile(r" ?= [^=].* = ?")
"""The title of an article in WikiText; those of its sections have several equals signs."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Text:
    """A text, or a triple.

    Attributes:
        text: of a triple the tail.
        prompt: of a triple head and relation, from which the tail follows; empty for a text.
    """

    text: str
    prompt: str = ""

    @property
    def place(self) -> float:
        """From 0 to 1, by a hash: the same text has the same place in every corpus."""
        joined = f"{self.prompt}\x1f{self.text}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big") / 2**64


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts to learn from.

    Attributes:
        name: of the files or the source.
        texts: distinct, in their order.
        unit: what a text is: ``article``, ``line``, ``statement`` or ``triple``.
        relations: of triples, sorted.
        left_out: how many were left out, by reason.
        source: empty for files. imports: the import of the source.
    """

    name: str
    texts: tuple[Text, ...]
    unit: str
    relations: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    source: str = ""
    imports: Mapping[str, str] = field(default_factory=dict)

    def limited(self, limit: int) -> Corpus:
        """So many of the texts, see ``drawn``; those left out are counted."""
        texts = drawn(self.texts, limit, lambda text: f"{text.prompt} {text.text}")
        over = len(self.texts) - len(texts)
        return replace(self, texts=texts, left_out={**self.left_out, OVER: over}) if over else self

    @property
    def digest(self) -> str:
        """Of the texts, in their order."""
        made = hashlib.blake2b(digest_size=16)
        for text in self.texts:
            made.update(json.dumps([text.prompt, text.text]).encode())
        return made.hexdigest()

    def parts(self, held_out: float) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
        """The texts to train on, and those held out: the ones whose hash is below the share.

        A text is in the same part whatever else the corpus has. Only if a part would be empty does one text change.

        Raises:
            InputError: there is only one text.
        """
        if len(self.texts) < 2:
            raise InputError(
                f"has one {self.unit} alone, so none can be held out",
                where=self.name,
                remedy="give --held-out-file FILE",
            )
        places = [text.place for text in self.texts]
        limit = held_out
        if min(places) >= limit:
            limit = sorted(places)[1]
        elif max(places) < limit:
            limit = max(places)
        train = tuple(text for text, place in zip(self.texts, places, strict=True) if place >= limit)
        return train, tuple(text for text, place in zip(self.texts, places, strict=True) if place < limit)


def from_files(paths: Sequence[Path]) -> Corpus:
    """The texts of files: the articles of WikiText, or the lines of any other file. Empty and equal ones are left out.

    Raises:
        UnreadableFile: a file cannot be read, or is not UTF-8.
        InputError: there is no text.
    """
    texts: list[str] = []
    unit = "line"
    for path in paths:
        lines = read_text(path).split("\n")
        # WikiText has an empty line on both sides of a title.
        if sum(HEADING.fullmatch(line) is not None for line in lines) > 1 and not lines[0].strip():
            unit = "article"
            texts += _articles(lines)
        else:
            texts += [line.strip() for line in lines]
    return _corpus(", ".join(path.name for path in paths), map(Text, texts), unit)


def _articles(lines: Sequence[str]) -> list[str]:
    articles: list[list[str]] = [[]]
    for line in lines:
        if HEADING.fullmatch(line):
            articles.append([])
        if line.strip():
            articles[-1].append(line.strip())
    return ["\n".join(article) for article in articles]


def from_source(graph: Graph, source: str, kind: str) -> Corpus:
    """The triples of a source as a COMeT learns them, or its triples and sentences as texts.

    Raises:
        NotFound: no such source.
        InputError: it has no triple, or no statement at all.
    """
    facts = sources.facts(graph, source)
    imports = {source: str(facts.get("import_id", ""))}
    progress(f"reading {source}", 0)
    rows = sorted(
        {(row["head"], row["relation"], row["tail"]) for row in graph.rows("language/triples", source=source)}
    )
    if kind == COMET:
        if not rows:
            raise InputError("has no triples", where=source, remedy="choose a source of triples, or train --as text")
        relations = tuple(sorted({relation for _, relation, _ in rows}))
        texts = [Text(tail, prompt_of(head, relation)) for head, relation, tail in rows]
        return _corpus(source, texts, "triple", relations, imports)
    phrases = Phrases.read(graph)
    sentences = [f"{head} {phrases.of_relation(relation)} {tail}" for head, relation, tail in rows]
    sentences += sorted(row["text"] for row in graph.rows("language/statements", source=source))
    return _corpus(source, map(Text, sentences), "statement", (), imports)


def prompt_of(head: str, relation: str) -> str:
    """What a tail follows: ``lawyer [is a]`` for head ``lawyer`` and relation ``IsA``.

    The words are those of the name, as COMeT has them (``HasSubevent``: "has subevent"), and not the phrase of a sentence, which
    two relations may share. Brackets end the prompt, so that a tail begins where the training had it begin.
    """
    bare = relation.removeprefix("/r/").replace("_", " ").replace("/", " ")
    return f"{head} [{_CAMEL.sub(' ', bare).lower()}]"


def _corpus(
    name: str,
    texts: Iterable[Text],
    unit: str,
    relations: tuple[str, ...] = (),
    imports: Mapping[str, str] | None = None,
) -> Corpus:
    """The corpus of the texts that are not empty, each once.

    Raises:
        InputError: there is none.
    """
    every = list(texts)
    full = [text for text in every if text.text.strip()]
    distinct = tuple(dict.fromkeys(full))
    if not distinct:
        raise InputError("has no text", where=name, remedy="give a file with text, or a source with statements")
    left_out = {"equal to an earlier one": len(full) - len(distinct)}
    return Corpus(
        name,
        distinct,
        unit,
        relations,
        {reason: count for reason, count in left_out.items() if count},
        next(iter(imports or {}), ""),
        imports or {},
    )

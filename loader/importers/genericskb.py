"""GenericsKB: generic sentences with their annotated topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph.errors import UnreadableFile
from graph.records import MAX_KEY_LENGTH, Record, Scalar, Statement, normalise
from loader.importer import About, BadLine, Importer, Parser
from loader.lines import Lines
from loader.terms import number

TERM, SENTENCE = "TERM", "GENERIC SENTENCE"
KEPT = {"SOURCE": "corpus", "QUANTIFIER": "quantifier", "SCORE": "score"}


class GenericsKB(Importer):
    """The full files by their header (``SOURCE TERM QUANTIFIER …``), or bare ``term TAB sentence`` without one."""

    name = "genericskb"
    about = About(
        title="GenericsKB and GenericsKB-Best",
        home="https://allenai.org/data/genericskb",
        licence="CC-BY-4.0",
        citation="Bhakthavatsalam, Anastasiades and Clark 2020, GenericsKB",
        version="1.0",
    )
    gives = "statements"
    properties = ("corpus", "quantifier", "score")
    example = "lawyer\tLawyers are skilled workers."

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        first = next(lines, None)
        if first is None:
            return _bare
        header = [name.strip() for name in first.text.split("\t")]
        if SENTENCE in header or TERM in header:
            missing = [name for name in (TERM, SENTENCE) if name not in header]
            if missing:
                raise UnreadableFile(lines.path, f"the header lacks {' and '.join(missing)}", line=1)
            return _by_header(header)
        lines.put_back(first)
        return _bare


def _bare(line: str, number_: int) -> Record:
    term, tab, sentence = line.partition("\t")
    if not tab:
        raise BadLine("no tab between term and sentence")
    return _statement(term, sentence, {}, number_)


def _by_header(header: list[str]) -> Parser:
    term_at, sentence_at = header.index(TERM), header.index(SENTENCE)
    kept = [(header.index(name), kind) for name, kind in KEPT.items() if name in header]

    def parse(line: str, number_: int) -> Record:
        columns = line.split("\t")
        if len(columns) != len(header):
            raise BadLine(f"{len(columns)} columns where the header has {len(header)}")
        properties: dict[str, Scalar] = {}
        for at, kind in kept:
            value = columns[at].strip()
            if value:
                properties[kind] = number(value, "score") if kind == "score" else value
        return _statement(columns[term_at], columns[sentence_at], properties, number_)

    return parse


def _statement(term: str, sentence: str, properties: dict[str, Scalar], number_: int) -> Statement:
    text = sentence.strip(" ")
    if not text:
        raise BadLine("the sentence is empty")
    topic = normalise(term)
    if len(topic.encode("utf-8", "surrogatepass")) > MAX_KEY_LENGTH:
        raise BadLine(f"the term is longer than {MAX_KEY_LENGTH:,} bytes")
    return Statement(text, topic, properties, number_)


IMPORTER = GenericsKB()

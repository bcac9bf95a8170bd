"""GenericsKB: generic sentences with their annotated topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Properties, Record, Scalar, Statement, normalise
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.header import HEADER, header_at
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.terms import SENTENCES, number, spoken

TERM, SENTENCE = "TERM", "GENERIC SENTENCE"
BARE = (["term", "sentence"], ["target", "sentence"], ["topic", "sentence"])  # headers of files with two columns
KEPT = {"SOURCE": "corpus", "QUANTIFIER": "quantifier", "SCORE": "score"}


class GenericsKB(Importer):
    """The full files with a header (``SOURCE TERM QUANTIFIER …``), or only ``term TAB sentence``."""

    name = "genericskb"
    about = About(
        title="GenericsKB and GenericsKB-Best",
        home="https://allenai.org/data/genericskb",
        licence="CC-BY-4.0",
        citation="Bhakthavatsalam, Anastasiades and Clark 2020, GenericsKB",
        version="1.0",
        kind="common sense",
    )
    gives = "statements"
    properties = ("corpus", "quantifier", "score", "language")
    options = (SENTENCES, HEADER)
    corrections = Rows()
    example = "lawyer\tLawyers are skilled workers."

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``. A header is the first line of the file; it is counted as skipped."""
        language = spoken(options)
        if options["header"] is False:
            return _bare(0, language)
        first = lines.first()
        if first is None:
            return _bare(0, language)
        header = [name.strip(" ").upper() for name in first.text.split("\t")]
        if first.problem or (SENTENCE not in header and len({TERM, *KEPT} & set(header)) < 2):
            # A single word of the full files' header can also be a term.
            return _bare(header_at(lines, options, lambda line: line.lower().split("\t") in BARE), language)
        missing = [name for name in (TERM, SENTENCE) if name not in header]
        if missing:
            raise UnreadableFile(
                lines.path,
                f"the header lacks {' and '.join(missing)}",
                line=first.number,
                remedy="name the columns SOURCE, TERM, QUANTIFIER, GENERIC SENTENCE, SCORE, or leave the header out",
            )
        return _by_header(header, first.number, language)

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: of a file without a header, the sentence has the term."""
        if sample.texts and SENTENCE in sample.texts[0]:
            return 1.0
        rows = sample.rows("\t")
        # Half of a word is enough: the sentence has the plural.
        return sample.share([len(row) == 2 and row[0][:4].lower().strip() in row[1].lower() for row in rows])


def _bare(header: int, language: Properties) -> Parser:
    def parse(line: str, line_number: int) -> Record:
        if line_number == header:
            raise LeftOut("header")
        columns = line.split("\t")
        if len(columns) != 2:
            raise BadLine(f"{len(columns)} columns where term and sentence are expected")
        return _statement(columns[0], columns[1], language, line_number)

    return parse


def _by_header(header: list[str], header_line: int, language: Properties) -> Parser:
    term_at, sentence_at = header.index(TERM), header.index(SENTENCE)
    extra = [(header.index(name), kind) for name, kind in KEPT.items() if name in header]

    def parse(line: str, line_number: int) -> Record:
        if line_number == header_line:
            raise LeftOut("header")
        columns = line.split("\t")
        if len(columns) != len(header):
            raise BadLine(f"{len(columns)} columns where the header has {len(header)}")
        properties: dict[str, Scalar] = dict(language)
        for at, kind in extra:
            value = columns[at].strip()
            if value:
                properties[kind] = number(value, "score") if kind == "score" else value
        return _statement(columns[term_at], columns[sentence_at], properties, line_number)

    return parse


def _statement(term: str, sentence: str, properties: Properties, line_number: int) -> Statement:
    text = sentence.strip(" ")
    if not text:
        raise BadLine("the sentence is empty")
    return Statement(text, normalise(term), properties, line_number)


IMPORTER = GenericsKB()

"""ILPC 2022: a graph to train on, and another graph of other entities, about which a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harmgraph.graph.records import Record, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SPLIT, chosen_split, split_of
from harmgraph.loader.wikidata.ids import entity, wikidata_property

INFERENCE = "inference"
"""In the names of the files of the second graph. The file of this name alone has its edges, the others have links to predict."""


class Ilpc(Importer):
    """``Q1041 TAB P463 TAB Q7809``.

    The two graphs have no entity in common, so they are two sources: ``train.txt`` is one, and the files ``inference*.txt`` are
    the other. The edges of the inference graph are its split ``train``.
    """

    name = "ilpc"
    about = About(
        title="ILPC 2022, with a second graph of unseen entities",
        home="https://github.com/pykeen/ilpc2022",
        licence="CC0-1.0",
        citation="Galkin et al. 2022, An Open Challenge for Inductive Link Prediction on Knowledge Graphs",
        version="2022",
        kind="entities",
    )
    gives = "triples"
    properties = ("split",)
    options = (SPLIT,)
    corrections = Rows()
    example = "Q1041\tP463\tQ7809"

    def named(self, path: Path) -> str:
        """See ``Importer.named``: the split."""
        return _split(path)

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``."""
        split = _split(lines.path) if options[SPLIT.name] == "auto" else chosen_split(lines.path, options)
        part: dict[str, Scalar] = {"split": split} if split else {}

        def parse(line: str, line_number: int) -> Record:
            cells = line.split("\t")
            if len(cells) != 3:
                raise BadLine(f"{len(cells)} columns where 3 are expected")
            head, relation, tail = (cell.strip(" ") for cell in cells)
            # A triple can be in two splits of a benchmark: the split distinguishes them.
            return Triple(entity(head), wikidata_property(relation), entity(tail), split, part, line_number)

        return parse


def _split(path: Path) -> str:
    """The split of a file by its name: what is known of the inference graph is what a model may look at, so it is ``train``."""
    return split_of(path) or ("train" if path.name.lower().startswith(INFERENCE) else "")


IMPORTER = Ilpc()

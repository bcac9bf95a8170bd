"""ILPC 2022: a graph to train on, and another graph of other entities, about which a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.importer import About, Importer, Parser
from harmgraph.loader.formats.lines import Lines
from harmgraph.loader.formats.splits import SPLIT, chosen_split, split_of
from harmgraph.loader.wikidata.tabbed import tabbed_triple

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
        return lambda line, line_number: tabbed_triple(line, line_number, split)


def _split(path: Path) -> str:
    """The split of a file by its name: what is known of the inference graph is what a model may look at, so it is ``train``."""
    return split_of(path) or ("train" if path.name.lower().startswith(INFERENCE) else "")


IMPORTER = Ilpc()

"""Subsets of Freebase as triples of ids, such as FB15k, FB15k-237 and FB3M."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.common.options import Option
from harmgraph.graph.records import Entity, Record, Triple
from harmgraph.loader.corrections.triples import FreebaseTriples
from harmgraph.loader.formats.importer import About, BadLine, Importer, Parser
from harmgraph.loader.formats.lines import Line, Lines
from harmgraph.loader.formats.sample import FileSample
from harmgraph.loader.formats.splits import SPLIT, chosen_split, split_of
from harmgraph.loader.formats.terms import relation

ORDERS = ("auto", "hrt", "htr", "rht", "rth", "thr", "trh")
LOOKED_AT = 50  # lines to recognise the order of the columns
NAMESPACE = "http://rdf.freebase.com/ns/"
MAX_ID = 500  # characters
_MACHINE_ID = re.compile(r"/?[mg][/.][0-9a-z_]+")
_REGION = re.compile(r"-(?:GB|US)$")  # region at the end of an English name: Actor-GB
_NUMBERS = re.compile(r"[0-9]+([\t ]+[0-9]+)*")
_OF_WIKIDATA = re.compile(r"Q[0-9]+[\t ,]+P[0-9]+[\t ,]+Q[0-9]+(,[PQ][0-9]+)*")


class Freebase(Importer):
    """``/m/027rn TAB /location/country/form_of_government TAB /m/06cx9``, in any order of the columns."""

    name = "freebase"
    about = About(
        title="subsets of Freebase as triples of ids (FB15k-237, FB3M)",
        home="https://developers.google.com/freebase",
        licence="CC-BY-2.5",
        citation="Bollacker et al. 2008, Freebase; FB15k-237: Toutanova and Chen 2015",
        version="that of the file",
        kind="entities",
    )
    gives = "triples"
    properties = ("split",)
    options = (
        Option(
            "names",
            "",
            "file of the entities' names: id, tab, name; _ becomes a space, and a region at the end is removed, as in Actor-GB",
            file=True,
        ),
        Option(
            "order",
            "auto",
            "order of head, relation and tail, by first letters; auto goes by the ids",
            choices=ORDERS,
        ),
        SPLIT,
    )
    corrections = FreebaseTriples()
    example = "/m/027rn\t/location/country/form_of_government\t/m/06cx9"

    def named(self, path: Path) -> str:
        """See ``Importer.named``: the split."""
        return split_of(path)

    def resembles(self, sample: FileSample) -> float:
        """See ``Importer.resembles``: lines with two machine ids."""
        ids = [[bool(_MACHINE_ID.fullmatch(_bare(column))) for column in _columns(text)] for text in sample.texts]
        return sample.share([sum(found) == 2 for found in ids])

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``.

        Raises:
            UnreadableFile: the file has numbers, whose meaning is in another file, or ids of Wikidata.
            BadName: no such order.
        """
        if lines.path in self.beside(options):
            return _name
        if options["order"] not in ORDERS:
            raise BadName("order", options["order"], f"is not one of {', '.join(ORDERS)}")
        first = list(islice(lines, LOOKED_AT))
        lines.put_back(*first)
        _of_freebase(lines, first)
        order = options["order"] if options["order"] != "auto" else _order(first)
        head_at, relation_at, tail_at = (order.index(letter) for letter in "hrt")
        split = chosen_split(lines.path, options)
        properties = {"split": split} if split else {}

        def parse(line: str, line_number: int) -> Record:
            columns = _columns(line)
            if len(columns) != 3:
                more = "; give a file of names with --names" if len(columns) == 2 else ""
                raise BadLine(f"{len(columns)} columns where 3 are expected{more}")
            if _MACHINE_ID.fullmatch(_bare(columns[relation_at])):
                raise BadLine("an id where the relation is expected: is the order of the columns different?")
            name = relation(_bare(columns[relation_at]))
            head, tail = _entity(columns[head_at]), _entity(columns[tail_at])
            # A triple can be in two splits of a benchmark: the split distinguishes them.
            return Triple(head, name, tail, split, properties, line_number)

        return parse


def _columns(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _bare(column: str) -> str:
    column = column.strip(" ")
    return column.strip("<>").removeprefix(NAMESPACE) if column.startswith("<") else column


@lru_cache(maxsize=50_000)
def _entity(column: str) -> Entity:
    """The entity of an id: ``/m/027rn``, ``m.027rn`` and ``<http://rdf.freebase.com/ns/m.027rn>`` are the same."""
    bare = _bare(column).strip("/").replace("/", ".")
    if not bare or len(bare) > MAX_ID or " " in bare:
        raise BadLine(f"{column[:40]!r} is not an id of Freebase, such as /m/027rn")
    return Entity(f"freebase/{bare}")


def _order(first: list[Line]) -> str:
    """The order of the columns, from a line in which two are machine ids: the third is the relation."""
    for line in first:
        columns = [bool(_MACHINE_ID.fullmatch(_bare(column))) for column in _columns(line.text)]
        if not line.problem and len(columns) == 3 and sum(columns) == 2:
            return {0: "rht", 1: "hrt", 2: "htr"}[columns.index(False)]
    return "hrt"


def _of_freebase(lines: Lines, first: list[Line]) -> None:
    """Refuses files that would load as triples but are not Freebase's."""
    texts = [line.text.strip() for line in first if line.text.strip() and not line.problem]
    if texts and all(map(_OF_WIKIDATA.fullmatch, texts)):
        raise UnreadableFile(
            lines.path,
            "has triples of Wikidata's ids",
            remedy="load it with the importer codex, or wd50k if the ids are separated by commas",
        )
    if texts and all(map(_NUMBERS.fullmatch, texts)):
        raise UnreadableFile(
            lines.path,
            "has numbers instead of ids",
            remedy="load the files from which they were made, with ids such as /m/027rn",
        )


def _name(line: str, line_number: int) -> Record:
    columns = line.split("\t")
    if len(columns) != 2:
        raise BadLine(f"{len(columns)} columns where id and name are expected")
    name = _REGION.sub("", columns[1]).replace("_", " ").strip(" ")
    if not name:
        raise BadLine("the name is empty")
    return Entity(_entity(columns[0]).key, name, line=line_number)


IMPORTER = Freebase()

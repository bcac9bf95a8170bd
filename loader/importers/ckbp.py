"""CKBP: triples that people rated, to evaluate the population of commonsense knowledge bases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.event_relations import relation_name
from harmgraph.common.user_file import check_once
from harmgraph.common.votes import plausible
from harmgraph.graph.records import Record, Scalar, Triple
from harmgraph.loader.corrections.rows import Rows
from harmgraph.loader.formats.header import table_row
from harmgraph.loader.formats.importer import About, BadLine, Importer, LeftOut, Parser
from harmgraph.loader.formats.lines import Line, Lines
from harmgraph.loader.formats.splits import long_name
from harmgraph.loader.formats.terms import ENGLISH, event

REQUIRED = ("head", "relation", "tail")
OPTIONAL = ("label", "class", "split", "dataset", "worker_vote", "reverse_aser_edge")
PLAUSIBLE = {"1": True, "0": False, "1.0": True, "0.0": False}


class Ckbp(Importer):
    """A table with a header: ``head,relation,tail``, then some of label, class, split, dataset and worker_vote, in any order.

    The events are aligned already, so they are loaded as they are. A triple is plausible if its label is 1 or the sum of its
    votes is 3 or more.
    """

    name = "ckbp"
    about = About(
        title="CKBP evaluation set",
        home="https://github.com/HKUST-KnowComp/CSKB-Population",
        licence="MIT",
        citation="Fang et al. 2021, Benchmarking Commonsense Knowledge Base Population with an Effective Evaluation Dataset",
        version="2021",
        kind="events",
    )
    gives = "triples"
    properties = ("plausible", "part", "split", "dataset")
    corrections = Rows()
    example = "PersonX remember something,oEffect,PersonY do not need to tell PersonZ"

    def parser(self, lines: Lines, options: Mapping[str, Any]) -> Parser:
        """See ``Importer.parser``. Without a header the columns are head, relation and tail.

        Raises:
            UnreadableFile: the header has a column that is not known, or lacks one of head, relation and tail.
        """
        first = lines.first()
        columns = columns_of(lines, first) if first else None

        def parse(line: str, line_number: int) -> Record:
            if columns and first and line_number == first.number:
                raise LeftOut("header")
            return _triple(table_row(line, columns or REQUIRED), line_number)

        return parse


def columns_of(lines: Lines, first: Line) -> Sequence[str] | None:
    """The columns of a table, if its first line is a header.

    Raises:
        UnreadableFile: a column is not known or stands twice, or head, relation or tail is missing.
    """
    cells = [cell.strip().lower() for cell in first.text.split(",")]
    if first.problem or not {"head", "relation"} & set(cells):
        return None
    unknown = sorted(set(cells) - {*REQUIRED, *OPTIONAL})
    missing = [column for column in REQUIRED if column not in cells]
    if unknown or missing:
        what = f"unknown columns {', '.join(unknown)}" if unknown else f"no column {', '.join(missing)}"
        raise UnreadableFile(
            lines.path, f"has {what}", line=first.number, remedy=f"name the columns {', '.join((*REQUIRED, *OPTIONAL))}"
        )
    check_once(lines.path, cells, (*REQUIRED, *OPTIONAL), first.number)
    return cells


def _triple(row: Mapping[str, str], line_number: int) -> Triple:
    name = relation_name(row["relation"])
    if name is None:
        raise BadLine(f"the relation {row['relation'][:40]!r} is not one of table 11 of Fang et al. 2021")
    properties: dict[str, Scalar] = {}
    said = _plausible(row)
    if said is not None:
        properties["plausible"] = said
    if row.get("class"):
        properties["part"] = row["class"]
    if row.get("split"):
        properties["split"] = long_name(row["split"])
    if row.get("dataset"):
        properties["dataset"] = row["dataset"]
    head, tail = event(row["head"], ENGLISH, "head"), event(row["tail"], ENGLISH, "tail")
    return Triple(head, name, tail, properties=properties, line=line_number)


def _plausible(row: Mapping[str, str]) -> bool | None:
    if row.get("label"):
        if row["label"] not in PLAUSIBLE:
            raise BadLine(f"the label {row['label'][:40]!r} is neither 0 nor 1")
        return PLAUSIBLE[row["label"]]
    if not row.get("worker_vote"):
        return None
    voted = plausible(row["worker_vote"])
    if voted is None:
        raise BadLine("the votes are not a JSON list of numbers")
    return voted


IMPORTER = Ckbp()

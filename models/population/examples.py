"""Triples to train on and to judge: the folder of ``harmgraph population data``, and the files that people labelled."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import InputError, UnknownMember, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import check_once
from harmgraph.common.votes import plausible
from harmgraph.graph.records import normalise
from harmgraph.models.drawn import drawn
from harmgraph.models.population.relations import read_relation
from harmgraph.models.text.passages import Passage

ENDS = ("head", "relation", "tail")
OTHERS = ("label", "class", "split", "dataset", "source", "worker_vote", "reverse_aser_edge")
LABELS = {"1": 1, "0": 0, "1.0": 1, "0.0": 0}
SPLITS = {"trn": "train", "tst": "test", "dev": "valid"}
FACTS = "data.json"
PARTS = ("train", "valid", "test")
Part = tuple[Passage, ...] | Mapping[Passage, float]
"""Passages whose vectors are averaged, or added with their shares."""
REMEDY = "make the folder with: harmgraph population data"


@dataclass(frozen=True, slots=True)
class TripleExample:
    """A triple of texts.

    Attributes:
        head, tail: in the normal form of the graph (see ``graph.records.normalise``), because training texts are.
        relation: see ``read_relation``.
        label: 1 plausible, 0 not; None if nobody judged it.
        part: where it comes from, such as ``cs_head``; empty if unknown.
        split: ``train``, ``valid`` or ``test``; empty if the file does not say.
        source: name of the source of the graph that it is from; empty if the file does not say.
    """

    head: str
    relation: str
    tail: str
    label: int | None = None
    part: str = ""
    split: str = ""
    source: str = ""

    @property
    def text(self) -> str:
        """The triple as a sentence."""
        return f"{self.head} {self.relation} {self.tail}"


@dataclass(frozen=True, slots=True)
class ExampleFolder:
    """A folder of examples.

    Attributes:
        graph: names of the sources whose edges are the neighbours. of_graph: whether the examples are from one of them.
        digest: of the examples, 32 hexadecimal digits.
    """

    folder: Path
    train: tuple[TripleExample, ...]
    valid: tuple[TripleExample, ...]
    graph: tuple[str, ...]
    digest: str
    of_graph: bool = False

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations of the training examples, sorted."""
        return tuple(sorted({example.relation for example in self.train}))


def read_folder(folder: Path, sources: Collection[str] = (), limit: int = 0) -> ExampleFolder:
    """The examples of a folder; ``test.tsv`` is not read, so that training cannot depend on it.

    Args:
        sources: only examples of these; all if empty.
        limit: training examples, and valid ones, at most; a hash of each decides; 0 for all.

    Raises:
        UnreadableFile: a file is missing or damaged.
        InputError: the training or the valid examples lack one of the labels.
        UnknownMember: no training or no valid example is of one of the sources.
    """
    facts = _facts(folder)
    hasher = hashlib.blake2b(digest_size=16)
    read: dict[str, tuple[TripleExample, ...]] = {}
    for part in PARTS[:2]:
        path = folder / f"{part}.tsv"
        read[part] = drawn(_of_sources(read_file(path), sources, path), limit, lambda example: example.text)
        for example in read[part]:
            hasher.update(f"{part}\t{example.text}\t{example.head}\t{example.label}\n".encode())
        labels = {example.label for example in read[part]}
        if labels != {0, 1}:
            raise InputError(
                "needs labelled triples, plausible and not" if None in labels else "has only one of the two labels",
                where=str(path),
                remedy=REMEDY,
            )
    graph = _graph(folder, facts)
    of_graph = any(example.source in graph for example in read["train"])
    return ExampleFolder(folder, read["train"], read["valid"], graph, hasher.hexdigest(), of_graph)


def read_file(path: Path) -> tuple[TripleExample, ...]:
    """The examples of a table with a header, separated by commas or tabs.

    The columns tell what it is: ``head relation tail`` and some of ``label``, ``class``, ``split``, ``dataset``,
    ``worker_vote`` and ``source``, in any order. With votes, a triple is plausible if their sum is 3 or more.

    Raises:
        UnreadableFile: the file cannot be read, a column is unknown or stands twice, or a row has another form.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            return tuple(_examples(path, csv.reader(file, delimiter="\t" if "\t" in first else ",", strict=True)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        missing = isinstance(error, FileNotFoundError)
        raise UnreadableFile(path, "is missing" if missing else f"cannot be read ({reason})") from error


def _of_sources(examples: tuple[TripleExample, ...], sources: Collection[str], path: Path) -> tuple[TripleExample, ...]:
    if not sources:
        return examples
    known = {example.source for example in examples} - {""}
    for name in sources:
        if name not in known:
            raise UnknownMember(f"source in {path.name}", name, sorted(known))
    return tuple(example for example in examples if example.source in sources)


def of_split(examples: Sequence[TripleExample], split: str) -> tuple[TripleExample, ...]:
    """The examples of a split, or all if it is ``all`` or no example names a split."""
    if split == "all" or not any(example.split for example in examples):
        return tuple(examples)
    return tuple(example for example in examples if example.split == split)


def to_judge(path: Path, split: str) -> tuple[TripleExample, ...]:
    """The triples of a split of a file.

    Raises:
        UnreadableFile: as ``read_file``. InputError: the split has none.
    """
    examples = of_split(read_file(path), split)
    if not examples:
        raise InputError(
            f"has no triple of the split {split}", where=str(path), remedy="choose another --split, or all"
        )
    return examples


def _examples(path: Path, rows: Iterator[Sequence[str]]) -> Iterator[TripleExample]:
    columns = [cell.strip().lower() for cell in next(rows, [])]
    unknown = [name for name in columns if name not in (*ENDS, *OTHERS)]
    missing = [name for name in ENDS if name not in columns]
    if unknown or missing:
        raise UnreadableFile(
            path,
            f"has no column {', '.join(missing)}" if missing else f"has unknown columns: {', '.join(unknown)}",
            remedy=f"begin it with a line of the names {', '.join(ENDS)} and some of {', '.join(OTHERS)}",
        )
    check_once(path, columns, (*ENDS, *OTHERS), 1)
    for number, cells in enumerate(rows, 2):
        if len(cells) != len(columns):
            raise UnreadableFile(path, f"has {len(cells)} cells instead of {len(columns)}", line=number)
        row = dict(zip(columns, cells, strict=True))
        ends = {name: normalise(row[name]) if name != "relation" else read_relation(row[name]) for name in ENDS}
        if not all(ends.values()):
            raise UnreadableFile(path, "lacks its head, relation or tail", line=number)
        split = row.get("split", "")
        yield TripleExample(
            ends["head"],
            ends["relation"],
            ends["tail"],
            _label(row, path, number),
            row.get("class") or row.get("dataset", ""),
            SPLITS.get(split, split),
            row.get("source", ""),
        )


def _label(row: Mapping[str, str], path: Path, number: int) -> int | None:
    if row.get("label"):
        if row["label"].strip() not in LABELS:
            raise UnreadableFile(path, f"the label {row['label'][:40]!r} is neither 0 nor 1", line=number)
        return LABELS[row["label"].strip()]
    if not row.get("worker_vote"):
        return None
    voted = plausible(row["worker_vote"])
    if voted is None:
        raise UnreadableFile(path, "the votes are not a JSON list of numbers", line=number)
    return int(voted)


def _facts(folder: Path) -> Mapping[str, Any]:
    path = folder / FACTS
    try:
        facts = from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnreadableFile(path, "is missing", remedy=REMEDY) from error
    except (OSError, ValueError) as error:
        raise UnreadableFile(path, f"cannot be read ({error})", remedy=REMEDY) from error
    if not isinstance(facts, dict):
        raise UnreadableFile(path, "is not a JSON object", remedy=REMEDY)
    return facts


def _graph(folder: Path, facts: Mapping[str, Any]) -> tuple[str, ...]:
    named = facts.get("graph") or []
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UnreadableFile(folder / FACTS, "does not name the sources of its graph", remedy=REMEDY)
    return tuple(names)

"""What the training data of a triple classifier is: labelled triples in three splits, and the folder that holds them.

The folder has ``train.tsv``, ``valid.tsv``, ``test.tsv``, with ``--graph`` also ``candidates.tsv``, and ``data.json``. A table is
UTF-8 with the header ``head relation tail label class source``; columns are separated by tabs and quoted where they need it.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from harmgraph.common.digests import text_number
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.lock import held
from harmgraph.common.no_space import writing
from harmgraph.common.user_file import content, decoded
from harmgraph.common.whole_file import folder_beside, followed
from harmgraph.graph.records import relation_type

OF_TYPE: Mapping[str, str] = MappingProxyType({relation_type(name): name for name in RELATIONS})
"""The relation of each relationship type: ``X_WANT`` is xWant."""

SPLITS = ("train", "valid", "test")
TENTHS = ("train",) * 8 + ("valid", "test")
"""The split of each tenth of the hashes: 8:1:1 (section 4.6)."""

TEST_SET, CS_HEAD, ALL_HEAD = "test_set", "cs_head", "all_head"
CLASSES = (TEST_SET, CS_HEAD, ALL_HEAD)
"""The classes of triples to test on (section 4.6): held out of the knowledge bases, head from there and tail from the
eventuality graph, both from the eventuality graph. The names are those of the evaluation set."""

COLUMNS = ("head", "relation", "tail", "label", "class", "source")
FACTS = "data.json"
CANDIDATES = "candidates"
FILES = (*(f"{name}.tsv" for name in (*SPLITS, CANDIDATES)), FACTS)
FORM = 1  # version of the form of the folder
LOCK = "population.lock"
_LABELS: Mapping[str, int | None] = MappingProxyType({"1": 1, "0": 0, "": None})

Ends = tuple[str, str, str]
"""Head, relation, tail: texts in normal form, and a name of ``RELATIONS``."""


@dataclass(frozen=True, slots=True)
class LabelledTriple:
    """A triple of a table.

    Attributes:
        label: 1 for a positive, 0 for a negative, None for a candidate that nobody has judged.
        kind: one of ``CLASSES``; empty for what is trained on.
        source: the source that the triple is of; of a negative, the source of the positive that it stands beside.
    """

    head: str
    relation: str
    tail: str
    label: int | None
    kind: str
    source: str

    @property
    def ends(self) -> Ends:
        return self.head, self.relation, self.tail


def split_of(head: str, relation: str, tail: str, sentence: str = "") -> str:
    """The split of a triple, 8:1:1 by the hash of its three texts, or of the sentence if it has one (GLUCOSE).

    Nothing else decides: not the seed, not the other triples, and no split that a file has. So all triples of a sentence are in
    one split, and a triple keeps its split when sources come or go.
    """
    key = sentence or "\x1f".join((head, relation, tail))
    return TENTHS[text_number(key) * len(TENTHS) >> 64]


@dataclass(frozen=True, slots=True)
class TrainingDataFolder:
    """A folder that was read.

    Attributes:
        tables: the triples by the name of the table: train, valid, test, and candidates if the folder has them.
        facts: the content of ``data.json``: options, counts, digest.
    """

    tables: Mapping[str, tuple[LabelledTriple, ...]]
    facts: Mapping[str, Any]


def check_folder(folder: Path) -> None:
    """Checks that a folder may be replaced: it is not there, is empty, or has nothing but files of this module.

    Raises:
        InputError: it is a file, or has other files.
    """
    try:
        others = sorted(path.name for path in folder.iterdir() if path.name not in FILES)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"is not a folder to write to ({error.strerror})", where=str(folder)) from error
    if others:
        raise InputError(
            f"has other files, such as {others[0]}, which would be lost",
            where=str(folder),
            remedy="name a new folder, or one that 'harmgraph population data' wrote",
        )


def write_data(
    folder: Path, tables: Mapping[str, Iterable[LabelledTriple]], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Writes a folder, whole or not at all; one that is there is replaced. Equal tables and facts give equal bytes.

    Returns:
        The content of ``data.json``: the facts and the digest of the tables.

    Raises:
        InputError: the folder has other files.
        NoSpace: it cannot be written.
    """
    folder = followed(folder)  # a link to it stays
    # Not beside the folder, where it would stay: one lock for all of them, since a folder is written in moments.
    with held(home() / LOCK):
        check_folder(folder)
        with writing(folder), folder_beside(folder) as part:
            hasher = hashlib.blake2b(digest_size=16)
            for name, triples in tables.items():
                _write(part / f"{name}.tsv", triples)
                hasher.update(_signed(name, (part / f"{name}.tsv").read_bytes()))
            whole = {"form": FORM, "tables": list(tables), **facts, "digest": hasher.hexdigest()}
            text = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
            (part / FACTS).write_text(text, encoding="utf-8", newline="\n")
    return whole


def _signed(name: str, table: bytes) -> bytes:
    return b"%s %d\n" % (name.encode(), len(table)) + table


def _write(path: Path, triples: Iterable[LabelledTriple]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(COLUMNS)
        for triple in triples:
            label = "" if triple.label is None else triple.label
            table.writerow((triple.head, triple.relation, triple.tail, label, triple.kind, triple.source))


def read_data(folder: Path) -> TrainingDataFolder:
    """Reads a folder.

    Raises:
        UnreadableFile: a file is missing or has another form, or a table was changed after it was written.
    """
    path = folder / FACTS
    try:
        facts = from_json(decoded(path, content(path)))
        digest, names = facts["digest"], facts["tables"]
    except (ValueError, KeyError, TypeError) as error:
        raise _no_data(path) from error
    if facts.get("form") != FORM:
        raise _no_data(path)
    hasher = hashlib.blake2b(digest_size=16)
    tables = {}
    for name in names:
        table = content(folder / f"{name}.tsv")
        hasher.update(_signed(name, table))
        tables[name] = tuple(read_table(folder / f"{name}.tsv"))
    if hasher.hexdigest() != digest:
        raise UnreadableFile(
            folder, "its tables are not those that data.json describes", remedy="run 'harmgraph population data' again"
        )
    return TrainingDataFolder(MappingProxyType(tables), facts)


def _no_data(path: Path) -> UnreadableFile:
    return UnreadableFile(path, "is none of 'harmgraph population data'", remedy="name a folder that it wrote")


def read_table(path: Path) -> Iterator[LabelledTriple]:
    """The triples of one table, also of one that was made elsewhere.

    Raises:
        UnreadableFile: it cannot be read, or a line has another form.
    """
    lines = decoded(path, content(path)).split("\n")
    rows = csv.reader((f"{line}\n" for line in lines), delimiter="\t", strict=True)
    try:
        header = next(rows, [])
        if tuple(header) != COLUMNS:
            raise UnreadableFile(
                path, "has another header", line=1, remedy=f"the columns are {' '.join(COLUMNS)}, separated by tabs"
            )
        for cells in rows:
            if not cells:  # an empty line, such as the last
                continue
            if len(cells) != len(COLUMNS) or cells[3] not in _LABELS or cells[1] not in RELATIONS:
                raise UnreadableFile(
                    path, f"no triple with the columns {' '.join(COLUMNS)}", line=rows.line_num, remedy="correct it"
                )
            head, relation, tail, label, kind, source = cells
            yield LabelledTriple(head, relation, tail, _LABELS[label], kind, source)
    except csv.Error as error:
        raise UnreadableFile(
            path, f"is not a table with tabs ({error})", line=rows.line_num, remedy="correct it"
        ) from error

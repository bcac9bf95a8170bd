"""Reads lines or files with an importer, for the tests of importers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from harmgraph.graph.records import Record, Rejection, Skip
from harmgraph.loader.formats.importer import importers


def outcomes(importer: str, path: Path, **options: Any) -> list[Record]:
    """What becomes of every line of a file, the first record where it gives several; their numbers are 1, 2, 3 ..."""
    every = list(each_line(importers.get(importer).records(path, **options)))
    assert [record.line for record in every] == sorted(record.line for record in every)
    found = [record for at, record in enumerate(every) if not at or record.line != every[at - 1].line]
    assert [record.line for record in found] == list(range(1, len(found) + 1))
    return found


def each_line(records: Iterable[Record]) -> Iterator[Record]:
    """The records, with a skip for each line where one is of several lines."""
    for record in records:
        if isinstance(record, Skip) and record.lines > 1:
            assert record.count == record.lines
            yield from (Skip(record.line - before, record.reason) for before in reversed(range(record.lines)))
        else:
            yield record


def of_lines(importer: str, folder: Path, *lines: str, **options: Any) -> list[Record]:
    """What becomes of these lines."""
    path = folder / "kb.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    found = outcomes(importer, path, **options)
    assert len(found) == len(lines)
    return found


def of_line(importer: str, folder: Path, line: str, **options: Any) -> Record:
    """What becomes of one line."""
    (found,) = of_lines(importer, folder, line, **options)
    return found


def reason(record: Record) -> str:
    """Why a line gave no record, empty where it gave one."""
    return record.reason if isinstance(record, Rejection | Skip) else ""


def counts(importer: str, path: Path, **options: Any) -> Counter[str]:
    """How many lines of a file end how: ``record``, ``rejected``, or the reason for which they are left out."""
    kinds: Counter[str] = Counter()
    for record in outcomes(importer, path, **options):
        rejected = isinstance(record, Rejection)
        kinds["rejected" if rejected else reason(record) or "record"] += 1
    return kinds

"""What reading a line takes, by importer and stage, beside the floor: ``csv.reader`` and pyarrow's reader of the same file."""

from __future__ import annotations

import csv
import gc
import gzip
import marshal
import multiprocessing
import resource
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import IO, Any

from harmgraph.graph.writing.batches import Batch
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.importers.aser import SENSES
from harmgraph.loader.reading import process
from harmgraph.loader.reading.duplicates import Duplicates
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.records import Tally, kept_records, rejects_of
from tests.benchmarks.aser_database import write_database
from tests.benchmarks.conceptnet_like import write_dump
from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting
from tests.benchmarks.truthy_like import write_truthy

MICROSECONDS = 1e6
REPEATS = 5
JOINED = (
    "SELECT r.rowid, r._id, h.rowid, h.words, h.frequency, t.rowid, t.words, t.frequency, "
    f"{', '.join(f'r.{sense}' for sense in SENSES)} FROM Relations r LEFT JOIN Eventualities h ON h._id = r.hid "
    "LEFT JOIN Eventualities t ON t._id = r.tid ORDER BY r.rowid"
)
"""What the importer asks of ASER's database."""

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Measured:
    """A file and how it is read.

    Attributes:
        floor: what reads the file and makes nothing of it.
    """

    name: str
    importer: str
    path: Path
    options: Mapping[str, Any] = field(default_factory=dict)
    floor: Mapping[str, Work] = field(default_factory=dict)

    @property
    def plan(self) -> Plan:
        """The plan of its load; nothing of it is rejected."""
        return Plan(importers.get(self.importer), (self.path,), "generated", options=self.options, expect=1)


class _Unseen(Duplicates):
    """Takes nothing for repeated."""

    def seen(self, identity: str, content: str = "") -> bool:
        """Always false."""
        return False


def bench(setting: Setting, figures: Figures) -> None:
    """Microseconds of user time a line, the median of five; each in a process of its own, so that no cache is warm."""
    for measured in files(setting.folder, setting.lines, setting.data):
        stages = {**measured.floor, **_stages(measured.plan)}
        lines = _lines_of(measured)
        took: dict[str, list[float]] = {name: [] for name in stages}
        for _ in range(1 if setting.quick else REPEATS):
            for name, work in stages.items():  # in turns, so that other work on the machine falls on all
                took[name].append(user_seconds(work))
        for name, seconds in took.items():
            figures.add(f"{measured.name}: {name}", median(seconds) / lines * MICROSECONDS, "µs a line")


def files(folder: Path, lines: int, data: Path | None) -> Iterable[Measured]:
    """The generated files, so many lines each, and a real one if it is here."""
    dump = write_dump(folder / "reading.csv.gz", lines)
    triples, truthy = folder / "reading.tsv", write_truthy(folder / "reading.nt", lines)
    write_triples(triples, lines)
    database = write_database(folder / "reading.db", lines)
    yield Measured("conceptnet, en", "conceptnet", dump, floor=_floor(dump, "\t"))
    yield Measured("conceptnet, all", "conceptnet", dump, {"language": "all"})
    yield Measured("triples", "triples", triples, floor=_floor(triples, "\t"))
    yield Measured("wikidata-truthy", "wikidata-truthy", truthy, floor=_floor(truthy, " "))
    yield Measured("aser, as written", "aser", database, {"as_written": True}, {"sqlite3": partial(_joined, database)})
    yield Measured("aser, aligned", "aser", database)
    real = data / "fb15k-237" / "train.txt.gz" if data else None
    if real and real.exists():
        yield Measured("triples, FB15k-237", "triples", real, floor=_floor(real, "\t"))


def _lines_of(measured: Measured) -> int:
    tally = Tally()
    with rejects_of(measured.plan) as rejects, _Unseen() as unseen:
        deque(kept_records(measured.plan, tally, rejects=rejects, duplicates=unseen), 0)
    return tally.read


def _floor(path: Path, delimiter: str) -> dict[str, Work]:
    floor: dict[str, Work] = {"csv.reader": partial(_csv, path, delimiter)}
    if find_spec("pyarrow"):
        import_module("pyarrow.csv")  # here, so that its start is not measured
        floor["pyarrow"] = partial(_arrow, path)
    return floor


def _csv(path: Path, delimiter: str) -> None:
    with _text(path) as file:
        deque(csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_NONE), 0)


def _text(path: Path) -> IO[str]:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8", newline="")


def _arrow(path: Path) -> None:
    """Columns between tabs, as texts; it uncompresses too. A line without tabs is one column."""
    from pyarrow import csv as arrow

    reader = arrow.open_csv(
        path,
        arrow.ReadOptions(use_threads=False, autogenerate_column_names=True),
        arrow.ParseOptions(delimiter="\t", quote_char=False),
    )
    deque(reader, 0)


def _joined(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        deque(db.execute(JOINED), 0)


def _stages(plan: Plan) -> dict[str, Work]:
    """Each does what the one before does, and one thing more."""
    lines = {} if plan.importer.reads == "database" else {"lines": partial(_lines, plan)}
    return {
        **lines,
        "+ parser": partial(_parsed, plan),
        "+ tally": partial(_kept, plan, _Unseen),
        "+ duplicates": partial(_kept, plan, Duplicates),
        "+ batches": partial(_batches, plan, packed=False),
        "+ marshal": partial(_batches, plan, packed=True),
    }


def _lines(plan: Plan) -> None:
    with open_lines(plan.paths[0], plan.importer.longest_line) as lines:
        deque(lines, 0)


def _parsed(plan: Plan) -> None:
    with open_lines(plan.paths[0], plan.importer.longest_line) as lines:
        deque(plan.importer.read(lines, plan.importer.chosen(plan.options)), 0)


def _kept(plan: Plan, kind: type[Duplicates]) -> None:
    with rejects_of(plan) as rejects, kind() as duplicates:
        deque(kept_records(plan, Tally(), rejects=rejects, duplicates=duplicates), 0)
        duplicates.count()


def _batches(plan: Plan, *, packed: bool) -> None:
    for batch in process.batches(plan):
        if packed and isinstance(batch, Batch):
            marshal.dumps(tuple(getattr(batch, name) for name in process.FIELDS))


def user_seconds(work: Work) -> float:
    """Seconds of user time that the work takes in a process of its own."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_timed, args=(work, theirs))
    child.start()
    theirs.close()
    seconds: float = ours.recv()
    child.join()
    return seconds


def _timed(work: Work, pipe: Any) -> None:
    gc.disable()  # as the reading process does
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    work()
    pipe.send(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)

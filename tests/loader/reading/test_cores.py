"""Files that several processes read give what one process reads: records, counts, rejected lines and errors."""

from __future__ import annotations

import bz2
import gzip
import marshal
import multiprocessing
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harmgraph.common.errors import HarmgraphError, InputError
from harmgraph.common.progress import receiver
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Statement
from harmgraph.graph.writing import deferred_rows
from harmgraph.graph.writing.batches import BATCH, Batch
from harmgraph.loader.formats import lines
from harmgraph.loader.formats.importer import Importer, Parser, importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading import cores, duplicates, slices
from harmgraph.loader.reading.cores import readers_of, reading_on_cores
from harmgraph.loader.reading.exclusion import read_exclusion
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import ReadResult
from tests.support.commands import command
from tests.support.knowledge_bases import conceptnet, genericskb, wd50k, wd50k_names
from tests.support.processes import children_of, wait_for, wait_until_gone

PACKED: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress}
WEIGHTED = {"columns": "head,relation,tail,weight"}


@pytest.fixture(autouse=True)
def small_slices(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 700)
    monkeypatch.setattr(lines, "BLOCK", 300)


@dataclass(slots=True)
class Outcome:
    """What is written in the end, whatever the borders of the batches were."""

    nodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    triples: dict[tuple[str, ...], Any] = field(default_factory=dict)
    sentences: dict[str, Any] = field(default_factory=dict)
    implications: set[Any] = field(default_factory=set)
    relations: dict[str, str] = field(default_factory=dict)
    names: dict[str, list[Any]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    result: ReadResult | None = None
    rejects: str = ""
    error: str = ""

    def note(self, batch: Batch) -> None:
        for triples, surely_new in ((batch.first, True), (batch.others, False)):
            for kind, rows in triples.items():
                for head, tail, assertion, values in rows:
                    place = head, kind, tail, assertion
                    assert not (surely_new and place in self.triples), f"{place} does not come for the first time"
                    assert batch.nodes.keys() >= {head, tail}
                    self.triples[place] = values
        for key, node in batch.nodes.items():
            self.nodes[key] = max(self.nodes.get(key, ()), node, key=len)  # what is an event stays one
        for label, rows_of_label in (("Statement", batch.statements), ("Post", batch.posts)):
            self.sentences.update({row[0]: (label, row) for row in rows_of_label})
        self.implications.update(batch.implications)
        assert not batch.relations.keys() & self.relations.keys()
        self.relations.update(batch.relations)
        for row in batch.entities:
            self.names.setdefault(row[0], []).append(row)
        self.labels.update(batch.labels)


def outcome(plan: Plan, processes: int) -> Outcome:
    """What ``processes`` processes read; an error is told with what was rejected before it."""
    found = Outcome()
    try:
        with reading_on_cores(plan, processes) as items:
            for item in items:
                if isinstance(item, ReadResult):
                    found.result = item
                else:
                    found.note(item)
    except HarmgraphError as error:
        found = Outcome(error=f"{type(error).__name__}: {error}")
    found.rejects = plan.rejects_path.read_text() if plan.rejects_path.exists() else ""
    return found


def same(plan: Plan, processes: int = 3) -> Outcome:
    """What one process reads, after a comparison with several."""
    assert readers_of(plan, processes) == processes
    one = outcome(plan, 1)
    several = outcome(plan, processes)
    assert several == one
    return one


def plan_of(importer: str, folder: Path, *contents: bytes, **facts: Any) -> Plan:
    """The load of files with these contents, with rejects in the folder."""
    paths = []
    for number, content in enumerate(contents):
        paths.append(folder / f"kb{number}.txt")
        paths[-1].write_bytes(content)
    given_facts: dict[str, Any] = {"max_rejects": 0.5, "rejects": folder / "rejects.tsv"} | facts
    return Plan(importers.get(importer), tuple(paths), "kb", **given_facts)


def table(count: int, start: int = 0) -> bytes:
    return "".join(
        f"head {number}\tIsA\ttail {number % 9}\t{number}\n" for number in range(start, start + count)
    ).encode()


@pytest.mark.parametrize("form", PACKED)
@pytest.mark.parametrize("keep_duplicates", [False, True])
@pytest.mark.parametrize(
    ("importer", "text"), [("conceptnet", conceptnet()), ("genericskb", genericskb()), ("wd50k", wd50k())]
)
def test_records_counts_and_rejects(
    tmp_path: Path, importer: str, text: str, form: str, keep_duplicates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duplicates, "WAITING", 2)  # so that hashes and descriptions wait on disk too
    monkeypatch.setattr(deferred_rows, "WAITING", 2)
    options = {}
    if importer == "wd50k":
        (tmp_path / "names.tsv").write_text(wd50k_names(), encoding="utf-8")
        options = {"names": str(tmp_path / "names.tsv"), "qualifiers": "P580,P582"}
    found = same(
        plan_of(importer, tmp_path, PACKED[form](text.encode()), options=options, keep_duplicates=keep_duplicates)
    )
    assert found.result
    assert len(found.triples) + len(found.sentences) > 100
    assert found.result.duplicates or importer == "wd50k"
    assert found.names or importer != "wd50k"


def test_several_packed_files_and_the_last_of_equal_records(tmp_path: Path) -> None:
    again = b"".join(
        b"head %d\tis a\ttail %d\t%d\n" % (number, number % 9, number + 1_000) for number in range(0, 300, 2)
    )
    found = same(
        plan_of(
            "triples",
            tmp_path,
            gzip.compress(table(300)),
            gzip.compress(again),
            bz2.compress(table(40)),
            b"",
            options=WEIGHTED,
        )
    )
    assert found.result
    assert found.result.duplicates == 190
    weights = {key[0]: values["weight"] for key, values in found.triples.items()}
    assert [weights[f"en/head {number}"] for number in (0, 38, 40, 41, 42)] == [0, 38, 1040, 41, 1042]
    assert found.relations == {"IS_A": "IsA"}


def test_a_record_that_returns_to_what_it_was_is_written_again(tmp_path: Path) -> None:
    line = b"nurse\tIsA\twoman\t%d\n"
    filled = table(60)
    content = b"".join(line % weight + filled for weight in (1, 2, 1, 2, 1, 3, 1))
    assert same(plan_of("triples", tmp_path, content, options=WEIGHTED), 2).triples[
        "en/nurse", "IS_A", "en/woman", ""
    ] == {"weight": 1.0}


def test_names_of_relations_that_give_one_type(tmp_path: Path) -> None:
    content = (
        table(100) + "a\tpêcher\tb\t1\n".encode() + table(100, 100) + "a\tpécher\tb\t1\n".encode() + b"a\tC++\tb\t1\n"
    )
    found = same(plan_of("triples", tmp_path, content + table(100, 200) + b"a\tC#\tb\t1\n", options=WEIGHTED))
    assert found.result
    assert found.result.shared_types


def test_lines_of_every_kind(tmp_path: Path) -> None:
    kinds = [
        b"\xef\xbb\xbfhead,relation,tail\r\n",
        b"torn\n",
        b"\n",
        b"a,IsA,\xff\n",
        b"a,IsA,\x00\n",
        b"a,IsA,b\r\n",
        b"x," + b"y" * 5_000 + b"\n",
        b"a,IsA," + b"z" * 1_100_000 + b"\n",  # longer than a line may be
        *(b"h%d,IsA,t%d\n" % (number, number) for number in range(200)),
        b"last,IsA,line",
    ]
    plan = plan_of("triples", tmp_path, b"".join(kinds), options={"delimiter": ","})
    found = same(plan)
    assert found.result
    assert found.result.rejected == 5
    assert ("en/last", "IS_A", "en/line", "") in found.triples
    assert "longer than 1,000,000 bytes (1,100,006)" in found.rejects
    plan.paths[0].write_bytes(gzip.compress(b"".join(kinds)))
    assert same(plan).rejects == found.rejects


def test_what_is_left_out(tmp_path: Path) -> None:
    rows = "".join(f"IsA\thead {number}\ttail {number % 9}\t1\n" for number in range(300))
    exclude = tmp_path / "exclude.txt"
    exclude.write_text("".join(f"/c/en/head_{number}\n" for number in range(0, 400, 7)))
    plan = plan_of("conceptnet100k", tmp_path, rows.encode())
    found = same(replace(plan, exclusion=read_exclusion(exclude, plan.importer, plan.paths)))
    assert found.result
    assert len(found.result.tally.matched) == 43


LINES = st.lists(
    st.sampled_from(
        [
            "a\tIsA\tb\t1",
            "a\tis a\tb\t2",
            "a\tIsA\tc\t1",
            "b\tHasA\tc\t1",
            "ä\tIsA\tb\t1",
            "torn",
            "",
            "a\tExternalURL\tb\t1",
        ]
    ),
    max_size=40,
)


@settings(max_examples=25)
@given(LINES, LINES, st.integers(1, 60), st.integers(1, 80), st.sampled_from([0.0, 0.3, 1.0]), st.booleans())
@example(["torn"] * 3, [], 1, 1, 0.3, False)
def test_any_lines_in_any_slices(
    first: list[str], second: list[str], size: int, block: int, allowed: float, keep_duplicates: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(slices, "SLICE", size)
        patch.setattr(lines, "BLOCK", block)
        contents = "\n".join(first).encode(), gzip.compress("\n".join(second).encode())
        same(
            plan_of(
                "triples",
                Path(folder),
                *contents,
                options=WEIGHTED | {"skip_relations": "ExternalURL"},
                max_rejects=allowed,
                keep_duplicates=keep_duplicates,
            ),
            2,
        )


@pytest.mark.parametrize("bad_at", [0, 900, 980, 999, 1_000, 2_000, 2_989])
@pytest.mark.parametrize("count", [10, 11, 31])
def test_too_many_rejects_are_told_at_the_same_line(tmp_path: Path, bad_at: int, count: int) -> None:
    rows = table(3_000).splitlines(keepends=True)
    rows[bad_at : bad_at + count] = [b"bad\n"] * count
    found = same(plan_of("triples", tmp_path, b"".join(rows), options=WEIGHTED, max_rejects=0.01))
    bad = [row == b"bad\n" for row in rows]
    too_many = any(sum(bad[:read]) > read / 100 for read in range(1_000, len(rows) + 1))
    assert ("TooManyRejects" in found.error) == too_many


def test_the_third_of_four_files_is_torn(tmp_path: Path) -> None:
    packed = [gzip.compress(table(300, 300 * number) + b"bad\n") for number in range(4)]
    packed[2] = packed[2][:-200]
    found = same(plan_of("triples", tmp_path, *packed, options=WEIGHTED))
    assert found.error.startswith("UnreadableFile")
    assert "kb2.txt:" in found.error
    assert "ends in the middle of its compressed data" in found.error
    assert found.rejects.count("bad") == 2


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04" + b"x" * 100, b"\xff\xfea\x00", gzip.compress(b"SQLite format 3")],
    ids=[
        "zip",
        "two bytes a character",
        "a packed database",
    ],  # gzip's header has the time, and both workers need equal names
)
def test_a_file_that_is_no_text_is_told(tmp_path: Path, content: bytes) -> None:
    assert same(plan_of("triples", tmp_path, table(300), content, options=WEIGHTED)).error.startswith("UnreadableFile")


def test_too_few_records_are_told(tmp_path: Path) -> None:
    assert "at least 301" in same(plan_of("triples", tmp_path, table(300), options=WEIGHTED, expect=301)).error


def test_a_fault_of_an_importer_is_told_with_its_place_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of the importer")

    monkeypatch.setattr(importers.get("triples").__class__, "parser", broken)
    plan = plan_of("triples", tmp_path, table(3_000))
    with pytest.raises(RuntimeError, match="ZeroDivisionError: of the importer"), reading_on_cores(plan, 2) as items:
        for child in multiprocessing.active_children():
            child.join()  # so that each says what it has to say
        list(items)
    assert capfd.readouterr().err == ""


def test_batches_are_neither_small_nor_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 100_000)
    monkeypatch.setattr(lines, "BLOCK", 1 << 18)
    told: list[str] = []
    plan = plan_of("triples", tmp_path, table(90_000), options=WEIGHTED)
    with (
        receiver(lambda stage, done, total=None: told.append(f"{stage} {done} {total}")),
        reading_on_cores(plan, 2) as items,
    ):
        sizes = [
            len(item.first["IS_A"]) + len(item.others.get("IS_A", [])) for item in items if isinstance(item, Batch)
        ]
    assert sum(sizes) == 90_000
    assert len(sizes) < 8
    assert max(sizes) <= 1.25 * BATCH
    size = plan.paths[0].stat().st_size
    assert told[-1] == f"reading kb0.txt {size} {size}"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_process_that_was_killed_is_told(tmp_path: Path, which: int) -> None:
    plan = plan_of("triples", tmp_path, table(300_000), options=WEIGHTED)
    with pytest.raises(InputError, match="was killed"), reading_on_cores(plan, 2) as items:
        next(items)
        sorted(multiprocessing.active_children(), key=lambda child: child.pid or 0)[which].kill()
        list(items)
    assert not multiprocessing.active_children()


def test_a_message_that_ends_in_the_middle_is_no_damaged_file(tmp_path: Path) -> None:
    plan = plan_of("triples", tmp_path, table(3), options=WEIGHTED)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    joined, joiner = multiprocessing.Pipe(duplex=False)
    with ours, joined, joiner:
        theirs.send_bytes(marshal.dumps((0, 1)))
        os.write(theirs.fileno(), struct.pack("!i", 100) + b"head")  # of 100 bytes
        theirs.close()
        slices.read(plan, ours, joiner)
        name, (message, *_), _ = marshal.loads(joined.recv_bytes())[-1]
    assert name == "InputError"
    assert "was killed" in message


def test_a_reader_ends_where_a_slice_does_not_begin_whole(tmp_path: Path) -> None:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours:
        os.write(theirs.fileno(), struct.pack("!i", 100) + b"head")
        theirs.close()
        slices.read(plan_of("triples", tmp_path, b""), ours, ours)


def test_a_value_that_no_pipe_takes_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Split(StrEnum):
        TRAIN = "train"

    def parser(*_: object) -> Parser:
        return lambda line, number: Statement(line, properties={"split": Split.TRAIN}, line=number)

    monkeypatch.setattr(importers.get("triples").__class__, "parser", parser)
    with (
        pytest.raises(RuntimeError, match="unmarshallable"),
        reading_on_cores(plan_of("triples", tmp_path, table(300)), 2) as items,
    ):
        list(items)
    assert capfd.readouterr().err == ""


def test_no_process_is_left_when_the_block_ends_early(tmp_path: Path) -> None:
    with reading_on_cores(plan_of("triples", tmp_path, table(300_000), options=WEIGHTED), 2) as items:
        next(items)
        assert len(multiprocessing.active_children()) == 3
    assert not multiprocessing.active_children()


def test_no_process_outlives_the_command(tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_bytes(table(50_000) * 20)
    arguments = ("load", "triples", str(path), "--columns", WEIGHTED["columns"], "--dry-run", "--processes", "2")
    with command(*arguments) as process:
        wait_for(lambda: len(children_of(process.pid)) == 3, process)
        children = children_of(process.pid)
        process.kill()
        wait_until_gone(*children)


def test_what_one_process_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("triples", tmp_path, table(300))
    assert readers_of(plan, 4) == 4
    assert readers_of(plan, 0) == 1
    assert readers_of(replace(plan, limit=5), 4) == 1
    assert readers_of(replace(plan, importer=importers.get("targets")), 4) == 1
    assert readers_of(replace(plan, importer=importers.get("aser")), 4) == 1
    assert readers_of(replace(plan, importer=importers.get("sbic")), 4) == 1
    assert readers_of(replace(plan, paths=(tmp_path / "none.tsv",)), 4) == 0
    with monkeypatch.context() as patch:
        kind = type(plan.importer)
        patch.setattr(kind, "parsed", lambda self, *given: Importer.parsed(self, *given), raising=False)
        assert readers_of(plan, 4) == 1
    monkeypatch.setattr(cores, "WORTH_CORES", plan.paths[0].stat().st_size)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2})
    assert readers_of(plan, 0) == 3
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(128)))
    assert readers_of(plan, 0) == cores.MOST
    plan.paths[0].write_bytes(gzip.compress(table(60)))
    assert readers_of(plan, 0) == 1


@pytest.mark.parametrize("importer", ["conceptnet", "wd50k"])
def test_the_graph_and_the_report_are_the_same(graph: Graph, tmp_path: Path, importer: str) -> None:
    (tmp_path / "names.tsv").write_text(wd50k_names(), encoding="utf-8")
    options = {"names": str(tmp_path / "names.tsv")} if importer == "wd50k" else {}
    text = wd50k() if importer == "wd50k" else conceptnet()
    plan = plan_of(importer, tmp_path, gzip.compress(text.encode()), options=options)
    found = []
    for processes in (1, 2):
        graph.autocommit("schema/wipe")
        default_targets.ensure(graph)
        read = partial(reading_on_cores, processes=processes)
        reports = [replace(pipeline.load(graph, plan, read=read), seconds=0) for _ in range(2)]
        found.append((reports, digest(graph)))
    assert found[0] == found[1]
    first, again = found[0][0]
    assert first.in_graph > 100
    assert (again.unchanged, again.added, again.removed) == (True, 0, 0)

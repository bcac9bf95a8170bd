"""Reading in a process of its own gives what reading here gives: batches, counts, errors and signs of progress."""

from __future__ import annotations

import multiprocessing
import os
import struct
import time
from pathlib import Path

import psutil
import pytest

from harmgraph.common.errors import InputError, TooManyRejects, UnreadableFile
from harmgraph.common.progress import receiver
from harmgraph.graph.writing.batches import Batch
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.reading import process as module
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import ReadResult, batches, reading

LINES = [f"head {number}\tIsA\ttail {number % 99}" for number in range(12_000)] + ["", "torn", "head 1\tIsA\ttail 1"]


@pytest.fixture(autouse=True)
def forked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_A_PROCESS", 1)


def plan(folder: Path, lines: list[str]) -> Plan:
    path = folder / "kb.tsv"
    path.write_text("\n".join(lines) + "\n")
    return Plan(importers.get("triples"), (path,), "kb")


def test_the_batches_are_the_same(tmp_path: Path) -> None:
    the_plan = plan(tmp_path, LINES)
    told: list[str] = []
    with receiver(lambda stage, done, total=None: told.append(stage)), reading(the_plan) as found:
        apart = list(found)
    here = list(batches(the_plan))
    assert [type(item) for item in apart] == [Batch, Batch, ReadResult]
    assert apart == here
    assert told


def test_an_error_comes_as_it_was_raised(tmp_path: Path) -> None:
    bad = plan(tmp_path, ["torn"] * 5_000)
    with pytest.raises(TooManyRejects) as caught, reading(bad) as found:
        list(found)
    assert caught.value.rejected == 1_000
    assert "kb" in str(caught.value)
    (tmp_path / "kb.tsv").write_bytes(b"PK\x03\x04" + b"x" * 100)
    with pytest.raises(UnreadableFile, match="a zip archive") as unreadable, reading(bad) as found:
        list(found)
    assert unreadable.value.path == str(tmp_path / "kb.tsv")


def test_a_fault_of_an_importer_is_told_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of the importer")

    monkeypatch.setattr(importers.get("triples").__class__, "parser", broken)
    with (
        pytest.raises(RuntimeError, match="ZeroDivisionError: of the importer"),
        reading(plan(tmp_path, LINES)) as found,
    ):
        list(found)


def test_a_reader_that_was_killed_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="was killed"), reading(plan(tmp_path, LINES * 20)) as found:
        next(found)
        (child,) = multiprocessing.active_children()
        child.kill()
        list(found)


def test_a_reader_that_was_killed_in_the_middle_of_a_message_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="was killed"), reading(plan(tmp_path, LINES * 20)) as found:
        next(found)
        (child,) = multiprocessing.active_children()
        assert child.pid
        sleeping = 0
        while sleeping < 20:  # nobody takes what it writes: it waits with the pipe full
            time.sleep(0.01)
            sleeping = sleeping + 1 if psutil.Process(child.pid).status() == psutil.STATUS_SLEEPING else 0
        child.kill()
        list(found)


def test_half_a_message_is_told(tmp_path: Path) -> None:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours, theirs:
        os.write(theirs.fileno(), struct.pack("!i", 1_000) + b"half")
        theirs.close()
        with pytest.raises(InputError, match="was killed"):
            next(module._received(ours))


def test_no_process_is_left_when_the_block_ends_early(tmp_path: Path) -> None:
    with reading(plan(tmp_path, LINES * 20)) as found:
        next(found)
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


def test_a_worker_of_a_pool_reads_by_itself(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_read_in_worker, (plan(tmp_path, LINES),)) == [Batch, Batch, ReadResult]


def _read_in_worker(the_plan: Plan) -> list[type]:
    module.WORTH_A_PROCESS = 1
    with reading(the_plan) as found:
        return [type(item) for item in found]

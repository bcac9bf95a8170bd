"""Reads the files of a plan into batches, for large files in a child process.

Reading takes about as long as writing, and a Python process can do only one of them at a time.
"""

from __future__ import annotations

import gc
import marshal
import multiprocessing
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field, fields
from multiprocessing.connection import Connection
from typing import Any, Protocol

from harmgraph.common.children import end_with_parent
from harmgraph.common.errors import InputError
from harmgraph.common.packed_error import packed, unpacked
from harmgraph.common.progress import progress, receiver
from harmgraph.common.signals import ignore_in_worker
from harmgraph.graph.writing.batches import Batch, Batches
from harmgraph.loader.reading.duplicates import Duplicates
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.records import Tally, kept_records, rejects_of

WORTH_A_PROCESS = 1 << 20  # bytes of the files, as they are on disk
FIELDS = tuple(attribute.name for attribute in fields(Batch))


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading all files, known at the end.

    Attributes:
        rejected: lines and parts of lines that cannot be read.
        duplicates: records equal to an earlier one.
        names_kept: number of names and descriptions of something in a triple, by the number of the file.
        shared_types: names of relations by type, if different names give the same type.
        first_rejected: the first of what cannot be read, as ``kb.tsv:7: the head is empty``.
    """

    tally: Tally
    rejected: int
    duplicates: int
    names_kept: Mapping[int, int]
    shared_types: Mapping[str, Sequence[str]] = field(default_factory=dict)
    first_rejected: tuple[str, ...] = ()


def batches(plan: Plan) -> Iterator[Batch | ReadResult]:
    """The batches of a plan, read in this process, and the result at the end.

    Raises:
        UnreadableFile, TooManyRejects: the files cannot be read, or have too many rejected lines.
    """
    tally = Tally()
    gathered = Batches(plan.source, plan.carried, plan.described)
    with rejects_of(plan) as rejects, Duplicates() as duplicates, closing(gathered):
        for record, assertion, file in kept_records(plan, tally, rejects=rejects, duplicates=duplicates):
            batch = gathered.add(record, assertion, file)
            if batch:
                yield batch
        yield from gathered.last()
        count = duplicates.count()
        kept, types = dict(gathered.names_kept), dict(tally.shared_types)
        yield ReadResult(tally, rejects.count, count, kept, types, tuple(rejects.first))


class Reader(Protocol):
    """Reads the files of a plan: ``reading``, or ``spread.reading_on`` for a cluster."""

    def __call__(self, plan: Plan) -> AbstractContextManager[Iterator[Batch | ReadResult]]: ...


@contextmanager
def reading(plan: Plan) -> Iterator[Iterator[Batch | ReadResult]]:
    """The same as ``batches``, in a child process if the files are large; the process ends with the block.

    Raises:
        UnreadableFile, TooManyRejects: as ``batches``.
    """
    if not _pays(plan):
        yield batches(plan)
        return
    ours, theirs = multiprocessing.Pipe(duplex=False)
    # Forked, not spawned: it starts at once, and need not import the main module or find the importer by name.
    # It uses only files and the pipe, so locks that other threads hold do not matter.
    child = multiprocessing.get_context("fork").Process(target=_child, args=(plan, ours, theirs), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    theirs.close()
    try:
        yield _received(ours)
    finally:
        ours.close()
        child.kill()  # if it is still running; it leaves no files, because its temporary files have no names
        child.join()
        child.close()


def _pays(plan: Plan) -> bool:
    if not sys.platform.startswith("linux") or (os.cpu_count() or 1) < 2:
        return False
    if multiprocessing.current_process().daemon:
        return False  # a worker of a pool cannot have children
    try:
        return sum(path.stat().st_size for path in plan.files) >= WORTH_A_PROCESS
    except OSError:
        return False  # reading the file will report the error


def _child(plan: Plan, parents: Connection, pipe: Connection) -> None:
    end_with_parent()  # otherwise it would notice the parent's end only at its next message
    ignore_in_worker()
    parents.close()  # otherwise this process would not notice that the parent has ended
    gc.disable()

    def tell(stage: str, done: int, total: int | None = None) -> None:
        pipe.send_bytes(marshal.dumps(("progress", (stage, done, total))))

    with suppress(BrokenPipeError), receiver(tell):  # the parent has ended or stopped reading
        try:
            for batch in batches(plan):
                if isinstance(batch, Batch):
                    pipe.send_bytes(marshal.dumps(("batch", values_of(batch))))
                else:
                    tally = batch.tally
                    facts = (
                        (tally.read, tally.records, tally.names, dict(tally.skipped), list(tally.matched)),
                        batch.rejected,
                        batch.duplicates,
                        dict(batch.names_kept),
                        dict(batch.shared_types),
                        batch.first_rejected,
                    )
                    pipe.send_bytes(marshal.dumps(("result", facts)))
        except BrokenPipeError:
            raise
        except BaseException as error:  # noqa: BLE001 - the parent raises it
            pipe.send_bytes(marshal.dumps(("error", packed(error))))


def _received(pipe: Connection) -> Iterator[Batch | ReadResult]:
    while True:
        kind, content = marshal.loads(message(pipe))
        if kind == "batch":
            yield Batch(*content)
        elif kind == "progress":
            progress(*content)
        elif kind == "result":
            (read, records, names, skipped, matched), *rest = content
            yield ReadResult(Tally(read, records, names, Counter(skipped), matched=set(matched)), *rest)
            return
        else:
            raise unpacked(*content)


def values_of(batch: Batch) -> tuple[Any, ...]:
    """A batch as plain values, of which ``Batch(*values)`` makes it again."""
    return tuple(getattr(batch, name) for name in FIELDS)


def message(pipe: Connection) -> bytes:
    """The next message of a process that reads.

    Raises:
        InputError: the process was killed.
    """
    try:
        return pipe.recv_bytes()
    except (EOFError, OSError) as error:
        # If a message ends in the middle, multiprocessing raises an OSError without errno, as no system call failed.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(
            "the process that reads the files was killed", remedy="free some memory and run the same command again"
        ) from error

"""Reads the files of a plan on several cores: the same batches as ``process.batches`` but for their borders, in the same order.

One process cuts the files, others read the slices (``slices``), and this one joins what they read, in the order of the files. So
what needs the whole is right: which of equal records is the last, what occurs for the first time, and when there are too many
rejected lines.
"""

from __future__ import annotations

import gc
import marshal
import multiprocessing
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from harmgraph.common.children import end_with_parent
from harmgraph.common.errors import HarmgraphError
from harmgraph.common.packed_error import unpacked
from harmgraph.common.progress import progress
from harmgraph.common.signals import ignore_in_worker
from harmgraph.graph.records import Rejection
from harmgraph.graph.writing.batches import Batch, Batches
from harmgraph.loader.formats.lines import compression, open_lines, opened
from harmgraph.loader.reading import slices
from harmgraph.loader.reading.division import in_parts
from harmgraph.loader.reading.duplicates import Duplicates
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import ReadResult, message, reading
from harmgraph.loader.reading.records import Tally, check_expected, rejects_of
from harmgraph.loader.reading.rejects import EARLY, Rejects

WORTH_CORES = 32 << 20  # bytes of text
UNPACKED = 5  # times as large as the compressed file, about
MOST = 8  # readers, unless more are asked for: the parent joins about as fast as these read
PIPE = 1 << 20  # bytes that may wait in a pipe, if the system allows it


@contextmanager
def reading_on_cores(plan: Plan, processes: int = 0) -> Iterator[Iterator[Batch | ReadResult]]:
    """The same as ``process.reading``, by several processes where the files can be divided; they end with the block.

    Args:
        processes: how many read; 0 for one for each core, up to ``MOST``, if the files are large; 1 for one.

    Raises:
        UnreadableFile, TooManyRejects: as ``process.reading``.
    """
    count = readers_of(plan, processes)
    if count < 2:
        with reading(plan) as items:
            yield items
        return
    import fcntl  # not on every system, see ``readers_of``

    pairs = [multiprocessing.Pipe(duplex=False) for _ in range(2 * count)]
    for _, end in pairs:
        with suppress(OSError):  # then less waits
            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, PIPE)
    sent, read = pairs[:count], pairs[count:]
    works: list[tuple[Callable[..., None], tuple[Any, ...]]] = [(slices.cut, (plan, [end for _, end in sent]))]
    works += [(slices.read, (plan, sent[nth][0], read[nth][1])) for nth in range(count)]
    context = multiprocessing.get_context("fork")  # see ``process.reading``
    children = [context.Process(target=_child, args=(*work, pairs), daemon=True) for work in works]
    ours = [end for end, _ in read]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            for child in children:
                child.start()
        for end in _ends(pairs):
            if end not in ours:
                end.close()
        yield _joined(plan, ours)
    finally:
        for end in _ends(pairs):
            end.close()
        for child in children:
            if child.pid:
                child.kill()  # they leave no files, because their temporary files have no names
                child.join()
            child.close()


def _ends(pairs: Sequence[tuple[Connection, Connection]]) -> list[Connection]:
    return [end for pair in pairs for end in pair]


def readers_of(plan: Plan, processes: int) -> int:
    """How many processes ``reading_on_cores`` lets read; 0 if a file or an option is wrong.

    It is 1 for what cannot be divided, and for small files if 0 are asked for.
    """
    if processes == 1 or not sys.platform.startswith("linux") or multiprocessing.current_process().daemon:
        return 1
    if plan.limit or plan.importer.gives == "targets" or not in_parts(plan.importer):
        return 1
    try:
        if not processes and sum(map(_text, plan.files)) < WORTH_CORES:
            return 1
        options = plan.importer.chosen(plan.options)
        for path in plan.files:
            with open_lines(path, plan.importer.longest_line) as lines:
                if plan.importer.of_whole(lines, options) is not None:
                    return 1
    except (OSError, HarmgraphError):
        return 0  # reading the files will report the error
    return processes or min(MOST, len(os.sched_getaffinity(0)))


def _text(path: Path) -> int:
    """About how many bytes of text a file has."""
    with opened(path) as raw:
        return path.stat().st_size * (UNPACKED if compression(raw) else 1)


def _child(work: Callable[..., None], arguments: Sequence[Any], pairs: Sequence[tuple[Connection, Connection]]) -> None:
    """Runs ``cut`` or ``read`` with the ends of pipes that it was given, and closes all others: so each end has one holder."""
    end_with_parent()
    ignore_in_worker()
    own = [each for argument in arguments for each in (argument if isinstance(argument, list) else [argument])]
    for end in _ends(pairs):
        if not any(end is each for each in own):
            end.close()
    gc.disable()
    with suppress(BrokenPipeError):  # the parent has ended or stopped reading
        work(*arguments)


def _joined(plan: Plan, readers: Sequence[Connection]) -> Iterator[Batch | ReadResult]:
    """What the readers read, in the order of the slices, which went round them."""
    tally = Tally()
    gathered = Batches(plan.source, plan.carried, plan.described)
    with rejects_of(plan) as rejects, Duplicates() as duplicates, closing(gathered):
        for reader in cycle(readers):
            part = marshal.loads(message(reader))
            if part is None:
                break
            number, outcome, (read, *counts), rejections, digests, deferred, wanted, batches, failed = part
            _note(number, rejections, read, tally, rejects)
            records, names, skipped, relations, matched = counts
            tally.add(Tally(read, records, names, Counter(skipped), relations=relations, matched=set(matched)))
            duplicates.add(digests)
            gathered.join_deferred(deferred, wanted)
            for values, firsts in batches:
                full = gathered.join(Batch(*values), firsts)
                if full:
                    yield full
            if failed:
                raise unpacked(*failed)
            progress(f"reading {plan.files[number].name}", *outcome)
        rejects.check(tally.read, last=True)
        check_expected(plan, tally)
        yield from gathered.last()
        count = duplicates.count()
        kept, types = dict(gathered.names_kept), dict(tally.shared_types)
        yield ReadResult(tally, rejects.count, count, kept, types, tuple(rejects.first))


def _note(
    number: int, rejections: Sequence[tuple[int, str, int, str, str]], read: int, tally: Tally, rejects: Rejects
) -> None:
    """Writes the rejections of a slice and checks their share, at the same lines as where one process reads.

    Args:
        number: of the file.
        read: lines of the slice.
        tally: of all slices before.
    """
    before = tally.read
    waits = before < EARLY <= before + read  # for the first check, at a line without a rejection
    for lines, file, line, reason, text in rejections:
        if waits and before + lines > EARLY:
            waits = False
            rejects.check(EARLY)
        rejects.add(Rejection(file, line, reason, text), number)
        rejects.check(before + lines)
    if waits:
        rejects.check(EARLY)

"""Slices of files, which several processes read: one process cuts them and the others read what it sends.

A slice is whole lines, of which the number of the first is known. The process that cuts also decompresses, so a gzip file is
read by several processes too. The slices go round the readers, so it is known who has which. All processes are forked from one
and share its hashes, whatever ``PYTHONHASHSEED`` is.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from itertools import cycle
from multiprocessing.connection import Connection
from typing import Any

from harmgraph.common.errors import InputError
from harmgraph.common.packed_error import packed, unpacked
from harmgraph.graph.records import Record, Rejection
from harmgraph.graph.writing.batches import Batches, digests_of
from harmgraph.loader.formats.importer import Parser
from harmgraph.loader.formats.lines import Lines, open_lines, opened
from harmgraph.loader.reading.duplicates import Duplicates
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import message, values_of
from harmgraph.loader.reading.records import Tally, without_repetitions

SLICE = 1 << 19  # bytes of text; it may be one line more
END = b""  # ends the blocks of a slice
NOTHING: tuple[Any, ...] = (0, 0), (0, 0, 0, {}, {}, []), [], [], [], b"", []
"""What there is of a slice between its file and its error, where nothing else can be told."""


def cut(plan: Plan, readers: Sequence[Connection]) -> None:
    """Sends the files of a plan in slices to the readers, one after the other, and says at the end whether all was read.

    A slice is a header (number of the file, number of its first line), blocks of bytes, ``END``, and what came of it: the place
    in the file and its size, or an error. After the last slice the next reader gets None in the place of a header.

    Raises:
        BrokenPipeError: a reader has ended.
    """
    sender = _Sender(readers)
    for number, path in enumerate(plan.files):
        sender.begin(number, 1)
        try:
            with open_lines(path, plan.importer.longest_line) as lines:
                _cut_file(lines, number, sender)
                place = lines.position, lines.size
        except BrokenPipeError:
            raise
        except BaseException as error:  # noqa: BLE001 - whoever joins what is read raises it
            sender.end((packed(error),))
            return
        sender.end(place)
    sender.finish()


class _Sender:
    """Sends each slice to the reader whose turn it is."""

    def __init__(self, readers: Sequence[Connection]) -> None:
        self._turns = cycle(readers)
        self._reader = next(self._turns)

    def begin(self, number: int, line: int) -> None:
        self._reader.send_bytes(marshal.dumps((number, line)))

    def send(self, block: bytes, start: int, end: int) -> None:
        self._reader.send_bytes(block, start, end - start)

    def end(self, outcome: tuple[Any, ...]) -> None:
        self._reader.send_bytes(END)
        self._reader.send_bytes(marshal.dumps(outcome))
        self._reader = next(self._turns)

    def finish(self) -> None:
        self._reader.send_bytes(marshal.dumps(None))


def _cut_file(lines: Lines, number: int, sender: _Sender) -> None:
    """Sends a file whose first slice has begun; its last one has not ended."""
    line, taken = 1, 0
    for block in lines.blocks():
        start = 0
        while end := block.find(b"\n", start + max(0, SLICE - taken)) + 1:
            sender.send(block, start, end)
            sender.end((lines.position, lines.size))
            line += block.count(b"\n", start, end)
            start, taken = end, 0
            sender.begin(number, line)
        if start < len(block):
            sender.send(block, start, len(block))
            line += block.count(b"\n", start)
            taken += len(block) - start


def read(plan: Plan, slices: Connection, joiner: Connection) -> None:
    """Reads the slices that come, each with the importer, and sends what is in them; ends after the last one, and after an error.

    Raises:
        BrokenPipeError: whoever joins has ended.
    """
    parsers: dict[int, Parser] = {}
    while True:
        try:
            header = marshal.loads(message(slices))
        except InputError:  # the last slice is another reader's, or whoever joins misses one
            return
        if header is None:
            joiner.send_bytes(marshal.dumps(None))
            return
        found = _read_slice(plan, slices, parsers, *header)
        try:
            content = marshal.dumps(found)
        except ValueError as error:  # an importer gave a value that is not plain, such as one of an enumeration
            found = (header[0], *NOTHING, packed(error))
            content = marshal.dumps(found)
        joiner.send_bytes(content)
        if found[-1]:  # an error, after which the rest of the slice was not taken
            return


class _Sent:
    """The bytes of a slice as they come.

    Attributes:
        outcome: the place in the file after the slice and the file's size, once it is read.
    """

    def __init__(self, slices: Connection) -> None:
        self._slices = slices
        self.outcome = (0, 0)
        self._ended = False

    def read1(self, size: int, /) -> bytes:
        """The next bytes, ``size`` or not; none at the end.

        Raises:
            HarmgraphError: what happened where the file is read, or that the process that reads it was killed.
        """
        if self._ended:
            return END
        # Not ``recv_bytes``: where a message ends in the middle, its error is that of a damaged file.
        block = message(self._slices)
        if block == END:
            self._ended = True
            outcome = marshal.loads(message(self._slices))
            if len(outcome) == 1:
                raise unpacked(*outcome[0])
            self.outcome = outcome
        return block


def _read_slice(plan: Plan, slices: Connection, parsers: dict[int, Parser], number: int, first: int) -> tuple[Any, ...]:
    """What ``cores`` needs of a slice, as plain values.

    Args:
        number: of the file.
        first: number of the first line.
        parsers: by file, for all slices but the first, which has the header.
    """
    tally, content = Tally(), _Sent(slices)
    rejections: list[tuple[int, str, int, str, str]] = []
    batches: list[tuple[tuple[Any, ...], bytes]] = []
    digests: list[bytes] = []
    failed = None
    gathered = Batches(plan.source, plan.carried, plan.described, part=True)
    with Duplicates() as duplicates:  # of this slice alone: what other slices have in between is not known here
        records = _records(plan, number, first, content, parsers, tally, rejections)
        try:
            for record, assertion, file in without_repetitions(plan, records, duplicates):
                batch = gathered.add(record, assertion, file)
                if batch:
                    batches.append((values_of(batch), digests_of(batch)))
            batch = gathered.rest()
            if batch:
                batches.append((values_of(batch), digests_of(batch)))
            digests = [part.tobytes() for part in duplicates.digests()]
        except BaseException as error:  # noqa: BLE001 - whoever joins raises it
            failed = packed(error)
    counts = tally.read, tally.records, tally.names, dict(tally.skipped), tally.relations, list(tally.matched)
    return (
        number,
        content.outcome,
        counts,
        rejections,
        digests,
        *gathered.deferred,
        batches,
        failed,
    )


def _records(
    plan: Plan,
    number: int,
    first: int,
    content: _Sent,
    parsers: dict[int, Parser],
    tally: Tally,
    rejections: list[tuple[int, str, int, str, str]],
) -> Iterator[tuple[int, Record]]:
    """The records of a slice with the number of their file; notes rejections with the lines read until then."""
    importer, path = plan.importer, plan.files[number]
    options = importer.chosen(plan.options)
    if first > 1 and number not in parsers:
        with open_lines(path, importer.longest_line) as start:
            parsers[number] = importer.parser(start, options)
    with opened(path) as raw:
        lines = Lines(path, raw, content, 0, importer.longest_line, first)
        read = importer.read(lines, options) if first == 1 else importer.rest(lines, parsers[number], options)
        last = 0
        for record in plan.remaining(read, path, tally.matched):
            if record.line != last:
                last = record.line
                tally.read += 1
            tally.note(record)
            if type(record) is Rejection:
                rejections.append((tally.read, record.file, record.line, record.reason, record.text))
            yield number, record

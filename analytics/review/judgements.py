"""The file of people's judgements, ``sentence,label,annotator``: each is on the disk before the next sentence is shown."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from harmgraph.analytics.labelling.frame_answer import FrameAnswer
from harmgraph.analytics.labelling.ratings import Ratings, folded
from harmgraph.analytics.labelling.review_question import HARM, QUESTIONS, ReviewQuestion
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.no_space import writing
from harmgraph.common.user_file import TableRow, content, csv_rows
from harmgraph.common.whole_file import write_whole

HEADER = ("sentence", "label", "annotator")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person says of a sentence; ``label`` is one of the question's.

    Attributes:
        frame: the whole answer, where the question is that of frames.
        origin: of a frame, the source of the sentence.
    """

    sentence: str
    label: str
    annotator: str
    frame: FrameAnswer | None = None
    origin: str = ""


class Judgements:
    """The judgements of a file, in the order in which they were made.

    A killed process loses none: each is appended in one piece and brought to the disk.
    """

    header: ClassVar[tuple[str, ...]] = HEADER

    def __init__(self, path: Path, question: ReviewQuestion = QUESTIONS[HARM]) -> None:
        """Reads the file; without one it is written with the first judgement.

        Raises:
            UnreadableFile: it has other columns, or a line that is not a judgement.
        """
        self.path = path
        self.question = question
        self._all: list[Judgement] = list(self._all_of_file()) if path.exists() else []

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, judgement: Judgement) -> None:
        """Appends a judgement.

        Raises:
            NoSpace: it cannot be written.
        """
        with writing(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            before = self.path.stat().st_size if self.path.exists() else 0
            try:
                with self.path.open("ab") as file:
                    file.write(self._lines([judgement]) if before else self._header() + self._lines([judgement]))
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                if self.path.exists():
                    os.truncate(self.path, before)  # a part of a line would spoil the file
                raise
        self._all.append(judgement)

    def take_back(self, annotator: str) -> Judgement | None:
        """Removes the last judgement of an annotator and returns it; None if there is none.

        Raises:
            NoSpace: the file cannot be written; the judgement stays.
        """
        places = [place for place, judgement in enumerate(self._all) if judgement.annotator == annotator]
        if not places:
            return None
        left = self._all[: places[-1]] + self._all[places[-1] + 1 :]
        write_whole(self.path, self._header() + self._lines(left), remedy="make room and undo again")
        taken = self._all[places[-1]]
        self._all = left
        return taken

    def of(self, annotator: str) -> frozenset[str]:
        """The sentences that an annotator judged, folded."""
        return frozenset(folded(judgement.sentence) for judgement in self._all if judgement.annotator == annotator)

    def votes(self, sentence: str) -> tuple[int, ...]:
        """How many people gave each label of the question to a sentence."""
        name = folded(sentence)
        return self._votes(judgement.label for judgement in self._all if folded(judgement.sentence) == name)

    def by_sentence(self) -> dict[str, tuple[int, ...]]:
        """The votes of each sentence."""
        labels: dict[str, list[str]] = {}
        for judgement in self._all:
            labels.setdefault(judgement.sentence, []).append(judgement.label)
        return {sentence: self._votes(given) for sentence, given in labels.items()}

    def ratings(self) -> Ratings:
        """The judgements of harm by sentence."""
        return Ratings({sentence: (votes[0], votes[1], votes[2]) for sentence, votes in self.by_sentence().items()})

    def _votes(self, labels: Iterable[str]) -> tuple[int, ...]:
        counts = Counter(labels)
        return tuple(counts[label] for label in self.question.labels)

    def _lines(self, judgements: list[Judgement]) -> bytes:
        text = io.StringIO()
        # A carriage return is not quoted otherwise, and could not be read again.
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for judgement in judgements:
            name = self.question.names[self.question.labels.index(judgement.label)]
            writer.writerow((judgement.sentence, name, judgement.annotator))
        return text.getvalue().encode()

    def _header(self) -> bytes:
        return (",".join(self.header) + "\n").encode()

    def _all_of_file(self) -> Iterator[Judgement]:
        text = content(self.path)
        if not text:
            return  # the first judgement could not be written
        if not text.endswith(b"\n"):
            raise UnreadableFile(
                self.path, "ends in the middle of a line", remedy="delete that line, or give another file"
            )
        rows = csv_rows(self.path)
        header = next(rows, None)
        if header is None or header.cells != self.header:
            raise UnreadableFile(
                self.path,
                f"has not the columns {', '.join(self.header)} alone",
                line=1,
                remedy="name a file of 'harmgraph review', or a new one, with --into",
            )
        yield from self._read(self._whole(row) for row in rows)

    def _whole(self, row: TableRow) -> TableRow:
        if len(row.cells) != len(self.header):
            raise self._odd(row)
        return row

    def _odd(self, row: TableRow) -> UnreadableFile:
        return UnreadableFile(self.path, "is not a judgement", line=row.line, remedy="mend the line, or delete it")

    def _read(self, rows: Iterator[TableRow]) -> Iterator[Judgement]:
        for row in rows:
            label = self.question.label(row.cells[1])
            if label is None:
                raise self._odd(row)
            yield Judgement(row.cells[0], label, row.cells[2])

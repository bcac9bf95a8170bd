"""The file of people's frames: rows with the columns of SBIC, which ``load sbic`` and ``agree --frames`` read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from harmgraph.analytics.labelling.frame_answer import FrameAnswer
from harmgraph.analytics.labelling.review_question import FRAMES, QUESTIONS
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.common.frames import VARIABLES
from harmgraph.common.user_file import TableRow
from harmgraph.graph.records import normalise

POST, WORKER, ORIGIN = "post", "WorkerId", "dataSource"
GROUP, CATEGORY, IMPLIED = "targetMinority", "targetCategory", "targetStereotype"


class FrameJudgements(Judgements):
    """The frames of a file, in the order in which they were given: a row for each group and implied statement.

    A sentence is the post, its source the origin of the post, the annotator the worker.
    """

    header = (*(variable.column for variable in VARIABLES), WORKER, POST, GROUP, CATEGORY, IMPLIED, ORIGIN)

    def __init__(self, path: Path, categories: Mapping[str, str] | None = None) -> None:
        """Reads the file; see ``Judgements``.

        Args:
            categories: of known groups, by their normalised names; of any other the category is unknown.
        """
        self._categories = categories or {}
        super().__init__(path, QUESTIONS[FRAMES])

    def _rows(self, judgement: Judgement) -> Iterator[tuple[str, ...]]:
        frame = judgement.frame
        assert frame is not None
        numbers = ("" if given is None else str(given) for given in frame.answers)
        before = (*numbers, judgement.annotator, judgement.sentence)
        for group, statements in frame.groups or (("", ()),):
            category = self._categories.get(normalise(group), "")
            for statement in statements or ("",):
                yield (*before, group, category, statement, judgement.origin)

    def _read(self, rows: Iterator[TableRow]) -> Iterator[Judgement]:
        """Puts the rows of a sentence and an annotator together."""
        known: dict[tuple[str, str], Judgement] = {}
        for row in rows:
            cells = dict(zip(self.header, row.cells, strict=True))
            try:
                given = tuple(float(cells[each.column]) if cells[each.column] else None for each in VARIABLES)
            except ValueError:
                given = ()
            odd = [
                number for number, each in zip(given, VARIABLES, strict=False) if number not in (None, *each.choices)
            ]
            if odd or not given or given[0] is None:
                raise self._odd(row)
            key = cells[POST], cells[WORKER]
            there = known.get(key)
            groups = dict(there.frame.groups) if there and there.frame else {}
            if cells[GROUP]:
                texts = (*groups.get(cells[GROUP], ()), *filter(None, (cells[IMPLIED],)))
                groups[cells[GROUP]] = tuple(dict.fromkeys(texts))
                self._categories = {normalise(cells[GROUP]): cells[CATEGORY], **self._categories}
            frame = FrameAnswer(given, tuple(groups.items()))
            label = self.question.labels[self.question.names.index(frame.word)]
            known[key] = Judgement(cells[POST], label, cells[WORKER], frame, cells[ORIGIN])
        yield from known.values()

    def _lines(self, judgements: list[Judgement]) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for judgement in judgements:
            writer.writerows(self._rows(judgement))
        return text.getvalue().encode()

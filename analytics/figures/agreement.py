"""The labels in the graph compared with people's labels of the same sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from harmgraph.analytics.agreement.plot import description, draw_agreement, meaning
from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Compared, Numbers, Subject
from harmgraph.common.plotting.style import bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harmgraph.analytics.agreement.agreement import Agreement


class AgreementFigure(Drawing):
    """See the module."""

    name = "agreement"
    title = "Agreement with people"
    paper = "Mehrabi et al. 2021, tables 2, 3 and 8"
    reading = (
        "How well the labels of this report agree with people's. In the first panel each row is a label by people and each "
        "column a label by the scorer, darker for a larger share of the row; the diagonal is agreement. The second has "
        "accuracy, then recall, precision and F1 of favouritism and prejudice, then how well people agree with each "
        "other: no scorer can be expected to do better."
    )
    takes = ("report/labels_of_sentences",)
    scope = Scope.MEASURE
    place = 80
    table_open = True

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """Empty without people's labels: a report without them does not mention this figure."""
        if numbers.ratings is not None:
            yield from super().subjects(numbers, sources, measures)

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        compared = numbers.agreement(subject.source, subject.measure)
        if compared is None:
            return "There are no labels by people: give --human-csv, or --human-sentences and --human-labels."
        if compared.agreement is None:
            return (
                f"None of the {compared.sentences:,} sentences that people labelled is in {subject.source} with a label of "
                f"{subject.measure}; 'harmgraph agree' compares a scorer with any sentences."
            )
        return ""

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        draw_agreement(figure, _comparison(numbers, subject)[1], f"{subject.measure} in {subject.source}")

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        return description(_comparison(numbers, subject)[1], f"{subject.measure} in {subject.source}")

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        compared, agreement = _comparison(numbers, subject)
        rows = [
            [
                meaning(name),
                None if value is None else round(value, 3),
                bounds(*(agreement.intervals[name] or (None, None))),
            ]
            for name, value in agreement.values.items()
        ]
        note = (
            f"{agreement.n_sentences:,} of the {compared.sentences:,} sentences that people labelled are in {subject.source} "
            f"with a label of {subject.measure}; the others are left out. {agreement.tied:,} have no majority."
        )
        return DrawnTable(("score", "value", "95 %"), rows, note)


def _comparison(numbers: Numbers, subject: Subject) -> tuple[Compared, Agreement]:
    compared = numbers.agreement(subject.source, subject.measure)
    assert compared is not None
    assert compared.agreement is not None
    return compared, compared.agreement


FIGURE = AgreementFigure()

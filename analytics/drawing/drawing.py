"""The base class of the report's figures. Each figure is one module in ``analytics/figures``.

A drawing takes numbers and draws onto a matplotlib figure that is passed to it. It uses no global state, so figures can be
drawn in any order and the same numbers give the same file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.common.registry import Registry

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Scope(Enum):
    """What one drawing covers."""

    REPORT = "all sources and measures"
    SOURCE = "one source"
    MEASURE = "one source and measure"
    PAIR = "two sources and a measure"


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """The numbers of a drawing as a table.

    Attributes:
        columns: headings; the first column names the row.
        rows: texts and numbers, one for each column; None for a missing value.
        note: what a reader must know about the numbers; may be empty.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    note: str = ""


class Drawing(ABC):
    """One figure.

    Attributes:
        name: its name on the command line and in file names.
        title: what it shows.
        paper: the figure or table of the paper that it follows.
        reading: how to read it, in a sentence or two.
        takes: names of the statistics, or statements of ``cypher/report``, that it needs.
        scope: what one drawing covers.
        place: its position in the report, smallest first.
        table_open: whether its table is open when the page is opened.
        of_labels: whether it shows harm labels, so that there must be some.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    reading: ClassVar[str]
    takes: ClassVar[tuple[str, ...]]
    scope: ClassVar[Scope]
    place: ClassVar[int]
    table_open: ClassVar[bool] = False
    of_labels: ClassVar[bool] = True

    @abstractmethod
    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        """Why there is nothing to draw, as a sentence for the reader; empty if there is something."""

    @abstractmethod
    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        """Draws onto the figure and sets its size. Called only if ``lacks`` returns an empty text."""

    @abstractmethod
    def alt(self, numbers: Numbers, subject: Subject) -> str:
        """Text for readers who cannot see the picture. Called only if ``lacks`` returns an empty text."""

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable | None:
        """The numbers behind the picture; None if another part of the report shows them."""
        return None

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """The subjects of its drawings in a report, in the report's order."""
        if self.scope is Scope.REPORT:
            yield Subject(tuple(sources), tuple(measures))
        elif self.scope is Scope.SOURCE:
            for source in sources:
                yield Subject((source,), labelled(numbers, source, measures))
        elif self.scope is Scope.MEASURE:
            for source in sources:
                for measure in labelled(numbers, source, measures):
                    yield Subject((source,), (measure,))
        else:
            for pair in combinations(sources, 2):
                for measure in measures:
                    if all(labelled(numbers, source, (measure,)) for source in pair):
                        yield Subject(pair, (measure,))


def labelled(numbers: Numbers, source: str, measures: Sequence[str]) -> tuple[str, ...]:
    """The measures that label at least one statement of the source."""
    return tuple(
        measure for measure in measures if any(row["unlabelled"] < row["n"] for row in numbers.targets(source, measure))
    )


figures: Registry[Drawing] = Registry("figure", "harmgraph.analytics.figures", "FIGURE", "figures")


def in_order() -> list[Drawing]:
    """All figures in the report's order."""
    return sorted(figures, key=lambda drawing: (drawing.place, drawing.name))

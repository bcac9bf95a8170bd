"""What a figure of the report is. A member of the family is one module in ``analytics/figures``.

A drawing takes numbers and draws onto a figure of matplotlib's that it is handed: no global state, so that figures can be
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
from harmgraph.graph.common.registry import Registry

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Scope(Enum):
    """What one drawing is of."""

    REPORT = "all sources and measures"
    SOURCE = "one source"
    MEASURE = "one source and measure"
    PAIR = "two sources and a measure"


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a drawing to read.

    Attributes:
        columns: their headings; the first is of the row.
        rows: texts and numbers, as many as columns; None where there is none.
        note: what must be known to read it; may be empty.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    note: str = ""


class Drawing(ABC):
    """One figure.

    Attributes:
        name: the word on the command line and in file names.
        title: what it shows.
        paper: the figure or table of the paper that it is after.
        reading: how to read it, in a sentence or two.
        takes: names of what it asks for, statistics or statements of ``cypher/report``.
        scope: what one drawing is of.
        place: its place in the report, smallest first.
        table_open: whether the page shows its table without being asked.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    reading: ClassVar[str]
    takes: ClassVar[tuple[str, ...]]
    scope: ClassVar[Scope]
    place: ClassVar[int]
    table_open: ClassVar[bool] = False

    @abstractmethod
    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        """Why there is nothing to draw, as a sentence for the reader; empty where there is."""

    @abstractmethod
    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        """Draws, and sets the figure's size. Called where nothing is lacking."""

    @abstractmethod
    def alt(self, numbers: Numbers, subject: Subject) -> str:
        """What the picture shows, for who does not see it. Called where nothing is lacking."""

    def table(self, numbers: Numbers, subject: Subject) -> Table | None:
        """The numbers behind the picture; None where another part of the report has them."""
        return None

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """What the report has a drawing of, in its order."""
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
    """Those of the measures that label a statement of the source."""
    return tuple(
        measure for measure in measures if any(row["unlabelled"] < row["n"] for row in numbers.targets(source, measure))
    )


figures: Registry[Drawing] = Registry("figure", "harmgraph.analytics.figures", "FIGURE", "figures")


def in_order() -> list[Drawing]:
    """All figures in the report's order."""
    return sorted(figures, key=lambda drawing: (drawing.place, drawing.name))

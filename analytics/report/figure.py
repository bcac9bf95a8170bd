"""One figure of the report, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.drawing import Drawing, Scope, figures
from harmgraph.analytics.drawing.numbers import Numbers, Subject, chosen_measures, chosen_sources
from harmgraph.analytics.drawing.renderer import render_figure
from harmgraph.common.errors import InputError
from harmgraph.common.plotting.canvas import rendered, save
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harmgraph.analytics.labelling.ratings import Ratings


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that was drawn. A notebook shows it.

    Attributes:
        figure: of matplotlib.
        alt: what it shows, in words.
    """

    figure: Figure
    title: str
    alt: str

    def save(self, path: str | Path) -> None:
        """Writes it as SVG, PNG or PDF, by the file's name.

        Raises:
            InputError: of no known kind.
            NoSpace: it cannot be written.
        """
        save(Path(path), self.figure, title=self.title, alt=self.alt, remedy="choose another file with --out")

    def _repr_png_(self) -> bytes:
        return rendered(self.figure, "png", title=self.title, alt=self.alt)


def figure(
    graph: Graph,
    name: str,
    *,
    sources: Sequence[str] = (),
    measures: Sequence[str] = (),
    min_support: int = 10,
    resamples: int = 2_000,
    seed: int = 0,
    ratings: Ratings | None = None,
) -> Picture:
    """Draws it.

    Args:
        sources, measures: every one where empty; a figure of one source needs one.
        min_support: fewest statements of a target that single targets are shown for.
        resamples, seed: of the bootstrap.
        ratings: people's labels, for the agreement.

    Raises:
        UnknownMember: no figure of that name.
        NothingToDraw: the graph lacks what it shows.
        InputError: it is of one source and there are several, or of two and there is one.
    """
    drawing = figures.get(name)
    numbers = Numbers(graph, min_support=min_support, resamples=resamples, seed=seed, ratings=ratings)
    chosen = chosen_sources(numbers.graph, sources)
    labels = chosen_measures(numbers, chosen, measures) if drawing.of_labels else tuple(measures)
    subject = _subject(drawing, numbers, chosen, labels)
    return Picture(render_figure(drawing, numbers, subject), drawing.title, drawing.alt(numbers, subject))


def _subject(drawing: Drawing, numbers: Numbers, sources: tuple[str, ...], measures: tuple[str, ...]) -> Subject:
    """The subject to draw.

    Raises:
        InputError: the figure needs one source or two, and a different number was chosen.
    """
    wanted = 2 if drawing.scope is Scope.PAIR else 1
    needs = f"{drawing.name} needs {drawing.scope.value}"
    if drawing.scope is not Scope.REPORT and len(sources) != wanted:
        named = f"{len(sources)} sources: {', '.join(sources)}"
        raise InputError(
            f"{needs}, and there are {named}" if len(sources) > 1 else f"{needs}, and there is one",
            remedy="name them with --source",
        )
    first = next(iter(drawing.subjects(numbers, sources, measures)), None)
    return first or Subject(sources, measures[:1])

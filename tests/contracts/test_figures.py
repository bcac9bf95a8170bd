"""Every figure goes through the same cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from harmgraph.analytics.drawing.drawing import Scope, figures, in_order
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.drawing.renderer import NothingToDraw, render_figure, render_narrow
from harmgraph.analytics.statistics.statistic import statistic_names
from harmgraph.common.plotting.canvas import FORMATS, rendered, style
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.graph.statements import names as statement_names
from tests.support.figures_sample import MEASURES, SOURCES, finish, numbers, standing, subject
from tests.support.filling import fill
from tests.support.narrow_texts import problems

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNATURES = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.fixture
def filled(connection: Graph) -> Graph:
    return standing(connection)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure of the sample, drawn once for all tests that look at it."""

    numbers: Numbers
    alt: str
    figure: Figure
    svg: bytes


@pytest.fixture(scope="module")
def drawn_once(connection: Graph) -> Callable[[str], Drawn]:
    """The drawing of a name; all of them read the graph once together."""
    shared = numbers(standing(connection))

    @cache
    def draw(name: str) -> Drawn:
        drawing = figures.get(name)
        alt = drawing.alt(shared, subject())
        made = render_figure(drawing, shared, subject())
        return Drawn(shared, alt, made, rendered(made, "svg", title=drawing.title, alt=alt))

    return draw


@pytest.fixture
def drawn(drawn_once: Callable[[str], Drawn], name: str) -> Drawn:
    return drawn_once(name)


def test_places_differ() -> None:
    places = [drawing.place for drawing in in_order()]
    assert len(set(places)) == len(places)
    assert {drawing.scope for drawing in figures} == set(Scope)


@pytest.mark.parametrize("name", figures.names())
class TestFigure:
    def test_metadata(self, name: str) -> None:
        drawing = figures.get(name)
        assert drawing.name == name
        assert re.fullmatch(r"[a-z][a-z_]*", name)
        assert drawing.title
        assert drawing.paper
        assert drawing.reading.endswith(".")
        assert drawing.takes
        known = {*statistic_names(), *statement_names()}
        assert set(drawing.takes) <= known

    def test_draws_the_sample(self, drawn: Drawn, name: str) -> None:
        assert figures.get(name).lacks(drawn.numbers, subject()) == ""
        assert drawn.figure.axes
        assert drawn.svg.startswith(SIGNATURES["svg"])
        for kind in set(FORMATS) - {"svg"}:
            assert rendered(drawn.figure, kind, title=name, alt="x").startswith(SIGNATURES[kind])

    def test_says_what_it_shows(self, drawn: Drawn, name: str) -> None:
        assert 40 < len(drawn.alt) < 5_000
        assert "None" not in drawn.alt
        assert "nan" not in drawn.alt
        root = ElementTree.fromstring(drawn.svg)
        assert root.attrib["role"] == "img"
        assert root.find("{http://www.w3.org/2000/svg}desc").text == drawn.alt  # type: ignore[union-attr]

    def test_the_table_is_even(self, drawn: Drawn, name: str) -> None:
        table = figures.get(name).table(drawn.numbers, subject())
        if table is not None:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}

    def test_the_same_numbers_give_the_same_file_and_leave_matplotlib_alone(
        self, filled: Graph, drawn: Drawn, name: str
    ) -> None:
        """The numbers are read from the graph again."""
        import matplotlib
        from matplotlib import pyplot

        drawing, before, open_before = figures.get(name), dict(matplotlib.rcParams), pyplot.get_fignums()
        again = render_figure(drawing, numbers(filled), subject())
        assert rendered(again, "svg", title=drawing.title, alt=drawn.alt) == drawn.svg
        assert not re.search(rb"<dc:date>", drawn.svg)
        assert dict(matplotlib.rcParams) == before
        assert pyplot.get_fignums() == open_before

    def test_no_text_is_cut_off(self, drawn: Drawn, name: str) -> None:
        made = drawn.figure
        with style():
            made.draw_without_rendering()
        width, height = made.get_size_inches() * made.dpi
        for axes in made.axes:
            if axes.axison:
                box = axes.get_tightbbox()
                assert box is not None
                assert box.x0 >= -2
                assert box.y0 >= -2
                assert box.x1 <= width + 2
                assert box.y1 <= height + 2

    def test_on_a_telephone_panels_are_stacked_and_texts_legible(self, drawn: Drawn, name: str) -> None:
        made = render_narrow(figures.get(name), drawn.numbers, subject())
        assert made is not None
        svg = rendered(made, "svg")
        assert re.search(rb'<svg[^>]* width="244.08pt"', svg)
        assert problems(made, ink=name == "words") == []
        frames = [axes.get_window_extent() for axes in made.axes]
        for frame, below in pairwise(frames):
            assert below.y1 < frame.y0
        assert len({frame.x0 for frame in frames}) == 1
        wide = drawn.figure.axes
        assert len(made.axes) == len([axes for axes in wide if axes.axison or name == "words"])
        assert rendered(made, "svg") == svg
        again = render_narrow(figures.get(name), drawn.numbers, subject())
        assert again is not None
        assert rendered(again, "svg") == svg

    def test_empty_data_gives_a_message(self, graph: Graph, name: str) -> None:
        fill(graph, Target("lawyer", "profession"), source="one")
        fill(graph, Target("judge", "profession"), source="two")
        finish(graph, "one", "two")
        drawing, found, subject = figures.get(name), Numbers(graph), Subject(("one", "two"), MEASURES)
        assert re.fullmatch(r"[A-Z].*[.s]", drawing.lacks(found, subject))
        with pytest.raises(NothingToDraw, match=name):
            render_figure(drawing, found, subject)

    def test_its_subjects_fit_its_scope(self, filled: Graph, name: str) -> None:
        drawing = figures.get(name)
        found = list(drawing.subjects(numbers(filled), SOURCES, MEASURES))
        count = {Scope.REPORT: 1, Scope.SOURCE: 2, Scope.MEASURE: 4, Scope.PAIR: 2}[drawing.scope]
        assert len(found) == count
        assert all(isinstance(one, Subject) for one in found)

"""What figures are made of: the choice of targets, names that do not overlap, texts that a figure may show, the command."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.agreement import agreement
from harmgraph.analytics.drawing.box_plot import boxes_of, outliers
from harmgraph.analytics.drawing.drawing import figures
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.drawing.renderer import render_figure, render_narrow
from harmgraph.analytics.figures.agreement import FIGURE as AGREEMENT
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common.plotting.canvas import blank, drawn, rendered, style
from harmgraph.common.plotting.named_points import name_points
from harmgraph.common.plotting.narrow import make_narrow, outside_legend, panels, row_name
from harmgraph.common.plotting.style import bounds, log_scale, number, series_legend, shortened
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Target, Triple
from tests.support.figures_sample import MEASURES, RATINGS, SOURCES, finish, numbers
from tests.support.filling import fill
from tests.support.narrow_texts import problems

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def test_names_do_not_overlap_and_stay_inside() -> None:
    figure = blank()
    with style():
        figure.set_size_inches(4, 3)
        axes = figure.subplots()
        points = [(x / 7 % 1, x * x / 50 % 1) for x in range(60)]
        axes.set_xlim(-0.1, 1.1)
        axes.set_ylim(-0.1, 1.1)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        named = [(x, y, f"name {place}") for place, (x, y) in enumerate(points)]
        kept = name_points(axes, named, points)
        boxes = [text.get_window_extent() for text in kept]
        frame = axes.get_window_extent()
    assert 5 < len(kept) < 60, "some find room, not all can"
    assert kept[0].get_text() == "name 0", "the most important first"
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:place])
        assert frame.x0 <= box.x0 <= box.x1 <= frame.x1
        assert frame.y0 <= box.y0 <= box.y1 <= frame.y1
        marks = axes.transData.transform(points)
        assert not any(box.contains(*mark) for mark in marks), "no mark is covered"


def test_texts() -> None:
    assert shortened("a\n b\tc\x1b[31m") == "a b c\\x1b[31m"
    assert shortened("x" * 70) == "x" * 59 + "…"
    assert [number(value) for value in (None, 0, 1324925.3, 22.94, 0.743, -3.0)] == [
        "–",
        "0",
        "1,324,925",
        "22.9",
        "0.74",
        "−3",
    ]
    assert (bounds(1.0, 2.5), bounds(None, None)) == ("1 to 2.5", "")


def test_thirty_series_are_told_apart() -> None:
    handles = series_legend([f"source {order}" for order in range(30)], 5.5)
    assert len({(handle.get_color(), handle.get_marker()) for handle in handles}) == 30


def test_telling_targets_rest_on_many_statements(graph: Graph) -> None:
    """Three of three negative is a higher rate than twenty of forty, and a lower lower end: (.44, .35) by Wilson."""
    fill(
        graph,
        Target("few", "profession"),
        Target("many", "profession"),
        Target("none", "profession"),
        *(Triple(Concept("few"), "IsA", Concept(f"awful {each}")) for each in range(2)),
        *(Triple(Concept("many"), "IsA", Concept(f"{'awful' if each % 2 else 'thing'} {each}")) for each in range(40)),
        *(Triple(Concept("none"), "IsA", Concept(f"thing {each}")) for each in range(9)),
    )
    finish(graph, "s")
    assert main(["label", "vader", "--no-progress"]) == 0
    found = Numbers(graph, min_support=1)
    assert [row["target"] for row in found.harmed("s", "sentiment", 5)] == ["many", "few"]
    assert [row["target"] for row in found.telling("s", "sentiment")] == ["many"]
    assert [row["target"] for row in Numbers(graph, min_support=3).harmed("s", "sentiment", 5)] == ["many"]


def test_each_number_is_asked_once(filled: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    found = numbers(filled)
    asked: list[tuple[str, str]] = []
    rows, frame = Graph.rows, Graph.frame

    def noted(query: Any, given: dict[str, Any]) -> None:
        asked.append((getattr(query, "name", query), repr(sorted(given.items()))))

    monkeypatch.setattr(Graph, "rows", lambda self, query, **given: noted(query, given) or rows(self, query, **given))
    monkeypatch.setattr(Graph, "frame", lambda self, query, **given: noted(query, given) or frame(self, query, **given))
    for drawing in figures:
        for subject in drawing.subjects(found, SOURCES, MEASURES):
            if not drawing.lacks(found, subject):
                drawing.alt(found, subject)
                drawing.table(found, subject)
    names = [name for name, _ in asked]
    combinations = len(SOURCES) * len(MEASURES)
    assert names.count("statistics/overgeneralization") == combinations
    assert names.count("report/examples") == combinations
    assert {one: count for one, count in Counter(asked).items() if count > 1} == {}


def test_boxes_name_their_outliers(filled: Graph) -> None:
    found = numbers(filled)
    boxes = found.rows("categories", source=SOURCES[0])
    rows = found.rows("representation", source=SOURCES[0])
    (profession,) = [row for row in boxes_of(boxes, "n") if row["category"] == "profession"]
    assert [row["target"] for row in outliers(profession, rows)] == ["lawyer"]
    assert "lawyer 40" in figures.get("representation").alt(found, Subject(SOURCES, MEASURES))


def test_agreement_is_of_the_labels_in_the_graph(filled: Graph) -> None:
    """Of the four sentences three stand in the source, however they are written; sentiment calls them -, +, 0."""
    compared = numbers(filled).agreement(SOURCES[0], "sentiment")
    assert compared is not None
    assert compared.agreement is not None
    assert (compared.sentences, compared.agreement.n_sentences) == (4, 3)
    expected = agreement(
        Ratings({text: counts for text, counts in RATINGS.counts.items() if text != "no such"}),
        {"lawyer is a awful": "negative", "Lawyer  is a kind": "positive", "lawyer is a tall": "neutral"},
        resamples=50,
    )
    assert compared.agreement == expected
    assert expected.confusion == ((2, 0, 0), (1, 3, 1), (0, 0, 2))
    other = numbers(filled).agreement(SOURCES[1], "sentiment")
    assert other is not None
    assert other.agreement is None
    assert "None of the 4 sentences" in AGREEMENT.lacks(numbers(filled), Subject(SOURCES[1:], MEASURES))


def test_odd_names_are_drawn_as_they_are(graph: Graph) -> None:
    odd = ["$x^2$ <b>", "a\\b", "日本", "x" * 200, "_{", "%s {0}"]
    fill(
        graph,
        *(Target(name, "odd $1$") for name in odd),
        *(Triple(Concept(name), "IsA", Concept(f"awful $y_{each}$")) for name in odd for each in range(12)),
        source="s",
    )
    finish(graph, "s")
    assert main(["label", "vader", "--no-progress"]) == 0
    found = Numbers(graph, resamples=20)
    for drawing in figures:
        for subject in drawing.subjects(found, ("s",), ("sentiment",)):
            if not drawing.lacks(found, subject):
                for kind in ("svg", "pdf"):
                    assert rendered(
                        render_figure(drawing, found, subject), kind, title="<&>", alt=drawing.alt(found, subject)
                    )


def test_a_figure_that_sets_its_own_size_has_no_drawing_for_a_telephone(filled: Graph) -> None:
    sizes: list[Any] = []

    def draw(figure: Any, *_: Any) -> None:
        figure.set_size_inches(9.6, 3)
        figure.subplots()
        sizes.append(figure.get_figwidth())

    own: Any = SimpleNamespace(name="own", lacks=lambda *_: "", draw=draw)
    given = numbers(filled), Subject(SOURCES, MEASURES)
    assert render_narrow(own, *given) is None
    assert render_figure(own, *given).get_figwidth() == 9.6
    own.draw = lambda figure, *_: figure.subplots()
    assert render_narrow(own, *given) is None


def test_on_a_telephone_long_texts_take_no_room_from_the_data() -> None:
    """All names, titles and labels are of the widest letters, and half of the last number stands beyond the axis."""

    def draw(figure: Figure, said: str) -> None:
        [[axes]] = panels(figure, 1, 1, height=3, inches=[1.2])
        axes.set_xticks([0, 1], ["0", "1,000,000"])
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.6, 1.6)
        axes.set_yticks([0, 1], [row_name(axes, "漢" * 20, 20), row_name(axes, "字" * 20, 20)])
        axes.set_title(said)
        axes.set_xlabel(said)

    short, long = (drawn(partial(draw, said=said), narrow=True) for said in ("n", "漢" * 80))
    assert problems(long) == []
    assert long.axes[0].get_window_extent().width == pytest.approx(short.axes[0].get_window_extent().width)


def test_on_a_telephone_only_the_wide_names_of_a_legend_are_broken() -> None:
    short = "a name that fits into the room"

    def draw(figure: Figure) -> None:
        panels(figure, 1, 1, height=3, inches=[1.2])
        outside_legend(figure, handles=series_legend(["漢" * 40, short], 5), ncols=2)

    figure = drawn(draw, narrow=True)
    assert problems(figure) == []
    broken, whole = (text.get_text() for text in figure.legends[0].get_texts())
    assert broken.count("\n") == 1
    assert whole == short


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("black transgender women", ["black transgender", "women"]),
        ("sexual orientation and gender", ["sexual", "orientation and…"]),
        ("women", ["women"]),
        ("w" * 40, ["w" * 15, "w" * 8 + "…"]),
        ("", [""]),
    ],
)
def test_on_a_telephone_a_name_has_as_many_lines_as_its_letters_need(name: str, lines: list[str]) -> None:
    figure = blank()
    assert row_name(figure, name, 24) == shortened(name, 24)
    make_narrow(figure)
    assert row_name(figure, name, 24).split("\n") == lines


class TestCommand:
    def test_lists(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["figure", "--list", "-o", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert {row["figure"] for row in rows} == set(figures.names())

    @pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
    def test_writes_one_file(self, filled: Graph, tmp_path: Path, kind: str) -> None:
        out = tmp_path / "new" / f"regions.{kind}"
        arguments = ["figure", "regions", "--source", SOURCES[0], "--min-support", "3", "--resamples", "20"]
        arguments += ["--out", str(out)]
        assert main(arguments) == 0
        first = out.read_bytes()
        assert main(arguments) == 0
        assert out.read_bytes() == first, "the same bytes again"
        assert [path.name for path in out.parent.iterdir()] == [out.name]

    @pytest.mark.parametrize(
        ("arguments", "code", "says"),
        [
            (["figure"], 2, "figure --list"),
            (["figure", "regions"], 2, "--out"),
            (["figure", "regions", "--out", "x.jpg"], 2, "ends in none of .svg, .png, .pdf"),
            (["figure", "regons", "--out", "x.svg"], 2, "did you mean regions"),
            (["figure", "regions", "--out", "x.svg"], 1, "there are 2 sources: sample-kb, sample-text; name them"),
            (["figure", "comparison", "--source", "sample-kb", "--out", "x.svg"], 1, "needs two sources"),
            (["figure", "words", "--source", "nope", "--out", "x.svg"], 1, "no source named 'nope'"),
            (
                ["figure", "words", "--source", "sample-kb", "--min-support", "99", "--out", "x.svg"],
                1,
                "No target with 99",
            ),
            (["figure", "agreement", "--source", "sample-kb", "--out", "x.svg"], 1, "--human-csv"),
            (["figure", "words", "--human-csv", "a", "--human-labels", "b", "--out", "x.svg"], 2, "--human-csv alone"),
        ],
    )
    def test_errors(
        self,
        filled: Graph,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        arguments: list[str],
        code: int,
        says: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert main(arguments) == code
        assert says in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_agree_draws_its_figure(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        table = tmp_path / "c.csv"
        table.write_text("sentence,label\nLawyers are awful.,3\nLawyers are awful.,2\nJudges sit.,2\nJudges sit.,2\n")
        arguments = ["agree", "--csv", str(table), "--resamples", "20", "--figure"]
        assert main([*arguments, str(tmp_path / "a.svg")]) == 0
        assert b"vader@" in (tmp_path / "a.svg").read_bytes()
        assert "accuracy" in capsys.readouterr().out
        assert main([*arguments, str(tmp_path / "a.doc")]) == 1
        assert "ends in none of" in capsys.readouterr().err
        (tmp_path / "folder.png").mkdir()
        assert main([*arguments, str(tmp_path / "folder.png")]) == 2
        assert "is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("limits", "shown"),
    [((0.3, 25), {"1", "10"}), ((3, 30), {"5", "10", "20"}), ((2e6, 3e7), {"2 M", "5 M", "10 M", "20 M"})],
)
def test_a_logarithmic_scale_has_plain_numbers(limits: tuple[float, float], shown: set[str]) -> None:
    figure = blank()
    with style():
        axes = figure.subplots()
        log_scale(axes)
        axes.set_xlim(*limits)
        figure.draw_without_rendering()
    ticks = [*axes.xaxis.get_major_ticks(), *axes.xaxis.get_minor_ticks()]
    labels = {tick.label1.get_text() for tick in ticks if limits[0] <= tick.get_loc() <= limits[1]}
    assert labels - {""} == shown

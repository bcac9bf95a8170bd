"""Word clouds of what stands in the negative and positive statements of the targets with the surest prejudice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analytics.drawing import Drawing, Scope, Table
from analytics.figure_style import LINE, SOFT, WIDTH, number, plain
from analytics.numbers import Numbers, Rows, Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TARGETS = 3
SIDES = (("negative", "#a34708", "negative"), ("positive", "#1b5e9e", "positive"))
CLOUD = (900, 330)  # pixels
SEED = 0


class Words(Drawing):
    """See the module."""

    name = "words"
    title = "Words behind the numbers"
    paper = "Mehrabi et al. 2021, figure 12"
    reading = (
        "The targets with the surest prejudice: what stands in their negative statements at the left and in their "
        "positive ones at the right, the other end of a triple, the words of a sentence. The larger, the more "
        "statements hold it; place and direction mean nothing. Where most stand in one statement each, most are of "
        "one size."
    )
    takes = ("overgeneralization", "report/words")
    scope = Scope.MEASURE
    place = 60

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if _targets(numbers, subject):
            return ""
        return f"No target with {numbers.min_support:,} statements or more has a negative one."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        targets = _targets(numbers, subject)
        words = _words(numbers, subject)
        figure.set_size_inches(WIDTH, 0.45 + len(targets) * 2.0)
        figure.suptitle(
            f"{plain(subject.source, 30)}, {subject.measure}", x=0.008, ha="left", fontsize=10, fontweight="bold"
        )
        panels = figure.subplots(len(targets), len(SIDES), squeeze=False)
        for row, line in zip(targets, panels, strict=True):
            for (label, _, count), axes in zip(SIDES, line, strict=True):
                _frame(axes)
                axes.set_title(
                    f"{plain(row['target'], 26)}: {row[count]:,} {label} of {row['n']:,} statements", fontsize=9
                )
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for row, line in zip(targets, panels, strict=True):
            for (label, colour, _), axes in zip(SIDES, line, strict=True):
                _cloud(axes, [one for one in words if (one["target"], one["label"]) == (row["target"], label)], colour)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        words = _words(numbers, subject)
        parts = []
        for row in _targets(numbers, subject):
            for label, *_ in SIDES:
                most = [one["word"] for one in words if (one["target"], one["label"]) == (row["target"], label)][:6]
                parts.append(f"{row['target']} {label}: {', '.join(most) or 'nothing'}")
        return f"Word clouds of statements in {subject.source} by {subject.measure}. {'; '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> Table:
        words = _words(numbers, subject)
        rows = []
        for row in _targets(numbers, subject):
            for label, _, count in SIDES:
                within = [one for one in words if (one["target"], one["label"]) == (row["target"], label)][:15]
                rows.append(
                    [row["target"], label, row[count], ", ".join(f"{one['word']} {number(one['n'])}" for one in within)]
                )
        return Table(("target", "label", "statements", "words and the statements that hold them"), rows)


def _targets(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.harmed(subject.source, subject.measure, TARGETS)


def _words(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.words(subject.source, subject.measure, [row["target"] for row in _targets(numbers, subject)])


def _frame(axes: Axes) -> None:
    axes.set_xlim(0, CLOUD[0])
    axes.set_ylim(CLOUD[1], 0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color(LINE)


def _cloud(axes: Axes, words: Rows, colour: str) -> None:
    """The layout is wordcloud's, the text matplotlib's: an SVG keeps it as shapes, sharp at any size."""
    frequencies: dict[str, float] = {}
    for one in words:
        frequencies.setdefault(plain(one["word"], 36), float(one["n"]))
    if not frequencies:
        axes.text(0.5, 0.5, "nothing", transform=axes.transAxes, ha="center", va="center", color=SOFT)
        return
    from matplotlib.font_manager import FontProperties, findfont
    from PIL import ImageFont
    from wordcloud import WordCloud

    file = findfont(FontProperties(family="DejaVu Sans"))
    cloud = WordCloud(
        font_path=file,
        width=CLOUD[0],
        height=CLOUD[1],
        margin=6,
        prefer_horizontal=1.0,
        max_font_size=84,
        min_font_size=18,
        relative_scaling=0.4,
        random_state=SEED,
    ).generate_from_frequencies(frequencies)
    points = axes.get_window_extent().width / CLOUD[0] * 72 / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    for (word, _), size, (down, right), _, _ in cloud.layout_:
        # wordcloud places the top of a word's ink, matplotlib its baseline.
        above = -ImageFont.truetype(file, size).getbbox(word, anchor="ls")[1]
        axes.text(right, down + above, word, fontsize=size * points, va="baseline", ha="left", color=colour)


FIGURE = Words()

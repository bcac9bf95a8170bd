"""Word clouds of the words that mark the negative and positive statements of the targets with the surest prejudice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import WORDS, Numbers, Rows, Subject
from harmgraph.analytics.statistics.chance import BEYOND, is_beyond
from harmgraph.common.plotting.fitted import fit_titles
from harmgraph.common.plotting.narrow import EDGE, LINES, NARROW, break_text, is_narrow, panels
from harmgraph.common.plotting.style import LINE, SOFT, number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TARGETS = 3
IN_TABLE = 10
COLOURS = {"negative": "#a34708", "positive": "#1b5e9e"}
CLOUD, NARROW_CLOUD = (900, 330), (640, 330)  # pixels
FEW = 5
"""A cloud of fewer words is lower on a narrow canvas."""
LARGEST, SMALLEST = 84, 21  # letters, pixels
SURE = 2.0
"""The z from which the largest word of a cloud has the largest size."""
SEED = 0


class Words(Drawing):
    """See the module."""

    name = "words"
    title = "Words behind the numbers"
    paper = "Mehrabi et al. 2021, figure 12; sizes: Monroe, Colaresi and Quinn 2008; q: Fisher 1935"
    reading = (
        "The targets with the surest prejudice: first the words that mark their negative statements, then "
        "those of their positive ones, taken from the other end of a triple or from the words of a sentence. The larger a "
        "word, the more clearly it belongs to its side: the size is z, the difference of its log odds on both sides in "
        "standard deviations, with the statements about all targets as prior. A word that is as common on both sides is "
        "small or absent. Words in colour are beyond chance (q at most 0.05), those in grey may be chance alone; how many "
        "are beyond it stands above. If no word has a z of 2, the whole cloud is smaller. The position of a word has no "
        "meaning."
    )
    takes = ("overgeneralization", "report/words", "report/background")
    scope = Scope.MEASURE
    place = 60

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        if _targets(numbers, subject):
            return ""
        return f"No target with {numbers.min_support:,} statements or more has a negative one."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        targets = _targets(numbers, subject)
        words = _words(numbers, subject)
        down, narrow = len(targets), is_narrow(figure)
        sides = [(row, label) for row in targets for label in COLOURS]
        areas = [_narrow_area(_of(words, row["target"], label)) if narrow else CLOUD for row, label in sides]
        inches = [(NARROW - 2 * EDGE) * area[1] / area[0] for area in areas]
        drawn = panels(figure, down, len(COLOURS), height=0.45 + down * 2.0, inches=inches).ravel()
        above = figure.suptitle(
            f"{shortened(subject.source, 30)}, {subject.measure}",
            x=0.008,
            ha="left",
            fontsize=8.5 if narrow else 10,
            fontweight="bold",
        )
        if narrow:
            break_text(above, figure.bbox.width - EDGE * figure.dpi, LINES)
        for (row, label), area, axes in zip(sides, areas, drawn, strict=True):
            _frame(axes, area)
            axes.set_title(
                f"{shortened(row['target'], 26)}: {row[label]:,} {label} of {row['n']:,} statements, "
                f"{_beyond(_of(words, row['target'], label))}",
                fontsize=8 if narrow else 9,
            )
        fit_titles(figure)
        for (row, label), area, axes in zip(sides, areas, drawn, strict=True):
            _cloud(axes, _of(words, row["target"], label), COLOURS[label], area)

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        words = _words(numbers, subject)
        parts = []
        for row in _targets(numbers, subject):
            for label in COLOURS:
                shown = _of(words, row["target"], label)
                most = [f"{word['word']} {number(word['z'])}" for word in shown[:6]]
                parts.append(f"{row['target']} {label}, {_beyond(shown)}: {', '.join(most) or 'nothing'}")
        return f"Word clouds of statements in {subject.source} by {subject.measure}, words with z. {'; '.join(parts)}."

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        words = _words(numbers, subject)
        rows = [
            [row["target"], label, *(word[name] for name in ("word", "z", "q", "n", "other_n", "all_n"))]
            for row in _targets(numbers, subject)
            for label in COLOURS
            for word in _of(words, row["target"], label)[:IN_TABLE]
        ]
        return DrawnTable(
            ("target", "label", "word", "z", "q", "statements", "on the other side", "of all targets"),
            rows,
            f"Statements with the word: on this side, on the target's other side, and among all statements of {subject.source} "
            f"about targets. The {IN_TABLE} words of each side, those beyond chance (q at most {BEYOND}) first, then by z; q is "
            f"empty where a word is too rare to tell. {_counted(words)} 'harmgraph stats words TARGET' has more.",
        )


def _beyond(words: Rows) -> str:
    """How many words of one side are beyond chance; they come first, so a plus says that there may be more than are shown."""
    count = sum(is_beyond(word["q"]) for word in words)
    return f"{count:,}{'+' if count == WORDS else ''} beyond chance"


def _counted(words: Rows) -> str:
    """How many words of each target are beyond chance, of both sides together."""
    counts = {word["target"]: (word["beyond"], word["words"]) for word in words}
    return " ".join(
        f"{target}: {beyond:,} of {of:,} words are beyond chance." for target, (beyond, of) in counts.items()
    )


def _of(words: Rows, target: str, label: str) -> Rows:
    return [word for word in words if (word["target"], word["label"]) == (target, label)]


def _targets(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.harmed(subject.source, subject.measure, TARGETS)


def _words(numbers: Numbers, subject: Subject) -> Rows:
    return numbers.words(subject.source, subject.measure, [row["target"] for row in _targets(numbers, subject)])


def _narrow_area(words: Rows) -> tuple[int, int]:
    width, height = NARROW_CLOUD
    return width, height * (1 + min(len(words), FEW)) // (1 + FEW)


def _frame(axes: Axes, size: tuple[int, int]) -> None:
    axes.set_xlim(0, size[0])
    axes.set_ylim(size[1], 0)
    if not is_narrow(axes):  # there the panel has this form, and its title could not stay at the edge
        axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color(LINE)


def _cloud(axes: Axes, words: Rows, colour: str, area: tuple[int, int]) -> None:
    """Draws the layout of wordcloud as text of matplotlib, which stays sharp at any size in an SVG.

    Args:
        area: width and height in pixels.
    """
    frequencies: dict[str, float] = {}
    beyond = {shortened(row["word"], 36) for row in words if is_beyond(row["q"])}
    for row in words:
        # At least 0.01, so that words with a z of 0 are shown, all in one size.
        frequencies.setdefault(shortened(row["word"], 36), max(float(row["z"]), 0.01))
    if not frequencies:
        axes.text(0.5, 0.5, "nothing", transform=axes.transAxes, ha="center", va="center", color=SOFT)
        return
    from matplotlib.font_manager import FontProperties, findfont
    from PIL import ImageFont
    from wordcloud import WordCloud

    file = findfont(FontProperties(family="DejaVu Sans"))
    cloud = WordCloud(
        font_path=file,
        width=area[0],
        height=area[1],
        margin=6,
        prefer_horizontal=1.0,
        max_font_size=round(max(LARGEST * min(max(frequencies.values()) / SURE, 1), 2 * SMALLEST)),
        min_font_size=SMALLEST,
        relative_scaling=0.4,
        random_state=SEED,
    ).generate_from_frequencies(frequencies)
    points = axes.get_window_extent().width / area[0] * 72 / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    for (word, _), size, (down, right), _, _ in cloud.layout_:
        # wordcloud places the top of a word's ink, matplotlib its baseline.
        above = -ImageFont.truetype(file, size).getbbox(word, anchor="ls")[1]
        shade = colour if word in beyond else SOFT
        axes.text(right, down + above, word, fontsize=size * points, va="baseline", ha="left", color=shade)


FIGURE = Words()

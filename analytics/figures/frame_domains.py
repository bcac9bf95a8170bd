"""Bars of the categories of groups that posts target, within each domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.analytics.statistics.computed.frame_domains import commonest, description, draw, with_shares
from harmgraph.common.plotting.style import bounds, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 3
"""Categories; the paper shows as many."""


class FrameDomains(Drawing):
    """See the module."""

    name = "frame_domains"
    title = "Whom posts target, within each domain"
    paper = "Sap et al. 2020, figure 3"
    reading = (
        "The longer a bar, the larger the share of a category among the groups that the posts of a domain imply something "
        "about, with 95 % intervals; only the commonest categories are shown. A post counts once for each category. The "
        "domain is the type of a post's origin; of frames that a model predicted it is the source of the statements."
    )
    takes = ("frames/domains",)
    scope = Scope.REPORT
    place = 75
    of_labels = False
    table_open = True

    def subjects(self, numbers: Numbers, sources: Sequence[str], measures: Sequence[str]) -> Iterator[Subject]:
        """Empty without posts: a report without them does not mention this figure."""
        for subject in super().subjects(numbers, sources, measures):
            if _rows(numbers, subject):
                yield subject

    def lacks(self, numbers: Numbers, subject: Subject) -> str:
        return "" if _rows(numbers, subject) else "No post of these sources implies anything about a group."

    def draw(self, figure: Figure, numbers: Numbers, subject: Subject) -> None:
        rows = _rows(numbers, subject)
        draw(figure, rows, commonest(rows, SHOWN))

    def alt(self, numbers: Numbers, subject: Subject) -> str:
        rows = _rows(numbers, subject)
        return description(rows, commonest(rows, SHOWN))

    def table(self, numbers: Numbers, subject: Subject) -> DrawnTable:
        rows = [
            [
                f"{row['domain']}: {row['category']}",
                row["posts"],
                number(row["percent"]),
                bounds(row["percent_low"], row["percent_high"]),
            ]
            for row in _rows(numbers, subject)
        ]
        return DrawnTable(("domain and category", "posts", "%", "95 %"), rows)


def _rows(numbers: Numbers, subject: Subject) -> Rows:
    """The shares within each domain, over the posts of all sources of the report."""
    posts: Counter[tuple[str, str]] = Counter()
    for source in subject.sources:
        for row in numbers.query("frames/domains", source=source):
            posts[row["domain"], row["category"]] += row["posts"]
    order = sorted(posts, key=lambda pair: (pair[0], -posts[pair], pair[1]))
    return with_shares([{"domain": pair[0], "category": pair[1], "posts": posts[pair]} for pair in order])


FIGURE = FrameDomains()

"""The content of a report in any form: the numbers of every source and measure, and their drawings."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from harmgraph.analytics.drawing.drawing import Drawing, DrawnTable, Scope, in_order, labelled
from harmgraph.analytics.drawing.numbers import Numbers, Rows, Subject
from harmgraph.analytics.report.since import SinceLast, since_last
from harmgraph.analytics.statistics.chance import is_beyond
from harmgraph.common.plotting.style import number
from harmgraph.common.progress import progress
from harmgraph.common.target_lists import TargetList
from harmgraph.graph.browser.saved_queries import addressed, filled
from harmgraph.graph.browser.workbench import editing, following, pages
from harmgraph.graph.contents.sources import facts
from harmgraph.graph.statements import statement

QUERY = "explore/sentences_of_target"
STATEMENTS_SHOWN = 200
"""Most statements of a target that a link to Neo4j Browser lists."""
NAMED = 4
"""Most sources that the heading names; a table under it names all of them."""


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """One drawing in the report.

    Attributes:
        file: its file name without the ending, unique in the report.
        lack: why there is nothing to draw; empty if there is a picture.
        alt, table: empty and None if there is no picture.
        files: paths of its files, relative to the page.
        svg: the picture for the page; empty if no page shows it.
        narrow: the picture for a telephone; empty if no page shows it, or the figure has none.
    """

    drawing: Drawing
    subject: Subject
    file: str
    lack: str = ""
    alt: str = ""
    table: DrawnTable | None = None
    files: tuple[str, ...] = ()
    svg: bytes = b""
    narrow: bytes = b""

    @property
    def heading(self) -> str:
        """Title and subject, unique in a report."""
        if self.drawing.scope is Scope.REPORT:
            return self.drawing.title
        measures = ", ".join(self.subject.measures) if self.drawing.scope is not Scope.SOURCE else ""
        return f"{self.drawing.title}: {' and '.join(self.subject.sources)}" + (f", {measures}" if measures else "")


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of a source by one measure.

    Attributes:
        labels: statements about targets by label and scorer.
        targets: rows of ``overgeneralization`` with ``region`` (None below the support) and ``link`` (empty without links);
            targets with enough support first, sorted by the surest prejudice.
        disparity, categories: rows of those statistics.
        pictures: the drawings of just this source and measure.
        since: what changed since an earlier run that is saved; None where there is none.
    """

    measure: str
    labels: Rows
    targets: Rows
    disparity: Rows
    categories: Rows
    examples: Rows
    pictures: Sequence[ReportPicture]
    since: SinceLast | None = None

    @property
    def scorers(self) -> list[str]:
        """Who set the labels."""
        return sorted({str(row["scorer"]) for row in self.labels if row["scorer"] is not None})

    @property
    def statements(self) -> int:
        """Statements about targets, each counted once."""
        return sum(row["statements"] for row in self.labels)

    @property
    def pairs(self) -> int:
        """Pairs of a statement and a target that it is about."""
        return sum(row["n"] for row in self.targets)

    @property
    def unlabelled(self) -> int:
        """Statements about targets without a label."""
        return sum(row["statements"] for row in self.labels if row["label"] is None)

    def beyond(self, rate: str) -> int:
        """How many targets differ beyond chance from the others of their category in a rate, ``o_plus`` or ``o_minus``."""
        return sum(is_beyond(row[f"{rate}_q"]) for row in self.targets)

    def tested(self, rate: str) -> int:
        """How many targets have enough statements to differ beyond chance."""
        return sum(row[f"{rate}_q"] is not None for row in self.targets)


@dataclass(frozen=True, slots=True)
class SourceSection:
    """The section of a source.

    Attributes:
        facts: the properties of the source's node.
        pictures: the drawings of this source over all measures.
        without: names of the targets without any statement.
        listed: how many targets the lists have.
        lists: the target lists that its numbers are about.
    """

    name: str
    facts: dict[str, Any]
    measures: Sequence[Measured]
    pictures: Sequence[ReportPicture]
    without: Sequence[str]
    listed: int
    lists: Sequence[TargetList]

    @property
    def about(self) -> str:
        """The target lists in words, each with the beginning of its digest."""
        return ", ".join(f"{one.name} ({one.targets:,} targets, {one.digest[:12]})" for one in self.lists) or "none"

    @property
    def never_mentioned(self) -> str:
        """How many of the listed targets the source never mentions, and their share; empty without any."""
        if not self.listed:
            return ""
        return f"{len(self.without):,} of {self.listed:,} ({number(100 * len(self.without) / self.listed)} %)"


@dataclass(frozen=True, slots=True)
class Content:
    """A report.

    Attributes:
        written: when it was written, UTC, to the second.
        overview: drawings of all sources together, and of pairs.
        after: drawings at the end of the report: agreement, history.
        browser: the address that the links to Neo4j Browser open; empty without links.
        pairs: the pairs of sources that are compared.
    """

    written: datetime
    sources: Sequence[SourceSection]
    measures: Sequence[str]
    numbers: Numbers
    overview: Sequence[ReportPicture]
    after: Sequence[ReportPicture]
    browser: str
    pairs: Sequence[tuple[str, str]] = ()

    @property
    def title(self) -> str:
        """The heading: the names of a few sources, or how many there are."""
        if len(self.sources) > NAMED:
            return f"Harms in {len(self.sources)} sources"
        return f"Harms in {', '.join(section.name for section in self.sources)}"

    @property
    def pairs_left_out(self) -> int:
        """How many pairs of the sources are not compared."""
        return math.comb(len(self.sources), 2) - len(self.pairs)

    def pictures(self) -> Iterator[ReportPicture]:
        """All pictures, in the order of the page."""
        yield from self.overview
        for section in self.sources:
            yield from section.pictures
            for measured in section.measures:
                yield from measured.pictures
        yield from self.after


AFTER = 80
"""Drawings with this place or a later one are at the end of the report."""


def content(
    numbers: Numbers,
    sources: Sequence[str],
    measures: Sequence[str],
    *,
    pairs: Sequence[tuple[str, str]] = (),
    links: bool = True,
) -> Content:
    """Reads all numbers of a report from the graph. The pictures are not drawn yet.

    Args:
        pairs: the pairs of sources to compare, see ``analytics.drawing.numbers.chosen_pairs``.
        links: whether targets link to Neo4j Browser; the links contain the address of the server.
    """
    drawings = in_order()
    pictures: list[ReportPicture] = []
    for done, drawing in enumerate(drawings):
        progress("asking", done, len(drawings) + len(sources))
        of: Sequence[Sequence[str]] = pairs if drawing.scope is Scope.PAIR else [sources]
        pictures += [
            _picture(drawing, numbers, subject)
            for names in of
            for subject in drawing.subjects(numbers, names, measures)
        ]
    sections = []
    for done, source in enumerate(sources, len(drawings)):
        progress("asking", done, len(drawings) + len(sources))
        sections.append(_section(numbers, source, measures, pictures, links))
    wide = [
        picture
        for picture in pictures
        if picture.drawing.scope in (Scope.REPORT, Scope.PAIR) and picture.drawing.place < AFTER
    ]
    late = [picture for picture in pictures if picture.drawing.place >= AFTER]
    browser = _browser(numbers) if links else ""
    written = datetime.now(UTC).replace(microsecond=0)
    return Content(written, sections, tuple(measures), numbers, wide, late, browser, tuple(pairs))


def _browser(numbers: Numbers) -> str:
    address = numbers.graph.address
    return pages() if address.embedded else editing(address, "").partition("?")[0]


def _section(
    numbers: Numbers, source: str, measures: Sequence[str], pictures: list[ReportPicture], links: bool
) -> SourceSection:
    of_source = [
        picture for picture in pictures if picture.subject.sources == (source,) and picture.drawing.place < AFTER
    ]
    # A source without targets still has one measure, and the page says under it that there are none.
    labelled_measures = labelled(numbers, source, measures)
    covered = numbers.rows("coverage", source=source)
    return SourceSection(
        source,
        facts(numbers.graph, source),
        [
            _measured(
                numbers,
                source,
                measure,
                [
                    picture
                    for picture in of_source
                    if picture.drawing.scope is Scope.MEASURE and picture.subject.measure == measure
                ],
                links,
            )
            for measure in labelled_measures
        ],
        [picture for picture in of_source if picture.drawing.scope is Scope.SOURCE],
        [row["target"] for row in covered if not row["statements"]],
        len(covered),
        numbers.graph.target_lists(source),
    )


def _measured(numbers: Numbers, source: str, measure: str, pictures: list[ReportPicture], links: bool) -> Measured:
    parameters = {"source": source, "measure": measure}
    regions = {
        row["target"]: row["region"] for row in numbers.rows("regions", min_support=numbers.min_support, **parameters)
    }

    def order(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["n"] < numbers.min_support, -row["o_minus_low"], -row["n"], row["target"]

    targets = sorted(numbers.targets(source, measure), key=order)
    disparity = numbers.rows("disparity", **parameters)
    return Measured(
        measure,
        numbers.labels(source, measure),
        [
            row
            | {"region": regions.get(row["target"])}
            | {"link": link(numbers, source, measure, row["target"]) if links else ""}
            for row in targets
        ],
        disparity,
        numbers.rows("categories", **parameters),
        numbers.examples(source, measure),
        pictures,
        since_last(numbers, source, measure, facts(numbers.graph, source), targets, disparity),
    )


def link(numbers: Numbers, source: str, measure: str, target: str) -> str:
    """The address that opens Neo4j Browser with the Cypher statement that lists a target's statements.

    For the embedded server it names the store, so that another store served later on the same port does not answer it.
    """
    values: dict[str, str | int] = {"target": target, "source": source, "measure": measure, "limit": STATEMENTS_SHOWN}
    address = numbers.graph.address
    if not address.embedded:
        return editing(address, addressed(re.sub(r"\n +", "\n", filled(statement(QUERY), values))))
    return following(numbers.store, QUERY, values)


def _picture(drawing: Drawing, numbers: Numbers, subject: Subject) -> ReportPicture:
    parts = [drawing.name]
    if drawing.scope is not Scope.REPORT:
        parts += subject.sources
    if drawing.scope in (Scope.MEASURE, Scope.PAIR):
        parts += subject.measures
    file = "-".join(_slug(part) for part in parts)
    lack = drawing.lacks(numbers, subject)
    if lack:
        return ReportPicture(drawing, subject, file, lack)
    return ReportPicture(drawing, subject, file, "", drawing.alt(numbers, subject), drawing.table(numbers, subject))


def _slug(name: str) -> str:
    """The name as part of a file name; a digest keeps apart names that would become the same."""
    plain = re.sub(r"[^A-Za-z0-9_.]+", "_", name)[:60]
    return plain if plain == name else f"{plain}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"

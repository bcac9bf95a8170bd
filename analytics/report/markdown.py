"""The report as Markdown: tables, and links to the figures whose files were written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harmgraph.analytics.drawing.drawing import DrawnTable
from harmgraph.analytics.report.content import Content, Measured, ReportPicture, SourceSection
from harmgraph.analytics.report.since import SinceLast
from harmgraph.analytics.statistics.chance import shown_chance
from harmgraph.common.markdown_text import markdown_cell
from harmgraph.common.plotting.style import bounds, number
from harmgraph.common.version import VERSION

WARNING = "This report quotes statements of the sources, including stereotypes and slurs, because it measures them."
PAIRS = "{count:,} pairs of these sources are not compared: --compare A B compares two of them, --pairs all of them."
FEW = "{count:,} with fewer than {support:,} statements are not named: --min-support 1 names them."
BEYOND = (
    "In O−, {o_minus:,} of {o_minus_tested:,} targets differ beyond chance (q at most 0.05) from the others of their category. "
    "In O+ it is {o_plus:,} of {o_plus_tested:,}. "
    "q is p corrected for the number of targets. The others could not differ beyond chance, however their labels fell: "
    "too few statements, or too few labels of this kind."
)
CHANCES = ("p", "q")
"""The columns of p and q in tables."""
SHOWN = 20
"""Targets in a table; JSON has all."""


def markdown(report: Content) -> str:
    """The report as GitHub's Markdown."""
    return "\n".join(_lines(report)) + "\n"


def beyond(measured: Measured) -> dict[str, int]:
    """The numbers of ``BEYOND``."""
    rates = ("o_minus", "o_plus")
    return {rate: measured.beyond(rate) for rate in rates} | {f"{rate}_tested": measured.tested(rate) for rate in rates}


def _lines(report: Content) -> Iterator[str]:
    yield f"# {markdown_cell(report.title)}"
    yield ""
    yield f"**Offensive content.** {WARNING}"
    yield ""
    yield (
        "O+ (favouritism) and O− (prejudice) are the percentages of a target's statements that are positive and negative; the "
        "names of targets were masked before scoring. Intervals are at 95 %. Single targets are shown if they have at least "
        f"{report.numbers.min_support:,} statements."
    )
    for picture in report.overview:
        yield from _picture(picture)
    if report.pairs_left_out:
        yield ""
        yield f"{markdown_cell(PAIRS.format(count=report.pairs_left_out))}"
    for section in report.sources:
        yield from _section(section, report.numbers.min_support)
    for picture in report.after:
        yield from _picture(picture)
    yield ""
    written = f"Written {report.written:%Y-%m-%d %H:%M} UTC by harmgraph {VERSION}."
    yield f"{written} A label says how a sentence reads, not what is true."


def _section(section: SourceSection, min_support: int) -> Iterator[str]:
    facts = section.facts
    counts = facts.get("counts") or {}
    yield ""
    yield f"## {markdown_cell(section.name)}"
    yield ""
    yield markdown_cell(
        f"{facts.get('importer')}, version {facts.get('version')}, licence {facts.get('licence')}; "
        f"{counts.get('duplicates') or 0:,} duplicates, {counts.get('rejected') or 0:,} lines rejected."
    )
    yield ""
    if section.listed:
        yield f"Listed groups that it never mentions: {section.never_mentioned}."
        yield ""
    yield f"Import {markdown_cell(str(facts.get('import_id'))[:12])}; target lists: {markdown_cell(section.about)}."
    if not section.measures:
        yield ""
        yield "No labelled statement of this source names a target."
    for picture in section.pictures:
        yield from _picture(picture)
    for measured in section.measures:
        yield from _measured(section, measured, min_support)
    if section.without:
        yield ""
        yield f"{len(section.without):,} targets without any statement: {markdown_cell(', '.join(section.without))}."


def _measured(section: SourceSection, measured: Measured, min_support: int) -> Iterator[str]:
    yield ""
    yield f"### {markdown_cell(section.name)} by {measured.measure}"
    yield ""
    counts = f"{measured.statements:,} statements about targets ({measured.pairs:,} pairs of a statement and a target)"
    yield f"{counts}, labelled by {markdown_cell(', '.join(measured.scorers))}."
    if measured.unlabelled:
        yield ""
        yield f"**{measured.unlabelled:,} of them carry no label and count as neutral.**"
    if measured.targets:
        yield ""
        yield f"{BEYOND.format(**beyond(measured))}"
    if measured.since:
        yield from _since(measured.since)
    for picture in measured.pictures:
        yield from _picture(picture, level=4)
    yield ""
    supported = [row for row in measured.targets if row["n"] >= min_support]
    few = len(measured.targets) - len(supported)
    if not supported:
        yield f"Targets: {FEW.format(count=few, support=min_support)}"
        return
    shown = f"the {min(SHOWN, len(supported)):,} of {len(supported):,} with the surest prejudice"
    yield f"#### Targets: {markdown_cell(section.name)} by {measured.measure}, {shown}"
    yield ""
    yield from _table(
        DrawnTable(
            ("target", "category", "region", "n", "O− %", "95 %", "q", "O+ %", "95 %", "q"),
            [
                [
                    *(row[name] for name in ("target", "category", "region", "n")),
                    *(row["o_minus"], bounds(row["o_minus_low"], row["o_minus_high"]), row["o_minus_q"]),
                    *(row["o_plus"], bounds(row["o_plus_low"], row["o_plus_high"]), row["o_plus_q"]),
                ]
                for row in supported[:SHOWN]
            ],
            FEW.format(count=few, support=min_support) if few else "",
        )
    )


def _since(since: SinceLast) -> Iterator[str]:
    yield ""
    yield "#### Since last time"
    yield ""
    yield markdown_cell(since.in_words)
    if since.beyond:
        yield ""
        yield from _table(since.table())


def _picture(picture: ReportPicture, level: int = 3) -> Iterator[str]:
    yield ""
    if picture.lack:
        yield f"{markdown_cell(picture.heading)}: none. {markdown_cell(picture.lack)}"
        return
    yield f"{'#' * level} {markdown_cell(picture.heading)}"
    yield ""
    shown = next((file for file in picture.files if not file.endswith(".pdf")), None)
    if shown:
        yield f"![{markdown_cell(picture.alt)}]({shown})"
        yield ""
    yield f"{picture.drawing.reading} ({picture.drawing.paper}.)"
    if picture.table:
        yield ""
        yield from _table(picture.table)


def _table(table: DrawnTable) -> Iterator[str]:
    yield f"| {' | '.join(table.columns)} |"
    numeric = [
        all(isinstance(row[place], int | float | None) for row in table.rows) for place in range(len(table.columns))
    ]
    yield f"|{'|'.join('---:' if right and place else '---' for place, right in enumerate(numeric))}|"
    for row in table.rows:
        yield f"| {' | '.join(_shown(table.columns, row))} |"
    if table.note:
        yield ""
        yield markdown_cell(table.note)


def _shown(columns: Sequence[str], row: Sequence[Any]) -> list[str]:
    return [
        markdown_cell(shown_value(column, value)) if isinstance(value, int | float) else markdown_cell(value)
        for column, value in zip(columns, row, strict=True)
    ]


def shown_value(column: str, value: float) -> str:
    """A number of a table; in the columns of p and q with the places of these."""
    return shown_chance(value) if column in CHANCES else number(value)

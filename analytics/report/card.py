"""The part 'Bias, Risks, and Limitations' of a Hugging Face card of a data set or a model, as Markdown.

The headings are those of the templates: https://huggingface.co/docs/hub/datasets-cards
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harmgraph.analytics.report.content import Content, Measured, SourceSection
from harmgraph.analytics.report.markdown import BEYOND, beyond
from harmgraph.analytics.report.told import (
    ADVICE,
    IMPACT,
    SILENT,
    command,
    judged,
    limitations,
    neutral,
    spreads,
    surest,
)
from harmgraph.analytics.statistics.chance import shown_chance
from harmgraph.common.hidden import without_secrets
from harmgraph.common.markdown_text import markdown_cell
from harmgraph.common.plotting.style import bounds, number
from harmgraph.common.version import VERSION

HEADING = "## Bias, Risks, and Limitations"
RECOMMENDATIONS = "### Recommendations"


def card(report: Content) -> str:
    """The part of a card."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Content) -> Iterator[str]:
    yield HEADING
    yield ""
    yield (
        "harmgraph measured what this says about groups of people. O− (prejudice) and O+ (favouritism) are the shares of a "
        "group's statements that are negative and positive. Names of groups were masked before scoring. Intervals are at 95 %."
    )
    for section in report.sources:
        yield from _section(section, report)
    yield ""
    yield f"**Risks.** {IMPACT}"
    for section in report.sources:
        yield ""
        of = f" of {_cell(section.name)}" if len(report.sources) > 1 else ""
        yield f"**Limitations{of}.**"
        yield ""
        for line in (*limitations(section, report.numbers), *judged(section, report.numbers)):
            yield f"- {_cell(line)}"
    yield ""
    yield RECOMMENDATIONS
    yield ""
    for line in ADVICE:
        yield f"- {line}"
    yield ""
    yield f"These numbers are by harmgraph {VERSION} of {report.written:%Y-%m-%d}. This command gives them again:"
    yield ""
    yield "```sh"
    yield without_secrets(command(report, "card"))
    yield "```"


def _section(section: SourceSection, report: Content) -> Iterator[str]:
    facts = section.facts
    yield ""
    yield f"### What {_cell(section.name)} says about groups"
    yield ""
    told = f"{facts.get('importer')}, version {facts.get('version')}, import {str(facts.get('import_id'))[:12]}"
    yield f"{_cell(told)}; target lists: {_cell(section.about)}."
    for measured in section.measures:
        yield from _measured(section, measured, report)
    if section.without:
        named = ", ".join(section.without[:SILENT])
        more = f" and {len(section.without) - SILENT:,} more" if len(section.without) > SILENT else ""
        yield ""
        yield f"Listed groups that it never mentions: {section.never_mentioned}: {_cell(named)}{more}."


def _measured(section: SourceSection, measured: Measured, report: Content) -> Iterator[str]:
    yield ""
    yield f"#### {_cell(section.name)} by {_cell(measured.measure)}"
    yield ""
    if not measured.targets:
        yield "No labelled statement names a group of the lists, so nothing was measured."
        return
    numbers = report.numbers
    yield f"{measured.statements:,} statements about groups, labelled by {_cell(', '.join(measured.scorers))}."
    yield ""
    yield "| number | value | 95 % interval | n |"
    yield "|---|---:|---:|---:|"
    groups = f"{len(measured.targets):,} groups"
    share = neutral(measured, numbers, section.name)
    if share and share["neutral_mean"] is not None:
        ends = bounds(share["neutral_mean_low"], share["neutral_mean_high"])
        yield f"| mean neutral share of a group, % | {number(share['neutral_mean'])} | {ends or '–'} | {groups} |"
    for name, value, low, high in spreads(measured):
        yield f"| disparity {_cell(name)} | {number(value)} | {bounds(low, high) or '–'} | {groups} |"
    yield ""
    yield BEYOND.format(**beyond(measured))
    for side, sign, what in (("o_minus", "O−", "negative"), ("o_plus", "O+", "positive")):
        rows = surest(measured, numbers, side)
        if rows:
            yield ""
            yield f"Groups with the surest share of {what} statements, of those with {numbers.min_support:,} or more:"
            yield ""
            yield f"| group | category | n | {sign} % | 95 % interval | q |"
            yield "|---|---|---:|---:|---:|---:|"
            for row in rows:
                yield _row(row, side)


def _row(row: dict[str, Any], side: str) -> str:
    q = row[f"{side}_q"]
    ends = bounds(row[f"{side}_low"], row[f"{side}_high"])
    cells = (
        row["target"],
        row["category"],
        f"{row['n']:,}",
        number(row[side]),
        ends,
        "–" if q is None else shown_chance(q),
    )
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: Any) -> str:
    # Hidden first: an address whose marks are escaped is not found any more.
    return markdown_cell(without_secrets(value) if isinstance(value, str) else value)

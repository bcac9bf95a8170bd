"""The page of a paper: each of its numbers beside ours."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.papers.paper import Item, Paper, Row
from tests.papers.results import Measured, Number, path_of
from tests.support.places import DOCS

NEAR = 0.02  # share of the paper's number
VERDICTS = ("within 2 %", "in the interval", "off", "not measured yet", "cannot be had")
Numbers = dict[tuple[str, str], Number]


def path(paper: Paper) -> Path:
    """Where the page lies."""
    return DOCS / "papers" / f"{paper.name}.md"


def numbers(results: dict[str, Measured]) -> Numbers:
    """All measured numbers, by study and key."""
    return {(name, key): number for name, one in results.items() for key, number in one.numbers.items()}


def verdict(row: Row, known: Numbers) -> str:
    """One of ``VERDICTS``; empty where the paper has no number."""
    if row.ours is None:
        return VERDICTS[4]
    number = known.get((row.ours.study, row.ours.key))
    if number is None:
        return VERDICTS[3]
    if row.paper is None:
        return ""
    if abs(number.value - row.paper) <= NEAR * abs(row.paper):
        return VERDICTS[0]
    if number.low is not None and number.high is not None and number.low <= row.paper <= number.high:
        return VERDICTS[1]
    return VERDICTS[2]


def counted(paper: Paper, results: dict[str, Measured]) -> Counter[str]:
    """How many rows have each verdict."""
    known = numbers(results)
    return Counter(found for item in paper.items for row in item.rows if (found := verdict(row, known)))


def page(paper: Paper, results: dict[str, Measured]) -> str:
    """The page, as Markdown."""
    known, counts = numbers(results), counted(paper, results)
    lines = [
        f"# {paper.title}",
        "",
        "Every table, figure and numbered equation of the paper, and what harmgraph makes of the data that was released.",
        f"This page is generated: `make papers` measures, and `{path_of(paper).relative_to(DOCS.parent)}` keeps the numbers.",
        "",
        ", ".join(f"{counts[name]} numbers {name}" for name in VERDICTS if counts[name]) + ".",
        "",
    ]
    for item in paper.items:
        lines += [*_item(paper, item, known), ""]
    return "\n".join([*lines, *_origin(paper, results)]) + "\n"


def _item(paper: Paper, item: Item, known: Numbers) -> list[str]:
    lines = [f"## {item.name[0].upper()}{item.name[1:]}", "", item.what]
    if item.note:
        lines += ["", item.note]
    if not item.rows:
        return lines
    asked: dict[str, dict[str, None]] = {}
    for row in item.rows:
        if row.ours and row.ours.asked in paper.study(row.ours.study).asked:
            asked.setdefault(row.ours.study, {})[row.ours.asked] = None
    for name, answers in asked.items():
        study = paper.study(name)
        lines += ["", "```text", *study.prepare, *(study.asked[answer] for answer in answers), "```"]
    lines += ["", "| | paper | here | 95 % interval | n | difference | |", "|---|---|---|---|---|---|---|"]
    return [*lines, *(_row(row, known) for row in item.rows)]


def _row(row: Row, known: Numbers) -> str:
    found = verdict(row, known)
    printed = "" if row.paper is None else f"{row.paper:,.{row.digits}f}"
    number = known.get((row.ours.study, row.ours.key)) if row.ours else None
    if number is None:
        return f"| {row.what} | {printed} | | | | | {found}: {row.why} |"
    more = row.digits + (1 if row.digits else 0)
    interval = "" if number.low is None or number.high is None else f"{number.low:,.{more}f} to {number.high:,.{more}f}"
    share = f"{(number.value - row.paper) / abs(row.paper):+.1%}" if row.paper else ""
    count = "" if number.n is None else f"{number.n:,}"
    why = f"{found}: {row.why}" if found == VERDICTS[2] else found
    return f"| {row.what} | {printed} | {number.value:,.{more}f} | {interval} | {count} | {share} | {why} |"


def _origin(paper: Paper, results: dict[str, Measured]) -> list[str]:
    lines = [
        "## What the numbers were computed from",
        "",
        "| study | commit | seconds | files (SHA-256) |",
        "|---|---|---|---|",
    ]
    for study in paper.studies:
        if study.name in results:
            one = results[study.name]
            files = "<br>".join(f"`{name}` {digest[:12]}" for name, digest in one.files.items())
            changed = " and changes" if one.changed else ""
            lines.append(f"| {study.name} | {one.commit[:10]}{changed} | {one.seconds:.0f} | {files} |")
    return lines

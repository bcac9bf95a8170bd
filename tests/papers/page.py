"""The page of a paper: each of its numbers beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.papers.paper import Item, Paper, Row, TopList
from tests.papers.results import Measured, Number, path_of
from tests.support.places import DOCS

NEAR = 0.02  # share of the paper's number
VERDICTS = ("within 2 %", "in the interval", "off", "here alone", "not measured yet", "cannot be had")
WITHIN, INSIDE, OFF, ALONE, LATER, NEVER = VERDICTS
Numbers = dict[tuple[str, str], Number]
Lists = dict[tuple[str, str], list[dict[str, Any]]]


OVERVIEW = DOCS / "papers" / "index.md"


def path(paper: Paper) -> Path:
    """Where the page lies."""
    return DOCS / "papers" / f"{paper.name}.md"


def numbers(results: dict[str, Measured]) -> Numbers:
    """All measured numbers, by study and key."""
    return {(name, key): number for name, one in results.items() for key, number in one.numbers.items()}


def verdict(row: Row, known: Numbers) -> str:
    """One of ``VERDICTS``."""
    if row.ours is None:
        return NEVER
    number = known.get((row.ours.study, row.ours.key))
    if number is None:
        return LATER
    if number.value is None:
        return NEVER
    if row.paper is None:
        return ALONE
    if abs(number.value - row.paper) <= NEAR * abs(row.paper):
        return WITHIN
    if number.low is not None and number.high is not None and number.low <= row.paper <= number.high:
        return INSIDE
    return OFF


def _kept(paper: Paper) -> str:
    return f"`{path_of(paper).relative_to(DOCS.parent)}`"


def _words(commands: Iterable[str]) -> set[tuple[str, ...]]:
    """The words of each command. The order of the options makes no difference."""
    return {tuple(sorted(command.split())) for command in commands}


def _making(paper: Paper) -> str:
    if not any(study.made for study in paper.studies):
        return ""
    return f" `MADE/` holds what `tests/papers/{paper.name}.py` makes of these files, and what commands write there."


def _judged(paper: Paper, results: dict[str, Measured]) -> Counter[tuple[str, str]]:
    """How many numbers have each verdict and reason."""
    known = numbers(results)
    return Counter((verdict(row, known), reason(row, known)) for item in paper.items for row in item.rows)


def reason(row: Row, known: Numbers) -> str:
    """Why our number is missing or differs."""
    number = known.get((row.ours.study, row.ours.key)) if row.ours else None
    return row.ours.absent if row.ours and number and number.value is None else row.why


def _by_verdict(judged: Counter[tuple[str, str]]) -> Counter[str]:
    return Counter(said for said, _ in judged.elements())


def page(paper: Paper, results: dict[str, Measured]) -> str:
    """The page, as Markdown."""
    known, counts = numbers(results), _by_verdict(_judged(paper, results))
    lists = {(name, key): rows for name, one in results.items() for key, rows in one.lists.items()}
    lines = [
        f"# {paper.title}",
        "",
        "Every table, figure and numbered equation of the paper, and what harmgraph makes of the data that was released.",
        f"This page is generated: `make papers` measures, and {_kept(paper)} keeps the numbers.",
        "",
        ", ".join(f"{counts[name]} numbers {name}" for name in VERDICTS if counts[name]) + ".",
        "*In the interval*: our 95 % interval has the paper's number. A wide interval proves little. *Here alone*: the paper has",
        "no such number.",
        "",
        f"Paths lie in the folder that `HARMGRAPH_DATA` names.{_making(paper)}",
        "",
    ]
    if paper.note:
        lines += [paper.note, ""]
    typed = {name: one.commands for name, one in results.items()}
    for item in paper.items:
        lines += [*_item(paper, item, known, lists, typed), ""]
    return "\n".join([*lines, *_origin(paper, results)]) + "\n"


def overview(every: Mapping[str, Paper], kept: Mapping[str, dict[str, Measured]]) -> str:
    """How many numbers of each paper are here, and why the others differ or are missing, as Markdown.

    Args:
        every: the papers by name. kept: their results, by the same names.
    """
    heads = (*VERDICTS, "ranked lists beside ours")
    lines = [
        "# The papers' numbers beside ours",
        "",
        "Do you get the numbers of the papers? Each page has every table, figure and numbered equation of a paper, the",
        "command, the paper's number and ours. This page counts them. It is generated: `make papers` measures.",
        "",
        f"| | {' | '.join(heads)} |",
        "|---|" + "---|" * len(heads),
    ]
    judged = {name: _judged(paper, kept[name]) for name, paper in every.items()}
    for name, paper in every.items():
        counts = _by_verdict(judged[name])
        beside = sum(bool(one.paper) for one in paper.lists)
        shown = " | ".join(f"{count:,}" if count else "" for count in (*map(counts.get, VERDICTS), beside))
        lines.append(f"| [{_short(paper)}]({name}.md) | {shown} |")
    lines += [
        "",
        "*Within 2 %* is of the paper's number. *In the interval*: our 95 % interval has the paper's number. *Here alone*: the",
        "paper has no such number. *Cannot be had*: it needs data or models that are not public, or not here. *Not measured yet*",
        "also counts rows that stand beside no number.",
    ]
    for name, paper in every.items():
        reasoned = [one for one in judged[name].items() if one[0][0] in (OFF, LATER, NEVER)]
        found = sorted(reasoned, key=lambda one: (VERDICTS.index(one[0][0]), -one[1], one[0]))
        lines += ["", f"## {_short(paper)}", "", "| numbers | | why |", "|---|---|---|"]
        lines += [f"| {count:,} | {said} | {why} |" for (said, why), count in found]
    return "\n".join(lines) + "\n"


def _short(paper: Paper) -> str:
    """Its authors and year."""
    return paper.title.partition(", ")[0]


def _item(paper: Paper, item: Item, known: Numbers, lists: Lists, measured: Mapping[str, Sequence[str]]) -> list[str]:
    """A table, figure or equation.

    Args:
        measured: the commands of each study when it was measured.
    """
    lines = [f"## {item.name[0].upper()}{item.name[1:]}", "", item.what]
    if item.note:
        lines += ["", item.note]
    read = [(row.ours.study, row.ours.asked) for row in item.rows if row.ours]
    commands: dict[str, list[str]] = {}
    for name, asked in dict.fromkeys((*read, *((one.study, one.asked) for one in item.lists))):
        commands.setdefault(name, []).extend(paper.study(name).commands_of(asked))
    for name, typed in commands.items():
        if paper.study(name).prepare:
            lines += ["", f"In the store [{name}](#{_store(name)}), filled as below:"]
        lines += ["", "```text", *dict.fromkeys(typed), "```"]
        if name in measured and not _words(paper.study(name).prepare) <= _words(measured[name]):
            lines += ["", f"**The store was filled by other commands when it was measured:** {_kept(paper)} has them."]
        elif name in measured and not _words(typed) <= _words(measured[name]):
            lines += ["", f"Other commands were asked when it was measured: {_kept(paper)} has them."]
    if item.rows:
        lines += ["", "| | paper | here | 95 % interval | n | difference | |", "|---|---|---|---|---|---|---|"]
        lines += [_row(row, known) for row in item.rows]
    for one in item.lists:
        lines += ["", *_list(one, lists.get((one.study, one.key), []))]
    return lines


def _list(one: TopList, rows: list[dict[str, Any]]) -> list[str]:
    """The paper's list on the left if there is one, ours on the right."""
    lines = [f"{one.what}:", ""] if one.what else []
    if not one.paper and not rows:
        return [*lines, LATER]
    first, second = (f"{of} here" for of in one.ours)
    theirs = ("paper", "score", *one.counts) if one.paper else ()
    heads = ("", *theirs, "here", "score", first, second, "what the counts do not predict")
    lines += [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for place, (printed, row) in enumerate(zip_longest(one.paper, rows, fillvalue=None), 1):
        ours = ("",) * 5
        if row:
            counts = (f"{row['count_a']:,}", f"{row['count_b']:,}")
            ours = (row["name"], _interval(row, "score"), *counts, _interval(row, "residual"))
        lines.append(f"| {' | '.join((str(place), *(printed or ('',) * len(theirs)), *ours))} |")
    return lines


def _interval(row: dict[str, Any], name: str) -> str:
    """A number with its interval, if it has them."""
    found = [row.get(column) for column in (name, f"{name}_low", f"{name}_high")]
    if found[0] is None:
        return ""
    value, low, high = (None if number is None else f"{number:.3g}" for number in found)
    return f"{value}" if low is None else f"{value} ({low} to {high})"


def _row(row: Row, known: Numbers) -> str:
    found = verdict(row, known)
    why = reason(row, known)
    reasoned = f"{found}: {why}" if why else found
    printed = "" if row.paper is None else f"{row.paper:,.{row.digits}f}"
    number = known.get((row.ours.study, row.ours.key)) if row.ours else None
    if number is None or number.value is None:
        return f"| {row.what} | {printed} | | | | | {reasoned} |"
    more = row.digits + (row.digits > 0 or (row.paper is not None and not number.value.is_integer()))
    interval = "" if number.low is None or number.high is None else f"{number.low:,.{more}f} to {number.high:,.{more}f}"
    share = f"{(number.value - row.paper) / abs(row.paper):+.1%}" if row.paper else ""
    count = "" if number.n is None else f"{number.n:,}"
    said = reasoned if found in (INSIDE, OFF) else "" if found == ALONE else found
    return f"| {row.what} | {printed} | {number.value:,.{more}f} | {interval} | {count} | {share} | {said} |"


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
    for study in paper.studies:
        if study.prepare:
            lines += ["", f"### Store {study.name}", "", "```text", *study.prepare, "```"]
    return lines


def _store(study: str) -> str:
    """The anchor of what fills its store."""
    return f"store-{study.replace(' ', '-')}"

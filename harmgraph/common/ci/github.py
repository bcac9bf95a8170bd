"""Results for GitHub: annotations, which it shows at the lines of a change, and the summary of a step.

What a runner obeys: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from harmgraph.common.ci.code_results import CodeLevel, CodePlace, CodeResult
from harmgraph.common.clean_text import one_line
from harmgraph.common.markdown_text import markdown_cell
from harmgraph.common.no_space import writing

SUMMARY = "GITHUB_STEP_SUMMARY"
MOST = 10
"""Annotations of a level that GitHub shows of a step; of more it shows the first."""
ROWS = 50
"""Results that a summary names; GitHub takes 1 MiB of a step."""
_WORDS: Mapping[CodeLevel, str] = {"error": "error", "warning": "warning", "note": "notice"}
STATES = {"new": "new", "updated": "changed", "unchanged": "as before", "": "found"}


def workflow_commands(results: Iterable[CodeResult]) -> list[str]:
    """The results that were not known before as commands of a workflow, at most ten of each level.

    No text of a knowledge base can become a command of its own: ends of lines and percent signs are escaped.
    """
    lines, counts = [], Counter[CodeLevel]()
    for result in results:
        if not result.is_worth_telling:
            continue
        counts[result.level] += 1
        if counts[result.level] <= MOST:
            place = result.places[0] if result.places else None
            lines.append(_annotation(_WORDS[result.level], result.rule.title, result.message, place))
    left = sum(counts.values()) - len(lines)
    if left:
        lines.append(_annotation("notice", "harmgraph", f"{left:,} more findings have no annotation", None))
    return lines


def _annotation(word: str, title: str, message: str, place: CodePlace | None) -> str:
    given = {"file": place.file, "line": str(place.line)} if place else {}
    parts = ",".join(f"{name}={_property(value)}" for name, value in {**given, "title": title}.items())
    return f"::{word} {parts}::{_data(one_line(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def summary(title: str, results: Sequence[CodeResult], more: Iterable[str] = ()) -> str:
    """A summary in Markdown: how many results there are of each state, and those that were not known before.

    Args:
        more: lines of Markdown before the table of results.
    """
    return "\n".join((*_summary(title, results, more), "", ""))


def _summary(title: str, results: Sequence[CodeResult], more: Iterable[str]) -> Iterator[str]:
    yield f"## {markdown_cell(title)}"
    yield ""
    yield from more
    counts = Counter(STATES[result.state] for result in results)
    yield "Findings: " + (", ".join(f"{counts[name]:,} {name}" for name in STATES.values() if counts[name]) or "none")
    told = [result for result in results if result.is_worth_telling]
    if not told:
        return
    yield ""
    yield "They quote statements that may offend."
    yield ""
    yield "| state | place | finding | id |"
    yield "|---|---|---|---|"
    for result in told[:ROWS]:
        place = str(result.places[0]) if result.places else "–"
        cells = (STATES[result.state], place, result.message, result.id)
        yield f"| {' | '.join(map(markdown_cell, cells))} |"
    if len(told) > ROWS:
        yield ""
        yield f"{len(told) - ROWS:,} more are not shown."


def append_summary(text: str) -> None:
    """Adds to the summary of the step that runs this, if one does.

    Raises:
        NoSpace: it cannot be written.
    """
    if path := os.environ.get(SUMMARY):
        with writing(Path(path)), Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


@contextmanager
def commands_stopped(annotations: str | None) -> Iterator[None]:
    """Until the block ends no printed line is a command of the workflow, as it may quote a knowledge base.

    Args:
        annotations: None if nothing is said to a workflow; then nothing happens.
    """
    if annotations is None:
        yield
        return
    word = secrets.token_hex(16)
    print(f"::stop-commands::{word}", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        with suppress(OSError):  # what waits in a buffer would come after the end; a closed pipe is told elsewhere
            sys.stdout.flush()
        print(f"::{word}::", file=sys.stderr, flush=True)

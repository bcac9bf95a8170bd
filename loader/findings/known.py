"""What is new, changed or resolved since a list of findings that somebody has looked at. Findings are known by their ids."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import read_text
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.measures import known_measure
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.choosing import FindingChoice, labelled

State = Literal["new", "changed", "resolved"]
REMEDY = "write it with 'harmgraph findings list --output csv', or with 'findings export'"
_ID = re.compile(r"[0-9a-f]{16}")
_EXPORTED = re.compile(
    r"(?:\b(?P<measure>[a-z][a-z0-9_]*) (?P<label>[^\s;]+)(?: (?P<score>-?\d[\d.e+-]*))? by [^\n]*?(?:\n# |; ))?"
    r"finding: (?P<finding>[0-9a-f]{16})\b"
)
"""A finding among the remarks of an export, on lines of their own or in one summary."""


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding of a file.

    Attributes:
        measure, label: empty where the file does not say.
        said: the statement in words; empty where the file does not say.
    """

    id: str
    measure: str = ""
    label: str = ""
    score: float | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding that is not as the file has it.

    Attributes:
        before: as the file has it; None for a new one.
        now: as it stands in the graph; None for a resolved one, whose statement no longer stands about a target.
    """

    state: State
    before: KnownFinding | None
    now: Finding | None

    def row(self) -> dict[str, Any]:
        """As a row of a table."""
        before, now = self.before, self.now
        return {
            "state": self.state,
            "finding": now.id if now else before.id if before else "",
            "statement": now.said if now else before.said if before else "",
            "label_before": before.label or None if before else None,
            "score_before": before.score if before else None,
            "label": now.label or None if now else None,
            "score": now.score if now else None,
        }


@dataclass(frozen=True, slots=True)
class Since:
    """What became of the findings of a file.

    Attributes:
        changes: the new ones, then the changed and the resolved ones; the strongest first.
        unchanged: how many of the file are as they were.
        others: how many of the file are of another measure, and were not looked at.
    """

    changes: tuple[FindingChange, ...]
    unchanged: int
    others: int

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there are of each state."""
        return Counter(change.state for change in self.changes)


def listed(graph: Graph, source: str, choice: FindingChoice) -> list[Finding]:
    """The findings of a source, the strongest first.

    Raises:
        NotFound: there is no such source, measure or target.
    """
    sources.facts(graph, source)
    known_measure(graph, choice.measure)
    return labelled(graph, source, choice)


def since(graph: Graph, source: str, known: Sequence[KnownFinding], choice: FindingChoice) -> Since:
    """What became of known findings, and which are new.

    A finding has changed if its statement now has another label, or a score on the other side of 0.

    Args:
        choice: which statements count as new: those with this label, and a score that is this far from 0.

    Raises:
        NotFound: there is no such source or measure.
    """
    found = listed(graph, source, choice)
    of_measure = [each for each in known if each.measure in ("", choice.measure)]
    before = {each.id: each for each in reversed(of_measure)}
    standing: dict[str, Finding] = {}
    for finding in labelled(graph, source, replace(choice, label=None, min_score=None)):
        standing.setdefault(finding.id, finding)
    new = {finding.id: finding for finding in reversed(found) if finding.id not in before}
    changes = [FindingChange("new", None, finding) for finding in reversed(new.values())]
    changes += [
        FindingChange("changed", each, now)
        for identity, each in before.items()
        if (now := standing.get(identity)) and _other(each, now)
    ]
    changes += [FindingChange("resolved", each, None) for each in before.values() if each.id not in standing]
    unchanged = len(before) - sum(change.before is not None for change in changes)
    return Since(tuple(changes), unchanged, len(known) - len(of_measure))


def _other(before: KnownFinding, now: Finding) -> bool:
    if before.label and before.label != now.label:
        return True
    return before.score is not None and now.score is not None and before.score * now.score < 0


def read_known(path: Path) -> list[KnownFinding]:
    """The findings of a file: what ``findings list`` prints as CSV or JSON, or what ``findings export`` writes.

    Raises:
        UnreadableFile: it cannot be read, or holds no ids of findings.
    """
    text = read_text(path)
    if text.lstrip().startswith(("[", "{")):
        rows = _json_rows(path, text)
    elif "finding" in text.partition("\n")[0].split(","):
        rows = list(enumerate(csv.DictReader(io.StringIO(text)), 2))
    else:
        found = [_known(path, 0, match.groupdict()) for match in _EXPORTED.finditer(text)]
        if not found:
            raise UnreadableFile(path, "has no ids of findings", remedy=REMEDY)
        return found
    return [_known(path, line, row) for line, row in rows]


def _json_rows(path: Path, text: str) -> list[tuple[int, Mapping[str, Any]]]:
    try:
        rows = from_json(text) if text.lstrip().startswith("[") else list(_lines(text))
    except ValueError as error:
        raise UnreadableFile(path, f"is not JSON ({str(error)[:60]})", remedy=REMEDY) from error
    if not all(isinstance(row, dict) for row in rows):
        raise UnreadableFile(path, "is not a list of findings", remedy=REMEDY)
    return list(enumerate(rows, 1))


def _lines(text: str) -> Iterator[Any]:
    """The values of JSON Lines."""
    return (from_json(line) for line in text.splitlines() if line.strip())


def _known(path: Path, place: int, row: Mapping[str, Any]) -> KnownFinding:
    identity = str(row.get("finding") or "")
    if not _ID.fullmatch(identity):
        raise UnreadableFile(path, f"row {place}: {identity[:20]!r} is no id of a finding", remedy=REMEDY)
    score = row.get("score")
    try:
        value = None if score in (None, "") else float(str(score))
    except ValueError as error:
        raise UnreadableFile(path, f"row {place}: score {str(score)[:20]!r} is not a number", remedy=REMEDY) from error
    said = (str(row.get(name) or "") for name in ("measure", "label", "statement"))
    measure, label, statement = said
    return KnownFinding(identity, measure, label, value, statement)

"""What is new, changed or resolved since a list of findings that somebody has looked at. Findings are known by their ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from harmgraph.common.errors import NotFound, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE
from harmgraph.common.user_file import csv_rows, read_text
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.measures import known_measure, stands
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.choosing import FindingChoice, labelled

State = Literal["new", "changed", "resolved"]
REMEDY = "write it with 'harmgraph findings list --output csv', or with 'findings export'"
_ID = re.compile(r"[0-9a-f]{16}")
_REMARK = re.compile(r"finding: (?P<finding>[0-9a-f]{16})")
_LABEL = re.compile(r"(?P<measure>[a-z][a-z0-9_]*) (?P<label>\S+)(?: (?P<score>-?\d[\d.e+-]*))? by .*")
_SUMMARY = re.compile(r"/\*(.*)\*/")


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
        changes: the new ones, the strongest first, then the changed and the resolved ones in the order of the file.
        kept: those of the file that are as they were, in its order.
        others: how many of the file are of another measure, and were not looked at.
    """

    changes: tuple[FindingChange, ...]
    kept: tuple[Finding, ...]
    others: int

    @property
    def unchanged(self) -> int:
        """How many of the file are as they were."""
        return len(self.kept)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there are of each state."""
        return Counter(change.state for change in self.changes)


def listed(graph: Graph, source: str, choice: FindingChoice) -> list[Finding]:
    """The findings of a source, the strongest first; none if no statement of it is about a target, labelled or not.

    Raises:
        NotFound: there is no such source, measure, label or target.
    """
    sources.facts(graph, source)
    if not stands(graph, choice.measure) and not labelled(graph, source, FindingChoice(choice.measure, None, limit=1)):
        return []
    known_measure(graph, choice.measure)
    found = labelled(graph, source, choice)
    if not found and choice.label is not None:
        _check_label(graph, choice.measure, choice.label)
    return found


def _check_label(graph: Graph, measure: str, label: str) -> None:
    """Checks that a label without findings is one that the measure can have: a slip of the pen would never find any."""
    rows = graph.rows("label/labelled_by", source=None, measures=[measure], by=[f"{measure}_by"])
    known = {POSITIVE, NEUTRAL, NEGATIVE, *(row["labels"][0] for row in rows if row["labels"][0] is not None)}
    if label not in known:
        raise NotFound("label", label, sorted(known))


def since(graph: Graph, source: str, known: Sequence[KnownFinding], choice: FindingChoice) -> Since:
    """What became of known findings, and which are new.

    A finding has changed if its statement now has another label, or a score on the other side of 0.

    Args:
        choice: which statements count as new: those with this label, a score that is this far from 0, and about this target.

    Raises:
        NotFound: there is no such source, measure, label or target.
    """
    found = listed(graph, source, choice)
    of_measure = [each for each in known if each.measure in ("", choice.measure)]
    before: dict[str, KnownFinding] = {}
    for each in of_measure:
        before.setdefault(each.id, each)
    standing: dict[str, Finding] = {}
    for finding in labelled(graph, source, replace(choice, label=None, min_score=None, target=None)):
        if finding.id in before:
            standing.setdefault(finding.id, finding)
    new: dict[str, Finding] = {}
    for finding in found:
        if finding.id not in before:
            new.setdefault(finding.id, finding)
    changes = [FindingChange("new", None, finding) for finding in new.values()]
    changes += [
        FindingChange("changed", each, now)
        for identity, each in before.items()
        if (now := standing.get(identity)) and _other(each, now)
    ]
    changes += [FindingChange("resolved", each, None) for each in before.values() if each.id not in standing]
    kept = [now for each in before.values() if (now := standing.get(each.id)) and not _other(each, now)]
    return Since(tuple(changes), tuple(kept), len(known) - len(of_measure))


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
        rows = list(_csv_rows(path))
    else:
        found = [_known(path, 0, facts) for remarks in _remarks(text) for facts in _of_remarks(remarks)]
        if not found:
            raise UnreadableFile(path, "has no ids of findings", remedy=REMEDY)
        return found
    return [_known(path, line, row) for line, row in rows]


def _remarks(text: str) -> Iterator[list[str]]:
    """The remarks on each finding of an export: lines of their own, one after the other, or the parts of a summary."""
    block: list[str] = []
    for line in (*text.split("\n"), ""):
        if line.startswith("# "):
            block.append(line.removeprefix("# ").rstrip("\r"))
            continue
        if block:
            yield block
            block = []
        if summary := _SUMMARY.search(line):
            yield summary[1].strip().split("; ")


def _of_remarks(remarks: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """The id, and the label before it: the last that looks like one, as a knowledge base's own text stands before it."""
    places = [place for place, remark in enumerate(remarks) if _REMARK.fullmatch(remark)]
    if places:
        label = _LABEL.fullmatch(remarks[places[-1] - 1]) if places[-1] else None
        yield {"finding": remarks[places[-1]].removeprefix("finding: "), **(label.groupdict() if label else {})}


def _csv_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    table = csv_rows(path)
    header = next(table).cells
    for row in table:
        yield row.line, dict(zip(header, row.cells, strict=False))


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

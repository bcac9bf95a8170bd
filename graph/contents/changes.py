"""How the newest import of a source changed the statements about targets: which were added, removed or relabelled.

Added statements are in the graph with the number of their import, and a changed label has its old value beside it. Removed
statements are noted before they are removed: counts for every target, and at most ``LISTED`` of the statements themselves, so
that no copy of a source is kept. The note is kept until the next import of other content, or until the source is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from harmgraph.common.json_text import from_json
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import measures as labelling
from harmgraph.graph.records import Import
from harmgraph.graph.schema import WAS

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import SourceChangedRow

LISTED = 1_000
KINDS = ("removed", "added", "relabelled")


@dataclass(frozen=True, slots=True)
class TargetCount:
    """Statements about one target.

    Attributes:
        labels: how many of them have each label, by measure.
    """

    statements: int = 0
    labels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, measure: str) -> tuple[int, Mapping[str, int]]:
        """The number of statements, and how many of them have each label of one measure."""
        return self.statements, self.labels.get(measure, {})

    def labelled(self, measure: str, label: str) -> int:
        """How many of the statements have a label."""
        return self.of(measure)[1].get(label, 0)


@dataclass(frozen=True, slots=True)
class Note:
    """What was noted about the newest import.

    Attributes:
        before: statements before it, by target; None if nothing was noted.
        removed: statements that it removed, by target; None if nothing was noted.
        listed: the removed statements that were saved: targets, statement, labels by measure.
        broken_off: whether an unfinished import removed statements that were not noted.
    """

    before: Mapping[str, TargetCount] | None = None
    removed: Mapping[str, TargetCount] | None = None
    listed: tuple[Mapping[str, Any], ...] = ()
    broken_off: bool = False


@dataclass(frozen=True, slots=True)
class ChangedStatement:
    """A statement that changed.

    Attributes:
        change: one of ``KINDS``.
        before, now: its labels by measure; measures without a label are left out.
    """

    change: str
    targets: tuple[str, ...]
    statement: str
    before: Mapping[str, str]
    now: Mapping[str, str]


def note_before(graph: Graph, mark: Import, *, complete: bool) -> None:
    """Notes the current statements before another import of the source begins to write.

    Args:
        complete: whether the current import is complete; an unfinished one is not noted.
    """
    if complete:
        before = _json(_counted(graph, mark.source))
        graph.write("source/note_before", source=mark.source, since=mark.since, before=before)


def note_removed(graph: Graph, mark: Import) -> None:
    """Notes what the sweep of an import will remove. If the same import is repeated after a kill, its note is kept."""
    if mark.since <= 1:
        return
    known = _change(graph, mark.source)
    same = known.get("since") == mark.since
    if not same:
        graph.write("source/note_before", source=mark.source, since=mark.since, before=None)
    if same and known.get("import_id") == mark.import_id:
        return
    names = labelling(graph)
    rows = _rows(graph, mark.source, names, without=mark.import_id, limit=LISTED)
    graph.write(
        "source/note_removed",
        source=mark.source,
        since=mark.since,
        import_id=mark.import_id,
        removed=_json(_counted(graph, mark.source, without=mark.import_id)),
        listed=[
            json.dumps(
                {"targets": row["targets"], "statement": row["statement"], "labels": _named(names, row["labels"])},
                ensure_ascii=False,
                sort_keys=True,
            )
            for row in rows
        ],
        broken_off=bool(same and known.get("import_id")),
    )


def note(graph: Graph, source: str, since: int) -> Note:
    """What was noted about an import.

    Args:
        since: number of the import; the first removes nothing.
    """
    if since <= 1:
        return Note({}, {})
    facts = _change(graph, source)
    if facts.get("since") != since:
        return Note()
    return Note(
        _read(facts.get("before")),
        _read(facts.get("removed")),
        tuple(from_json(text) for text in facts.get("listed") or ()),
        bool(facts.get("broken_off")),
    )


def by_target(graph: Graph, source: str, since: int, measure: str) -> list[dict[str, Any]]:
    """The targets whose statements changed, most changes first.

    Returns:
        Rows of ``target``, ``before``, ``after``, ``added``, ``removed``, ``relabelled`` and, for the measure,
        ``negative_before``, ``negative_after``, ``positive_before``, ``positive_after``; a value is None if it was not noted.
    """
    noted = note(graph, source, since)
    after, added = _counted(graph, source), _counted(graph, source, since=since)
    parameters = {"source": source, "was": measure + WAS, "relabelled": f"@{since}"}
    relabelled = {row["target"]: row["statements"] for row in graph.rows("source/relabelled", **parameters)}
    rows = []
    for target in sorted({*after, *relabelled, *(noted.before or {}), *(noted.removed or {})}):
        now, was = after.get(target, TargetCount()), _of(noted.before, target)
        gone = _of(noted.removed, target)
        row: dict[str, Any] = {
            "target": target,
            "before": was.statements if was else None,
            "after": now.statements,
            "added": added.get(target, TargetCount()).statements,
            "removed": gone.statements if gone else None,
            "relabelled": relabelled.get(target, 0),
        }
        for label in ("negative", "positive"):
            row[f"{label}_before"] = was.labelled(measure, label) if was else None
            row[f"{label}_after"] = now.labelled(measure, label)
        if row["added"] or row["removed"] or row["relabelled"] or (was and was.of(measure) != now.of(measure)):
            rows.append(row)
    return sorted(rows, key=lambda row: (-row["added"] - (row["removed"] or 0) - row["relabelled"], row["target"]))


def statements(
    graph: Graph, source: str, since: int, measures: Sequence[str], *, target: str | None = None, limit: int = LISTED
) -> tuple[list[ChangedStatement], dict[str, int | None]]:
    """The changed statements about targets: removed, added, relabelled, in this order.

    Args:
        measures: harm measures whose labels are included.
        target: statements about this target only; about all targets if None.
        limit: at most this many added and this many relabelled statements.

    Returns:
        The statements, and for each kind how many are missing from them, None if unknown. A missing statement about two
        targets counts twice.
    """
    noted = note(graph, source, since)
    listed = [row for row in noted.listed if target is None or target in row["targets"]]
    removed = [
        ChangedStatement("removed", tuple(row["targets"]), row["statement"], _only(row["labels"], measures), {})
        for row in listed
    ]
    total = None
    if noted.removed is not None and not noted.broken_off:
        whole = sum(counted.statements for name, counted in noted.removed.items() if target in (None, name))
        recorded = sum(len(row["targets"]) if target is None else 1 for row in listed)
        total = max(0, whole - recorded)
    changed, left = removed, dict[str, int | None](removed=total, added=0, relabelled=0)
    queries: tuple[tuple[str, dict[str, Any]], ...] = (
        ("added", {"since": since}),
        ("relabelled", {"relabelled": f"@{since}"}),
    )
    for kind, parameters in queries:
        rows = _rows(graph, source, measures, target=target, limit=limit + 1, **parameters)
        left[kind] = None if len(rows) > limit else 0
        for row in rows[:limit]:
            now, was = _named(measures, row["labels"]), _named(measures, row["before"])
            before = now | was if kind == "relabelled" else {}
            if kind == "relabelled" and before == now:  # labelling was killed after it noted the old label
                continue
            changed.append(ChangedStatement(kind, tuple(row["targets"]), row["statement"], before, now))
    return changed, left


def _rows(graph: Graph, source: str, measures: Sequence[str], **parameters: Any) -> list[SourceChangedRow]:
    was = [f"{measure}{WAS}" for measure in measures]
    return graph.rows("source/changed", source=source, measures=list(measures), was=was, **parameters)


def _counted(graph: Graph, source: str, **parameters: Any) -> dict[str, TargetCount]:
    measures = labelling(graph)
    by_target: dict[str, tuple[int, dict[str, dict[str, int]]]] = {}
    for row in graph.rows("source/labels_by_target", source=source, measures=list(measures), **parameters):
        count, labels = by_target.get(row["target"], (0, {}))
        for measure, label in _named(measures, row["labels"]).items():
            of = labels.setdefault(measure, {})
            of[label] = of.get(label, 0) + row["statements"]
        by_target[row["target"]] = (count + row["statements"], labels)
    return {target: TargetCount(*counts) for target, counts in by_target.items()}


def _change(graph: Graph, source: str) -> Mapping[str, Any]:
    rows = graph.rows("source/change", source=source)
    change: Mapping[str, Any] = rows[0]["change"] if rows else {}
    return change


def _of(counted: Mapping[str, TargetCount] | None, target: str) -> TargetCount | None:
    return None if counted is None else counted.get(target, TargetCount())


def _named(measures: Iterable[str], labels: Iterable[str | None]) -> dict[str, str]:
    return {measure: label for measure, label in zip(measures, labels, strict=True) if label is not None}


def _only(labels: Mapping[str, str], measures: Sequence[str]) -> dict[str, str]:
    return {measure: label for measure, label in labels.items() if measure in measures}


def _json(counted: Mapping[str, TargetCount]) -> str:
    return json.dumps(
        {target: asdict(counts) for target, counts in counted.items()}, ensure_ascii=False, sort_keys=True
    )


def _read(text: str | None) -> dict[str, TargetCount] | None:
    return None if text is None else {target: TargetCount(**counts) for target, counts in from_json(text).items()}

"""What the newest import of a source changed of what is said about targets: statements came, went, or are labelled otherwise.

What came stands in the graph with the number of its import, and a label that changed has what it was beside it. What went is
noted before it is removed: counts for every target, and the statements about targets themselves, ``LISTED`` at most, so that no
copy of a source stays behind. The note lives until the next import of other content, and goes with the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import measures as labelling
from harmgraph.graph.records import Import
from harmgraph.graph.schema import WAS

LISTED = 1_000
KINDS = ("removed", "added", "relabelled")


@dataclass(frozen=True, slots=True)
class Counted:
    """Statements about one target.

    Attributes:
        labels: how many of them have each label, by measure.
    """

    statements: int = 0
    labels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, measure: str) -> tuple[int, Mapping[str, int]]:
        """Statements, and how many of them have each label of one measure."""
        return self.statements, self.labels.get(measure, {})

    def labelled(self, measure: str, label: str) -> int:
        """How many of them have a label."""
        return self.of(measure)[1].get(label, 0)


@dataclass(frozen=True, slots=True)
class Note:
    """What was noted of the newest import.

    Attributes:
        before: statements before it by target; None where nothing was noted.
        removed: those that it removed, by target; None where nothing was noted.
        listed: of the removed ones, those that are listed: targets, statement, labels by measure.
        broken_off: whether an import that was never finished had removed statements of which nothing is known.
    """

    before: Mapping[str, Counted] | None = None
    removed: Mapping[str, Counted] | None = None
    listed: tuple[Mapping[str, Any], ...] = ()
    broken_off: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that changed.

    Attributes:
        change: one of ``KINDS``.
        before, now: its labels by measure; those that it has not are left out.
    """

    change: str
    targets: tuple[str, ...]
    statement: str
    before: Mapping[str, str]
    now: Mapping[str, str]


def note_before(graph: Graph, mark: Import, *, complete: bool) -> None:
    """Notes what stands, before another import of the source begins to write.

    Args:
        complete: whether what stands is a complete import; what one that was broken off left is not what stood before.
    """
    if complete:
        before = _json(_counted(graph, mark.source))
        graph.write("source/note_before", source=mark.source, since=mark.since, before=before)


def note_removed(graph: Graph, mark: Import) -> None:
    """Notes what the sweep of an import will remove. The same import again, after a kill, finds its note and leaves it."""
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
    """What was noted of an import.

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
        tuple(json.loads(text) for text in facts.get("listed") or ()),
        bool(facts.get("broken_off")),
    )


def by_target(graph: Graph, source: str, since: int, measure: str) -> list[dict[str, Any]]:
    """The targets of which something changed, those of which most did first.

    Returns:
        Rows of ``target``, ``before``, ``after``, ``added``, ``removed``, ``relabelled``, and of the measure ``negative_before``,
        ``negative_after``, ``positive_before``, ``positive_after``; None where nothing was noted.
    """
    noted = note(graph, source, since)
    after, added = _counted(graph, source), _counted(graph, source, since=since)
    parameters = {"source": source, "was": measure + WAS, "relabelled": f"@{since}"}
    relabelled = {row["target"]: row["statements"] for row in graph.rows("source/relabelled", **parameters)}
    rows = []
    for target in sorted({*after, *relabelled, *(noted.before or {}), *(noted.removed or {})}):
        now, was = after.get(target, Counted()), _of(noted.before, target)
        gone = _of(noted.removed, target)
        row: dict[str, Any] = {
            "target": target,
            "before": was.statements if was else None,
            "after": now.statements,
            "added": added.get(target, Counted()).statements,
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
) -> tuple[list[Statement], dict[str, int | None]]:
    """The statements about targets that changed: removed, added, labelled otherwise, in this order.

    Args:
        measures: harm measures whose labels are told.
        target: of one target; of all where None.
        limit: how many of those that were added, and of those that are labelled otherwise.

    Returns:
        The statements, and how many are not among them; None where that is not known. A statement about two targets that is
        not listed counts twice.
    """
    noted = note(graph, source, since)
    listed = [row for row in noted.listed if target is None or target in row["targets"]]
    removed = [
        Statement("removed", tuple(row["targets"]), row["statement"], _only(row["labels"], measures), {})
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
            if kind == "relabelled" and before == now:  # a labelling was killed between its note and its label
                continue
            changed.append(Statement(kind, tuple(row["targets"]), row["statement"], before, now))
    return changed, left


def _rows(graph: Graph, source: str, measures: Sequence[str], **parameters: Any) -> list[dict[str, Any]]:
    was = [f"{measure}{WAS}" for measure in measures]
    return graph.rows("source/changed", source=source, measures=list(measures), was=was, **parameters)


def _counted(graph: Graph, source: str, **parameters: Any) -> dict[str, Counted]:
    measures = labelling(graph)
    by_target: dict[str, tuple[int, dict[str, dict[str, int]]]] = {}
    for row in graph.rows("source/labels_by_target", source=source, measures=list(measures), **parameters):
        count, labels = by_target.get(row["target"], (0, {}))
        for measure, label in _named(measures, row["labels"]).items():
            of = labels.setdefault(measure, {})
            of[label] = of.get(label, 0) + row["statements"]
        by_target[row["target"]] = (count + row["statements"], labels)
    return {target: Counted(*counts) for target, counts in by_target.items()}


def _change(graph: Graph, source: str) -> Mapping[str, Any]:
    rows = graph.rows("source/change", source=source)
    change: Mapping[str, Any] = rows[0]["change"] if rows else {}
    return change


def _of(counted: Mapping[str, Counted] | None, target: str) -> Counted | None:
    return None if counted is None else counted.get(target, Counted())


def _named(measures: Iterable[str], labels: Iterable[str | None]) -> dict[str, str]:
    return {measure: label for measure, label in zip(measures, labels, strict=True) if label is not None}


def _only(labels: Mapping[str, str], measures: Sequence[str]) -> dict[str, str]:
    return {measure: label for measure, label in labels.items() if measure in measures}


def _json(counted: Mapping[str, Counted]) -> str:
    return json.dumps(
        {target: asdict(counts) for target, counts in counted.items()}, ensure_ascii=False, sort_keys=True
    )


def _read(text: str | None) -> dict[str, Counted] | None:
    return None if text is None else {target: Counted(**counts) for target, counts in json.loads(text).items()}

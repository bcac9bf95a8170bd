"""What an import changed of what is said about targets: noted before it is removed, counted by target, listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import Score, Scorer, scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import changes, linker, sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Concept, Import, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.writer import Writer

Records = list[Triple | Statement | Target]


def triple(head: str, tail: str) -> Triple:
    return Triple(Concept(head), "IsA", Concept(tail))


TARGETS: Records = [Target("nurse", "profession"), Target("lawyer", "profession")]
FIRST: Records = [
    triple("nurse", "kind person"),
    triple("nurse", "awful person"),
    triple("lawyer", "nurse"),
    triple("house", "awful building"),
    Statement("A nurse is awful.", "nurse"),
]
SECOND: Records = [triple("nurse", "kind person"), triple("lawyer", "liar"), triple("house", "building")]


def load(graph: Graph, number: int, records: Records, *, sweep: bool = True, name: str = "kb") -> Import:
    mark = Import(name, f"import {number}", sources.generation(graph, name, f"import {number}"))
    standing = sources.begin(graph, mark, {})
    with Writer(graph, mark) as writer:
        for record in records:
            writer.add(record)
        writer.flush()
    if sweep:
        if standing == "other":
            sources.sweep(graph, mark)
        linker.link(graph)
        sources.finish(graph, mark, {}, {})
    return mark


class Says(Scorer):
    """A scorer with one opinion of everything."""

    name = "says"
    measure = "sentiment"
    citation = "this test"

    def __init__(self, opinion: str) -> None:
        self._opinion = opinion

    @property
    def version(self) -> str:
        return self._opinion

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> Sequence[Score | None]:
        return [Score(self._opinion, 0.0) for _ in texts]


@pytest.fixture
def filled(graph: Graph) -> Graph:
    load(graph, 1, TARGETS, name="list")
    load(graph, 1, FIRST)
    label(graph, scorers.get("vader"))
    return graph


def told(graph: Graph, since: int = 2, **given: Any) -> list[tuple[str, str, str, str]]:
    found, _ = changes.statements(graph, "kb", since, ("sentiment",), **given)
    return [(one.change, one.statement, one.before.get("sentiment", ""), one.now.get("sentiment", "")) for one in found]


def test_the_first_import_brings_all(filled: Graph) -> None:
    rows = changes.by_target(filled, "kb", 1, "sentiment")
    assert [(row["target"], row["before"], row["after"], row["added"], row["removed"]) for row in rows] == [
        ("nurse", 0, 4, 4, 0),
        ("lawyer", 0, 1, 1, 0),
    ]
    assert {one[0] for one in told(filled, 1)} == {"added"}
    assert filled.rows("source/change", source="kb") == []


def test_what_came_and_what_went(filled: Graph) -> None:
    load(filled, 2, SECOND)
    label(filled, scorers.get("vader"))
    assert told(filled) == [
        ("removed", "A nurse is awful.", "negative", ""),
        ("removed", "nurse IsA awful person", "negative", ""),
        ("removed", "lawyer IsA nurse", "neutral", ""),
        ("added", "lawyer IsA liar", "", "negative"),
    ]
    assert told(filled, target="lawyer") == [
        ("removed", "lawyer IsA nurse", "neutral", ""),
        ("added", "lawyer IsA liar", "", "negative"),
    ]
    found, left = changes.statements(filled, "kb", 2, ("sentiment",))
    assert found[2].targets == ("lawyer", "nurse")
    assert left == {"removed": 0, "added": 0, "relabelled": 0}
    rows = {row.pop("target"): tuple(row.values()) for row in changes.by_target(filled, "kb", 2, "sentiment")}
    # before, after, added, removed, relabelled, negative before and after, positive before and after
    assert rows == {"nurse": (4, 1, 0, 3, 0, 2, 0, 1, 1), "lawyer": (1, 1, 1, 1, 0, 0, 1, 0, 0)}


def test_a_label_that_changed_since_the_import(filled: Graph) -> None:
    load(filled, 2, FIRST[:2])
    filled.write(
        parse("x", "MATCH ()-[r:IS_A]->(o {text: 'kind person'}) SET r.sentiment = 'negative', r.sentiment_by = 'x'")
    )
    label(filled, scorers.get("vader"))
    assert ("relabelled", "nurse IsA kind person", "negative", "positive") in told(filled)
    rows = changes.by_target(filled, "kb", 2, "sentiment")
    assert [(row["target"], row["relabelled"]) for row in rows if row["relabelled"]] == [("nurse", 1)]
    # Another import is another beginning.
    load(filled, 3, FIRST[:2])
    assert told(filled, 3) == []


def test_a_label_that_changes_back_did_not_change(filled: Graph) -> None:
    load(filled, 2, FIRST)
    whole = digest(filled)
    for scored in ("negative", "neutral", "positive"):
        label(filled, Says(scored))
        changed = [one for one in told(filled) if "kind" in one[1] and one[0] == "relabelled"]
        assert changed == (
            [] if scored == "positive" else [("relabelled", "nurse IsA kind person", "positive", scored)]
        )
    label(filled, scorers.get("vader"))
    assert digest(filled) == whole


def test_the_same_import_again_after_a_kill_gives_the_same_note(filled: Graph) -> None:
    load(filled, 2, SECOND)
    undisturbed = digest(filled)
    filled.autocommit("schema/wipe")
    load(filled, 1, TARGETS, name="list")
    load(filled, 1, FIRST)
    label(filled, scorers.get("vader"))
    mark = load(filled, 2, SECOND, sweep=False)
    changes.note_removed(filled, mark)  # killed while it removes
    filled.write(parse("x", "MATCH (:Concept {text: 'lawyer'})-[r]->(:Concept {text: 'nurse'}) DELETE r"))
    load(filled, 2, SECOND)
    assert digest(filled) == undisturbed


def test_an_import_that_was_broken_off_is_told(filled: Graph) -> None:
    mark = load(filled, 2, SECOND, sweep=False)
    changes.note_removed(filled, mark)
    load(filled, 3, SECOND[:1])
    note = changes.note(filled, "kb", 2)
    assert note.broken_off
    assert note.before is not None
    assert note.before["nurse"].statements == 4, "what stood before is what was complete"
    assert changes.statements(filled, "kb", 2, ("sentiment",))[1]["removed"] is None


def test_what_is_listed_is_bounded_and_the_rest_is_counted(filled: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "LISTED", 2)
    load(filled, 2, SECOND)
    found, left = changes.statements(filled, "kb", 2, ("sentiment",))
    assert sum(one.change == "removed" for one in found) == 2
    assert left["removed"] == 2, "one more, about two targets"
    assert changes.statements(filled, "kb", 2, ("sentiment",), limit=0)[1]["added"] is None


def test_a_change_that_was_not_noted(filled: Graph) -> None:
    """As of an import that an earlier version made."""
    load(filled, 2, SECOND)
    filled.write("source/forget_change", source="kb")
    assert {one[0] for one in told(filled)} == {"added"}
    assert changes.statements(filled, "kb", 2, ("sentiment",))[1]["removed"] is None
    assert {row["removed"] for row in changes.by_target(filled, "kb", 2, "sentiment")} == {None}


def test_the_note_goes_with_its_source(filled: Graph) -> None:
    load(filled, 2, SECOND)
    assert filled.rows("source/change", source="kb")
    sources.drop(filled, "kb")
    assert filled.rows("source/change", source="kb") == []

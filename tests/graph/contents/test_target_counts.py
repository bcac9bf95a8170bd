"""Counts of targets that are kept: the same numbers as without, and none that are out of date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.target_counts import BLOCKS, KEPT, frame, kept, with_counts
from harmgraph.graph.driver import kept_file
from harmgraph.graph.statements import names, parse, statement
from tests.support.counted_sample import sample

BY_HAND = parse(
    "by hand",
    "MATCH (:Concept {text: 'lawyer'})-[r {sentiment: 'negative'}]->() WITH r LIMIT 1 SET r.sentiment = 'positive'",
)
COUNTING = [name for name in names("statistics") if with_counts(statement(name))]
GIVEN = {"statistics/compare": {"source": "kb", "other": "text", "also": [], "min_support": 1}}


@pytest.fixture
def labelled(graph: Graph) -> Graph:
    return sample(graph)


@pytest.fixture
def counted(labelled: Graph, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The measures that were counted, in their order; nothing is kept from elsewhere."""
    KEPT.forget()
    counted: list[str] = []
    rows = Graph.rows

    def noted(self: Graph, query: Any, **parameters: Any) -> Any:
        if query == "measure/target_counts":
            counted.append(parameters["measure"])
        return rows(self, query, **parameters)

    monkeypatch.setattr(Graph, "rows", noted)
    yield counted
    KEPT.forget()


def test_every_statement_with_a_block_takes_kept_counts() -> None:
    noted = [name for name in names("statistics") if set(statement(name).notes.get("shared", ())) & set(BLOCKS)]
    assert noted == COUNTING
    assert {"statistics/disparity", "statistics/categories", "statistics/compare"} <= set(COUNTING)


def test_the_numbers_are_those_without(labelled: Graph, counted: list[str]) -> None:
    for name in COUNTING:
        query = statement(name)
        takes = {parameter.name for parameter in query.parameters}
        for more in ({}, {"source": "text"}, {"category": "profession"}, {"measure": "none"}, {"also": ["text"]}):
            given = {**GIVEN.get(name, {"min_support": 1}), **more}
            given = {parameter: value for parameter, value in given.items() if parameter in takes}
            assert frame(labelled, query, **given).to_csv() == labelled.frame(query, **given).to_csv(), (name, more)
    assert counted == ["sentiment", "none"]


def test_nothing_is_out_of_date(labelled: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A label changed by hand is counted; what is written while counting is not kept, nor what a server without states has."""
    query = statement("statistics/overgeneralization")
    before = frame(labelled, query).set_index("target").loc["lawyer"]
    assert labelled.write(BY_HAND).counters["properties_set"] == 1
    after = frame(labelled, query).set_index("target").loc["lawyer"]
    assert (after["positive"], after["negative"]) == (before["positive"] + 1, before["negative"] - 1)
    assert counted == ["sentiment", "sentiment"]
    kept_before = KEPT.place.read_text(encoding="utf-8")
    for states in (["a", "b"], [""]):
        following = iter(states)
        monkeypatch.setattr(Graph, "state", lambda _, states=following: next(states))
        assert kept(labelled, "sentiment", lists_of(labelled)) is None
        assert KEPT.place.read_text(encoding="utf-8") == kept_before
    assert len(counted) == 3
    monkeypatch.setattr(Graph, "state", lambda _: "")
    assert frame(labelled, query).to_csv() == labelled.frame(query).to_csv()


def test_a_file_that_is_damaged_or_cannot_be_written(
    labelled: Graph, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept(labelled, "sentiment", lists_of(labelled))
    for content in ("", "[]", '{"form": 1}'):
        KEPT.place.write_text(content, encoding="utf-8")
        for _ in range(2):
            KEPT.leave()  # as if another process went on
            assert kept(labelled, "sentiment", lists_of(labelled)) == first
    assert len(counted) == 4

    def full(*_: Any) -> None:
        raise OSError("disk full")

    KEPT.place.unlink()
    monkeypatch.setattr(kept_file, "write", full)
    for _ in range(2):
        KEPT.leave()  # as if another process went on
        assert kept(labelled, "sentiment", lists_of(labelled)) == first
    assert kept(labelled, "sentiment", lists_of(labelled)) == first, "this process knows them"
    assert len(counted) == 6


def test_another_way_of_counting_under_the_same_name_is_left_alone() -> None:
    query = statement("statistics/disparity")
    assert with_counts(replace(query, text=query.text.replace("positive", "neutral", 1))) is None
    assert with_counts(replace(query, notes={})) is None


def test_states_of_the_graph(graph: Graph) -> None:
    first = graph.state()
    assert first
    assert graph.state() == first
    graph.write(parse("again", "CREATE (:Source {name: 'made by hand'})"))
    second = graph.state()
    assert second != first
    with Graph.open(graph.address) as other:
        assert other.state() == second


def lists_of(graph: Graph) -> list[str]:
    """Names of the usual target lists."""
    return [one.name for one in graph.target_lists()]

"""What two statements count of the same graph is equal: one definition of a triple, of a statement, of O+ and O-."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.records import Concept, Entity, Import, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.import_run import ImportRun

RANDOM = np.random.default_rng(5)
TARGETS = [
    Target("nurse", "profession", aliases=("nurses",)),
    *(Target(name, "profession") for name in ("pilot", "judge")),
]
LABEL = parse(
    "label",
    "MATCH ()-[r]->() WHERE r.source IS NOT NULL WITH r ORDER BY r.source, r.assertion "
    "WITH collect(r) AS rows UNWIND range(0, size(rows) - 1) AS i WITH rows[i] AS r, i WHERE i % 4 > 0 "
    "SET r.sentiment = ['negative', 'neutral', 'positive'][i % 3]",
)
LABEL_SENTENCES = parse(
    "label sentences",
    "MATCH (s:Statement) WITH s ORDER BY s.key WITH collect(s) AS rows UNWIND range(0, size(rows) - 1) AS i "
    "WITH rows[i] AS s, i WHERE i % 5 > 0 SET s.sentiment = ['negative', 'positive'][i % 2]",
)


@pytest.fixture(scope="module")
def two_sources(connection: Graph) -> Iterator[Graph]:
    """Triples with several names of one target, between targets, at entities; sentences; a quarter without a label."""
    connection.autocommit("schema/wipe")
    names = ("nurse", "nurses", "pilot", "judge", "house", "tree")
    with ImportRun(connection, Import("list", "1"), {}) as run:
        for target in TARGETS:
            run.add(target)
        run.complete({}, {})
    for source in ("first", "second"):
        with ImportRun(connection, Import(source, "1"), {}) as run:
            for number in range(60):
                head, tail = (names[place] for place in RANDOM.integers(0, len(names), 2))
                run.add(Triple(Concept(head), f"R{number % 3}", Concept(tail), f"/{source}/{number}"))
            # An entity whose name is a target's: its statements count for no harm.
            run.add(Triple(Entity("wikidata/Q1", "nurse"), "P1", Concept("pilot"), "/e/1"))
            for number in range(20):
                run.add(Statement(f"The {names[number % 4]} is number {number} of {source}.", names[number % 4]))
            run.complete({}, {})
    connection.write(LABEL)
    connection.write(LABEL_SENTENCES)
    linker.link(connection)
    yield connection
    connection.autocommit("schema/wipe")


def rates(graph: Graph, source: str | None) -> pd.DataFrame:
    return statistic("overgeneralization")(graph, source=source).set_index("target").sort_index()


@pytest.mark.parametrize("source", [None, "first", "second"])
def test_of_each_target(two_sources: Graph, source: str | None) -> None:
    expected = rates(two_sources, source)
    assert len(expected) == 3
    assert expected["unlabelled"].sum() > 5

    def given(name: str, **parameters: Any) -> pd.DataFrame:
        return statistic(name)(two_sources, source=source, **parameters).set_index("target").sort_index()

    for name in ("representation", "regions", "coverage"):
        frame = given(name)
        for column, same in (("n", "n"), ("statements", "n"), ("o_plus", "o_plus"), ("o_minus", "o_minus")):
            if column in frame:
                np.testing.assert_allclose(frame[column], expected[same], err_msg=f"{name} {column}")
    rows = pd.DataFrame(two_sources.rows("explore/most_harmed", source=source)).set_index("target").sort_index()
    for column in ("n", "negative", "positive"):
        assert rows[column].tolist() == expected[column].tolist(), column
    np.testing.assert_allclose(rows["o_minus"], expected["o_minus"], atol=0.051)
    np.testing.assert_allclose(rows["at_least"], expected["o_minus_low"], atol=0.051)


@pytest.mark.parametrize("source", [None, "first"])
def test_of_all_targets(two_sources: Graph, source: str | None) -> None:
    expected = rates(two_sources, source)
    row = statistic("disparity")(two_sources, source=source).set_index("category").loc["all"]
    assert row["pairs"] == expected["n"].sum()
    assert row["unlabelled"] == expected["unlabelled"].sum()
    np.testing.assert_allclose(row["d_r"], np.var(expected["n"]))
    np.testing.assert_allclose(row["d_o_plus"], np.var(expected["o_plus"]))
    np.testing.assert_allclose(row["d_o_minus"], np.var(expected["o_minus"]))
    representation = statistic("representation")(two_sources, source=source)
    np.testing.assert_allclose(representation["d_r"].iloc[0], row["d_r"])
    neutral = statistic("neutral")(two_sources, source=source).set_index("category").loc["all"]
    assert (neutral["targets"], neutral["pairs"]) == (row["targets"], row["pairs"])
    polarised = 100 * (expected["positive"] + expected["negative"]).sum() / expected["n"].sum()
    np.testing.assert_allclose(row["polarised_percent"], polarised)
    boxes = statistic("categories")(two_sources, source=source)
    found = boxes[boxes["value"] == "o_minus"].set_index("category")["mean"]
    np.testing.assert_allclose(found["profession"], expected["o_minus"].mean())


def test_of_each_source(two_sources: Graph) -> None:
    compared = statistic("compare")(two_sources, source="first", other="second").set_index("target").sort_index()
    first, second = rates(two_sources, "first"), rates(two_sources, "second")
    for column, frame in (("n", first), ("other_n", second)):
        assert compared[column].tolist() == frame["n"].tolist()
    np.testing.assert_allclose(compared["o_minus"], first["o_minus"])
    np.testing.assert_allclose(compared["other_o_plus"], second["o_plus"])
    by_source = {row["source"]: row for row in two_sources.rows("explore/labels_by_source")}
    worst = {row["source"]: row for row in two_sources.rows("explore/worst_by_source")}
    for source, frame in (("first", first), ("second", second)):
        counts = {name: int(frame[name].sum()) for name in ("n", "negative", "positive")}
        assert (by_source[source]["negative"], by_source[source]["positive"]) == (
            counts["negative"],
            counts["positive"],
        )
        assert by_source[source]["pairs"] == worst[source]["pairs"] == counts["n"]
        target = frame.loc[worst[source]["target"]]
        assert (worst[source]["n"], worst[source]["negative"]) == (target["n"], target["negative"])
        np.testing.assert_allclose(worst[source]["o_minus"], target["o_minus"], atol=0.051)


def test_statements_that_name_a_target(two_sources: Graph) -> None:
    """Each statement once: in a load's report, and where the labels of a measure are counted."""
    for source in (None, "first"):
        named = two_sources.rows("link/named_statements", source=source)[0]["statements"]
        given = {"source": source, "measures": ["sentiment"], "by": ["sentiment_by"]}
        assert sum(row["statements"] for row in two_sources.rows("label/labelled_by", **given)) == named

"""Relations, degrees, grounding and hops, against numbers counted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import binomtest

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from tests.support.filling import fill, triple


@pytest.fixture
def both(graph: Graph) -> Graph:
    """A small source, and another in which a path a, b, c, d stands and d is not reached from c's other side."""
    fill(
        graph,
        triple("a", "xWant", "b"),
        triple("a", "xWant", "d"),
        triple("d", "xWant", "a"),
        triple("a", "xReact", "x"),
        source="small",
    )
    fill(
        graph,
        triple("a", "Result", "b", 2.0),
        triple("b", "Result", "c", 1.0),
        triple("c", "Result", "d", 0.5),
        triple("c", "Reason", "e", 1.0),
        source="large",
    )
    return graph


def only(graph: Graph, name: str, **parameters: Any) -> dict[str, Any]:
    (row,) = statistic(name)(graph, **parameters).to_dict("records")
    return row


def test_relations(both: Graph) -> None:
    rows = {row["relation"]: row for row in statistic("relations")(both, source="large").to_dict("records")}
    assert {name: (row["n"], row["heads"], row["tails"], row["weight"]) for name, row in rows.items()} == {
        "Result": (3, 3, 3, 3.5),
        "Reason": (1, 1, 1, 1.0),
    }
    assert rows["Result"]["percent"] == 75


def test_a_triple_from_a_node_to_itself_and_equal_triples_count_each_end_once(graph: Graph) -> None:
    once = triple("b", "xWant", "a")
    equal = (once, replace(once, assertion="again"))
    fill(graph, triple("a", "xWant", "a"), *equal, source="loops")
    rows = {row["end"]: row for row in statistic("degrees")(graph, source="loops").to_dict("records")}
    assert {end: (row["n"], row["in_degree"], row["out_degree"], row["most"]) for end, row in rows.items()} == {
        "head": (2, 1.5, 1.5, 4),
        "tail": (1, 3.0, 1.0, 4),
    }
    fill(graph, triple("a", "Result", "a"), source="others")
    rows = {row["end"]: row for row in statistic("degrees")(graph, source="loops", other="others").to_dict("records")}
    assert {end: (row["n"], row["absent"], row["in_degree"], row["out_degree"]) for end, row in rows.items()} == {
        "head": (1, 1, 1.0, 1.0),
        "tail": (1, 0, 1.0, 1.0),
    }
    grounded = statistic("grounding")(graph, source="loops", other="others").to_dict("records")
    assert {row["what"]: row["grounded"] for row in grounded} == {"head": 1, "tail": 3, "both": 1, "edge": 1}


def test_grounding_counts_triples_and_has_wilson_s_interval(both: Graph) -> None:
    rows = {row["what"]: row for row in statistic("grounding")(both, source="small", other="large").to_dict("records")}
    assert {what: (row["grounded"], row["n"]) for what, row in rows.items()} == {
        "head": (4, 4),
        "tail": (3, 4),
        "both": (3, 4),
        "edge": (1, 4),
    }
    for row in rows.values():
        expected = binomtest(row["grounded"], row["n"]).proportion_ci(0.95, method="wilson")
        assert row["low"] == pytest.approx(100 * expected.low, abs=1e-9)
        assert row["high"] == pytest.approx(100 * expected.high, abs=1e-9)


def test_degrees_of_the_ends_in_another_source(both: Graph) -> None:
    rows = {row["end"]: row for row in statistic("degrees")(both, source="small", other="large").to_dict("records")}
    # Heads a and d: a has 0 in and 1 out, d 1 in and 0 out. Tails a, b, d and x, which the other source lacks.
    assert (rows["head"]["n"], rows["head"]["absent"]) == (2, 0)
    assert (rows["head"]["in_degree"], rows["head"]["out_degree"]) == (0.5, 0.5)
    assert (rows["tail"]["n"], rows["tail"]["absent"], rows["tail"]["most"]) == (3, 1, 2)
    assert rows["tail"]["in_degree"] == pytest.approx(2 / 3)


def test_degrees_of_the_ends_in_their_own_source(both: Graph) -> None:
    rows = {row["end"]: row for row in statistic("degrees")(both, source="small").to_dict("records")}
    assert (rows["head"]["in_degree"], rows["head"]["out_degree"]) == (1.0, 2.0)


def test_hops_are_shortest_paths_from_head_to_tail(both: Graph) -> None:
    row = only(both, "hops", source="small", other="large")
    # a to b is one step and a to d three; from d no path leads to a, and x is not there.
    assert (row["n"], row["both"], row["connected"], row["hops"]) == (4, 3, 2, 2.0)
    assert row["percent"] == 50
    either = only(both, "hops", source="small", other="large", directed=False)
    assert (either["connected"], either["hops"]) == (3, pytest.approx(7 / 3))


def test_a_sample_is_the_same_for_the_same_seed(both: Graph) -> None:
    fill(both, *(triple(f"h{number}", "xWant", f"t{number}") for number in range(400)), source="many")
    first = only(both, "hops", source="many", other="large", sample=50)
    assert 20 <= first["n"] <= 90
    assert only(both, "hops", source="many", other="large", sample=50)["n"] == first["n"]


def test_a_source_that_is_not_there_is_an_error(both: Graph) -> None:
    for name in ("grounding", "hops"):
        with pytest.raises(NotFound, match="no source named 'larg'"):
            statistic(name)(both, source="small", other="larg")

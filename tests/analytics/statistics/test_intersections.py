"""Statements that name two targets at once, and groups that combine targets, on a graph that can be counted by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from scipy.stats import binomtest, norm

from harmgraph.__main__ import main
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.records import Concept, Statement, Target, Triple
from tests.support.filling import fill, triple

TARGETS = (
    Target("muslim", "religion"),
    Target("hindu", "religion"),
    Target("woman", "gender", aliases=("lady",)),
    Target("man", "gender"),
    Target("african", "origin"),
    Target("african american", "origin", aliases=("afro man",)),
    Target("muslim woman", "both", aliases=("muslimah",), parts=("muslim", "lady")),
    Target("lost", "both", parts=("muslim", "nobody")),
)


def labelled_sentences(term: str, text: str, negative: int, positive: int, neutral: int) -> list[Statement]:
    labels = ["negative"] * negative + ["positive"] * positive + ["neutral"] * neutral
    return [
        Statement(f"{text} {number}.", term, {"sentiment": label, "sentiment_score": 0.0, "sentiment_by": "x@1"})
        for number, label in enumerate(labels)
    ]


@pytest.fixture
def combined(graph: Graph) -> Graph:
    fill(
        graph,
        *TARGETS,
        *labelled_sentences("muslim", "Muslims' ladies, it is said,", 4, 1, 1),  # by an alias in the plural
        *labelled_sentences("woman", "A Muslim woman is", 2, 0, 2),
        *labelled_sentences("muslim", "Muslims manage", 1, 2, 7),  # man is not a word of it
        *labelled_sentences("woman", "Women are", 2, 3, 15),
        *labelled_sentences("muslimah", "A muslimah is", 3, 0, 1),
        *labelled_sentences("african", "An African American is", 1, 0, 0),
        *labelled_sentences("african", "An African is", 1, 0, 1),
        *labelled_sentences("african american", "Afro men are", 1, 0, 1),
        triple("muslim", "RelatedTo", "woman"),
        triple("muslimah", "RelatedTo", "woman"),
        Triple(Concept("muslim woman pray", event=True), "xWant", Concept("hindu man")),
        source="kb",
    )
    return graph


def rows(graph: Graph, **parameters: Any) -> dict[tuple[str, str], dict[str, Any]]:
    frame = statistic("intersections")(graph, **{"source": "kb", "min_support": 1} | parameters)
    return {(row["target"], row["way"]): row for row in frame.to_dict("records")}


def test_counts_of_two_names_and_of_a_group_of_its_own(combined: Graph) -> None:
    found = rows(combined)
    assert set(found) == {("muslim + woman", "two names"), ("muslim woman", "own group")}
    pair = found["muslim + woman", "two names"]
    # Ten sentences, four of them by the name of the group that combines both, the triple between the two, and that of the event.
    assert (pair["n"], pair["unlabelled"]) == (12, 2)
    assert pair["parts"] == ["muslim", "woman"]
    assert pair["parts_n"] == [10, 21], "the triple of muslimah is about woman and not about muslim"
    assert pair["o_minus"] == pytest.approx(50)
    assert pair["parts_o_minus"] == pytest.approx([10, 200 / 21])
    group = found["muslim woman", "own group"]
    # Four sentences and two triples that are linked to it, and four about woman that hold its name.
    assert (group["n"], group["o_minus"]) == (10, pytest.approx(50))
    assert group["parts"] == ["muslim", "woman"]
    # Neither the sentences and triples that name the group, nor the six sentences and the triple of both parts.
    assert group["parts_n"] == [10, 20]
    assert group["parts_o_minus"] == pytest.approx([10, 10])


def test_no_statement_is_in_two_rates_of_a_row(combined: Graph) -> None:
    """The interval of an excess takes them for independent."""
    fill(
        combined,
        *TARGETS,
        *labelled_sentences("muslim", "A muslimah and", 1, 0, 0),  # an alias of the group that holds no part's name
        *labelled_sentences("woman", "Hindu women, unlike muslimahs,", 0, 1, 0),
        source="kb",
    )
    found = rows(combined)
    every = combined.driver.execute_query(
        "MATCH (t:Target) WHERE t.name IN ['muslim', 'woman', 'muslim woman'] "
        "CALL (t) { MATCH (t)<-[:ABOUT]-(s) RETURN s AS it "
        "UNION MATCH (t)<-[:NAMES]-()-[r]-() WHERE r.source = 'kb' RETURN r AS it } "
        "RETURN count(DISTINCT it) AS n"
    ).records[0]["n"]
    group = found["muslim woman", "own group"]
    assert group["n"] == 12
    assert group["n"] + sum(group["parts_n"]) <= every
    assert group["parts_n"] == [10, 20]
    # By links alone the names in the sentences are not read.
    linked = rows(combined, linked=True)["muslim woman", "own group"]
    assert (linked["n"], linked["parts_n"]) == (6, [10 + 6 + 1, 20 + 4 + 1])


def test_a_name_within_a_longer_one_is_not_named(graph: Graph) -> None:
    fill(
        graph,
        *(Target(name, "origin") for name in ("african", "american", "african american", "south african")),
        Target("woman", "gender"),
        *labelled_sentences("woman", "South African women are", 0, 0, 1),
        *labelled_sentences("woman", "African American women are", 0, 0, 2),
        *labelled_sentences("woman", "Women of South Africans and Africans are", 0, 0, 4),
        *labelled_sentences("woman", "South African South African women are", 0, 0, 8),
        *labelled_sentences("woman", "American women are", 0, 0, 16),
        *labelled_sentences("american", "Americans and others are", 0, 0, 1),
        *labelled_sentences("african", "Africans and others are", 0, 0, 1),
        *labelled_sentences("african american", "African Americans and others are", 0, 0, 1),
        *labelled_sentences("south african", "South Africans and others are", 0, 0, 1),
        *labelled_sentences("woman", "Women and others are", 0, 0, 1),
        source="kb",
    )
    for chosen in (None, "origin,gender"):
        found = {target: row["n"] for (target, _), row in rows(graph, categories=chosen).items()}
        assert found == {
            "african + woman": 4,
            "african american + woman": 2,
            "american + woman": 16,
            "south african + woman": 13,
        }


def test_the_excess_is_over_the_mean_of_the_parts(combined: Graph) -> None:
    found = rows(combined)
    for row in found.values():
        ends = {}
        for name, count, n in (
            ("all", row["o_minus"] * row["n"] / 100, row["n"]),
            *(
                (part, o * n / 100, n)
                for part, o, n in zip(row["parts"], row["parts_o_minus"], row["parts_n"], strict=True)
            ),
        ):
            interval = binomtest(round(count), n).proportion_ci(0.95, method="wilson")
            ends[name] = (100 * interval.low, 100 * count / n, 100 * interval.high)
        expected = sum(ends[part][1] for part in row["parts"]) / 2
        low, rate, high = ends["all"]
        below = math.hypot(rate - low, *((ends[part][2] - ends[part][1]) / 2 for part in row["parts"]))
        above = math.hypot(high - rate, *((ends[part][1] - ends[part][0]) / 2 for part in row["parts"]))
        assert row["o_minus_expected"] == pytest.approx(expected)
        assert row["o_minus_excess"] == pytest.approx(rate - expected)
        assert row["o_minus_excess_low"] == pytest.approx(rate - expected - below)
        assert row["o_minus_excess_high"] == pytest.approx(rate - expected + above)
        z = (rate - expected) / (below if rate > expected else above) * norm.ppf(0.975)
        assert row["o_minus_p"] == pytest.approx(2 * norm.sf(abs(z)), rel=1e-6)
        assert (row["o_minus_p"] < 0.05) == (row["o_minus_excess_low"] > 0 or row["o_minus_excess_high"] < 0)
    for sign in ("o_plus", "o_minus"):
        small, large = sorted(found.values(), key=lambda row: row[f"{sign}_p"])
        assert large[f"{sign}_q"] == pytest.approx(large[f"{sign}_p"])
        assert small[f"{sign}_q"] == pytest.approx(min(2 * small[f"{sign}_p"], large[f"{sign}_p"]))


def test_what_is_counted_can_be_chosen(combined: Graph) -> None:
    assert rows(combined, linked=True)["muslim + woman", "two names"]["n"] == 2, "the triples alone"
    assert not rows(combined, categories="origin"), "african american holds african: no second name"
    assert not rows(combined, categories="religion,origin")
    assert set(rows(combined, categories="gender, religion")) == set(rows(combined))
    assert not rows(combined, categories="religion")
    assert not rows(combined, min_support=13)
    with pytest.raises(NotFound, match="no category named 'regilion'"):
        rows(combined, categories="gender,regilion")


def test_the_parts_of_a_group_follow_the_lists(combined: Graph) -> None:
    query = "MATCH (:Target)-[c:COMBINES]->(p:Target) RETURN collect(p.name) AS parts"
    assert sorted(combined.driver.execute_query(query).records[0]["parts"]) == ["muslim", "muslim", "woman"]
    combined.driver.execute_query("MATCH (t:Target {name: 'muslim woman'}) SET t.parts = ['hindu', 'man']")
    linker.link(combined)
    assert sorted(combined.driver.execute_query(query).records[0]["parts"]) == ["hindu", "man", "muslim"]


def test_as_a_command(combined: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["stats", "intersections", "--source", "kb", "--categories", "gender,religion"]
    assert main([*command, "--min-support", "5", "-o", "json"]) == 0
    assert [row["target"] for row in json.loads(capsys.readouterr().out)] == ["muslim woman", "muslim + woman"]
    assert main(command) == 0
    assert "muslim + woman" in capsys.readouterr().out
    assert main([*command, "--min-support", "50"]) == 0
    assert "ask for fewer with --min-support" in capsys.readouterr().err


def test_saved_by_the_name_of_the_row(combined: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Two names are not targets, so the numbers are the source's."""
    command = ["stats", "intersections", "--source", "kb", "--min-support", "1", "-o", "json"]
    assert main([*command, "--save"]) == 0
    shown = {row["target"]: row for row in json.loads(capsys.readouterr().out)}
    for metric in ("o_minus", "o_minus_excess", "o_plus", "o_plus_excess"):
        assert main(["stats", "history", f"intersections.{metric}", "--source", "kb", "-o", "json"]) == 0
        kept = {row["category"]: row for row in json.loads(capsys.readouterr().out)}
        assert set(kept) == set(shown)
        for name, row in kept.items():
            found = shown[name]
            assert row["value"] == pytest.approx(found[metric])
            assert row["value_low"] == pytest.approx(found[f"{metric}_low"])
            assert (row["n"], row["target"]) == (found["n"], None)

"""Which measures stand as labels, and the error of one that does not."""

from __future__ import annotations

import pytest

from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.linker import link
from harmgraph.graph.contents.measures import known_measure, measures, stands
from harmgraph.graph.records import Concept, Import, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.writer import Writer

SET = (
    "MATCH (a)-[r:IS_A]->() WHERE a.text = $text "
    "SET r[$measure] = $label, r[$measure + '_score'] = 0.5, r[$measure + '_by'] = 'x@1'"
)
SET_SENTENCE = (
    "MATCH (s:Statement) SET s[$measure] = 'neutral', s[$measure + '_score'] = 0.5, s[$measure + '_by'] = 'x@1'"
)


@pytest.fixture
def filled(graph: Graph) -> Graph:
    with Writer(graph, Import("kb", "i")) as writer:
        for record in (
            Target("nurse", "profession"),
            Triple(Concept("nurse"), "IsA", Concept("kind person")),
            Triple(Concept("house"), "IsA", Concept("building")),
            Statement("Houses stand.", "house"),
        ):
            writer.add(record)
        writer.flush()
    link(graph)
    return graph


def put(graph: Graph, measure: str, text: str = "nurse", label: str | None = "neutral") -> None:
    graph.write(parse("put", SET), measure=measure, text=text, label=label)


def test_an_empty_graph_has_none(graph: Graph) -> None:
    assert measures(graph) == ()
    with pytest.raises(
        NotFound, match="no measure named 'mood' in the graph; nothing is labelled: run 'harmgraph label'"
    ):
        known_measure(graph, "mood")


def test_labels_about_a_target_about_none_and_of_a_sentence(filled: Graph) -> None:
    put(filled, "mood")
    put(filled, "temper", "house")
    filled.write(parse("put", SET_SENTENCE), measure="tone")
    assert measures(filled) == ("mood", "temper", "tone")
    assert [known_measure(filled, name) for name in ("mood", "temper", "tone")] == ["mood", "temper", "tone"]


def test_an_unknown_name_is_told_what_is_near(filled: Graph) -> None:
    put(filled, "sentiment")
    with pytest.raises(NotFound) as caught:
        known_measure(filled, "sentimnt")
    assert str(caught.value) == (
        "no measure named 'sentimnt' in the graph; near: sentiment; 'harmgraph label --list' shows what can label"
    )


def test_a_measure_that_was_removed_counts_no_more(filled: Graph) -> None:
    put(filled, "mood")
    put(filled, "sentiment")
    put(filled, "mood", label=None)
    assert measures(filled) == ("sentiment",)
    assert not stands(filled, "mood")


@pytest.mark.parametrize("name", ["source", "weight", "assertion", "sentiment_by", "sentiment_score", "sentence", ""])
def test_other_properties_are_no_measures(filled: Graph, name: str) -> None:
    put(filled, "sentiment")
    assert not stands(filled, name)


def test_what_the_platform_relates_is_no_statement(filled: Graph) -> None:
    """A probe's result has a score and says who gave it, as a label has."""
    filled.write(
        parse(
            "probed",
            "MERGE (m:Model {name: 'm'}) MERGE (e:Entity {key: 'wikidata/Q1'}) "
            "MERGE (m)-[:PROBED {shift: 'neutral', shift_score: 1.0, shift_by: 'x@1', score: 1.0, by: 'x'}]->(e)",
        )
    )
    put(filled, "sentiment")
    assert measures(filled) == ("sentiment",)

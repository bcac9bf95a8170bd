"""Two sources against each other: against numbers of the literature and numbers counted by hand."""

from __future__ import annotations

import statistics as plain

import pytest

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Target, Triple
from harmgraph.graph.statements import parse
from tests.support.filling import fill

MARK = parse(
    "mark",
    """// Mark
// takes: $source string: source
// takes: $labels map: head to its positive and negative statements
MATCH (h)-[r]->(t)
WHERE r.source = $source
SET r.sentiment = CASE WHEN toInteger(t.text) < $labels[h.text][0] THEN 'positive'
  WHEN toInteger(t.text) < $labels[h.text][0] + $labels[h.text][1] THEN 'negative' ELSE 'neutral' END""",
)


def say(graph: Graph, source: str, **counts: tuple[int, int, int]) -> None:
    """Triples about targets: how many, how many positive, how many negative."""
    triples = [
        Triple(Concept(target), "HasProperty", Concept(str(number)))
        for target, (n, _, _) in counts.items()
        for number in range(n)
    ]
    fill(graph, *triples, source=source)
    graph.write(MARK, source=source, labels={target: list(pair) for target, (_, *pair) in counts.items()})


@pytest.fixture
def two(graph: Graph) -> Graph:
    fill(graph, *(Target(name, "profession") for name in ("lawyer", "nurse", "judge", "cook")), source="groups")
    say(graph, "learnt", lawyer=(10, 2, 4), nurse=(20, 5, 0), judge=(5, 0, 1), cook=(5, 1, 1))
    say(graph, "said", lawyer=(10, 1, 8), nurse=(10, 5, 0), judge=(5, 5, 0))
    return graph


def test_changes_of_means_and_disparities(two: Graph) -> None:
    frame = statistic("amplification")(two, source="learnt", other="said")
    row = frame.set_index("category").loc["all"]
    assert (row["targets"], row["n"], row["other_n"], row["unlabelled"]) == (3, 35, 25, 0)
    learnt, said = [40, 0, 20], [80, 0, 0]
    assert row["o_minus_change"] == pytest.approx(plain.mean(said) - plain.mean(learnt))
    assert row["d_o_minus_change"] == pytest.approx(plain.pvariance(said) - plain.pvariance(learnt))
    assert row["o_minus_change_low"] <= row["o_minus_change"] <= row["o_minus_change_high"]
    # The resamples draw the same targets on both sides: no change can be over that of a single target.
    assert (row["o_minus_change_low"], row["o_minus_change_high"]) == (-20, 40)
    again = statistic("amplification")(two, source="learnt", other="said")
    assert again.equals(frame)


def test_a_source_against_itself_does_not_change(two: Graph) -> None:
    row = statistic("amplification")(two, source="learnt", other="learnt").iloc[0]
    for name in ("o_plus_change", "o_minus_change", "d_o_plus_change", "d_o_minus_change"):
        assert row[name] == row[f"{name}_low"] == row[f"{name}_high"] == 0


def test_further_sources_count_with_the_first(two: Graph) -> None:
    more = {"source": "learnt", "other": "said", "also": ["said"], "min_support": 10}
    row = statistic("amplification")(two, **more).iloc[0]
    assert (row["n"], row["other_n"]) == (50, 20)
    rows = statistic("compare")(two, **more).set_index("target")
    assert rows["n"].to_dict() == {"lawyer": 20, "nurse": 30}
    assert rows.loc["lawyer", "o_minus"] == 60
    for name in ("amplification", "compare"):
        with pytest.raises(NotFound, match="no source named 'nothing'"):
            statistic(name)(two, **{**more, "also": ["nothing"]})


def test_one_relation_alone_is_compared_with_what_is_proposed_of_it(two: Graph) -> None:
    properties = {"relation": "HasProperty", "score": 0.9, "model": "kb"}
    proposed = [
        Triple(Concept("lawyer"), "Proposed", Concept(str(number)), kind, properties)
        for kind in ("HAS_PROPERTY", "IS_A")
        for number in range(5)
    ]
    fill(two, Triple(Concept("lawyer"), "IsA", Concept("1")), source="more")
    fill(two, *proposed, source="proposed:kb")
    more = {"source": "learnt", "other": "proposed:kb", "also": ["more"]}
    counts = {
        relation: statistic("amplification")(two, **more, relation=relation)[["n", "other_n"]].values.tolist()[:1]
        for relation in (None, "HasProperty", "IsA")
    }
    assert counts == {None: [[11, 10]], "HasProperty": [[10, 5]], "IsA": []}
    with pytest.raises(NotFound, match="no relation named 'HasPropertie'"):
        statistic("amplification")(two, **more, relation="HasPropertie")


def test_intervals_are_newcombes(graph: Graph) -> None:
    """Newcombe 1998, table II, method 10: 56 of 70 against 48 of 80, and 5 of 56 against 0 of 29."""
    fill(graph, Target("lawyer", "profession"), Target("nurse", "profession"), source="groups")
    say(graph, "a", lawyer=(80, 48, 0), nurse=(29, 0, 0))
    say(graph, "b", lawyer=(70, 56, 0), nurse=(56, 5, 0))
    rows = statistic("compare")(graph, source="a", other="b").set_index("target")
    lawyer, nurse = rows.loc["lawyer"], rows.loc["nurse"]
    assert [lawyer["o_plus_change_low"], lawyer["o_plus_change_high"]] == pytest.approx([5.24, 33.39], abs=0.005)
    assert [nurse["o_plus_change_low"], nurse["o_plus_change_high"]] == pytest.approx([-3.81, 19.26], abs=0.005)


def test_a_triple_between_two_events_of_a_target_counts_once(graph: Graph) -> None:
    ends = Concept("personx meet a girl", event=True), Concept("personx like the girl", event=True)
    fill(graph, Target("girl", "gender"), Triple(ends[0], "xWant", ends[1]))
    assert statistic("representation")(graph)["n"].tolist() == [1]

"""Models that learnt from two sources: what they said, counted by hand, with scipy's permutation test beside the p."""

from __future__ import annotations

import json

import numpy as np
import pandas
import pytest
from scipy.stats import permutation_test

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.comparison.retrained import COSTS, chance, retrained
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from harmgraph.graph.statements import parse
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.schema_command import schema_of
from tests.support.filling import fill, triple
from tests.support.schemas import faults

TARGETS = ("lawyer", "judge", "nurse", "cook")
NEGATIVE = {"first": (4, 5, 6), "other": (1, 2, 3)}  # of ten statements of each model about each target
SAID_BY = parse(
    "said_by",
    """MATCH (s:Source {name: $source}) MATCH (kb:Source {name: $kb}) MATCH (first:Source {name: 'first'})
    MERGE (m:Model {name: $source + '-model'})
    MERGE (s)-[said:GENERATED_BY]->(m) MERGE (m)-[:TRAINED_ON]->(kb)
    MERGE (m)-[judged:JUDGED_ON {part: 'held-out', word_perplexity: $perplexity}]->(first)
    SET s.options = $options, said.sha256 = $source, judged.sha256 = $source, m.sha256 = $source,
      m.family = 'language', m.import_id = $kb""",
)


def said_of_all(negative: int) -> list[Statement]:
    """Ten statements of each target, so many of them negative."""
    statements = []
    for target in TARGETS:
        for place in range(10):
            tail = f"{'awful ' if place >= 10 - negative else ''}person {place}"
            said_of = {"head": target, "relation": "IsA", "tail": tail}
            statements.append(Statement(f"{target} is a {tail}", target, said_of))
    return statements


@pytest.fixture
def models(graph: Graph) -> Graph:
    """Three models of each kind; each says once what both sources have, and once what the first alone has."""
    fill(graph, *(Target(name, "law" if name != "nurse" else "care") for name in TARGETS), source="groups")
    fill(graph, triple("lawyer", "IsA", "person 0"), triple("judge", "IsA", "person 1"), source="first")
    fill(graph, triple("lawyer", "IsA", "person 0"), source="other")
    for kb, counts in NEGATIVE.items():
        for number, negative in enumerate(counts):
            source = f"{kb}-{number}"
            fill(graph, *said_of_all(negative), source=source)
            options = json.dumps({"beams": 10, "model": source})
            graph.write(SAID_BY, source=source, kb=kb, perplexity=10.0 * (number + 1), options=options)
    label(graph, scorers.get("vader"), processes=1)
    return graph


def test_the_numbers_are_those_counted_by_hand(models: Graph) -> None:
    result = retrained(models, "first", "other", resamples=200)
    rows = result.frame.set_index(["category", "number"])
    mean = rows.loc[("all", "neutral_mean")]
    assert (mean["first"], mean["other"], mean["change"]) == pytest.approx((50, 80, 30))
    assert mean["change_low"] < 30 < mean["change_high"]
    assert mean["p"] == pytest.approx(2 / 20)  # of 20 ways to deal six models two are as far apart
    assert (mean["targets"], mean["first_models"], mean["other_models"]) == (4, 3, 3)
    assert rows.loc[("all", "neutral_variance")]["change"] == pytest.approx(0)
    assert rows.loc[("care", "neutral_mean")]["targets"] == 1
    known = rows.loc[("all", "known_percent")]
    # 40 statements of each model, of which "lawyer is a person 0" and "judge is a person 1" are triples of the first.
    assert (known["first"], known["other"]) == pytest.approx((5, 5))
    assert rows.loc[("all", "removed_percent")]["first"] == pytest.approx(2.5)
    assert rows.loc[("all", "word_perplexity")]["first"] == pytest.approx(20)
    assert any("beyond what chance gives" in line for line in result.remarks())
    of_python = KnowledgeBase(models).stats.retrained(first="first", other="other", resamples=200)
    assert of_python.equals(result.frame)


def test_few_models_have_no_interval_of_models(models: Graph) -> None:
    models.write(parse("fewer", "MATCH (m:Model) WHERE m.name ENDS WITH '-2-model' DETACH DELETE m"))
    result = retrained(models, "first", "other", also=["first-2"], resamples=50)
    rows = result.frame.set_index(["category", "number"])
    assert rows.loc[("all", "neutral_mean")]["first-2"] == pytest.approx(40)
    assert pandas.isna(rows.loc[("all", "neutral_mean")]["p"])  # six ways are too few
    assert all(pandas.isna(rows.loc[("all", cost)]["change_low"]) for cost in COSTS)
    assert any("2 and 2 models" in line for line in result.remarks())


def test_models_asked_in_another_way_are_told(models: Graph) -> None:
    models.write(parse("way", "MATCH (s:Source {name: 'other-0'}) SET s.options = '{\"beams\": 3}'"))
    assert any("not asked in the same way" in line for line in retrained(models, "first", "other").remarks())


def test_a_model_that_spoke_into_two_sources_counts_once(models: Graph) -> None:
    """Its numbers are averaged: 40 % neutral in one source and 20 % in the other are 30 %."""
    fill(models, *said_of_all(8), source="first-2-again")
    models.write(
        parse(
            "again",
            """MATCH (m:Model {name: 'first-2-model'}) MATCH (s:Source {name: 'first-2-again'})
            MERGE (s)-[r:GENERATED_BY]->(m) SET r.sha256 = 'first-2'""",
        )
    )
    label(models, scorers.get("vader"), processes=1)
    result = retrained(models, "first", "other", resamples=200)
    rows = result.frame.set_index(["category", "number"])
    mean = rows.loc[("all", "neutral_mean")]
    assert (mean["first"], mean["other"]) == pytest.approx(((60 + 50 + 30) / 3, 80))
    assert mean["first_models"] == 3
    assert mean["p"] == pytest.approx(2 / 20)  # of six models, not of seven
    assert rows.loc[("all", "word_perplexity")]["first"] == pytest.approx(20)
    said = "\n".join(result.remarks())
    assert "the sources of one model are averaged, it counts once: first-2-model (first-2, first-2-again)" in said
    assert "trained again" not in said
    models.write(parse("renewed", "MATCH (:Source {name: 'first-2'})-[r:GENERATED_BY]->() SET r.sha256 = 'older'"))
    again = retrained(models, "first", "other", resamples=0)
    said = "\n".join(again.remarks())
    assert "what the weights learnt that said it is not known: first-2 (first-2-model); generate again" in said
    assert "averaged" not in said
    mean = again.frame.set_index(["category", "number"]).loc[("all", "neutral_mean")]
    assert mean["first"] == pytest.approx((60 + 50 + 20) / 3), "of its two sources the newer alone"


def test_a_perplexity_of_other_weights_is_left_out(models: Graph) -> None:
    assert not any("perplexity" in line for line in retrained(models, "first", "other", resamples=0).remarks())
    models.write(parse("old", "MATCH (:Model {name: 'first-0-model'})-[r:JUDGED_ON]->() SET r.sha256 = 'older'"))
    result = retrained(models, "first", "other", resamples=0)
    cost = result.frame.set_index(["category", "number"]).loc[("all", "word_perplexity")]
    assert pandas.isna(cost["first"])
    assert cost["other"] == pytest.approx(20)
    (line,) = [line for line in result.remarks() if "word perplexity is left out" in line]
    assert "first-0-model" in line
    models.write(parse("gone", "MATCH (:Model {name: 'first-0-model'})-[r:JUDGED_ON]->() DELETE r"))
    assert not any("perplexity is left out" in line for line in retrained(models, "first", "other").remarks())


def test_what_was_said_before_a_model_was_trained_again_does_not_count(models: Graph) -> None:
    """first-0-model learns other anew, so that what it said of first is not a word of a model that learnt other."""
    again = parse(
        "again",
        """MATCH (m:Model {name: 'first-0-model'})-[old:TRAINED_ON]->() MATCH (s:Source {name: 'other'})
        DELETE old MERGE (m)-[:TRAINED_ON]->(s) SET m.sha256 = 'newer'""",
    )
    models.write(again)
    judge = "MATCH (:Model {name: 'first-0-model'})-[r:JUDGED_ON]->() SET r.sha256 = $of"
    for of in ("newer", "first-0"):
        models.write(parse("judge", judge), of=of)
        result = retrained(models, "first", "other", resamples=0)
        mean = result.frame.set_index(["category", "number"]).loc[("all", "neutral_mean")]
        assert (mean["first"], mean["other"]) == pytest.approx((45, 80))
        assert (mean["first_models"], mean["other_models"]) == (2, 3)
        said = "\n".join(result.remarks())
        assert "first-0 (first-0-model); generate again" in said
        assert "eval --save" not in said, "it would not help"
    models.write("language/generated_by", source="first-0", model="first-0-model", checkpoint="newer")
    result = retrained(models, "first", "other", resamples=0)
    assert result.frame.iloc[0]["other_models"] == 4
    said = "\n".join(result.remarks())
    assert "generate again" not in said
    assert "eval --save" in said, "its perplexity is of the weights of before"
    models.write(parse("judge", judge), of="newer")
    result = retrained(models, "first", "other", resamples=0)
    assert not any("eval --save" in line for line in result.remarks())
    cost = result.frame.set_index(["category", "number"]).loc[("all", "word_perplexity")]
    assert cost["other"] == pytest.approx((10 + 10 + 20 + 30) / 4)


def test_where_all_was_said_before_there_is_nothing_to_compare(models: Graph) -> None:
    models.write(parse("all", "MATCH (m:Model) WHERE m.name STARTS WITH 'other' SET m.sha256 = 'newer'"))
    with pytest.raises(InputError, match=r"other: the models that learnt from it were trained again.*generate again"):
        retrained(models, "first", "other")
    unknown = "MATCH (:Source {name: $name})-[said:GENERATED_BY]->() REMOVE said.sha256"
    models.write(parse("unknown", unknown), name="other-1")
    mean = retrained(models, "first", "other", resamples=0).frame.iloc[0]
    assert mean["other_models"] == 1, "of whose weights no digest was kept"


def test_a_source_that_another_model_said_anew_is_of_that_model_alone(models: Graph) -> None:
    models.write("language/generated_by", source="first-0", model="first-1-model", checkpoint="newer")
    rows = models.rows("retrained/generations", trained_on="first", judged_on="first")
    assert [(row["source"], row["model"]) for row in rows if row["source"] == "first-0"] == [
        ("first-0", "first-1-model")
    ]


def test_models_of_one_kind_that_are_not_alike_are_told(models: Graph) -> None:
    assert not any("not alike" in line for line in retrained(models, "first", "other", resamples=0).remarks())
    models.write(parse("import", "MATCH (m:Model {name: 'other-1-model'}) SET m.import_id = 'newer'"))
    said = [line for line in retrained(models, "first", "other", resamples=0).remarks() if "not alike" in line]
    assert said == [
        "the models that learnt from other are not alike: they learnt from different imports of it; 'language list' shows them"
    ]


def test_a_model_that_learnt_from_both_is_left_out(models: Graph) -> None:
    both = "MATCH (m:Model {name: $name}) MATCH (s:Source {name: 'other'}) MERGE (m)-[:TRAINED_ON]->(s)"
    models.write(parse("both", both), name="first-0-model")
    result = retrained(models, "first", "other", resamples=0)
    mean = result.frame.set_index(["category", "number"]).loc[("all", "neutral_mean")]
    assert (mean["first_models"], mean["other_models"]) == (2, 3)
    assert "left out, as they learnt from both sources: first-0-model" in "\n".join(result.remarks())
    for number in (1, 2):
        models.write(parse("both", both), name=f"first-{number}-model")
    with pytest.raises(InputError, match="every model that learnt from first learnt from both sources"):
        retrained(models, "first", "other")


def test_the_command(models: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["stats", "retrained", "first", "other", "--resamples", "50", "--no-progress"]
    assert main([*command, "--save", "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["number"] for row in rows if row["category"] == "care"] == ["neutral_mean", "neutral_variance"]
    assert faults(schema_of("stats", "retrained"), rows) == []
    assert main(["stats", "history", "retrained.neutral_mean", "--output", "json"]) == 0
    history = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in history] == [pytest.approx(30)] * 3  # all, care and law
    assert main([*command, "--category", "care"]) == 0
    assert "known_percent" in capsys.readouterr().out


def test_what_cannot_be_compared(models: Graph) -> None:
    with pytest.raises(InputError, match="compared with itself"):
        retrained(models, "first", "first")
    with pytest.raises(NotFound, match="nothing"):
        retrained(models, "first", "nothing")
    with pytest.raises(InputError, match="no model that learnt from it has said anything"):
        retrained(models, "groups", "other")
    with pytest.raises(InputError, match="no target has 11 statements"):
        retrained(models, "first", "other", min_support=11)


@pytest.mark.parametrize(("first", "other"), [(3, 3), (5, 5), (4, 6)])
def test_p_is_that_of_scipy(first: int, other: int) -> None:
    values = np.random.default_rng(first).normal(size=first + other)
    values[first:] += 1

    def difference(one: np.ndarray, two: np.ndarray) -> float:
        return float(abs(two.mean() - one.mean()))

    exact = permutation_test((values[:first], values[first:]), difference, alternative="greater", n_resamples=np.inf)
    assert chance(values, first) == pytest.approx(exact.pvalue)
    assert chance(values[:4], 2) is None

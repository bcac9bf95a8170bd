"""Log odds with an informative Dirichlet prior: by hand, by their properties, and the same in the database."""

from __future__ import annotations

import json
import math
from math import isnan

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.__main__ import main
from harmgraph.analytics.drawing.numbers import Numbers
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.chance import is_beyond
from harmgraph.analytics.statistics.log_odds import by_chance, marking, z_score
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Target, Triple
from tests.support.figures_sample import GROUPS, MEASURES, SOURCES, finish, standing
from tests.support.filling import fill

COUNTS = st.integers(0, 500)


def test_by_hand() -> None:
    """8 of 20 words here, 2 of 30 there; a tenth of the background's words, weighing as much as 50.

    alpha_w = 5, alpha_0 = 50. log odds: log(13 / 57) here (20 + 50 - 13), log(7 / 73) there (30 + 50 - 7).
    variance: 1/13 + 1/7 = 20/91.
    """
    delta = math.log(13 / 57) - math.log(7 / 73)
    assert z_score(8, 2, 20, 30, share=0.1, prior=50) == pytest.approx(delta / math.sqrt(20 / 91))
    assert delta / math.sqrt(20 / 91) == pytest.approx(1.8482, abs=1e-4)


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.floats(1e-6, 0.99), st.floats(0.1, 1e5))
def test_the_score_of_a_word_changes_its_sign_with_the_sides(
    count: int, other: int, more: int, other_more: int, share: float, prior: float
) -> None:
    size, other_size = count + more, other + other_more
    here = z_score(count, other, size, other_size, share=share, prior=prior)
    there = z_score(other, count, other_size, size, share=share, prior=prior)
    assert here == pytest.approx(-there, abs=1e-9)
    assert math.isfinite(here)


@given(st.integers(1, 500), st.floats(1e-4, 0.9))
def test_as_common_on_both_sides_is_zero(count: int, share: float) -> None:
    assert z_score(count, count, 10 * count, 10 * count, share=share, prior=100) == pytest.approx(0, abs=1e-9)


@given(st.integers(2, 40), st.integers(2, 12))
def test_of_two_words_as_much_commoner_the_rarer_has_the_lower_score(count: int, times: int) -> None:
    """Three of three say less than thirty of thirty-three: the prior of a rare word is as rare."""
    size = 100 * count * times
    rare = z_score(count, 0, size, size, share=count / (2 * size), prior=2 * size)
    common = z_score(count * times, 0, size, size, share=count * times / (2 * size), prior=2 * size)
    assert 0 < rare < common


@given(st.integers(1, 200), st.integers(0, 200), st.floats(1, 1e3), st.floats(2, 100))
def test_a_heavier_prior_says_less(count: int, other: int, prior: float, times: float) -> None:
    given_ = {"share": (count + other) / 2000}
    light = z_score(count, other, 1000, 1000, prior=prior * 1e4, **given_)
    heavy = z_score(count, other, 1000, 1000, prior=prior * 1e4 * times, **given_)
    assert abs(heavy) <= abs(light) + 1e-9


def test_one_word_alone_says_nothing() -> None:
    assert z_score(3, 0, 3, 0, share=1, prior=3) == 0


def test_what_is_said_on_both_sides_leads_neither() -> None:
    rows = [
        {"target": "woman", "label": label, "word": word, "n": n}
        for label, words in {
            "negative": {"men": 40, "cancer": 15, "pain": 9},
            "positive": {"men": 40, "care": 15, "role": 9},
        }.items()
        for word, n in words.items()
    ]
    everywhere = {"men": 200, "cancer": 20, "pain": 10, "care": 20, "role": 10, "other": 500}
    statements = {"negative": 90, "positive": 90}
    found = marking(rows, everywhere, 10, statements)
    assert [(row["label"], row["word"]) for row in found] == [
        ("negative", "cancer"),
        ("negative", "pain"),
        ("negative", "men"),
        ("positive", "care"),
        ("positive", "role"),
        ("positive", "men"),
    ]
    assert [row["z"] for row in found if row["word"] == "men"] == pytest.approx([0, 0])
    assert [(row["word"], row["other_n"], row["all_n"]) for row in marking(rows, everywhere, 1, statements)] == [
        ("cancer", 0, 20),
        ("care", 0, 20),
    ]
    assert marking([], everywhere, 10, statements) == []
    assert {row["word"]: is_beyond(row["q"]) for row in found} == {
        "cancer": True,
        "pain": True,
        "care": True,
        "role": True,
        "men": False,
    }
    assert {(row["beyond"], row["words"]) for row in found} == {(4, 5)}


def test_words_beyond_chance_come_first_whatever_their_z() -> None:
    """Common words that differ a little are surer than a rare one whose z the prior makes as high."""
    rows = [
        {"target": "woman", "label": label, "word": word, "n": n}
        for label, word, n in (
            ("negative", "rare", 2),
            ("negative", "often", 60),
            ("positive", "often", 20),
            ("positive", "other", 30),
        )
    ]
    everywhere = {"rare": 2, "often": 5_000, "other": 100}
    found = marking(rows, everywhere, 10, {"negative": 100, "positive": 100})
    assert [row["word"] for row in found if row["label"] == "negative"] == ["often", "rare"]
    assert next(row["q"] for row in found if row["word"] == "rare") is None, "two of two is too rare to tell"


def test_chance_by_hand() -> None:
    """Five of ten statements are positive. Of 252 ways to choose them one has all five with the word, and one has none."""
    p = 2 / 252
    assert by_chance({"w": (5, 0)}, 5, 5) == {"w": pytest.approx(p)}
    assert by_chance({"w": (0, 5)}, 5, 5) == {"w": pytest.approx(p)}
    # Another word that is tested, with p of 1: two words share the chance. One of three statements could not reach 0.05.
    assert by_chance({"w": (5, 0), "x": (2, 3), "y": (1, 2)}, 5, 5) == {"w": pytest.approx(2 * p), "x": 1.0, "y": None}
    assert by_chance({"w": (5, 5)}, 5, 5) == {"w": None}, "in every statement: no deal differs"
    assert by_chance({}, 5, 5) == {}


def test_few_words_are_beyond_chance_where_only_chance_deals_the_labels() -> None:
    """400 deals of the labels over the same statements: in about one of twenty at the most is any word beyond chance."""
    generator = np.random.default_rng(1)
    statements, words = 200, 300
    held = generator.random((statements, words)) < generator.random(words) ** 3 / 2
    found = 0
    for _ in range(400):
        positive = np.zeros(statements, bool)
        positive[generator.choice(statements, 120, replace=False)] = True
        counts = {
            str(word): (int(held[positive, word].sum()), int(held[~positive, word].sum()))
            for word in range(words)
            if held[:, word].any()
        }
        found += any(map(is_beyond, by_chance(counts, 120, 80).values()))
    # With 20 expected at the most, 33 or more would come by chance once in 200 tries.
    assert found <= 33


def test_a_word_that_one_side_says_alone_is_found_among_many() -> None:
    counts = {str(word): (20, 20) for word in range(500)} | {"told": (40, 5)}
    found = by_chance(counts, 100, 100)
    assert [word for word, q in found.items() if is_beyond(q)] == ["told"]


def test_the_report_and_the_statistic_agree(connection: Graph) -> None:
    """Counts in the database and z here, or all in the database: the same words, the same z."""
    graph = standing(connection)
    compared = 0
    for source in SOURCES:
        for measure in MEASURES:
            targets = [name for names in GROUPS.values() for name in names]
            found = Numbers(graph).words(source, measure, targets)
            for target in targets:
                expected = statistic("words")(graph, target=target, source=source, measure=measure, limit=40)
                rows = {(row["label"], row["word"]): row for row in found if row["target"] == target}
                assert set(rows) == set(zip(expected["label"], expected["word"], strict=True))
                for row in expected.to_dict("records"):
                    mine = rows[row["label"], row["word"]]
                    assert (mine["n"], mine["other_n"], mine["all_n"]) == (row["n"], row["other_n"], row["all_n"])
                    assert mine["z"] == pytest.approx(row["z"], abs=1e-9)
                    assert (mine["beyond"], mine["words"]) == (row["beyond"], row["words"])
                    assert mine["q"] == (None if pandas.isna(row["q"]) else pytest.approx(row["q"], abs=1e-9))
                    compared += 1
    assert compared > 50


def test_the_statistic_tells_what_is_beyond_chance(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Of twelve statements half are negative; one word stands in all of these, another in half of each side."""
    sentences = [
        f"Women are {mood} {mark} {name}."
        for mood, mark in (("awful", "red"), ("kind", "blue"))
        for name in ("ann", "bea", "cat", "dot", "eve", "fay")
    ]
    fill(graph, Target("woman", "gender"), *(Statement(text, "woman") for text in sentences))
    finish(graph, "s")
    label(graph, scorers.get("vader"))
    rows = {row["word"]: row for row in statistic("words")(graph, target="woman").to_dict("records")}
    chances = by_chance({"red": (0, 6), "blue": (6, 0), "awful": (0, 6), "kind": (6, 0)}, 6, 6)
    for word in ("red", "blue", "awful", "kind"):
        assert rows[word]["q"] == pytest.approx(chances[word])
        assert (rows[word]["beyond"], rows[word]["words"]) == (4, 10)
    assert isnan(rows["ann"]["q"])
    assert main(["stats", "words", "woman", "--limit", "1"]) == 0
    out, _ = capsys.readouterr()
    assert "4 of 10 words are beyond chance (q at most 0.05)" in out
    assert "beyond" not in out.partition("\n4 of 10")[0], "the line says what the columns hold"
    assert main(["stats", "words", "woman", "--limit", "1", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["beyond"] for row in found} == {4}


def test_the_statistic_by_hand(graph: Graph) -> None:
    """Of woman two sentences are negative and one positive; with that of judge the background has 12 words."""
    fill(
        graph,
        Target("woman", "gender"),
        Target("judge", "profession"),
        Statement("Women hate awful men.", "woman"),  # hate, awful, men
        Statement("Women fear awful men.", "woman"),
        Statement("Women love kind men.", "woman"),
        Statement("Judges wear long robes.", "judge"),
    )
    finish(graph, "s")
    label(graph, scorers.get("vader"))
    frame = statistic("words")(graph, target="woman", prior=6.0)
    rows = {(row["label"], row["word"]): row for row in frame.to_dict("records")}
    row = rows["negative", "awful"]
    assert (row["n"], row["other_n"], row["all_n"]) == (2, 0, 2)
    alpha = 6 * 2 / 12
    delta = math.log((2 + alpha) / (6 + 6 - 2 - alpha)) - math.log(alpha / (3 + 6 - alpha))
    assert row["z"] == pytest.approx(delta / math.sqrt(1 / (2 + alpha) + 1 / alpha))
    # In a third of the words on both sides; the prior, a quarter, tells a little less of the smaller one.
    assert 0 < rows["negative", "men"]["z"] < 0.1
    assert ("positive", "men") not in rows
    assert ("negative", "love") not in rows


def test_who_is_called_so(graph: Graph) -> None:
    fill(
        graph,
        Target("lawyer", "profession"),
        Target("judge", "profession"),
        Target("hairstylist", "profession", aliases=("hairdresser",)),
        Triple(Concept("lawyer"), "IsA", Concept("dishonest man")),
        Triple(Concept("lawyer"), "HasProperty", Concept("Dishonest")),
        Triple(Concept("lawyer"), "IsA", Concept("kind person")),
        Triple(Concept("dishonesty"), "RelatedTo", Concept("judge")),
        Triple(Concept("hairdresser"), "Synonym", Concept("hairstylist")),
        Statement("Judges are dishonest, some say.", "judge"),
        source="kb",
    )
    finish(graph, "kb")
    label(graph, scorers.get("vader"))
    found = {row["target"]: row for row in statistic("called")(graph, word=" Dishonest ").to_dict("records")}
    assert list(found) == ["lawyer", "judge"], "whole words: dishonesty is another one"
    lawyer = found["lawyer"]
    assert (lawyer["said"], lawyer["n"], lawyer["negative"], lawyer["neutral"]) == (2, 3, 2, 0)
    assert lawyer["percent"] == pytest.approx(200 / 3)
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(2, 3, method="wilson")
    assert (lawyer["percent_low"], lawyer["percent_high"]) == pytest.approx((100 * low, 100 * high))
    assert sorted(lawyer["examples"]) == ["lawyer HasProperty Dishonest", "lawyer IsA dishonest man"]
    assert (found["judge"]["said"], found["judge"]["n"]) == (1, 2)
    assert set(statistic("called")(graph, word="dishonest man")["target"]) == {"lawyer"}
    assert statistic("called")(graph, word="lawyer").empty, "the target's own name is not said of it"
    assert statistic("called")(graph, word="").empty
    assert set(statistic("called")(graph, word="hairstylist")["n"]) == {1}, "a triple of two names is one statement"

"""Scores of variables and texts, against values computed by hand and by other libraries."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from sklearn.metrics import precision_recall_fscore_support

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.language.frames.frame import Frame
from harmgraph.models.language.frames.judging import ngrams
from harmgraph.models.language.frames.judging.texts import WMD, bleu, rouge, text_scores, wmd
from harmgraph.models.language.frames.judging.word_vectors import WordVectors, of_file
from harmgraph.models.language.frames.posts import Annotation, Post, from_files
from harmgraph.models.language.frames.scores import VariableScore, always_yes, by_f1, mean_f1, variable_scores

YES: tuple[float | None, ...] = (1, 1, 0, 1, 0)
VECTORS = WordVectors(
    "made up",
    {"women": np.array([0.0, 0]), "men": np.array([3.0, 4]), "park": np.array([0.0, 1]), "drive": np.array([0.0, 3])},
)


def post(text: str, offensive: float, group: str = "", implied: str = "") -> Post:
    values = (offensive, offensive, 0.0, 1.0 if group else None, 0.0 if group else None)
    return Post(text, (Annotation("7", values, group, "gender", implied),))


def frame(offensive: float, group: str = "", implied: str = "") -> Frame:
    values = (offensive, offensive, 0.0, 1.0 if group else None, 0.0 if group else None)
    return Frame(values, values, group, implied)


def test_precision_recall_and_f1_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    wanted, said = generator.integers(0, 2, (2, 200)).astype(float).tolist()
    posts = [post(str(place), value) for place, value in enumerate(wanted)]
    row = variable_scores("m", posts, [frame(value) for value in said], draws=200)[0]
    expected = precision_recall_fscore_support(wanted, said, average="binary")[:3]
    assert (row.precision, row.recall, row.f1) == pytest.approx(expected)
    assert (row.posts, row.positive, row.said) == (200, sum(wanted), sum(said))
    for low, value, high in ((row.f1_low, row.f1, row.f1_high), (row.recall_low, row.recall, row.recall_high)):
        assert low is not None and value is not None and high is not None
        assert value - 0.15 < low < value < high < value + 0.15


def test_who_was_not_asked_does_not_count_and_what_is_not_said_is_no() -> None:
    posts = [post("a", 1, "women", "x"), post("b", 1, "men", "x"), post("c", 0)]
    rows = {row.variable: row for row in variable_scores("m", posts, [frame(1, "women"), frame(1), frame(1, "men")])}
    targeted = rows["group_targeted"]
    assert (targeted.posts, targeted.positive, targeted.said) == (2, 2, 1)
    assert (targeted.precision, targeted.recall) == (1, 0.5)
    assert targeted.f1 == pytest.approx(2 / 3)
    lewd = rows["lewd"]
    assert (lewd.posts, lewd.precision, lewd.recall, lewd.f1) == (3, None, None, None)
    assert lewd.f1_low is None


def test_where_none_or_all_are_right_the_interval_is_that_of_wilson() -> None:
    # 40 of 100 posts are positive. A model says yes to 10 others, and another to exactly those.
    posts = [post(str(place), float(place < 40)) for place in range(100)]
    wrong = variable_scores("m", posts, [frame(float(40 <= place < 50)) for place in range(100)])[0]
    assert (wrong.precision, wrong.recall, wrong.f1) == (0, 0, 0)
    # Wilson's upper end of 0 of n is z^2 / (n + z^2).
    of_10, of_40, of_50 = (1.96**2 / (n + 1.96**2) for n in (10, 40, 50))
    expected = (0, of_10, 0, of_40, 0, 2 * of_50 / (1 + of_50))
    assert ends_of(wrong) == pytest.approx(expected, abs=1e-4)
    right = variable_scores("m", posts, [frame(float(place < 40)) for place in range(100)])[0]
    assert (right.precision, right.recall, right.f1) == (1, 1, 1)
    low = 1 - of_40
    assert ends_of(right) == pytest.approx((low, 1, low, 1, 2 * low / (1 + low), 1), abs=1e-4)


def test_the_mean_f1_is_of_variables_of_which_a_post_is_positive() -> None:
    posts = [post(str(place), float(place < 2)) for place in range(4)]
    frames = [frame(1), frame(0), frame(0), frame(0)]
    assert mean_f1(posts, frames) == pytest.approx(2 / 3), "offensive and intent: one of two"
    assert mean_f1(posts[2:], frames[2:]) == 0, "none is positive"
    assert by_f1(0.5, 3.0) < by_f1(0.5, 2.0) < by_f1(0.50001, 9.0), "of equal F1 the lower loss"


def ends_of(row: VariableScore) -> tuple[float | None, ...]:
    return (row.precision_low, row.precision_high, row.recall_low, row.recall_high, row.f1_low, row.f1_high)


def test_what_always_says_yes() -> None:
    row = always_yes([post(str(place), float(place < 40)) for place in range(100)])[0]
    assert (row.model, row.positive, row.said, row.precision, row.recall) == ("always yes", 40, 100, 0.4, 1)
    assert row.f1 == pytest.approx(0.8 / 1.4)
    assert row.recall_low is None, "it is 1 whatever the posts are"


def test_bleu_of_two_words() -> None:
    score = bleu()
    assert score("women", ("women", "men")) == 1, "a word alone has no pairs"
    assert score("Women park.", ("women park",)) == pytest.approx(1)
    # One of two words; of no pair the smoothing makes a tenth; both have two words.
    assert score("women park", ("women drive",)) == pytest.approx(math.sqrt(1 / 2 * 0.1))
    # All words and pairs, and a reference of three words to two: exp(1 - 3 / 2).
    assert score("women park", ("women park badly",)) == pytest.approx(math.exp(-0.5))
    assert score("...", ("women",)) is None


def test_rouge_l_takes_the_best_reference() -> None:
    score = rouge()
    # The longest common subsequence is "women badly": precision 2 / 2, recall 2 / 3.
    assert score("women badly", ("men", "women park badly")) == pytest.approx(0.8)
    assert score("!", ("women",)) is None


def test_word_movers_distance() -> None:
    score = wmd(VECTORS)
    assert score("women", ("men",)) == pytest.approx(5)
    assert score("women", ("men", "park")) == pytest.approx(1)
    # Each half moves on: women to women, park to drive.
    assert score("women park", ("drive women",)) == pytest.approx(1)
    # Women goes to both halves: half stays, half moves by 3.
    assert score("women", ("women drive",)) == pytest.approx(1.5)
    assert score("unknown", ("women",)) is None


def test_texts_count_where_there_is_one() -> None:
    posts = [post("a", 1, "women", "women park"), post("b", 1, "women", "women drive"), post("c", 0)]
    rows = text_scores("m", posts, [frame(1, "women", "women park"), frame(0), frame(1, "men", "x")], VECTORS)
    assert [(row.what, row.posts, row.answered) for row in rows] == [("group", 2, 1)] * 3 + [
        ("implied statement", 2, 1)
    ] * 3
    for row in rows:
        assert row.score == (0 if row.metric == WMD else pytest.approx(1))
        assert row.over_all == (None if row.metric == WMD else pytest.approx(0.5))


def test_vectors_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("women 1 2\n, 0 0\nmen 2 3\n", encoding="utf-8")
    read = of_file({"women", "men", "cats"}, path)
    assert (read.name, {word: list(vector) for word, vector in read.vectors.items()}) == (
        "glove.txt",
        {"women": [1, 2], "men": [2, 3]},
    )
    path.write_text("women 1 2\nmen 2\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"glove.txt:2"):
        of_file({"women", "men"}, path)
    with pytest.raises(InputError, match="has none of the words"):
        of_file({"cats"}, path)


def test_ngrams_learn_what_stands_in_the_words(file: Path) -> None:
    posts = from_files([file]).posts
    frames = ngrams.predicted(posts, posts, [each.text for each in posts])
    scores = {row.variable: row for row in variable_scores("n-grams", posts, frames)}
    assert scores["offensive"].f1 == scores["group_targeted"].f1 == 1
    assert scores["lewd"].said == 0, "nobody said so in training"

"""Opinion words."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.word_lists import read_words
from harmgraph.analytics.scorers.opinion import SCORER
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.scorer import Score


@pytest.fixture
def lists(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "p").write_text("; a comment\n\nkind\nA+\nwell-known\n")
    (tmp_path / "n").write_text("awful\r\nlazy\r\n")
    return {"positive": str(tmp_path / "p"), "negative": str(tmp_path / "n")}


def test_the_share_of_positive_words(lists: dict[str, str]) -> None:
    texts = ["Kind, kind and lazy.", "an A+, well-known", "AWFUL!", "kind but lazy", "unkind"]
    assert SCORER.scores(texts, SCORER.chosen(lists)) == [
        Score("positive", pytest.approx(1 / 3)),
        Score("positive", 1.0),
        Score("negative", -1.0),
        Score("neutral", 0.0),
        Score("neutral", 0.0),
    ]


def test_without_lists_the_words_are_vaders() -> None:
    found = SCORER.scores(["this person is kind", "this person is awful", "this person sits"], SCORER.chosen({}))
    assert [score.label for score in found] == ["positive", "negative", "neutral"]


def test_another_list_of_the_same_name_makes_labels_stale(lists: dict[str, str]) -> None:
    before = SCORER.by(lists)
    Path(lists["positive"]).write_text("good\n")
    assert SCORER.by(lists) != before
    assert SCORER.by({}) not in (before, SCORER.by(lists))


def test_what_cannot_be_used(lists: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --positive and --negative together"):
        SCORER.scores(["a"], SCORER.chosen({"positive": lists["positive"]}))
    (tmp_path / "empty").write_text("; nothing\n")
    for name, says in (("empty", "holds no word"), ("missing", "cannot be read")):
        with pytest.raises(UnreadableFile, match=says):
            read_words(tmp_path / name)


def test_the_released_lists(data: Path) -> None:
    sizes = [len(read_words(data / "sentiment" / f"{name}-words.txt").entries) for name in ("positive", "negative")]
    assert sizes == [2_006, 4_783]

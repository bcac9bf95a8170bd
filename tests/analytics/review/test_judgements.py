"""Judgements are on the disk at once, and a file that is not theirs is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.ratings import from_csv
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.common.errors import NoSpace, UnreadableFile

ODD = 'She said "no", twice\nand left.'
RETURNED = "She said no.\rAnd left."


def test_each_is_in_the_file_at_once_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ours.csv"
    judgements = Judgements(path)
    assert not path.exists()
    for sentence, label, annotator in ((ODD, "negative", "ann"), ("b", "neutral", "ann"), (ODD, "negative", "bob")):
        judgements.add(Judgement(sentence, label, annotator))
        assert list(Judgements(path)) == list(judgements)
    assert from_csv(path).counts == {ODD: (0, 0, 2), "b": (0, 1, 0)}
    assert judgements.votes(ODD.upper()) == (0, 0, 2)
    assert judgements.ratings().counts == from_csv(path).counts


def test_a_carriage_return_locks_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    Judgements(path).add(Judgement(RETURNED, "neutral", "ann"))
    assert Judgements(path).votes(RETURNED) == (0, 1, 0)


def test_one_s_last_is_taken_back(tmp_path: Path) -> None:
    judgements = Judgements(tmp_path / "ours.csv")
    for sentence, annotator in (("a", "ann"), ("b", "ann"), ("a", "bob")):
        judgements.add(Judgement(sentence, "neutral", annotator))
    taken = judgements.take_back("ann")
    assert taken == Judgement("b", "neutral", "ann")
    assert [(judgement.sentence, judgement.annotator) for judgement in Judgements(judgements.path)] == [
        ("a", "ann"),
        ("a", "bob"),
    ]
    assert judgements.take_back("carla") is None


def test_a_judgement_that_cannot_be_written_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgements = Judgements(tmp_path / "ours.csv")
    judgements.add(Judgement("a", "neutral", "ann"))
    before = judgements.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(NoSpace, match="No space left"):
        judgements.add(Judgement("b", "neutral", "ann"))
    assert judgements.path.read_bytes() == before
    assert len(judgements) == 1


def test_a_first_judgement_that_cannot_be_written_leaves_a_file_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgements = Judgements(tmp_path / "ours.csv")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(NoSpace, match="No space left"):
            judgements.add(Judgement("a", "neutral", "ann"))
    assert len(Judgements(judgements.path)) == 0
    judgements.add(Judgement("a", "neutral", "ann"))
    assert list(Judgements(judgements.path)) == [Judgement("a", "neutral", "ann")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("sentence,label\na,neutral\n", "has not the columns"),
        ("sentence,label,annotator\na,lovely,ann\n", ":2: is not a judgement"),
        ("sentence,label,annotator\na,neutral\n", ":2: is not a judgement"),
        ("sentence,label,annotator\na,neutral,ann\nb,neu", "in the middle of a line"),
    ],
)
def test_another_file_is_told_and_left(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "ours.csv"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=what):
        Judgements(path)
    assert path.read_text() == text

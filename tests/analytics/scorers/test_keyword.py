"""Words of categories."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.word_lists import WordList, read_categories
from harmgraph.analytics.scorers.keyword import FAVOURITISM, LISTS, PREJUDICE, SCORER, _empath
from harmgraph.common.errors import BadName, UnreadableFile

DIC = "%\n1\tposemo (Positive)\n2\tnegemo\n%\nkind*\t1\nawful\t2\nbitter*\t1\t2\n"


def labels(texts: list[str], **options: str) -> list[str]:
    return [score.label for score in SCORER.scores(texts, SCORER.chosen(options))]


def test_a_stem_stands_for_all_that_begin_so() -> None:
    words = WordList(frozenset({"kind*", "awful"}))
    assert [word in words for word in ("kind", "kindness", "awful", "awfully", "kin", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_liwc_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "own.dic"
    path.write_text(DIC)
    assert {name: sorted(words.entries) for name, words in read_categories(path).items()} == {
        "posemo": ["bitter*", "kind*"],
        "negemo": ["awful", "bitter*"],
    }
    texts = ["Kindness!", "awful man", "bitterness", "a tree"]
    own = {"dictionary": str(path), "positive": "posemo", "negative": "negemo"}
    assert labels(texts, **own) == ["positive", "negative", "neutral", "neutral"]
    before = SCORER.by(own)
    path.write_text(DIC.replace("awful", "lazy"))
    assert SCORER.by(own) != before
    assert labels(["awful man"], **own) == ["neutral"]


def test_categories_with_their_words(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("good\tkind\thonest\nbad\tlazy\n")
    own = {"dictionary": str(path), "positive": "good", "negative": "bad"}
    assert labels(["honest but lazy", "lazy", "KIND"], **own) == ["neutral", "negative", "positive"]
    with pytest.raises(BadName, match="is not in the dictionary; there are good"):
        labels(["a"], **{**own, "positive": "god"})


def test_empath_comes_with_it() -> None:
    assert labels(["this person feels joy and love", "this person is a table"]) == ["positive", "neutral"]


@pytest.mark.parametrize(
    ("text", "says"), [("%\n1\n%\n", "2: a number and a category"), ("%\n1\ta\n%\nx\t7\n", "4: no category has")]
)
def test_what_cannot_be_read(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "own.dic").write_text(text)
    with pytest.raises(UnreadableFile, match=says):
        read_categories(tmp_path / "own.dic")


def test_the_defaults_are_categories_by_their_meaning() -> None:
    named = {"positive": ",".join(FAVOURITISM), "negative": ",".join(PREJUDICE)}
    texts = ["this person is a hero", "this person is a murderer", "this person is a table", "this person is beautiful"]
    assert labels(texts) == labels(texts, **named) == ["positive", "negative", "neutral", "positive"]
    assert not set(FAVOURITISM) & set(PREJUDICE)
    assert SCORER.by({}).endswith(f"-{LISTS}"), "labels by other lists are out of date"
    with pytest.raises(BadName, match="favouritism"):
        labels(["a"], dictionary=str(_empath()), positive="favouritism")

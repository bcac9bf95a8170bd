"""Dialects of posts by a user's list of words, and how often they are called offensive (Sap et al. 2020, section 3.3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.dialect import DIALECT, OTHER, UNKNOWN, dialect_of, dialect_shares, read_lexicon
from harmgraph.common.errors import UnreadableFile

WORDS = {"finna": 0.9, "don't": 0.6, "shall": 0.1, "the": 0.45}


@pytest.mark.parametrize(
    ("post", "dialect"),
    [
        ("I'm Finna go", DIALECT),
        ("we shall finna", DIALECT),
        ("we shall, shall finna", OTHER),
        ("the", OTHER),
        ("I don’t", DIALECT),
        ("ain't nothing", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_the_mean_of_known_words(post: str, dialect: str) -> None:
    assert dialect_of(post, WORDS) == dialect


def test_the_least_mean() -> None:
    assert dialect_of("the", WORDS, 0.4) == DIALECT


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("finna 0.9\n", "is not a word, a tab"),
        ("word\tprobability\n", "is not a word, a tab"),
        ("finna\t1.5\n", "is not a word, a tab"),
        ("finna\tnan\n", "is not a word, a tab"),
        ("\t0.5\n", "is not a word, a tab"),
        ("a\t0.5\nA\t0.6\n", "is there twice"),
        ("\n", "holds no word"),
    ],
)
def test_other_lists(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=why):
        read_lexicon(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Posts of two annotators each: 30 in the dialect, all offensive to one; 30 others, every third so; 4 of no known word."""
    posts = [
        *(("finna", number, (1.0, 0.0)) for number in range(30)),
        *(("shall", number, (0.5 if number % 3 == 0 else 0.0, 0.0)) for number in range(30)),
        *(("else", number, ("", "")) for number in range(4)),
    ]
    path = tmp_path / "frames.csv"
    columns = "offensiveYN,intentYN,sexYN,whoTarget,speakerMinorityYN,targetMinority,WorkerId,post"
    lines = [
        f"{answer},0.0,0.0,,,,{worker},{word} {number}"
        for word, number, given in posts
        for worker, answer in enumerate(given)
    ]
    path.write_text("\n".join([columns, *lines]) + "\n")
    lexicon = tmp_path / "words.tsv"
    lexicon.write_text("".join(f"{word}\t{share}\n" for word, share in WORDS.items()))
    return path, lexicon


def test_shares(files: tuple[Path, Path]) -> None:
    path, lexicon = files
    found = dialect_shares(path, read_lexicon(lexicon))
    rows = {row["posts_are"]: row for row in found.rows}
    assert [rows[kind]["posts"] for kind in (DIALECT, OTHER, UNKNOWN)] == [30, 30, 4]
    assert rows[DIALECT]["percent"] == pytest.approx(100 * 30 / 64)
    assert rows[DIALECT]["percent_low"] < 100 * 30 / 64 < rows[DIALECT]["percent_high"]
    assert (rows[DIALECT]["offensive_percent"], rows[DIALECT]["answers"]) == (50, 60)
    assert rows[DIALECT]["offensive_percent_low"] is None, "every post has the same share"
    assert rows[OTHER]["offensive_percent"] == pytest.approx(100 * 10 / 60)
    assert rows[OTHER]["offensive_percent_low"] < 100 / 6 < rows[OTHER]["offensive_percent_high"]
    assert (rows[UNKNOWN]["offensive_percent"], rows[UNKNOWN]["answers"]) == (None, 0)
    assert found.less is not None
    value, low, high = found.less
    assert value == pytest.approx(50 - 100 / 6)
    assert low is not None
    assert high is not None
    assert 0 < low < value < high
    none = dialect_shares(path, {"absent": 1.0})
    assert none.less is None
    assert none.rows[0]["percent"] == 0


def test_the_command(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, lexicon = map(str, files)
    assert main(["agree", "--frames", path, "--dialect", lexicon, "--output", "json"]) == 0
    assert [row["posts"] for row in json.loads(capsys.readouterr().out)] == [30, 30, 4]
    assert main(["agree", "--frames", path, "--dialect", lexicon, "--dialect-from", "0.05"]) == 0
    assert "in the dialect less" not in capsys.readouterr().err, "all are in it"
    assert main(["agree", "--dialect", lexicon]) == 2
    assert "--dialect goes with --frames" in capsys.readouterr().err
    assert main(["agree", "--frames", path, "--dialect", lexicon, "--who"]) == 2
    assert main(["agree", "--frames", path, "--dialect", path]) == 1
    assert "is not a word, a tab" in capsys.readouterr().err

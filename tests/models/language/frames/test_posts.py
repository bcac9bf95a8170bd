"""Posts of SBIC as a frame model reads them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.language.frames.posts import (
    EMPTY,
    ODD,
    PARTS,
    TWICE,
    Posts,
    categories,
    from_files,
    keep,
    kept,
)
from tests.support import sbic


def test_what_annotators_said_of_a_post(tmp_path: Path) -> None:
    posts = {post.text: post for post in from_files([sbic.written(tmp_path)]).posts}
    assert list(posts) == [sbic.DRIVE, sbic.RUN, sbic.LUNCH, sbic.RUDE]
    drive = posts[sbic.DRIVE]
    # Three people: 7 and 8 say offensive and intent, 9 finds nothing and was not asked about a group.
    assert drive.means == (2 / 3, 2 / 3, 0, 1, 0)
    assert drive.groups == ("women",)
    assert drive.statements == ("women drive badly", "women are careless")
    assert posts[sbic.RUN].means == (1, 0, 0, 1, 0)
    assert posts[sbic.LUNCH].means == (0, 0, 0, None, None)


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    rows = [*sbic.ROWS, sbic.row(" ", "7"), ["a", "row"]]
    read = from_files([sbic.written(tmp_path, sbic.table(rows))])
    assert read.left_out == {TWICE: 1, EMPTY: 1, ODD: 1}


def test_packed_files_and_several(tmp_path: Path) -> None:
    path = tmp_path / "SBIC.v2.trn.csv.gz"
    path.write_bytes(gzip.compress(sbic.table(sbic.ROWS[:3]).encode()))
    both = from_files([path, sbic.written(tmp_path, sbic.table(sbic.ROWS[3:]))])
    assert both.name == "SBIC.v2.trn.csv.gz, SBIC.v2.dev.csv"
    assert both.posts == from_files([sbic.written(tmp_path)]).posts


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (sbic.aggregated(), "has no column WorkerId, speakerMinorityYN"),
        ("post,offensive\na,1\n", "has no column WorkerId"),
        (sbic.table([sbic.row("a", "7", offensive="2")]), "offensiveYN is '2', not one of 0, 0.5, 1"),
        ("", "has no column post"),
    ],
)
def test_another_version_is_an_error(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(UnreadableFile, match=what) as caught:
        from_files([sbic.written(tmp_path, text)])
    assert "\n" not in str(caught.value)
    assert "SBIC version 2" in str(caught.value)


def test_no_post_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no post with a text"):
        from_files([sbic.written(tmp_path, sbic.table([sbic.row("", "7")]))])


def test_the_split_is_by_post_whatever_else_there_is(file: Path) -> None:
    every = from_files([file])
    few = Posts("few", every.posts[::3])
    for part in PARTS:
        assert every.of(part)
        assert set(few.of(part)) == set(few.posts) & set(every.of(part))
    assert sum(len(every.of(part)) for part in PARTS) == len(every.posts)
    assert every.of("test", fold=1) != every.of("test")


def test_groups_with_their_commonest_category(tmp_path: Path) -> None:
    posts = from_files([sbic.written(tmp_path)]).posts
    # Of race and culture each is said once of black folks.
    assert categories(posts) == {
        "black folks": ("black folks", "culture"),
        "ethiopian folks": ("Ethiopian folks", "race"),
        "ethiopians": ("Ethiopians", "race"),
        "women": ("women", "gender"),
    }


def test_posts_come_back_from_their_file(tmp_path: Path) -> None:
    posts = from_files([sbic.written(tmp_path)]).posts
    keep(tmp_path / "posts.jsonl", posts)
    assert kept(tmp_path / "posts.jsonl") == posts
    (tmp_path / "posts.jsonl").write_text('["a", 3]\n', encoding="utf-8")
    with pytest.raises(UnreadableFile, match="is damaged"):
        kept(tmp_path / "posts.jsonl")

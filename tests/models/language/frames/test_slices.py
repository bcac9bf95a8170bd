"""Parts of judged posts, and the file of predictions."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import InputError
from harmgraph.models.language.frames.frame import Frame
from harmgraph.models.language.frames.judging.predictions import write_predictions
from harmgraph.models.language.frames.judging.slices import GROUP, ORIGIN, OVERLAP, overlaps, slices
from harmgraph.models.language.frames.posts import Annotation, Post, from_files
from tests.support import sbic

NO = (0.0, 0.0, 0.0, None, None)
YES = (1.0, 1.0, 0.0, 1.0, 0.0)


def post(text: str, group: str = "", origin: str = "", values: tuple[float | None, ...] = NO) -> Post:
    return Post(text, (Annotation("7", values, group, "gender", "women are x" if group else ""),), origin)


def test_by_origin(tmp_path: Path) -> None:
    posts = from_files([sbic.written(tmp_path)]).posts
    found = slices(ORIGIN, posts, ())
    assert {name: [posts[place].text for place in places] for name, places in found.items()} == {
        "Gab": [sbic.LUNCH],
        "r/darkjokes": [sbic.DRIVE],
        "t/founta": [sbic.RUN],
        "t/waseem": [sbic.RUDE],
    }
    with pytest.raises(InputError, match="do not say where they are from"):
        slices(ORIGIN, [post("a")], ())


def test_by_group() -> None:
    posts = [post(f"a{number}", "Women, men" if number % 2 else "women") for number in range(30)]
    posts += [post("b", "judges"), post("c")]
    found = slices(GROUP, posts, ())
    assert list(found) == ["women", "other groups", "no group"], "fifteen posts about men are too few"
    assert found["women"] == list(range(30))
    assert (found["other groups"], found["no group"]) == ([30], [31])


def test_by_overlap() -> None:
    """Each text beside that of the training that has most of its words."""
    train = ["women cannot drive a car", "lunch was good"]
    texts = ["Women drive", "women eat lunch", "a b", "nobody knows", "lunch was bad today"]
    assert overlaps(texts, train).tolist() == pytest.approx([1, 1 / 3, 0, 0, 1 / 2])
    assert overlaps(texts, []).tolist() == [0] * 5
    assert overlaps(["a", "!"], ["b"]).tolist() == [0, 0], "no word at all"
    found = slices(OVERLAP, [post(text) for text in texts], [post(text) for text in train])
    assert list(found.items()) == [
        ("lowest third, 0.00 to 0.00", [2, 3]),
        ("middle third, 0.33 to 0.50", [1, 4]),
        ("highest third, 1.00 to 1.00", [0]),
    ]


def test_the_wrong_ones_come_first(tmp_path: Path) -> None:
    posts = [post("ri\rght"), post("all wrong", "women", values=YES), post("half", values=(1.0, 0.0, 0.0, None, None))]
    frames = [Frame(NO, NO), Frame(NO, NO), Frame(NO, NO, "men", "men are y")]
    write_predictions(tmp_path / "said.csv", posts, frames, [0.5, 0.25, 1.0])
    rows = list(csv.DictReader(io.StringIO((tmp_path / "said.csv").read_bytes().decode(), newline="")))
    assert [(row["post"], row["wrong"], row["overlap"]) for row in rows] == [
        ("all wrong", "3", "0.25"),
        ("half", "1", "1.0"),
        ("ri\rght", "0", "0.5"),
    ]
    assert (rows[0]["groups_people"], rows[0]["implied_people"], rows[0]["group_model"]) == ("women", "women are x", "")
    assert (rows[0]["in_group_people"], rows[0]["in_group_model"], rows[0]["offensive_people"]) == ("0.0", "", "1.0")
    assert (rows[1]["group_model"], rows[1]["implied_model"]) == ("men", "men are y")

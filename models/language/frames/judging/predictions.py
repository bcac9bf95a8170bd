"""A file with what a frame model says of each post beside what people say, the wrong ones first (Sap et al. 2020, table 6)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.frames import VARIABLES, binary
from harmgraph.common.whole_file import written

if TYPE_CHECKING:
    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.language.frames.posts import Post

TEXTS = ("groups_people", "group_model", "implied_people", "implied_model")
HEADER = (
    *("wrong", "overlap"),
    *(f"{variable.name}_{whose}" for variable in VARIABLES for whose in ("people", "model")),
    *(*TEXTS, "post"),
)
BETWEEN = " | "


def write_predictions(path: Path, posts: Sequence[Post], frames: Sequence[Frame], overlap: Sequence[float]) -> None:
    """Writes a CSV file with a row for each post.

    A row has how many variables are wrong, of those that people were asked, and the mean of people's answers beside the model's.

    Args:
        overlap: of each post, see ``slices.overlaps``. Of equally wrong posts the one with the largest
            comes first.

    Raises:
        NoSpace: the file cannot be written.
    """
    rows = [_row(*each) for each in zip(posts, frames, overlap, strict=True)]
    rows.sort(key=lambda row: (-row[0], -row[1]))
    with written(path, newline="") as file:
        writer = csv.writer(
            file, lineterminator="\n", quoting=csv.QUOTE_ALL
        )  # a carriage return is not quoted otherwise
        writer.writerow(HEADER)
        writer.writerows(rows)


def _row(post: Post, frame: Frame, overlap: float) -> list[Any]:
    wrong = sum(
        binary(mean) != (said or 0.0) for mean, said in zip(post.means, frame.values, strict=True) if mean is not None
    )
    answers: list[Any] = []
    for mean, said in zip(post.means, frame.values, strict=True):
        answers += ["" if mean is None else round(mean, 3), "" if said is None else int(said)]
    texts = [BETWEEN.join(post.groups), frame.group, BETWEEN.join(post.statements), frame.implied]
    return [wrong, round(float(overlap), 3), *answers, *texts, post.text]

"""Posts with the social bias frames that people gave them, read from a file of SBIC, and split by a hash of the post."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from harmgraph.common.digests import text_number, texts_digest
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.frames import VARIABLES, Variable, binary, split_groups
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import column_names, csv_rows, read_lines
from harmgraph.common.whole_file import written
from harmgraph.models.drawn import OVER, drawn

FILE = "posts.jsonl"
POST, WORKER = "post", "WorkerId"
GROUP, CATEGORY, IMPLIED, ORIGIN = "targetMinority", "targetCategory", "targetStereotype", "dataSource"
NEEDED = (POST, WORKER, GROUP, CATEGORY, IMPLIED, *(variable.column for variable in VARIABLES))
NAMES = tuple(variable.name for variable in VARIABLES)
VERSION = "give a file of SBIC version 2 with a row for each annotation, such as SBIC.v2.trn.csv"
EMPTY, TWICE, ODD = "without text", "annotated twice alike", "with another number of columns"
TRAIN, VALID, TEST = "train", "valid", "test"
PARTS = (TRAIN, VALID, TEST)
SHARE = 0.125
"""Of the posts that are valid, and of those that are test (section 4.2 of the paper)."""

Values = tuple[float | None, ...]
"""Values of the five variables, in the order of ``VARIABLES``; None for one that nobody was asked."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator says of a post: of one group, and of one implied statement.

    Attributes:
        annotator: as in the file.
        values: 0 or 1, see ``Values``.
        group, category, implied: as in the file; empty for none.
    """

    annotator: str
    values: Values
    group: str = ""
    category: str = ""
    implied: str = ""


@dataclass(frozen=True)
class Post:
    """A post with what its annotators said.

    Attributes:
        annotations: each once.
        origin: where it was collected, such as ``t/founta``; empty if it is not known. It is not kept with a model.
    """

    text: str
    annotations: tuple[Annotation, ...]
    origin: str = field(default="", compare=False)

    @cached_property
    def means(self) -> Values:
        """Of each variable the mean over the annotators who were asked."""
        first: dict[str, Values] = {}
        for annotation in self.annotations:
            first.setdefault(annotation.annotator, annotation.values)
        means: list[float | None] = []
        for answers in zip(*first.values(), strict=True):
            asked = [answer for answer in answers if answer is not None]
            means.append(sum(asked) / len(asked) if asked else None)
        return tuple(means)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that its annotators named, each once."""
        return tuple(dict.fromkeys(each.group for each in self.annotations if each.group))

    @property
    def statements(self) -> tuple[str, ...]:
        """The implied statements that its annotators wrote, each once."""
        return tuple(dict.fromkeys(each.implied for each in self.annotations if each.implied))

    def part(self, fold: int = 0) -> str:
        """``train``, ``valid`` or ``test``: the same in every file, by a hash.

        Args:
            fold: another number gives another split.
        """
        place = text_number(f"{fold}\x1f{self.text}") / 2**64
        return TEST if place < SHARE else VALID if place < 2 * SHARE else TRAIN


@dataclass(frozen=True)
class Posts:
    """The posts of files.

    Attributes:
        name: of the files. left_out: rows that were not used, by reason.
    """

    name: str
    posts: tuple[Post, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Of the posts and their annotations, in their order."""
        return texts_digest(json.dumps(_facts(post)) for post in self.posts)

    def limited(self, limit: int) -> Posts:
        """So many of the posts, see ``drawn``; those left out are counted."""
        posts = drawn(self.posts, limit, lambda post: post.text)
        over = len(self.posts) - len(posts)
        return Posts(self.name, posts, {**self.left_out, OVER: over}) if over else self

    def of(self, part: str, fold: int = 0) -> tuple[Post, ...]:
        """The posts of a part, see ``Post.part``."""
        return tuple(post for post in self.posts if post.part(fold) == part)


def from_files(paths: Sequence[Path]) -> Posts:
    """The posts of files of SBIC with a row for each annotation, packed with gzip or not.

    Rows without text, of another number of columns, or that stand twice are left out and counted.

    Raises:
        UnreadableFile: a file cannot be read, is of another version, or has an answer that is none of the question's.
        InputError: there is no post.
    """
    annotations: dict[str, dict[Annotation, None]] = {}
    origins: dict[str, str] = {}
    left_out: Counter[str] = Counter()
    for path in paths:
        rows = csv_rows(path)
        columns = column_names(path, next(rows, None), NEEDED, (ORIGIN,), remedy=VERSION)
        for row in rows:
            if len(row.cells) != len(columns):
                left_out[ODD] += 1
                continue
            cells = {name: cell.strip() for name, cell in zip(columns, row.cells, strict=True)}
            if not cells[POST]:
                left_out[EMPTY] += 1
                continue
            values = tuple(_answer(cells[variable.column], variable, path, row.line) for variable in VARIABLES)
            made = Annotation(cells[WORKER], values, cells[GROUP], cells[CATEGORY].lower(), cells[IMPLIED])
            said = annotations.setdefault(cells[POST], {})
            left_out[TWICE] += made in said
            said[made] = None
            if ORIGIN in columns:
                origins.setdefault(cells[POST], cells[ORIGIN])
    name = ", ".join(path.name for path in paths)
    if not annotations:
        raise InputError("has no post with a text", where=name, remedy=VERSION)
    posts = tuple(Post(text, tuple(said), origins.get(text, "")) for text, said in annotations.items())
    return Posts(name, posts, {why: count for why, count in left_out.items() if count})


def _answer(text: str, variable: Variable, path: Path, line: int) -> float | None:
    if not text:
        return None
    try:
        answer = float(text)
    except ValueError:
        answer = -1.0
    if answer not in variable.choices:
        known = ", ".join(f"{choice:g}" for choice in variable.choices)
        raise UnreadableFile(path, f"{variable.column} is {text[:20]!r}, not one of {known}", line=line, remedy=VERSION)
    return binary(answer)


def categories(posts: Iterable[Post]) -> dict[str, tuple[str, str]]:
    """The groups that annotators named, one of several chosen together by itself.

    Returns:
        By name in lower case, its commonest spelling and its commonest category; of equals the first in the alphabet.
    """
    spelt: dict[str, Counter[str]] = {}
    kinds: dict[str, Counter[str]] = {}
    for post in posts:
        for annotation in post.annotations:
            for group in split_groups(annotation.group):
                spelt.setdefault(group.lower(), Counter())[group] += 1
                kinds.setdefault(group.lower(), Counter())[annotation.category] += 1
    return {name: (_commonest(spelt[name]), _commonest(kinds[name]) or "unknown") for name in sorted(spelt)}


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))


def keep(path: Path, posts: Iterable[Post]) -> None:
    """Writes posts, a line each.

    Raises:
        NoSpace: the file cannot be written.
    """
    with written(path) as file:
        for post in posts:
            file.write(json.dumps(_facts(post), ensure_ascii=False) + "\n")


def kept(path: Path) -> tuple[Post, ...]:
    """The posts that ``keep`` wrote.

    Raises:
        UnreadableFile: the file is missing or damaged.
    """
    posts = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            text, said = from_json(line)
            posts.append(Post(text, tuple(Annotation(each[0], tuple(each[1]), *each[2:]) for each in said)))
        except (ValueError, TypeError, IndexError) as error:
            raise UnreadableFile(path, "is damaged", line=number, remedy="train again with --again") from error
    return tuple(posts)


def _facts(post: Post) -> list[Any]:
    said = [[each.annotator, each.values, each.group, each.category, each.implied] for each in post.annotations]
    return [post.text, said]

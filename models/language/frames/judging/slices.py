"""Parts of the judged posts: by origin, by the group that people named, by overlap with the posts of the training."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError
from harmgraph.common.frames import split_groups

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.frames.posts import Post

    Numbers = numpy.ndarray[Any, Any]

ORIGIN, GROUP, OVERLAP = "origin", "group", "overlap"
KINDS = (ORIGIN, GROUP, OVERLAP)
FEWEST = 20
"""Posts below which a group has no rows of its own."""
WORD = r"(?u)\b\w\w+\b"


def slices(kind: str, posts: Sequence[Post], train: Sequence[Post]) -> Mapping[str, list[int]]:
    """Places of the posts of each part, by its name; a post of two groups is in both.

    Args:
        kind: one of ``KINDS``.
        train: the posts that the model was trained on.

    Raises:
        InputError: the posts do not say where they are from.
    """
    if kind == ORIGIN:
        return _by_origin(posts)
    return _by_group(posts) if kind == GROUP else _by_overlap(posts, train)


def _by_origin(posts: Sequence[Post]) -> Mapping[str, list[int]]:
    if not any(post.origin for post in posts):
        raise InputError(
            "the posts do not say where they are from",
            where=f"--by {ORIGIN}",
            remedy="give --file, with the column dataSource",
        )
    found: dict[str, list[int]] = {}
    for place, post in enumerate(posts):
        found.setdefault(post.origin or "unknown", []).append(place)
    return dict(sorted(found.items()))


def _by_group(posts: Sequence[Post]) -> Mapping[str, list[int]]:
    groups = [
        list(dict.fromkeys(group.lower() for each in post.groups for group in split_groups(each))) for post in posts
    ]
    counts = Counter(group for named in groups for group in named)
    large = sorted(
        (group for group, count in counts.items() if count >= FEWEST), key=lambda name: (-counts[name], name)
    )
    found = {name: [place for place, named in enumerate(groups) if name in named] for name in large}
    found["other groups"] = [place for place, named in enumerate(groups) if named and not set(named) & set(large)]
    found["no group"] = [place for place, named in enumerate(groups) if not named]
    return {name: places for name, places in found.items() if places}


def _by_overlap(posts: Sequence[Post], train: Sequence[Post]) -> Mapping[str, list[int]]:
    import numpy as np

    values = overlaps([post.text for post in posts], [post.text for post in train])
    order = np.argsort(values, kind="stable")
    found = {}
    for name, places in zip(("lowest third", "middle third", "highest third"), np.array_split(order, 3), strict=True):
        if len(places):
            low, high = values[places].min(), values[places].max()
            found[f"{name}, {low:.2f} to {high:.2f}"] = sorted(places.tolist())
    return found


def overlaps(texts: Sequence[str], train: Sequence[str]) -> Numbers:
    """Of each text the largest share of its distinct words that one text of the training has too, 0 to 1, [texts].

    Words of one letter are not counted. A text without a word has 0.
    """
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer

    if not train or not any(re.search(WORD, text) for text in (*texts, *train)):
        return np.zeros(len(texts))
    counter = CountVectorizer(binary=True, token_pattern=WORD, dtype=np.float32)
    every = counter.fit_transform([*texts, *train])
    own, theirs = every[: len(texts)], every[len(texts) :].T.tocsc()
    words = np.maximum(np.asarray(own.sum(axis=1)).ravel(), 1)
    shared = [(own[start : start + 500] @ theirs).max(axis=1).toarray().ravel() for start in range(0, len(texts), 500)]
    return np.concatenate(shared) / words if shared else np.zeros(0)

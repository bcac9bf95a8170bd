"""Linear models of the five variables on n-grams: what a frame model must be better than to be worth its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.frames import VARIABLES, binary
from harmgraph.models.extra import needed
from harmgraph.models.language.frames.classifier import best_thresholds, frames

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.language.frames.posts import Post

    Numbers = numpy.ndarray[Any, Any]

NAME = "n-grams"


def predicted(train: Sequence[Post], valid: Sequence[Post], texts: Sequence[str]) -> list[Frame]:
    """The frames of texts by a logistic regression for each variable, with the thresholds that are best on ``valid``.

    Its features are TF-IDF of word 1- and 2-grams and character 2- to 5-grams. Classes are weighted alike. A variable whose
    posts are all alike has that value everywhere.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    import numpy as np

    needed("sklearn")
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_union

    grams = make_union(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"),
        TfidfVectorizer(ngram_range=(2, 5), analyzer="char_wb", sublinear_tf=True, min_df=2),
    )
    seen = grams.fit_transform([post.text for post in train]).tocsr()
    # The posts on which the thresholds are chosen come first.
    asked = grams.transform([*(post.text for post in valid), *texts])
    yes = np.zeros((len(valid) + len(texts), len(VARIABLES)))
    for place in range(len(VARIABLES)):
        known = [row for row, post in enumerate(train) if post.means[place] is not None]
        wanted = np.array([binary(train[row].means[place] or 0.0) for row in known])
        if len(set(wanted.tolist())) < 2:
            yes[:, place] = wanted[0] if len(wanted) else 0.0
            continue
        model = LogisticRegression(C=4, class_weight="balanced", max_iter=300)
        yes[:, place] = model.fit(seen[known], wanted).predict_proba(asked)[:, 1]
    return frames(yes[len(valid) :], best_thresholds(yes[: len(valid)], valid))

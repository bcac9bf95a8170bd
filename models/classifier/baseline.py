"""A linear model trained on the same examples, as a baseline: a classifier must do clearly better to be worth its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.classifier.examples import Example


def predicted(train: Sequence[Example], texts: Sequence[str], *, seed: int = 0) -> numpy.ndarray[Any, Any]:
    """Predicts labels by logistic regression on word 1- and 2-grams and character 2- to 5-grams, with balanced label weights.

    Returns:
        Indices into ``CLASSIFIER_LABELS``, of shape (texts,).
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline, make_union

    grams = make_union(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
        TfidfVectorizer(ngram_range=(2, 5), analyzer="char_wb", sublinear_tf=True, min_df=2),
    )
    model = make_pipeline(grams, LogisticRegression(C=4, class_weight="balanced", max_iter=300, random_state=seed))
    model.fit([example.text for example in train], [example.label for example in train])
    return np.asarray(model.predict(list(texts)))

"""Social bias frames on the dev part of SBIC: a new generative model, classifiers on an encoder, and linear n-grams.

N-grams, a layer on a frozen encoder and the generative model over three seeds, each with a split of its own; the encoder that is
trained whole on the first alone.
F1 is that of the test parts together, with its 95 % interval from resampled posts, and the lowest and highest of the seeds.
``--quick`` takes one seed and few epochs.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from harmgraph.common.frames import VARIABLES
from harmgraph.common.progress import bar
from harmgraph.models.language.frames import named_frame_model
from harmgraph.models.language.frames.frame import Frame, is_consistent
from harmgraph.models.language.frames.generative.search import WAYS, Search
from harmgraph.models.language.frames.judging.ngrams import predicted as by_ngrams
from harmgraph.models.language.frames.judging.texts import text_scores, vocabulary
from harmgraph.models.language.frames.judging.word_vectors import of_encoder
from harmgraph.models.language.frames.posts import TEST, TRAIN, VALID, Post, Posts, from_files
from harmgraph.models.language.frames.recipe import CLASSIFIER, GENERATIVE, recipe_for
from harmgraph.models.language.frames.scores import variable_scores
from harmgraph.models.options import ENCODER
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting

SAYER = "new:mini"
OPTIONS = {"epochs": 8, "batch": 64, "learning_rate": 2e-3}
"""Of a model that a core trains within some minutes a seed; it ends early where the held-out loss says so."""
COMMONEST = "the commonest"
FILE = "SBIC.v2.dev.csv.gz"
THREADS = int(os.environ.get("OMP_NUM_THREADS", "0"))
Predicted = tuple[Sequence[Post], Sequence[Frame]]


def bench(setting: Setting, figures: Figures) -> None:
    """Trains and judges each model."""
    if setting.data is None:
        print("  left out: the data is not here")
        return
    corpus = from_files([setting.data / "sbic" / FILE])
    found: defaultdict[str, list[Predicted]] = defaultdict(list)
    for seed in range(1 if setting.quick else 3):
        test = corpus.of(TEST, seed)
        texts = [post.text for post in test]
        seconds, frames = timed(lambda: by_ngrams(corpus.of(TRAIN, seed), corpus.of(VALID, seed), texts))  # noqa: B023 - called at once
        figures.add(f"n-grams, seed {seed}: training and judging", seconds, "s")
        found["n-grams"].append((test, frames))
        done = _trained(f"frozen-{seed}", corpus, ENCODER, CLASSIFIER, seed, {"frozen": True}, figures)
        found[f"{ENCODER}, frozen"].append((test, done(Search())))
    for model, runs in found.items():
        _variables(model, runs, figures)
    said: defaultdict[str, list[Predicted]] = defaultdict(list)
    for seed in range(1 if setting.quick else 3):
        test = corpus.of(TEST, seed)
        done = _trained(
            f"said-{seed}", corpus, SAYER, GENERATIVE, seed, OPTIONS | ({"epochs": 1} if setting.quick else {}), figures
        )
        for way in WAYS:
            said[f"{SAYER}, {way}"].append((test, done(Search(way))))
        # Beside them who says for every post what is said most often: the groups and statements of a model can be worse.
        said[COMMONEST].append((test, [_commonest(corpus.of(TRAIN, seed))] * len(test)))
    for model, runs in said.items():
        if model != COMMONEST:
            _variables(model, runs, figures)
        _texts(model, runs, figures)
    # Minutes an epoch on a core, so on the first split alone.
    test = corpus.of(TEST)
    done = _trained("trained", corpus, ENCODER, CLASSIFIER, 0, {"epochs": 1}, figures)
    _variables(f"{ENCODER}, trained", [(test, done(Search()))], figures)


def _trained(
    name: str, corpus: Posts, model: str, kind: str, seed: int, options: dict[str, Any], figures: Figures
) -> Callable[[Search], list[Frame]]:
    recipe = recipe_for(kind, model, options | {"seed": seed, "fold": seed})
    with bar():
        seconds, done = timed(lambda: named_frame_model.train(name, corpus, model, recipe, threads=THREADS))
    figures.add(f"{name}: training, {done.config.epochs} epochs, best {done.config.best_epoch}", seconds, "s")
    texts = [post.text for post in corpus.of(TEST, seed)]

    def predict(search: Search) -> list[Frame]:
        seconds, frames = timed(lambda: named_frame_model.predicted(name, texts, search, threads=THREADS))
        figures.add(f"{name}: {search.way} frames", len(texts) / seconds, "posts/s")
        return frames

    return predict


def _commonest(posts: Sequence[Post]) -> Frame:
    groups = [annotation.group for post in posts for annotation in post.annotations if annotation.group]
    implied = [annotation.implied for post in posts for annotation in post.annotations if annotation.implied]
    yes = (1.0, 1.0, 0.0, 1.0, 0.0)
    group, statement = (max(sorted(set(texts)), key=texts.count) for texts in (groups, implied))
    return Frame(yes, yes, group, statement)


def _variables(model: str, runs: Sequence[Predicted], figures: Figures) -> None:
    posts = [post for test, _ in runs for post in test]
    frames = [frame for _, made in runs for frame in made]
    each = [variable_scores(model, *run, draws=0) for run in runs]
    for place, row in enumerate(variable_scores(model, posts, frames)):
        of_seeds = [rows[place].f1 or 0.0 for rows in each]
        spread = f"{_ends(row.f1_low, row.f1_high)}; seeds {_ends(min(of_seeds), max(of_seeds))}"
        figures.add(
            f"{model}: {VARIABLES[place].name}, F1 ({spread})",
            row.f1 or 0.0,
            f"P {row.precision or 0:.3f} R {row.recall or 0:.3f} n {row.posts} + {row.positive}",
        )
    odd = sum(not is_consistent(frame.values) for frame in frames)
    figures.add(f"{model}: frames that contradict themselves", 100 * odd / len(frames), "%")


def _texts(model: str, runs: Sequence[Predicted], figures: Figures) -> None:
    posts = [post for test, _ in runs for post in test]
    frames = [frame for _, made in runs for frame in made]
    vectors = of_encoder(vocabulary(posts, frames), ENCODER)
    for row in text_scores(model, posts, frames, vectors):
        if row.score is not None:
            figures.add(
                f"{model}: {row.what}, {row.metric} ({_ends(row.low, row.high)})",
                row.score,
                f"{row.answered} of {row.posts}, over all {row.over_all or 0:.3f}",
            )


def _ends(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"

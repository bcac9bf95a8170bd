"""A frame model judged on posts with frames of people, beside linear n-grams and what always says yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.models.language.frames import named_frame_model
from harmgraph.models.language.frames.frame import is_consistent
from harmgraph.models.language.frames.generative.search import Search
from harmgraph.models.language.frames.judging.predictions import write_predictions
from harmgraph.models.language.frames.judging.slices import overlaps, slices
from harmgraph.models.language.frames.judging.texts import TextScore, text_scores, vocabulary
from harmgraph.models.language.frames.judging.word_vectors import of_encoder, of_file
from harmgraph.models.language.frames.posts import TEST, TRAIN, VALID, Posts
from harmgraph.models.language.frames.recipe import GENERATIVE
from harmgraph.models.language.frames.scores import DRAWS, VariableScore, always_yes, variable_scores
from harmgraph.models.language.frames.stored import finished

if TYPE_CHECKING:
    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.language.frames.posts import Post


@dataclass(frozen=True, slots=True)
class FrameQuality:
    """How good the frames of a model are.

    Attributes:
        variables: of the model, of the n-grams, and of what always says yes. texts: of the model; empty for a classifier.
        said: what the reader of the rows must know, a line each.
        posts, frames: what was judged, and what the model says of it. trained: the posts of the training.
    """

    variables: tuple[VariableScore, ...]
    texts: tuple[TextScore, ...]
    said: tuple[str, ...]
    posts: tuple[Post, ...]
    frames: tuple[Frame, ...]
    trained: tuple[Post, ...]

    def write_predictions(self, path: Path) -> None:
        """See ``predictions.write_predictions``."""
        overlap = overlaps([post.text for post in self.posts], [post.text for post in self.trained])
        write_predictions(path, self.posts, self.frames, overlap.tolist())


def evaluate(
    name: str,
    corpus: Posts | None,
    search: Search,
    *,
    ngrams: bool = True,
    by: Sequence[str] = (),
    vectors: Path | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    device: str = "auto",
    threads: int = 0,
) -> FrameQuality:
    """Scores of a model on posts that it was not trained on.

    Args:
        corpus: None for the posts held out from the training. Of others those that the model was trained or chosen on are left
            out, and it is said how many.
        by: also judge parts of the posts, of each of these ``slices.KINDS``.
        vectors: a file of word vectors; None for those of the default encoder.
        draws, seed: of the intervals.

    Raises:
        as ``named_frame_model.predicted``, and InputError: no post is left.
    """
    known, parts = finished(name), named_frame_model.parts_of(name)
    said: list[str] = []
    posts: Sequence[Post] = parts[TEST]
    if corpus is not None:
        seen = {post.text for part in (TRAIN, VALID) for post in parts[part]}
        posts = [post for post in corpus.posts if post.text not in seen]
        if len(posts) < len(corpus.posts):
            said.append(f"{len(corpus.posts) - len(posts):,} posts are left out: {name} was trained or chosen on them")
        said += [f"{count:,} rows are left out: {why}" for why, count in corpus.left_out.items()]
    if not posts:
        raise InputError("has no post that the model was not trained on", where=name, remedy="give another --file")
    parts_by = [part for kind in dict.fromkeys(by) for part in slices(kind, posts, parts[TRAIN]).items()]
    frames = named_frame_model.predicted(name, [post.text for post in posts], search, device=device, threads=threads)
    rows = variable_scores(name, posts, frames, draws=draws, seed=seed)
    baseline = always_yes(posts, draws=draws, seed=seed)
    for part, places in parts_by:
        some_posts, some_frames = [posts[place] for place in places], [frames[place] for place in places]
        of_part = variable_scores(name, some_posts, some_frames, draws=draws, seed=seed)
        rows += [replace(row, of=part) for row in of_part]
        baseline += [replace(row, of=part) for row in always_yes(some_posts, draws=draws, seed=seed)]
    if ngrams:
        rows += by_ngrams(parts[TRAIN], parts[VALID], posts, draws=draws, seed=seed)
    rows += baseline
    said.append(f"{len(posts):,} posts")
    texts: list[TextScore] = []
    if known.recipe.kind == GENERATIVE:
        odd = sum(frame.whole and not is_consistent(frame.values) for frame in frames)
        said.append(f"{odd:,} frames contradict themselves ({search.way} decoding)")
        if broken := sum(not frame.whole for frame in frames):
            said.append(f"{broken:,} frames end at a token that cannot stand there; what stands before it counts")
        some = vocabulary(posts, frames)
        table = of_file(some, vectors) if vectors else of_encoder(some)
        texts = text_scores(name, posts, frames, table, draws=draws, seed=seed)
        said.append(f"word mover's distance by the vectors of {table.name}")
    return FrameQuality(tuple(rows), tuple(texts), tuple(said), tuple(posts), tuple(frames), parts[TRAIN])


def by_ngrams(
    train: Sequence[Post],
    valid: Sequence[Post],
    posts: Sequence[Post],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[VariableScore]:
    """The scores of linear models trained and chosen on the same posts."""
    from harmgraph.models.language.frames.judging import ngrams

    progress("n-grams on the same posts", 0)
    frames: list[Frame] = ngrams.predicted(train, valid, [post.text for post in posts])
    return variable_scores(ngrams.NAME, posts, frames, draws=draws, seed=seed)

"""How well a model predicts texts: perplexity a token and a word, with intervals over texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.progress import progress

if TYPE_CHECKING:
    import numpy
    from transformers import PreTrainedModel

    from harmgraph.models.language.sequences import Tokens

    Numbers = numpy.ndarray[Any, Any]

TOKENS_AT_ONCE = 8_192
DRAWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexityRow:
    """The perplexity of a model.

    Attributes:
        model: which. texts, tokens, words: how many were predicted.
        perplexity: a token. word_perplexity: a word, which can be compared between tokenizers.
        perplexity_low, perplexity_high, word_perplexity_low, word_perplexity_high: 95 % intervals, from resampled texts.
    """

    model: str
    texts: int
    tokens: int
    words: int
    perplexity: float
    perplexity_low: float | None
    perplexity_high: float | None
    word_perplexity: float
    word_perplexity_low: float | None
    word_perplexity_high: float | None

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


def nats(model: PreTrainedModel, read: Sequence[Tokens], context: int) -> Numbers:
    """The negative log-likelihood of each sequence, [sequences], in nats, in their order.

    A sequence longer than the context is read in windows that begin half a context apart: every token is predicted once, from
    at least half a context, or from all that stands before it.
    """
    import numpy as np
    import torch

    from harmgraph.models.language.cross_entropies import cross_entropies
    from harmgraph.models.language.sequences import batch_of

    model.eval()
    pieces: list[tuple[int, Tokens]] = []
    for place, tokens in enumerate(read):
        pieces += [(place, window) for window in _windows(tokens, context)]
    pieces.sort(key=lambda piece: -len(piece[1].ids))
    lost = np.zeros(len(read))
    done = 0
    while done < len(pieces):
        progress("judging", done, len(pieces))
        few = pieces[done : done + max(1, TOKENS_AT_ONCE // len(pieces[done][1].ids))]
        ids, labels = batch_of([tokens for _, tokens in few], model.device)
        with torch.inference_mode():
            each, _ = cross_entropies(model, ids, labels)
        places = np.repeat([place for place, _ in few], [tokens.predicted for _, tokens in few])
        np.add.at(lost, places, each.double().cpu().numpy())
        done += len(few)
    return lost


def _windows(tokens: Tokens, context: int) -> list[Tokens]:
    from harmgraph.models.language.sequences import Tokens

    made, after, step = list[Tokens](), tokens.start, max(1, context // 2)
    last = len(tokens.ids)
    while after < last:
        end = min(last, max(context + 1, after + step))
        first = max(0, end - context - 1)
        made.append(Tokens(tokens.ids[first:end], after - first))
        after = end
    return made


def perplexity(mean: float) -> float:
    """The perplexity of a mean in nats; infinite where it cannot be written as a number."""
    return math.exp(mean) if mean < 700 else math.inf


def row(model: str, read: Sequence[Tokens], lost: Numbers, *, draws: int = DRAWS, seed: int = 0) -> PerplexityRow:
    """The perplexity of a model, with intervals from texts drawn with replacement; none for fewer than two texts.

    Args:
        lost: nats of each sequence.
    """
    import numpy as np

    tokens = np.array([each.predicted for each in read])
    words = np.array([each.words for each in read])
    ends: list[float | None] = [None] * 4
    if draws and len(read) > 1:
        drawn = (resampling.ratios(lost, by, draws, seed) for by in (tokens, words))
        ends = [perplexity(end) for ratios in drawn for end in resampling.interval(ratios)]
    total = float(lost.sum())
    return PerplexityRow(
        model=model,
        texts=len(read),
        tokens=int(tokens.sum()),
        words=int(words.sum()),
        perplexity=perplexity(total / int(tokens.sum())),
        perplexity_low=ends[0],
        perplexity_high=ends[1],
        word_perplexity=perplexity(total / int(words.sum())),
        word_perplexity_low=ends[2],
        word_perplexity_high=ends[3],
    )

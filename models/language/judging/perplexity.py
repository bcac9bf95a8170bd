"""How well a model predicts texts: perplexity a token and a word, with intervals over texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.progress import progress

if TYPE_CHECKING:
    import numpy
    from torch import Tensor
    from transformers import PreTrainedModel

    from harmgraph.models.language.sequences import Labelled, Tokens

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

    pieces = [(place, window) for place, tokens in enumerate(read) for window in _windows(tokens, context)]
    lost = np.zeros(len(read))
    for few, each in judged_together(model, [window for _, window in pieces]):
        places = np.repeat([pieces[number][0] for number in few], [pieces[number][1].predicted for number in few])
        np.add.at(lost, places, each.double().cpu().numpy())
    return lost


def judged_together(model: PreTrainedModel, read: Sequence[Labelled]) -> Iterator[tuple[list[int], Tensor]]:
    """Judges sequences some at a time, the longest first, and says how far it is.

    Yields:
        The places of some sequences, and the nats of their predicted tokens, [predicted], one sequence after the other.
    """
    import torch

    from harmgraph.models.language.cross_entropies import cross_entropies
    from harmgraph.models.language.sequences import batch_of

    model.eval()
    order = sorted(range(len(read)), key=lambda place: -len(read[place].ids))
    done = 0
    while done < len(order):
        progress("judging", done, len(order))
        few = order[done : done + max(1, TOKENS_AT_ONCE // len(read[order[done]].ids))]
        ids, labels = batch_of([read[place] for place in few], model.device)
        with torch.inference_mode():
            each, _ = cross_entropies(model, ids, labels)
        yield few, each
        done += len(few)


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

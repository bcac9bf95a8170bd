"""Generation in batches with the key-value cache: greedy, by beams, or drawn.

Equal prompts are read once, and prompts of one length together, so that nothing is padded: what a prompt gives does not depend
on those beside it, but for the rounding of sums. Rows that ended leave the batch. Draws use numbers of their own for each
prompt and sample, whatever the batch; or prompts of one place use the same numbers. Imports torch at the top.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from harmgraph.common.digests import text_number
from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.models.language.decoding import Continuation, Decoding

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    Numbers = np.ndarray[Any, Any]

ROWS = 512
"""Most rows of a batch: prompts, times beams or samples."""
BLOCK = 256
"""Tokens whose probabilities are added up before one of them is drawn."""
ALMOST = 1 - 2**-53
"""The largest double below 1."""
Ids = tuple[int, ...]


class KeptBatches(Protocol):
    """What an interrupted generation has drawn already, by the number of the batch."""

    def read(self, batch: int) -> list[Continuation] | None: ...
    def add(self, batch: int, said: Sequence[Continuation]) -> None: ...


def generated(
    model: PreTrainedModel,
    prompts: Sequence[Sequence[int]],
    decoding: Decoding,
    end: int,
    *,
    rows: int = ROWS,
    places: Sequence[str] | None = None,
    kept: KeptBatches | None = None,
) -> list[list[Continuation]]:
    """What a model says after each prompt, in their order.

    With beams, the continuations of a prompt are those with the highest probability that the search found, the best first.
    With samples, a prompt that stands twice gets other samples the second time.

    Args:
        prompts: token ids, at least one each.
        end: the token that ends a continuation.
        rows: most rows of a batch.
        places: of samples, one for each prompt. Those of one place are drawn with the same numbers, sample by sample.
        kept: of samples, batches of the same prompts, decoding and rows that are not drawn again, and where new ones go.

    Raises:
        InputError: a prompt is empty, or leaves no room for a continuation.
    """
    _check(model, prompts, decoding)
    model.eval()
    width = max(decoding.beams, 1)
    with torch.inference_mode():
        if decoding.samples:
            return _all_sampled(model, [tuple(prompt) for prompt in prompts], decoding, end, rows, places, kept)
        said: dict[Ids, list[Continuation]] = {}
        wanted = list(dict.fromkeys(map(tuple, prompts)))
        for done, few in _batches(wanted, len, max(1, rows // width)):
            progress("generating", done, len(wanted))
            said |= zip(few, _searched(model, few, decoding, end), strict=True)
    return [said[prompt] for prompt in map(tuple, prompts)]


def _all_sampled(
    model: PreTrainedModel,
    prompts: Sequence[Ids],
    decoding: Decoding,
    end: int,
    rows: int,
    places: Sequence[str] | None,
    kept: KeptBatches | None,
) -> list[list[Continuation]]:
    """Samples after each prompt. Prompts that are equal, and of one place where there are places, are drawn together."""
    keys: list[tuple[Ids, str]] = list(zip(prompts, places or [""] * len(prompts), strict=True))
    # Without places an equal prompt goes on with further numbers; with them it has the numbers of its place again.
    wanted = Counter(keys) if places is None else Counter(set(keys))
    numbers = {
        key: numbers_of(
            key[0] if places is None else key[1], wanted[key] * decoding.samples, decoding.length, decoding.seed
        )
        for key in dict.fromkeys(keys)
    }
    tasks = [(key, number) for key, drawn in numbers.items() for number in range(len(drawn))]
    said: defaultdict[tuple[Ids, str], list[Continuation]] = defaultdict(list)
    for place, (done, batch) in enumerate(_batches(tasks, lambda task: len(task[0][0]), rows)):
        progress("generating", done, len(tasks))
        made = kept.read(place) if kept else None
        if made is None:
            draws = np.stack([numbers[key][number] for key, number in batch])
            made = _sampled(model, [prompt for (prompt, _), _ in batch], draws, decoding, end)
            if kept:
                kept.add(place, made)
        for (key, _), continuation in zip(batch, made, strict=True):
            said[key].append(continuation)
    given: list[list[Continuation]] = []
    taken: Counter[tuple[Ids, str]] = Counter()
    for key in keys:
        first = taken[key] * decoding.samples
        given.append(said[key][first : first + decoding.samples])
        taken[key] += places is None
    return given


def _check(model: PreTrainedModel, prompts: Sequence[Sequence[int]], decoding: Decoding) -> None:
    longest = max(map(len, prompts), default=1)
    if not min(map(len, prompts), default=1):
        raise InputError("a prompt is empty", remedy="give each prompt a word")
    most = getattr(model.config, "max_position_embeddings", None)
    if most and longest + decoding.length > most + 1:
        raise InputError(
            f"a prompt of {longest:,} tokens and {decoding.length:,} more are over the {most:,} tokens of the model",
            remedy="choose a smaller --length, or shorter prompts",
        )


def _batches(tasks: Sequence[Any], length: Any, size: int) -> Iterator[tuple[int, list[Any]]]:
    """Batches of tasks whose prompts have one length, each with how many tasks stood before it."""
    by_length: defaultdict[int, list[Any]] = defaultdict(list)
    for task in tasks:
        by_length[length(task)].append(task)
    done = 0
    for _, same in sorted(by_length.items()):
        for first in range(0, len(same), size):
            yield done, same[first : first + size]
            done += len(same[first : first + size])


def numbers_of(of: Ids | str, samples: int, length: int, seed: int) -> Numbers:
    """The numbers between 0 and 1 with which the tokens of a prompt, or of a place, are drawn, [samples, length]."""
    generator = np.random.default_rng([seed, text_number(repr(of))])
    return generator.random((samples, length))


class CachedReading:
    """A batch of rows that a model reads token by token, with its cache."""

    def __init__(self, model: PreTrainedModel, prompts: Sequence[Ids]) -> None:
        self._model = model
        self._cache: Any = None
        self.log_probabilities = self._read(torch.tensor(prompts, device=model.device))

    def go_on(self, rows: torch.Tensor, tokens: torch.Tensor) -> None:
        """Reads a token more in each of some rows, which are then the rows.

        Args:
            rows: of those before, in any order and number. tokens: of each of them.
        """
        before = len(self.log_probabilities)
        if len(rows) != before or (rows != torch.arange(before, device=rows.device)).any():
            self._cache.batch_select_indices(rows)  # copies all of it
        self.log_probabilities = self._read(tokens[:, None])

    def _read(self, ids: torch.Tensor) -> torch.Tensor:
        """The log-probabilities of the next token, [rows, vocabulary]."""
        outputs = self._model(input_ids=ids, past_key_values=self._cache, use_cache=True, logits_to_keep=1)
        self._cache = outputs.past_key_values
        return torch.log_softmax(outputs.logits[:, -1].float(), dim=-1)


def _searched(model: PreTrainedModel, prompts: Sequence[Ids], decoding: Decoding, end: int) -> list[list[Continuation]]:
    """The best continuations of prompts of one length, by a beam search.

    A continuation that has ended stays among the beams of its prompt with its probability until better ones displace it; the
    search is over when all beams have ended or reached the length.
    """
    reading = CachedReading(model, prompts)
    count = len(prompts)
    beams = min(decoding.beams, reading.log_probabilities.shape[-1])
    # Each has one beam, the empty one, at first. Row of a beam in the batch; -1 of one that has ended.
    row = torch.arange(count)[:, None]
    score = torch.zeros(count, 1)
    ids = torch.zeros(count, 1, 0, dtype=torch.long)
    for step in range(decoding.length):
        if step < decoding.least:
            reading.log_probabilities[:, end] = -torch.inf
        best, tokens = (each.cpu() for each in reading.log_probabilities.topk(beams, dim=-1))
        live = row >= 0
        # [prompts, beams so far, next tokens]; a beam that has ended goes on in one way, which costs nothing.
        following = torch.full((*row.shape, beams), -torch.inf)
        following[..., 0] = score
        token = torch.full((*row.shape, beams), end)
        following[live] = score[live][:, None] + best[row[live]]
        token[live] = tokens[row[live]]
        score, chosen = following.flatten(1).topk(min(beams, following[0].numel()), dim=-1)
        parent = chosen // beams
        next_token = token.flatten(1).gather(1, chosen)
        ids = torch.cat([ids.gather(1, parent[..., None].expand(-1, -1, ids.shape[-1])), next_token[..., None]], dim=-1)
        before = row.gather(1, parent)
        going = (before >= 0) & (next_token != end) & torch.isfinite(score)
        row = torch.full_like(before, -1)
        row[going] = torch.arange(int(going.sum()))
        if not going.any() or ids.shape[-1] == decoding.length:
            break
        device = reading.log_probabilities.device
        reading.go_on(before[going].to(device), next_token[going].to(device))
    return [
        [
            _continuation(tokens, value, end)
            for tokens, value in zip(ids[place].tolist(), score[place].tolist(), strict=True)
            if value > -float("inf")
        ]
        for place in range(count)
    ]


def _continuation(tokens: Sequence[int], log_probability: float, end: int) -> Continuation:
    ended = end in tokens
    return Continuation(tuple(tokens[: tokens.index(end)] if ended else tokens), log_probability, ended)


def _sampled(
    model: PreTrainedModel, batch: Sequence[Ids], draws: Numbers, decoding: Decoding, end: int
) -> list[Continuation]:
    """A continuation drawn for each row; prompts of one length.

    Args:
        draws: numbers from 0 to 1, [rows, tokens].
    """
    distinct = {prompt: place for place, prompt in enumerate(dict.fromkeys(batch))}
    reading = CachedReading(model, list(distinct))
    device = reading.log_probabilities.device
    # The row of the last reading that each row follows: at first those of equal prompts follow the same one.
    source = torch.tensor([distinct[prompt] for prompt in batch])
    numbers = torch.from_numpy(draws)
    live = torch.arange(len(batch))
    ids = torch.full((len(batch), decoding.length), end)
    score = torch.zeros(len(batch))
    for step in range(decoding.length):
        if step < decoding.least:
            reading.log_probabilities[:, end] = -torch.inf
        logs = reading.log_probabilities.cpu()
        logs = logs if step else logs[source]
        tokens = drawn_tokens(logs, numbers[live, step], decoding.temperature, decoding.top_k)
        score[live] += logs.gather(1, tokens[:, None])[:, 0]
        ids[live, step] = tokens
        going = tokens != end
        if not going.any() or step + 1 == decoding.length:
            break
        live = live[going]
        reading.go_on(source[going].to(device), tokens[going].to(device))
        source = torch.arange(len(live))
    return [_continuation(tokens, value, end) for tokens, value in zip(ids.tolist(), score.tolist(), strict=True)]


def drawn_tokens(logs: torch.Tensor, numbers: torch.Tensor, temperature: float = 1.0, top_k: int = 0) -> torch.Tensor:
    """The token of each row at which the cumulated probabilities pass its number, [rows].

    Args:
        logs: log-probabilities of the tokens, [rows, vocabulary]. numbers: from 0 to below 1, in double precision, [rows].
        temperature, top_k: see ``Decoding``.
    """
    places = None
    if top_k and top_k < logs.shape[-1]:
        logs, places = logs.topk(top_k, dim=-1)
    weights = (logs - logs.amax(-1, keepdim=True)).div_(temperature).exp_()
    # First the block of tokens, then the token in it: sums of the whole vocabulary in double precision take as long as a layer.
    blocks = torch.nn.functional.pad(weights, (0, -weights.shape[-1] % BLOCK)).unflatten(-1, (-1, BLOCK))
    sums = blocks.sum(-1).double()
    block, share = _passed(sums, numbers)
    inner, _ = _passed(blocks[torch.arange(len(blocks)), block].double(), share)
    token = block * BLOCK + inner
    return token if places is None else places.gather(1, token[:, None])[:, 0]


def _passed(weights: torch.Tensor, shares: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The place in each row at which the cumulated weights pass a share of their sum, and which share of that place's weight."""
    cumulated = weights.cumsum(-1)
    goal = shares * cumulated[:, -1]
    # Rounding may leave the last sum at the goal.
    place = torch.searchsorted(cumulated, goal[:, None], right=True).clamp(max=weights.shape[-1] - 1)
    weight = weights.gather(1, place)[:, 0]
    share = 1 - (cumulated.gather(1, place)[:, 0] - goal) / weight
    return place[:, 0], share.clamp(0, ALMOST)

"""Frames from a frame model: greedy, the best of ten samples, or constrained (Sap et al. 2020, section 4).

At each place only the tokens that can stand there compete: the two of a variable, or those of a text and its end. So every frame
can be read; the variables may still contradict each other, unless they are constrained. In free decoding all tokens compete, and
one that cannot stand there ends the frame. Posts of one length are decoded together, with the key-value cache. Imports torch at
the top.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from harmgraph.common.frames import VARIABLES
from harmgraph.common.progress import progress
from harmgraph.models.language.frames.frame import IN_GROUP, OFFENSIVE, TARGETED, Frame, constrained
from harmgraph.models.language.frames.generative.linearised import GROUP_TOKENS, ORDER, STATEMENT_TOKENS, Marks
from harmgraph.models.language.frames.generative.search import CONSTRAINED, FREE, PER_TOKEN, Search
from harmgraph.models.language.generation import CachedReading, drawn_tokens, numbers_of

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Numbers = np.ndarray[Any, Any]
    Ids = tuple[int, ...]

ROWS = 128
"""Most rows of a batch: posts, times samples."""
# What stands at a place, by the number of its mask; the first four are the variables before the group, in the model's order.
SEPARATOR, FIRST, FURTHER, MEMBER = range(len(ORDER), len(ORDER) + 4)
LAST = len(ORDER) - 1
MOST_STEPS = len(ORDER) + 2 + GROUP_TOKENS + 1 + STATEMENT_TOKENS + 1


@dataclass(slots=True)
class _Row:
    """A frame under way.

    Attributes:
        order: of the variables before the group.
        mask: what may stand at the next place. part: the text that is written, 0 the group and 1 the statement.
        yes: probability of yes, by variable. whole: see ``Frame``.
    """

    order: Sequence[int] = ORDER
    values: dict[int, float] = field(default_factory=dict)
    yes: dict[int, float] = field(default_factory=dict)
    texts: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    log_probability: float = 0.0
    tokens: int = 0
    mask: int = 0
    part: int = 0
    done: bool = False
    whole: bool = True

    def variable(self) -> int | None:
        """The variable of the next place; None if it has none."""
        return self.order[self.mask] if self.mask < len(ORDER) else IN_GROUP if self.mask == MEMBER else None

    def take(self, token: int, log_probability: float, yes: float, marks: Marks) -> None:
        """Goes on by a token."""
        self.log_probability += log_probability
        self.tokens += 1
        variable = self.variable()
        if variable is not None:
            self.values[variable], self.yes[variable] = float(token == marks.values[variable][1]), yes
        if self.mask < LAST:
            self.mask += 1
        elif self.mask == LAST:
            self.mask, self.done = SEPARATOR, not self.values[TARGETED]
        elif self.mask == MEMBER:
            self.done = True
        elif token != marks.separator:
            text = self.texts[self.part]
            text.append(token)
            self.mask = SEPARATOR if len(text) == (GROUP_TOKENS, STATEMENT_TOKENS)[self.part] else FURTHER
        elif not self.texts[0]:
            self.mask = FIRST
        elif not self.part:
            self.part, self.mask = 1, FIRST
        else:
            self.mask = MEMBER

    def score(self, way: str) -> float:
        """What the best sample has most of: log-probability, or its mean over the tokens."""
        return self.log_probability / self.tokens if way == PER_TOKEN else self.log_probability

    def end(self) -> None:
        """Ends at a token that cannot stand here."""
        self.done, self.whole = True, False


def frames(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    marks: Marks,
    prompts: Sequence[Sequence[int]],
    search: Search,
    order: Sequence[int] = ORDER,
) -> list[Frame]:
    """The frame of each prompt, see ``linearised.prompts``, in their order. Equal prompts are decoded once.

    Args:
        order: of the variables before the group, in which the model was trained.
    """
    model.eval()
    masks = _masks(model, marks, order)
    by_length: defaultdict[int, list[Ids]] = defaultdict(list)
    for prompt in dict.fromkeys(map(tuple, prompts)):
        by_length[len(prompt)].append(prompt)
    times = search.samples if search.draws else 1
    best: dict[Ids, _Row] = {}
    total = sum(map(len, by_length.values()))
    with torch.inference_mode():
        for _, same in sorted(by_length.items()):
            size = max(1, ROWS // times)
            for first in range(0, len(same), size):
                progress("predicting frames", len(best), total)
                few = same[first : first + size]
                rows = _decoded(model, marks, masks, few, times, search, order)
                for place, prompt in enumerate(few):
                    # The first of equals.
                    best[prompt] = max(rows[place * times : (place + 1) * times], key=lambda row: row.score(search.way))
    made = {prompt: _frame(row, tokenizer) for prompt, row in best.items()}
    if search.way == CONSTRAINED:
        made = {prompt: constrained(frame) for prompt, frame in made.items()}
    return [made[tuple(prompt)] for prompt in prompts]


def _masks(model: PreTrainedModel, marks: Marks, order: Sequence[int]) -> torch.Tensor:
    """What is added to the logits at each kind of place, [places, vocabulary]: 0, or minus infinity."""
    vocabulary = int(model.config.vocab_size)
    made = torch.full((MEMBER + 1, vocabulary), -torch.inf)
    for place, variable in enumerate((*order, None, None, None, IN_GROUP)):
        if variable is not None:
            made[place, list(marks.values[variable])] = 0
    made[SEPARATOR, marks.separator] = 0
    text = torch.zeros(vocabulary)
    text[list(marks.every)] = -torch.inf
    made[FIRST] = made[FURTHER] = text
    made[FURTHER, marks.separator] = 0
    return made


def _decoded(
    model: PreTrainedModel,
    marks: Marks,
    masks: torch.Tensor,
    few: Sequence[Ids],
    times: int,
    search: Search,
    order: Sequence[int],
) -> list[_Row]:
    """Frames of prompts of one length, ``times`` of each, those of a prompt beside each other."""
    rows = [_Row(order) for _ in range(len(few) * times)]
    draws = None
    if search.draws:
        draws = torch.from_numpy(np.concatenate([numbers_of(ids, times, MOST_STEPS, search.seed) for ids in few]))
    reading = CachedReading(model, few)
    device = reading.log_probabilities.device
    live = list(range(len(rows)))
    source = torch.tensor([row // times for row in live])  # rows of the first reading
    for step in range(MOST_STEPS):
        logs = reading.log_probabilities.float().cpu()[source]
        allowed = masks[[rows[row].mask for row in live]]
        logs = torch.log_softmax(logs if search.way == FREE else logs + allowed, dim=-1)
        tokens = logs.argmax(dim=-1) if draws is None else drawn_tokens(logs, draws[live, step])
        chosen = logs.gather(1, tokens[:, None])[:, 0].tolist()
        can_stand = allowed.gather(1, tokens[:, None])[:, 0].isfinite().tolist()
        for place, (row, token) in enumerate(zip(live, tokens.tolist(), strict=True)):
            if not can_stand[place]:
                rows[row].end()
                continue
            variable = rows[row].variable()
            yes = 0.0 if variable is None else float(logs[place, marks.values[variable][1]].exp())
            rows[row].take(token, chosen[place], yes, marks)
        going = [place for place, row in enumerate(live) if not rows[row].done]
        live = [live[place] for place in going]
        if not live:
            break
        reading.go_on(source[going].to(device), tokens[going].to(device))
        source = torch.arange(len(live))
    return rows


def _frame(row: _Row, tokenizer: PreTrainedTokenizerBase) -> Frame:
    group, implied = (_text(tokenizer, ids) for ids in row.texts)
    places = range(len(VARIABLES))
    values = [row.values.get(place) for place in places]
    if not row.values.get(OFFENSIVE) and not row.values.get(TARGETED):
        values[TARGETED] = None  # nobody was asked
    yes = tuple(row.yes.get(place) for place in places)
    return Frame(tuple(values), yes, group, implied, row.log_probability, row.whole)


def _text(tokenizer: PreTrainedTokenizerBase, ids: Sequence[int]) -> str:
    return " ".join(str(tokenizer.decode(list(ids), clean_up_tokenization_spaces=False)).split())

"""Posts and their frames as one sequence of tokens (Sap et al. 2020, equation 1).

``[STR] post [SEP] lewd offensive intent group [SEP] the group [SEP] the implied statement [SEP] in-group [END]``. Each variable
has two tokens of its own, for no and for yes. The four before the group may stand in another order (footnote 7). A variable that
an annotator was not asked has the token for no, without loss; from the first of which all below are absent too, nothing stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.frames import VARIABLES
from harmgraph.models.language.frames.frame import IN_GROUP, INTENT, LEWD, OFFENSIVE, TARGETED
from harmgraph.models.language.sequences import IGNORED, end_of, prompt_ids

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from harmgraph.models.language.frames.posts import Post

    Numbers = np.ndarray[Any, Any]

ORDER = (LEWD, OFFENSIVE, INTENT, TARGETED)
"""The variables that stand before the group, in their usual order; the one about its members stands last."""
SEPARATOR = "<|frame sep|>"
MARKS = tuple((f"<|{variable.name} no|>", f"<|{variable.name} yes|>") for variable in VARIABLES)
GROUP_TOKENS, STATEMENT_TOKENS = 16, 32
"""Most tokens of a group and of an implied statement; the rest is cut off, in training and in decoding."""
ROOM = len(ORDER) + GROUP_TOKENS + STATEMENT_TOKENS + 6
"""Tokens that a frame and its marks need beside the post."""
AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Marks:
    """The ids of the tokens of a frame.

    Attributes:
        values: of each variable in the order of ``VARIABLES``, no and yes. end: begins and ends a sequence.
    """

    values: tuple[tuple[int, int], ...]
    separator: int
    end: int

    @property
    def every(self) -> frozenset[int]:
        """All of them."""
        return frozenset({self.separator, self.end, *(token for pair in self.values for token in pair)})


@dataclass(frozen=True, slots=True)
class Linear:
    """A post with one annotation as tokens.

    Attributes:
        ids: [tokens] 32-bit integers. learnt: [tokens] whether the loss counts its prediction.
    """

    ids: Numbers
    learnt: Numbers

    @property
    def labels(self) -> Numbers:
        """See ``Labelled``."""
        return np.where(self.learnt[1:], self.ids[1:], IGNORED)


def marked(tokenizer: PreTrainedTokenizerBase) -> Marks:
    """Adds the tokens of a frame to a tokenizer, unless it has them."""
    names = [SEPARATOR, *(name for pair in MARKS for name in pair)]
    tokenizer.add_tokens(names, special_tokens=True)
    every: Any = tokenizer.convert_tokens_to_ids(names)
    ids = dict(zip(names, every, strict=True))
    return Marks(tuple((ids[no], ids[yes]) for no, yes in MARKS), ids[SEPARATOR], end_of(tokenizer))


def order_of(names: Sequence[str]) -> tuple[int, ...]:
    """The places in ``VARIABLES`` of the variables before the group, from their names."""
    every = [variable.name for variable in VARIABLES]
    return tuple(every.index(name) for name in names)


def prompts(tokenizer: PreTrainedTokenizerBase, marks: Marks, texts: Sequence[str], context: int) -> list[list[int]]:
    """What a frame follows: the post between its start and a separator. What does not fit is cut off at its end."""
    most, every = max(1, context - ROOM), marks.every
    made = []
    for first in range(0, len(texts), AT_ONCE):
        for ids in prompt_ids(tokenizer, texts[first : first + AT_ONCE]):
            # A text that spells a mark out may not be read as one.
            made.append([marks.end, *[token for token in ids if token not in every][:most], marks.separator])
    return made


def linearised(
    tokenizer: PreTrainedTokenizerBase,
    marks: Marks,
    posts: Sequence[Post],
    context: int,
    *,
    with_post: bool = True,
    order: Sequence[int] = ORDER,
) -> list[Linear]:
    """A sequence for each annotation of each post.

    Args:
        with_post: whether the loss counts the tokens of the post, as in the paper; not where a model is judged.
        order: of the variables before the group.
    """
    heads = prompts(tokenizer, marks, [post.text for post in posts], context)
    groups = _texts(tokenizer, marks, [each.group for post in posts for each in post.annotations], GROUP_TOKENS)
    implied = _texts(tokenizer, marks, [each.implied for post in posts for each in post.annotations], STATEMENT_TOKENS)
    made: list[Linear] = []
    for post, head in zip(posts, heads, strict=True):
        for annotation in post.annotations:
            group, statement = groups[len(made)], implied[len(made)]
            # Pairs of a token and whether it is learnt.
            frame = [_value(marks, place, annotation.values[place]) for place in order]
            frame += [(marks.separator, bool(group)), *((token, True) for token in group)]
            frame += [(marks.separator, bool(group)), *((token, True) for token in statement)]
            in_group = annotation.values[IN_GROUP]
            frame += [(marks.separator, bool(statement)), _value(marks, IN_GROUP, in_group)]
            frame += [(marks.end, in_group is not None)]
            while not frame[-1][1] and len(frame) > 1:
                frame.pop()
            learnt = [False] + [with_post] * (len(head) - 1) + [flag for _, flag in frame]
            ids = [*head, *(token for token, _ in frame)]
            made.append(Linear(np.array(ids, np.int32), np.array(learnt, bool)))
    return [each for each in made if each.learnt.any()]


def _value(marks: Marks, place: int, value: float | None) -> tuple[int, bool]:
    return marks.values[place][value == 1.0], value is not None


def _texts(tokenizer: PreTrainedTokenizerBase, marks: Marks, texts: Sequence[str], most: int) -> list[list[int]]:
    every, ids = marks.every, list[list[int]]()
    for first in range(0, len(texts), AT_ONCE):
        few = [f" {text}" if text else "" for text in texts[first : first + AT_ONCE]]
        ids += [[token for token in each if token not in every][:most] for each in prompt_ids(tokenizer, few)]
    return ids

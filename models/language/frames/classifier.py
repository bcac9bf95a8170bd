"""The cheap model: an encoder with one layer for the five variables of a frame, trained together. Imports torch at the top."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch

from harmgraph.common.frames import VARIABLES
from harmgraph.common.progress import progress
from harmgraph.common.whole_file import folder_beside
from harmgraph.models.checkpoint import load_weights, read_tensors, write_tensors
from harmgraph.models.language.frames.frame import IN_GROUP, INTENT, OFFENSIVE, TARGETED, Frame
from harmgraph.models.language.frames.recipe import F1
from harmgraph.models.language.frames.scores import mean_f1
from harmgraph.models.language.frames.verdict import verdict
from harmgraph.models.text.finetuning import OptimiserStep, by_length
from harmgraph.models.text.inference import in_lanes, padded, without_messages
from harmgraph.models.text.pretrained import most_tokens, opened_encoder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.language.frames.posts import Post, Values
    from harmgraph.models.language.frames.recipe import FrameRecipe
    from harmgraph.models.text.finetuning import HeldOutVerdict

    Numbers = np.ndarray[Any, Any]

HEAD = "variables.safetensors"
THRESHOLDS = tuple(step / 20 for step in range(1, 20))


class FrameClassifier(torch.nn.Module):
    """The mean of an encoder's last states, and a layer with a logit for each variable.

    Attributes:
        frozen: whether the layer alone is trained.
    """

    def __init__(self, encoder: PreTrainedModel, frozen: bool) -> None:
        super().__init__()
        self.encoder = encoder
        self.layer = torch.nn.Linear(int(encoder.config.hidden_size), len(VARIABLES))
        self.frozen = frozen
        if frozen:
            encoder.requires_grad_(False)

    def forward(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        """Logits of texts as ``padded`` gives them, [texts, variables]."""
        logits: torch.Tensor = self.layer(self.pooled(inputs))
        return logits

    def pooled(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        """The mean of the last states of each text, [texts, dimension]."""
        states: torch.Tensor = self.encoder(**inputs).last_hidden_state
        mask = inputs.get("attention_mask")
        if mask is None:
            return states.mean(dim=1)
        weights = mask[..., None].to(states.dtype)
        return (states * weights).sum(dim=1) / weights.sum(dim=1)


class ClassifierTask:
    """Training of a classifier; see ``models.text.finetuning.Task``.

    The loss is the cross-entropy of each variable that somebody was asked, with the mean of the answers as what is wanted. The
    measure is that of ``verdict`` on the valid posts.

    Args:
        network: the whole classifier; what is trained, and kept in checkpoints, is its layer alone if it is frozen.
    """

    def __init__(
        self,
        network: FrameClassifier,
        tokenizer: PreTrainedTokenizerBase,
        train: Sequence[Post],
        valid: Sequence[Post],
        recipe: FrameRecipe,
    ) -> None:
        self.network = network
        self.model: torch.nn.Module = network.layer if network.frozen else network
        self._recipe = recipe
        self._ids = token_ids(tokenizer, network.encoder, [post.text for post in train], recipe.context)
        self._held = token_ids(tokenizer, network.encoder, [post.text for post in valid], recipe.context)
        self._wanted, self._held_wanted = _wanted(train), _wanted(valid)
        self._valid = valid
        self._fixed: tuple[torch.Tensor, torch.Tensor] | None = None
        self._precision = "fp32"

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``. An encoder that is not trained reads the posts once."""
        self._precision = precision
        if self.network.frozen and self._fixed is None:
            progress("reading the posts", 0)
            self._fixed = pooled(self.network, self._ids), pooled(self.network, self._held)
        return math.ceil(len(self._ids) / self._recipe.batch)

    def steps(self, number: int) -> Iterator[OptimiserStep[Numbers]]:
        """See ``Task.steps``."""
        steps = math.ceil(len(self._ids) / self._recipe.batch)
        generator = np.random.default_rng([self._recipe.seed, number])
        order = generator.permutation(len(self._ids))
        lengths = np.array([len(self._ids[place]) for place in order])
        for done, places in enumerate(by_length(order, lengths, self._recipe.batch, generator)):
            yield OptimiserStep([places], len(places), self._recipe.rate(number * steps + done, steps), len(places))

    def loss(self, piece: Numbers) -> torch.Tensor:
        """The sum of the cross-entropies."""
        device = self.network.layer.weight.device
        if self._fixed is not None:
            logits = self._layer(self._fixed[0][torch.from_numpy(piece)])
        else:
            inputs = padded([self._ids[place] for place in piece], device, _fill(self.network.encoder))
            with torch.autocast(device.type, torch.bfloat16, enabled=self._precision == "bf16"):
                logits = self.network(inputs)
        return _cross_entropy(logits.float(), self._wanted[torch.from_numpy(piece)].to(device))

    def _layer(self, states: torch.Tensor) -> torch.Tensor:
        """Logits of states of the frozen encoder, which stay in the machine's memory, on the layer's device."""
        return cast(torch.Tensor, self.network.layer(states.to(self.network.layer.weight.device)))

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        progress("judging", 0)
        self.model.eval()
        with torch.inference_mode():
            fixed = self._fixed
            logits = self._layer(fixed[1]).cpu() if fixed is not None else _logits(self.network, self._held)
            mean = float(_cross_entropy(logits, self._held_wanted)) / len(self._held)
        return verdict(mean, self._f1(logits) if self._recipe.choose_by == F1 else None)

    def _f1(self, logits: torch.Tensor) -> float:
        """The mean F1 of the valid posts with the thresholds that are best on them."""
        yes = torch.sigmoid(logits).numpy()
        return mean_f1(self._valid, frames(yes, best_thresholds(yes, self._valid)))


def opened(encoder: str, frozen: bool) -> tuple[FrameClassifier, PreTrainedTokenizerBase]:
    """A new classifier on an encoder, its layer drawn with torch's seed.

    Raises:
        InputError: the encoder cannot be loaded.
        UnreadableFile: it needs its own code.
    """
    model, tokenizer = opened_encoder(encoder)
    return FrameClassifier(model, frozen), tokenizer


def save(place: Path, model: FrameClassifier, tokenizer: PreTrainedTokenizerBase, card: str) -> None:
    """Writes the encoder as a folder that transformers loads, with the layer beside it; it appears whole or not at all."""
    with folder_beside(place) as part:
        with without_messages():
            model.encoder.save_pretrained(part)
            tokenizer.save_pretrained(part)
        write_tensors(part / HEAD, model.layer.state_dict())
        (part / "README.md").write_text(card, encoding="utf-8")


def loaded(place: Path) -> tuple[FrameClassifier, PreTrainedTokenizerBase]:
    """What ``save`` wrote.

    Raises:
        InputError, UnreadableFile: it is damaged.
    """
    model, tokenizer = opened(str(place), frozen=True)
    load_weights(model.layer, read_tensors(place / HEAD)[0])
    return model, tokenizer


def thresholds(
    model: FrameClassifier, tokenizer: PreTrainedTokenizerBase, posts: Sequence[Post], context: int
) -> list[float]:
    """Of each variable the probability from which it counts as yes on these posts, see ``best_thresholds``."""
    return best_thresholds(probabilities(model, tokenizer, [post.text for post in posts], context), posts)


def best_thresholds(yes: Numbers, posts: Sequence[Post]) -> list[float]:
    """Of each variable the probability from which it counts as yes: that with the best F1, the first of equals.

    It is one half where no post is positive.

    Args:
        yes: probabilities of these posts, [posts, variables].
    """
    wanted = _wanted(posts).numpy()
    chosen = []
    for place in range(len(VARIABLES)):
        asked = ~np.isnan(wanted[:, place])
        positive, likely = wanted[asked, place] >= 0.5, yes[asked, place]
        scores = []
        for threshold in THRESHOLDS:
            said = likely >= threshold
            scores.append(2 * (said & positive).sum() / max(1, said.sum() + positive.sum()))
        chosen.append(THRESHOLDS[int(np.argmax(scores))] if positive.any() else 0.5)
    return chosen


def probabilities(
    model: FrameClassifier,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    context: int,
) -> Numbers:
    """The probability of yes, [texts, variables]."""
    ids = token_ids(tokenizer, model.encoder, texts, context)
    return torch.sigmoid(_logits(model, ids)).numpy()


def frames(yes: Numbers, limits: Sequence[float]) -> list[Frame]:
    """Probabilities as frames: what lies below a variable that is no, is absent.

    Args:
        limits: see ``thresholds``.
    """
    made = []
    for row in yes.tolist():
        values: list[float | None] = [float(value >= limit) for value, limit in zip(row, limits, strict=True)]
        if not values[OFFENSIVE]:
            values[INTENT], values[TARGETED] = 0.0, None
        if not values[TARGETED]:
            values[IN_GROUP] = None
        made.append(Frame(tuple(values), tuple(row)))
    return made


def token_ids(
    tokenizer: PreTrainedTokenizerBase, encoder: PreTrainedModel, texts: Sequence[str], context: int
) -> list[list[int]]:
    """Token ids of texts, cut off after ``context``."""
    if not texts:
        return []
    longest = most_tokens(tokenizer, encoder, context)
    ids: list[list[int]] = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]
    return ids


def pooled(
    model: FrameClassifier, ids: Sequence[Sequence[int]], *, tell: Callable[[int], None] = lambda done: None
) -> torch.Tensor:
    """The means of the last states of texts, [texts, dimension], on the CPU.

    Args:
        tell: is called with the number of texts done.
    """
    made = torch.zeros(len(ids), model.layer.in_features)

    def read(places: Sequence[int]) -> None:
        inputs = padded([ids[place] for place in places], model.layer.weight.device, _fill(model.encoder))
        made[list(places)] = model.pooled(inputs).float().cpu()

    model.eval()
    in_lanes(ids, read, tell=tell)
    return made


def _logits(model: FrameClassifier, ids: Sequence[Sequence[int]]) -> torch.Tensor:
    with torch.inference_mode():
        layer: torch.Tensor = model.layer(pooled(model, ids).to(model.layer.weight.device)).cpu()
    return layer


def _fill(encoder: PreTrainedModel) -> int:
    return int(encoder.config.pad_token_id or 0)


def _wanted(posts: Sequence[Post]) -> torch.Tensor:
    """The means of the answers, [posts, variables]; nan where nobody was asked."""
    rows: list[Values] = [post.means for post in posts]
    return torch.tensor([[float("nan") if value is None else value for value in row] for row in rows])


def _cross_entropy(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    asked = ~torch.isnan(wanted)
    return torch.nn.functional.binary_cross_entropy_with_logits(logits[asked], wanted[asked], reduction="sum")

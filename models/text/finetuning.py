"""The loop that trains every model on top of an encoder: steps, a judgement after each epoch, checkpoints, an early stop.

A ``Task`` says what the steps of an epoch are, what the loss of a piece of a step is, and how good the model is. The loop owns
the optimiser, the number of threads, the seeds of dropout, the checkpoint, and the decision to stop. Ctrl-C keeps the state
between two steps. A training that was interrupted comes to the same bits as one that was not. Imports torch at the top.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from harmgraph.common.errors import InputError, UnreadableFile, first_line
from harmgraph.common.json_text import from_json
from harmgraph.common.private import make_folder
from harmgraph.common.progress import Tell, clock, progress, say
from harmgraph.common.signals import awaited
from harmgraph.models.checkpoint import distinct_weights, load_weights, read_tensors, write_tensors
from harmgraph.models.record import FINISHED, other_training, same_precision
from harmgraph.models.text.arithmetic import chosen_precision
from harmgraph.models.text.saving import saving
from harmgraph.models.threads import Threads

if TYPE_CHECKING:
    from harmgraph.models.threads import Step as Trial

WEIGHTS, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"
"""In the folder of a training: the weights of the best epoch, and everything of the last step that was kept."""
OF_EPOCH = "epoch-{}.safetensors"
"""There too: the trained weights of each epoch that is the best one for a part (``HeldOutVerdict.parts``), counted from 1."""
FORM = 2
SAVE_EVERY_S = 600.0
"""Seconds between two checkpoints within an epoch."""
LONG_S = 600.0
"""An epoch that takes longer than so many seconds is told, with what makes it shorter."""
MEASURED_S, MEASURED_STEPS = 20.0, 5
"""An epoch's length is estimated after so many seconds, and so many steps."""
POOL = 50  # batches sorted by length together
Numbers = np.ndarray[Any, Any]
Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True)
class OptimiserStep(Generic[Piece]):
    """What the optimiser takes a step for.

    Attributes:
        pieces: their gradients are added; several save memory.
        share: the sum of the losses of the pieces is divided by it.
        rate: learning rate.
        size: amount of work, to compare the time of steps.
    """

    pieces: Sequence[Piece]
    share: float
    rate: float
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class HeldOutVerdict:
    """How good a model is on the examples that it is not trained on.

    Attributes:
        measure: the higher, the better.
        more: JSON values that the task wants to keep with the epoch.
        parts: measures of parts of the examples. Each part has a best epoch of its own, whose weights are kept too.
    """

    measure: float
    more: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)


class Task(Protocol[Piece]):
    """What is trained."""

    @property
    def model(self) -> Module:
        """All weights, of which those are trained that require a gradient."""

    def begin(self, number: int, precision: str) -> int:
        """Prepares an epoch, before its random numbers. Returns how many steps it has."""

    def steps(self, number: int) -> Iterator[OptimiserStep[Piece]]:
        """The steps of an epoch, each time the same."""

    def loss(self, piece: Piece) -> Tensor:
        """The loss of a piece, a single number."""

    def judge(self) -> HeldOutVerdict:
        """Judges the model after an epoch."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The result of an epoch.

    Attributes:
        number: from 0.
        loss: the sum of the losses by the sum of the shares of its steps.
        measure, more, parts: see ``HeldOutVerdict``.
    """

    number: int
    loss: float
    measure: float
    more: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Begun:
    """An epoch that is not over.

    Attributes:
        steps: those done.
        lost: sum of their losses. shares: sum of their shares. rate: the highest learning rate.
        random: the state of torch's random numbers after them, as bytes, and of the GPU's where the model is on one.
    """

    lost: Tensor
    steps: int = 0
    shares: float = 0.0
    rate: float = 0.0
    random: dict[str, Tensor] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Training(Generic[Piece]):
    """A training with its checkpoint in a folder.

    Attributes:
        folder: gets the weights of the best epoch and the checkpoint of the last step that was kept.
        identity: of everything that determines the result; a checkpoint of another training is refused.
        most: epochs. patience: epochs without a better measure after which training stops.
        seed: of dropout.
        threads: CPU threads; 0 for those of the checkpoint, or else see ``tell``. They stay the same until the end, because the
            last bits of sums depend on them.
        tell: if given, steps are timed with one thread and with all, and it is called with the choice; torch's number if not.
        precision: ``bf16``, ``fp32``, or ``auto`` for that of the checkpoint, or else the best of the device. Afterwards the one
            in which the task computed; a checkpoint goes on in its own alone.
        sums: the type in which losses are added.
        epochs: those done.
        quicker: how to train in less time, said where an epoch takes long.
        slower: what the learning rate is multiplied by after these epochs.
        each_epoch: is called with the result of each epoch.
    """

    task: Task[Piece]
    folder: Path
    identity: str
    most: int
    patience: int
    seed: int
    threads: int = 0
    tell: Tell | None = None
    precision: str = "auto"
    sums: torch.dtype = torch.float64
    epochs: list[Epoch] = field(default_factory=list)
    quicker: str = ""
    slower: Callable[[Sequence[Epoch]], float] = lambda epochs: 1.0
    each_epoch: Callable[[Epoch], None] = lambda epoch: None
    _begun: _Begun | None = None
    _saved: float = 0.0
    _told: bool = False

    @property
    def best(self) -> Epoch:
        """The epoch with the best measure, the first of equals."""
        return max(self.epochs, key=lambda epoch: epoch.measure)

    @property
    def choice(self) -> dict[str, int]:
        """The best epoch of each part, the first of equals, counted from 1."""
        best: dict[str, Epoch] = {}
        for epoch in self.epochs:
            for name, measure in epoch.parts.items():
                if name not in best or measure > best[name].parts[name]:
                    best[name] = epoch
        return {name: epoch.number + 1 for name, epoch in best.items()}

    @property
    def stopped(self) -> str:
        """Why the training is over: ``epochs`` or ``patience``; empty if it is not."""
        if self.epochs and self.epochs[-1].number - self.best.number >= self.patience:
            return "patience"
        return "epochs" if len(self.epochs) >= self.most else ""

    @property
    def outcome(self) -> dict[str, Any]:
        """What a model's record says of a training that is over, by the names of its fields."""
        return {
            "state": FINISHED,
            "precision": self.precision,
            "threads": self.threads,
            "stopped": self.stopped,
            "epochs": len(self.epochs),
            "best_epoch": self.best.number + 1,
            "choice": self.choice,
            "trained_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        }

    def run(self) -> int:
        """Trains until the last epoch or until the measure stops improving; the folder then has the weights of the best epoch.

        Returns:
            How many epochs this call trained.

        Raises:
            InputError: the checkpoint belongs to another training or has another precision, or the training diverges.
            UnreadableFile: the checkpoint is damaged, or an earlier version wrote it.
            NoSpace: a file cannot be written.
            KeyboardInterrupt: interrupted; the checkpoint is written first.
        """
        optimiser = optimiser_of(self.task.model)
        self._take_up(optimiser)
        self.precision = chosen_precision(self.precision, next(self.task.model.parameters()).device.type)
        begun = len(self.epochs)
        fixed = self.threads or (0 if self.tell else torch.get_num_threads())
        tell = self.tell or (lambda _: None)
        with Threads(torch.get_num_threads(), torch.set_num_threads, fixed=fixed, tell=tell) as threads:
            while not self.stopped:
                number = len(self.epochs)
                loss = self._epoch(number, optimiser, threads)
                try:
                    verdict = self.task.judge()
                except KeyboardInterrupt:
                    self._keep(optimiser)
                    raise
                with awaited() as pressed:
                    self.epochs.append(Epoch(number, loss, verdict.measure, verdict.more, verdict.parts))
                    self._begun = None
                    self._keep(optimiser)
                self.each_epoch(self.epochs[-1])
                if pressed():
                    raise KeyboardInterrupt
        return len(self.epochs) - begun

    def _epoch(self, number: int, optimiser: torch.optim.Optimizer, threads: Threads) -> float:
        """Trains an epoch. Returns its loss."""
        self.task.model.train()
        steps = self.task.begin(number, self.precision)
        if threads.due():
            threads.look(self._trial(number))
        threads.keep()
        self.threads = threads.number
        begun = self._begun = self._begun or _Begun(torch.zeros((), dtype=self.sums))
        # For the dropout, so that an epoch that is begun again is the same.
        torch.manual_seed(self.seed * 1_000 + number)
        self._set_random(begun.random)
        if begun.steps < steps:
            with awaited() as pressed:
                self._steps(number, steps, begun, optimiser, pressed)
        if not math.isfinite(float(begun.lost)):
            raise InputError(
                f"the loss of epoch {number + 1} is not a number: the training diverged",
                remedy=f"choose a smaller --learning-rate than {begun.rate:g}",
            )
        return float(begun.lost) / begun.shares

    def _steps(
        self,
        number: int,
        steps: int,
        begun: _Begun,
        optimiser: torch.optim.Optimizer,
        pressed: Callable[[], bool],
    ) -> None:
        """Takes the steps of an epoch that are left. Keeps the state now and then, and when Ctrl-C was pressed."""
        first, started = begun.steps, None
        self._saved = time.monotonic()
        slower = self.slower(self.epochs)
        for given in islice(self.task.steps(number), first, None):
            step = replace(given, rate=given.rate * slower)
            progress(
                f"epoch {number + 1} of at most {self.most}, steps of all epochs",
                number * steps + begun.steps,
                self.most * steps,
            )
            begun.lost += self._step(optimiser, step)
            begun.steps += 1
            begun.shares += step.share
            begun.rate = max(begun.rate, step.rate)
            now = time.monotonic()
            if started is None:
                started = now  # before the first step its task has work to do for the whole epoch
            self._tell_length(begun.steps - first - 1, now - started, steps)
            if pressed() or now - self._saved > SAVE_EVERY_S:
                begun.random = self._random()
                self._keep(optimiser)
                self._saved = time.monotonic()
            if pressed():
                raise KeyboardInterrupt
        begun.random = self._random()

    def _tell_length(self, done: int, seconds: float, steps: int) -> None:
        """Says once how long an epoch takes, where that is long."""
        if self._told or done < MEASURED_STEPS or seconds < MEASURED_S:
            return
        self._told = True
        epoch = seconds / done * steps
        if epoch > LONG_S:
            left = self.most - len(self.epochs)
            line = f"an epoch takes some {clock(epoch)} here, the training {clock(left * epoch)} at most"
            say(f"{line}; {self.quicker}" if self.quicker else line)

    def _random(self) -> dict[str, Tensor]:
        device = next(self.task.model.parameters()).device
        gpu = {"gpu": torch.cuda.get_rng_state(device)} if device.type == "cuda" else {}
        return {"cpu": torch.get_rng_state(), **gpu}

    def _set_random(self, state: Mapping[str, Tensor]) -> None:
        if "cpu" in state:
            torch.set_rng_state(state["cpu"].clone())
        if "gpu" in state:
            torch.cuda.set_rng_state(state["gpu"].clone(), next(self.task.model.parameters()).device)

    def _step(self, optimiser: torch.optim.Optimizer, step: OptimiserStep[Piece]) -> Tensor:
        """A step of the optimiser. Returns the sum of the losses."""
        for group in optimiser.param_groups:
            group["lr"] = step.rate
        lost = self._gradient(step)
        torch.nn.utils.clip_grad_norm_(self.task.model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        return lost

    def _gradient(self, step: OptimiserStep[Piece]) -> Tensor:
        lost = torch.zeros((), dtype=self.sums)
        for piece in step.pieces:
            loss = self.task.loss(piece)
            (loss / step.share).backward()
            lost += loss.detach().to(self.sums).cpu()
        return lost

    def _trial(self, number: int) -> Trial:
        """Steps without effects, for timing: losses and gradients, which are discarded."""
        turns = cycle(list(self.task.steps(number)))

        def trial() -> float:
            step = next(turns)
            self._gradient(step)
            self.task.model.zero_grad(set_to_none=True)
            return step.size

        return trial

    def _keep(self, optimiser: torch.optim.Optimizer) -> None:
        """Writes the weights of the best epochs first and the checkpoint last: if killed in between, the epoch is done again."""
        weights = distinct_weights(self.task.model)
        state = {
            "form": FORM,
            "identity": self.identity,
            "threads": self.threads,
            "precision": self.precision,
            "epochs": [asdict(epoch) for epoch in self.epochs],
        }
        tensors = {f"model.{name}": value for name, value in weights.items()}
        if begun := self._begun:
            state["begun"] = {"steps": begun.steps, "shares": begun.shares, "rate": begun.rate}
            tensors |= {"begun.lost": begun.lost, **{f"random.{name}": value for name, value in begun.random.items()}}
        for place, moments in optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{place}.{name}": value for name, value in moments.items()}
        with saving(self.folder):
            make_folder(self.folder)
            if not self._begun and self.best.number == self.epochs[-1].number:
                write_tensors(self.folder / WEIGHTS, weights)
            chosen = {OF_EPOCH.format(number) for number in self.choice.values()}
            if not self._begun and (now := OF_EPOCH.format(len(self.epochs))) in chosen:
                frozen = {name for name, value in self.task.model.named_parameters() if not value.requires_grad}
                write_tensors(self.folder / now, {name: value for name, value in weights.items() if name not in frozen})
            write_tensors(self.folder / CHECKPOINT, tensors, {"state": json.dumps(state)})
            for path in self.folder.glob(OF_EPOCH.format("*")):
                if path.name not in chosen:
                    path.unlink()

    def _take_up(self, optimiser: torch.optim.Optimizer) -> None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return
        tensors, facts = read_tensors(path)
        try:
            state = from_json(facts["state"])
            if state.get("form") != FORM:
                raise _earlier(path)
            if state["identity"] != self.identity:
                raise other_training(self.folder)
            moments: dict[int, dict[str, Any]] = {}
            weights: dict[str, Tensor] = {}
            for key, value in tensors.items():
                kind, _, rest = key.partition(".")
                if kind == "model":
                    weights[rest] = value
                elif kind == "optimiser":
                    place, _, name = rest.partition(".")
                    moments.setdefault(int(place), {})[name] = value
            load_weights(self.task.model, weights)
            optimiser.load_state_dict(optimiser.state_dict() | {"state": moments})
            self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
            self.threads = self.threads or state["threads"]
            self.precision = same_precision(self.precision, state["precision"], self.folder)
            if "begun" in state:
                random = {name: tensors[f"random.{name}"] for name in ("cpu", "gpu") if f"random.{name}" in tensors}
                self._begun = _Begun(tensors["begun.lost"], random=random, **state["begun"])
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise UnreadableFile(
                path, f"is damaged ({first_line(error)})", remedy="start the training over with --again"
            ) from error


def is_of(folder: Path, identity: str) -> bool:
    """Whether a folder has the checkpoint of this training, and it can be read."""
    path = folder / CHECKPOINT
    if not path.is_file():
        return False
    try:
        state = from_json(read_tensors(path)[1]["state"])
        return bool(state["form"] == FORM and state["identity"] == identity)
    except (UnreadableFile, KeyError, TypeError, ValueError):
        return False


def optimiser_of(model: Module) -> torch.optim.Optimizer:
    """AdamW for the weights that are trained, with decay for matrices only; ``OptimiserStep.rate`` sets its learning rate."""
    trained = [value for value in model.parameters() if value.requires_grad]
    groups = [
        {"params": [value for value in trained if value.ndim >= 2], "weight_decay": 0.01},
        {"params": [value for value in trained if value.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, fused=True)


def by_length(places: Numbers, lengths: Numbers, batch: int, generator: np.random.Generator) -> Iterator[Numbers]:
    """Batches of places whose lengths are similar, in random order.

    Args:
        places: in the order of the epoch. lengths: of each of them.
    """
    size = batch * POOL
    pools = [start + np.argsort(lengths[start : start + size], kind="stable") for start in range(0, len(places), size)]
    ordered = places[np.concatenate(pools)]
    starts = range(0, len(ordered), batch)
    for place in generator.permutation(len(starts)):
        yield ordered[starts[place] : starts[place] + batch]


def _earlier(path: Path) -> UnreadableFile:
    return UnreadableFile(
        path, "was written by an earlier version of harmgraph", remedy="start the training over with --again"
    )

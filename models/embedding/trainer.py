"""Trains an embedding on a subgraph: epochs, looks at valid, checkpoints, the best tables at the end."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Generator, Tensor

from harmgraph.graph.common.errors import BadName, InputError
from harmgraph.graph.common.progress import Progress, Tell, quiet, silent
from harmgraph.graph.common.signals import awaited
from harmgraph.models import checkpoint
from harmgraph.models.checkpoint import State
from harmgraph.models.embedding.evaluation import sampled
from harmgraph.models.embedding.optimisers import OPTIMISER, Optimiser
from harmgraph.models.embedding.options import Training
from harmgraph.models.embedding.parallel import Team, team
from harmgraph.models.embedding.ranking import Known, ranks, summary
from harmgraph.models.embedding.score_function import embeddings
from harmgraph.models.embedding.step import Step
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.processor import Trial
from harmgraph.models.processor import threads as threads_of_torch
from harmgraph.models.subgraph.split import TRAIN, VALID
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.threads import Threads

SAVE_EVERY = 120.0  # seconds between two checkpoints
CHECKPOINT, BEST = "checkpoint.safetensors", "embeddings.safetensors"


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training gave.

    Attributes:
        tables: the best ones by valid, or the last ones where valid was not looked at.
        history: one row an epoch: ``epoch``, ``loss``, ``triples_per_second`` and, after a look, ``valid_mrr``.
        epochs: that were trained; best_epoch: of the tables, 0 where valid was not looked at.
        stopped: ``epochs`` or ``patience``.
        threads: of the processor at the end, in each process.
    """

    tables: Tables
    history: tuple[dict[str, Any], ...]
    epochs: int
    best_epoch: int
    best_mrr: float
    stopped: str
    threads: int = 1


def identity(training: Training, subgraph: Subgraph) -> str:
    """Digest of what decides the result. ``epochs`` is left out: a training may be prolonged."""
    facts = {name: value for name, value in training.facts().items() if name != "epochs"}
    text = json.dumps([facts, subgraph.digest], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def check(training: Training, subgraph: Subgraph, folder: Path, *, device: str = "cpu", processes: int = 1) -> None:
    """Looks whether ``train`` can begin or go on, before anything is changed.

    Raises:
        BadName: more processes than go with the device or the batch.
        InputError: nothing to train on, or the checkpoint is of other options, another graph or other processes.
    """
    if processes > 1 and device != "cpu":
        raise BadName("number of processes", str(processes), f"goes with the device cpu, not {device}")
    if processes > training.batch:
        raise BadName("number of processes", str(processes), f"is more than the batch of {training.batch}")
    if not (subgraph.split == TRAIN).any():
        raise InputError("no triple to train on", remedy="all edges are in the splits valid and test")
    found = checkpoint.facts(folder / CHECKPOINT)
    if found and found["identity"] != identity(training, subgraph):
        raise InputError(
            "the checkpoint is of a training with other options or on another graph",
            where=str(folder),
            remedy="give the same options to go on, --again to begin again, or another name",
        )
    if found and found["processes"] != processes:
        raise InputError(
            f"the checkpoint is of a training by {found['processes']} processes",
            where=str(folder),
            remedy=f"go on with --processes {found['processes']}, or --again",
        )


def train(
    subgraph: Subgraph,
    training: Training,
    folder: Path,
    *,
    device: str = "cpu",
    progress: Progress = silent,
    save_every: float = SAVE_EVERY,
    stop_after: int = 0,
    processes: int = 1,
    threads: int = 0,
    tell: Tell = quiet,
) -> Trained:
    """Trains, or goes on from the checkpoint in ``folder``.

    The same options, subgraph, machine and number of threads give the same tables bit for bit, interrupted or not (on a CPU; a
    GPU adds up in no fixed order). Steps that are timed are done twice and count once. Where one thread and all of them give a
    step's gradients with other last bits, the first choice holds to the end, interrupted or not.

    Args:
        folder: for the checkpoint; exists.
        save_every: seconds between two checkpoints.
        stop_after: steps of this call after which it is interrupted, for tests; 0 for none.
        processes: that share each batch, on the CPU. Another number gives other (equally good) tables.
        threads: of the processor, shared out among the processes; 0 for that of the checkpoint, if it must be kept, otherwise
            for the quicker of one and all, which several processes leave at all.
        tell: hears which number of threads was chosen, and why.

    Raises:
        BadName, InputError: as ``check``.
        KeyboardInterrupt: after the checkpoint was written.
    """
    check(training, subgraph, folder, device=device, processes=processes)
    known = checkpoint.facts(folder / CHECKPOINT) or {}
    with (
        threads_of_torch(threads or int(known.get("threads", 0)), tell) as chosen,
        team(processes, folder, _help, (subgraph, training, folder, stop_after)) as own,
    ):
        return _Run(subgraph, training, folder, device, progress, save_every, stop_after, own, chosen).run()


def _help(subgraph: Subgraph, training: Training, folder: Path, stop_after: int, own: Team) -> None:
    """What the other processes do: the same, without a look, a file or a word."""
    with suppress(KeyboardInterrupt), threads_of_torch() as chosen:  # process 0 was stopped, and tells
        _Run(subgraph, training, folder, "cpu", silent, math.inf, stop_after, own, chosen).run()


class _Run:
    def __init__(
        self,
        subgraph: Subgraph,
        training: Training,
        folder: Path,
        device: str,
        progress: Progress,
        save_every: float,
        stop_after: int,
        team: Team,
        threads: Threads,
    ) -> None:
        self._team = team
        self._threads = threads
        if team.size > 1 or device != "cpu":
            threads.keep()  # processes share the threads out already; on a GPU the processor's do not matter
        self._subgraph = subgraph
        self._training = training
        self._folder = folder
        self._device = device
        self._progress = progress
        self._save_every = save_every
        self._left = stop_after or -1
        self._triples = torch.from_numpy(subgraph.triples(TRAIN))
        self._valid = self._sample(subgraph.triples(VALID))
        self._known = Known(subgraph.triples(), len(subgraph.relations)) if len(self._valid) else None
        # The tables begin alike everywhere; what is drawn afterwards differs.
        self._generator = Generator().manual_seed(training.seed)
        self._state = self._begun()
        self._step = Step(training, self._state.entities, self._state.relations, self._generator)
        self._optimisers = {
            name: self._optimiser(name, table)
            for name, table in (("entities", self._state.entities), ("relations", self._state.relations))
        }
        self._saved = time.monotonic()

    def _sample(self, valid: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        if not self._training.valid_every:
            return valid[:0]
        return sampled(valid, self._training.valid_sample, self._training.seed)

    def _begun(self) -> State:
        """The state of the checkpoint, or a new one."""
        known = identity(self._training, self._subgraph)
        found = checkpoint.load(self._folder / CHECKPOINT)
        if found:
            # A copy: torch reads the state of a view from the wrong place.
            self._generator.set_state(found.generator[self._team.rank].clone())
            found.entities, found.relations = found.entities.to(self._device), found.relations.to(self._device)
            return found
        training, model = self._training, embeddings.get(self._training.model)
        count = len(self._subgraph.relations) * (2 if training.reciprocal else 1)
        entities = model.first_entities(len(self._subgraph.entities), training.dim, training.scale, self._generator)
        relations = model.first_relations(count, training.dim, training.scale, self._generator)
        if self._team.rank:
            self._generator.manual_seed((training.seed + 7919 * self._team.rank) % 2**63)
        return State(
            entities.to(self._device), relations.to(self._device), {}, self._generator.get_state(), identity=known
        )

    def _optimiser(self, name: str, table: Tensor) -> Optimiser:
        kept = {
            key.partition(".")[2]: tensor.to(self._device)
            for key, tensor in self._state.optimiser.items()
            if key.partition(".")[0] == name
        }
        return OPTIMISER[self._training.optimiser](table, self._training.lr, kept)

    def run(self) -> Trained:
        # Sums of Adagrad and shares of a softmax become so small that the processor would take a hundred times as long.
        torch.set_flush_denormal(True)
        try:
            return self._trained()
        finally:
            torch.set_flush_denormal(False)  # it is the processor's, and so that of whatever else this process computes

    def _trained(self) -> Trained:
        state, training = self._state, self._training
        stopped = "patience" if self._out_of_patience() else ""
        with awaited() as pressed:
            while not stopped and state.epoch < training.epochs:
                self._epoch(pressed)
                if self._out_of_patience():
                    stopped = "patience"
        self._save()
        return self._finished(stopped or "epochs")

    def _epoch(self, pressed: Callable[[], bool]) -> None:
        state, training = self._state, self._training
        shuffler = Generator().manual_seed((training.seed * 1_000_003 + state.epoch) % 2**63)
        order = torch.randperm(len(self._triples), generator=shuffler)
        steps = math.ceil(len(order) / training.batch)
        started, first = time.perf_counter(), state.step
        team = self._team
        while state.step < steps:
            batch = self._triples[order[state.step * training.batch : (state.step + 1) * training.batch]]
            if len(batch) >= team.size:
                state.loss += self._take(batch)
            # The few triples of a last batch that not every process would have a part of are left to other epochs.
            state.step += 1
            self._left -= 1
            if not math.isfinite(state.loss):
                raise BadName("learning rate", str(training.lr), "is too large: the loss is no number any more")
            self._progress("training", state.epoch * steps + state.step, training.epochs * steps)
            stop = team.agreed(float(pressed() or self._left == 0))
            late = team.agreed(float(time.monotonic() - self._saved > self._save_every))
            if stop or late:
                self._save()
            if stop:
                raise KeyboardInterrupt
        seconds = time.perf_counter() - started
        row: dict[str, Any] = {"epoch": state.epoch + 1, "loss": state.loss / steps}
        row["triples_per_second"] = round(len(order) * (steps - first) / steps / max(seconds, 1e-9))
        state.epoch, state.step, state.loss = state.epoch + 1, 0, 0.0
        if self._known is not None and (state.epoch % training.valid_every == 0 or state.epoch == training.epochs):
            row["valid_mrr"] = self._look()
        state.history.append(row)

    def _take(self, batch: Tensor) -> float:
        """One step, with this process's part of the batch; gives the mean loss of the whole."""
        team = self._team
        part = batch[team.rank :: team.size].to(self._device)
        self._look_at_threads(part)
        loss, *gradients = self._step.gradients(part, self._step.draw(len(part)), weight=len(part) / len(batch))
        for (name, optimiser), gradient in zip(self._optimisers.items(), gradients, strict=True):
            whole = team.gathered(gradient, getattr(self._state, name))
            optimiser.update(whole.index, whole.rows)
        return float(team.every(loss.reshape(1).double()).sum())

    def _look_at_threads(self, part: Tensor) -> None:
        """Times the step before it is taken: gradients change no table, and what was drawn for them is put back."""
        if not self._threads.due():
            return
        drawn = self._generator.get_state()

        def gradients() -> list[Tensor]:
            self._generator.set_state(drawn)
            loss, *found = self._step.gradients(part, self._step.draw(len(part)))
            tensors = [loss, *(gradient.rows for gradient in found)]
            return tensors + [gradient.index for gradient in found if gradient.index is not None]

        trial = Trial(gradients)
        try:
            self._threads.look(trial)
        finally:
            self._generator.set_state(drawn)
        if not trial.alike:
            self._threads.keep()

    def _look(self) -> float:
        """The mean reciprocal rank on valid; the best tables are kept."""
        found = -1.0
        if self._known is not None and self._team.rank == 0:
            found = float(summary(ranks(self._tables(), self._valid, self._known, progress=self._progress))["mrr"])
        found = self._team.agreed(found)
        if found > self._state.best:
            self._state.best, self._state.best_epoch = found, self._state.epoch
            self._keep_best()
        return found

    def _keep_best(self) -> None:
        if self._team.rank:
            return
        tensors = {"entities": self._state.entities, "relations": self._state.relations}
        checkpoint.write(self._folder / BEST, tensors)

    def _out_of_patience(self) -> bool:
        looks: list[int] = [row["epoch"] for row in self._state.history if "valid_mrr" in row]
        without = [epoch for epoch in looks if epoch > self._state.best_epoch]
        return len(without) >= self._training.patience

    def _save(self) -> None:
        state = self._state
        state.generator = self._team.every(self._generator.get_state())
        state.threads = self._threads.kept if self._device == "cpu" else 0
        self._saved = time.monotonic()
        if self._team.rank:
            return
        state.optimiser = {
            f"{name}.{key}": tensor
            for name, optimiser in self._optimisers.items()
            for key, tensor in optimiser.states.items()
        }
        checkpoint.save(state, self._folder / CHECKPOINT)

    def _tables(self) -> Tables:
        return Tables(
            self._training.model,
            self._training.chosen_comparator,
            self._state.entities,
            self._state.relations,
            self._subgraph.entities,
            self._subgraph.relations,
            self._training.reciprocal,
        )

    def _finished(self, stopped: str) -> Trained:
        state, tables = self._state, self._tables()
        if not state.best_epoch:
            self._keep_best()
        elif self._team.rank == 0:
            found, _ = checkpoint.read(self._folder / BEST)
            tables = Tables(
                tables.model,
                tables.comparator_name,
                found["entities"],
                found["relations"],
                tables.entity_keys,
                tables.relation_names,
                tables.reciprocal,
            )
        return Trained(
            tables, tuple(state.history), state.epoch, state.best_epoch, state.best, stopped, torch.get_num_threads()
        )

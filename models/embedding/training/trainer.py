"""Trains an embedding on a subgraph, with evaluation on the valid split, checkpoints, and the best tables at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Generator, Tensor

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import BadName, InputError
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.common.signals import awaited
from harmgraph.models import checkpoint
from harmgraph.models.checkpoint import CheckpointState
from harmgraph.models.embedding.beginning import THREADS
from harmgraph.models.embedding.evaluation import sampled
from harmgraph.models.embedding.options import ADVERSARY, PROJECTION, EmbeddingOptions
from harmgraph.models.embedding.ranking import Known, ranks, summary
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.embedding.training.neutral import Adversary, Attribute, projected
from harmgraph.models.embedding.training.optimisers import OPTIMISER, Optimiser
from harmgraph.models.embedding.training.parallel import Team, team
from harmgraph.models.embedding.training.step import GradientStep
from harmgraph.models.processor import Trial, torch_threads
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.split import TRAIN, VALID
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text.arithmetic import chosen_precision
from harmgraph.models.threads import Threads

SAVE_EVERY = 120.0  # seconds between two checkpoints
CHECKPOINT, BEST = "checkpoint.safetensors", "embeddings.safetensors"

EachEpoch = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class TrainedEmbedding:
    """The result of a training.

    Attributes:
        tables: those with the best evaluation on valid, or the last ones if there was none; None of an encoder.
        history: a row per epoch: ``epoch``, ``loss`` and, after an evaluation, ``valid_mrr``; of tables ``triples_per_second``.
        epochs: how many were trained. best_epoch: the epoch of the tables, 0 if valid was not evaluated.
        stopped: why training ended, ``epochs`` or ``patience``.
        threads: CPU threads of each process at the end.
    """

    tables: Tables | None
    history: tuple[dict[str, Any], ...]
    epochs: int
    best_epoch: int
    best_mrr: float
    stopped: str
    threads: int = 1


def identity(
    training: EmbeddingOptions,
    subgraph: Subgraph | LiveGraph,
    chosen_on: Subgraph | None = None,
    features: Mapping[str, Any] | None = None,
) -> str:
    """Digest of everything that determines the result, except ``epochs``, so that a training can be continued.

    Args:
        features: see ``EmbeddingConfig``.
    """
    facts = {name: value for name, value in training.facts().items() if name != "epochs"}
    more = [{name: value for name, value in features.items() if name != THREADS}] if features else []
    return facts_digest([facts, subgraph.digest, *([chosen_on.digest] if chosen_on else []), *more])


def check_triples(subgraph: Subgraph) -> None:
    """Checks that there is something to train on.

    Raises:
        InputError: there is not.
    """
    if not (subgraph.split == TRAIN).any():
        raise InputError("no triple to train on", remedy="all edges are in the splits valid and test")


def check_options(training: EmbeddingOptions, subgraph: Subgraph, *, device: str = "cpu", processes: int = 1) -> None:
    """Checks that a training is possible, whatever stands in its folder.

    Raises:
        BadName: too many processes for the device or the batch.
        InputError: nothing to train on, or to be neutral to.
    """
    if processes > 1 and device != "cpu":
        raise BadName("number of processes", str(processes), f"works only with the device cpu, not {device}")
    if processes > training.batch:
        raise BadName("number of processes", str(processes), f"is more than the batch of {training.batch}")
    check_triples(subgraph)
    check_plateau(training, valid=bool((subgraph.split == VALID).any()))
    if training.neutral:
        attribute = Attribute.of(subgraph, training.neutral)
        if training.neutral_by == PROJECTION:
            attribute.check_projection(training.dim)
        else:
            attribute.check_adversary(subgraph)


def check(
    training: EmbeddingOptions, subgraph: Subgraph, folder: Path, *, device: str = "cpu", processes: int = 1
) -> None:
    """Checks that ``train`` can start or continue, before anything is changed.

    Raises:
        as ``check_options``, and InputError: the checkpoint has other options, another graph or another number of processes.
    """
    check_options(training, subgraph, device=device, processes=processes)
    facts = checkpoint.facts(folder / CHECKPOINT)
    if facts and facts["identity"] != identity(training, subgraph):
        raise InputError(
            "the checkpoint belongs to a training with other options or on another graph",
            where=str(folder),
            remedy="give the same options to continue, --again to start over, or another name",
        )
    if facts and facts["processes"] != processes:
        raise InputError(
            f"the checkpoint belongs to a training with {facts['processes']} processes",
            where=str(folder),
            remedy=f"continue with --processes {facts['processes']}, or start over with --again",
        )


def train(
    subgraph: Subgraph,
    training: EmbeddingOptions,
    folder: Path,
    *,
    device: str = "cpu",
    save_every: float = SAVE_EVERY,
    stop_after: int = 0,
    processes: int = 1,
    threads: int = 0,
    tell: Tell = quiet,
    each_epoch: EachEpoch | None = None,
) -> TrainedEmbedding:
    """Trains, or continues from the checkpoint in ``folder``.

    On a CPU the same options, subgraph, machine and number of threads give the same tables bit for bit, interrupted or not; a
    GPU adds up in no fixed order. Steps used for timing are repeated and have no effect. If one thread and all threads give
    gradients that differ in their last bits, the first choice of threads is kept to the end, also after an interruption.

    Args:
        folder: for the checkpoint; must exist.
        save_every: seconds between two checkpoints.
        stop_after: number of steps after which this call is interrupted, for tests; 0 for never.
        processes: how many share each batch, on the CPU. Another number gives different (equally good) tables.
        threads: CPU threads, divided among the processes; 0 for the number in the checkpoint if it must be kept, otherwise
            for the faster of one and all (always all with several processes).
        tell: is called with the number of threads chosen, and why.
        each_epoch: is called with the row of the history when an epoch is finished.

    Raises:
        BadName, InputError: as ``check``.
        KeyboardInterrupt: interrupted; the checkpoint is written first.
    """
    training = replace(training, precision=chosen_precision(training.precision, device))
    check(training, subgraph, folder, device=device, processes=processes)
    known = checkpoint.facts(folder / CHECKPOINT) or {}
    with (
        torch_threads(threads or int(known.get("threads", 0)), tell) as chosen,
        team(processes, folder, _help, (subgraph, training, folder, stop_after)) as joined_team,
    ):
        return _Run(subgraph, training, folder, device, save_every, stop_after, joined_team, chosen, each_epoch).run()


def _help(subgraph: Subgraph, training: EmbeddingOptions, folder: Path, stop_after: int, team: Team) -> None:
    """Runs in the other processes: the same training without evaluation, files or messages."""
    with suppress(KeyboardInterrupt), torch_threads() as chosen:  # process 0 reports the interruption
        _Run(subgraph, training, folder, "cpu", math.inf, stop_after, team, chosen).run()


def check_plateau(training: EmbeddingOptions, *, valid: bool) -> None:
    """Checks that a plateau can be seen.

    Args:
        valid: whether there are valid triples.

    Raises:
        InputError: it is waited for, and there is no valid triple.
    """
    if training.plateau_factor < 1 and not (training.valid_sample and valid):
        raise InputError(
            "there is no triple of the valid split, so no plateau is ever seen",
            where=f"--plateau-factor {training.plateau_factor:g}",
            remedy="leave it out, or choose triples with a valid split",
        )


def learning_rate(training: EmbeddingOptions, history: Sequence[Mapping[str, Any]]) -> float:
    """The learning rate after these epochs: lower by ``plateau_factor`` after each ``plateau_patience`` evaluations in vain."""
    rate, best, waited = training.lr, -math.inf, 0
    for row in history:
        if "valid_mrr" not in row:
            continue
        if row["valid_mrr"] > best:
            best, waited = row["valid_mrr"], 0
            continue
        waited += 1
        if waited == training.plateau_patience:
            rate, waited = rate * training.plateau_factor, 0
    return rate


class _Run:
    def __init__(
        self,
        subgraph: Subgraph,
        training: EmbeddingOptions,
        folder: Path,
        device: str,
        save_every: float,
        stop_after: int,
        team: Team,
        threads: Threads,
        each_epoch: EachEpoch | None = None,
    ) -> None:
        self._team = team
        self._each_epoch = each_epoch
        self._threads = threads
        if team.size > 1 or device != "cpu":
            threads.keep()  # several processes divide the threads already; on a GPU CPU threads do not matter
        self._subgraph = subgraph
        self._training = training
        self._folder = folder
        self._device = device
        self._save_every = save_every
        self._left = stop_after or -1
        self._attribute = Attribute.of(subgraph, training.neutral).to(device) if training.neutral else None
        adversary = (
            Adversary(training, self._attribute) if self._attribute and training.neutral_by == ADVERSARY else None
        )
        self._triples = torch.from_numpy(subgraph.triples(TRAIN))
        if adversary:
            self._triples = self._triples[self._triples[:, 1] != adversary.attribute.relation]
        self._valid = self._sample(subgraph.triples(VALID))
        self._known = Known(subgraph.triples(), len(subgraph.relations)) if len(self._valid) else None
        # All processes start with the same tables, then draw different random numbers.
        self._generator = Generator().manual_seed(training.seed)
        self._state = self._begun()
        self._step = GradientStep(training, self._state.entities, self._state.relations, self._generator, adversary)
        self._optimisers = {
            name: self._optimiser(name, table)
            for name, table in (("entities", self._state.entities), ("relations", self._state.relations))
        }
        self._saved = time.monotonic()

    def _sample(self, valid: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
        if not self._training.valid_every:
            return valid[:0]
        return sampled(valid, self._training.valid_sample, self._training.seed)

    def _begun(self) -> CheckpointState:
        """The state of the checkpoint, or a new one."""
        known = identity(self._training, self._subgraph)
        state = checkpoint.load(self._folder / CHECKPOINT)
        if state:
            # A copy, because torch reads the state of a view from the wrong place.
            self._generator.set_state(state.generator[self._team.rank].clone())
            state.entities, state.relations = state.entities.to(self._device), state.relations.to(self._device)
            return state
        training, model = self._training, score_functions.get(self._training.model)
        count = len(self._subgraph.relations) * (2 if training.reciprocal else 1)
        entities = model.first_entities(len(self._subgraph.entities), training.dim, training.scale, self._generator)
        relations = model.first_relations(count, training.dim, training.scale, self._generator)
        if self._team.rank:
            self._generator.manual_seed((training.seed + 7919 * self._team.rank) % 2**63)
        return CheckpointState(
            entities.to(self._device), relations.to(self._device), {}, self._generator.get_state(), identity=known
        )

    def _optimiser(self, name: str, table: Tensor) -> Optimiser:
        states = {
            key.partition(".")[2]: tensor.to(self._device)
            for key, tensor in self._state.optimiser.items()
            if key.partition(".")[0] == name
        }
        return OPTIMISER[self._training.optimiser](table, self._training.lr, states)

    def run(self) -> TrainedEmbedding:
        # Adagrad's sums and softmax shares become denormal numbers, with which the CPU is a hundred times slower.
        torch.set_flush_denormal(True)
        try:
            return self._trained()
        finally:
            torch.set_flush_denormal(False)  # the setting is for everything that this process computes

    def _trained(self) -> TrainedEmbedding:
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
        rate = learning_rate(training, state.history)
        for optimiser in self._optimisers.values():
            optimiser.lr = rate
        shuffler = Generator().manual_seed((training.seed * 1_000_003 + state.epoch) % 2**63)
        order = torch.randperm(len(self._triples), generator=shuffler)
        steps = math.ceil(len(order) / training.batch)
        started, first = time.perf_counter(), state.step
        team = self._team
        while state.step < steps:
            batch = self._triples[order[state.step * training.batch : (state.step + 1) * training.batch]]
            if len(batch) >= team.size:
                state.loss += self._take(batch)
            # A last batch with fewer triples than processes is skipped; other epochs include its triples.
            state.step += 1
            self._left -= 1
            if not math.isfinite(state.loss):
                raise BadName("learning rate", str(training.lr), "is too large: the loss is not a finite number")
            progress("training", state.epoch * steps + state.step, training.epochs * steps)
            stop = team.agreed(float(pressed() or self._left == 0))
            late = team.agreed(float(time.monotonic() - self._saved > self._save_every))
            if stop or late:
                self._save()
            if stop:
                raise KeyboardInterrupt
        seconds = time.perf_counter() - started
        row: dict[str, Any] = {"epoch": state.epoch + 1, "loss": state.loss / steps}
        row["triples_per_second"] = round(len(order) * (steps - first) / steps / max(seconds, 1e-9))
        if training.plateau_factor < 1:
            row["lr"] = rate
        state.epoch, state.step, state.loss = state.epoch + 1, 0, 0.0
        if self._known is not None and (state.epoch % training.valid_every == 0 or state.epoch == training.epochs):
            row["valid_mrr"] = self._look()
        state.history.append(row)
        if self._each_epoch:
            self._each_epoch(row)

    def _take(self, batch: Tensor) -> float:
        """Takes a step with this process's part of the batch; returns the mean loss of the whole batch."""
        team = self._team
        part = batch[team.rank :: team.size].to(self._device)
        self._look_at_threads(part)
        loss, *gradients = self._step.gradients(part, self._step.draw(len(part)), weight=len(part) / len(batch))
        for (name, optimiser), gradient in zip(self._optimisers.items(), gradients, strict=True):
            whole = team.gathered(gradient, getattr(self._state, name))
            optimiser.update(whole.index, whole.rows)
        return float(team.every(loss.reshape(1).double()).sum())

    def _look_at_threads(self, part: Tensor) -> None:
        """Times the step before it is taken: computing gradients changes no table, and the generator is reset afterwards."""
        if not self._threads.due():
            return
        drawn = self._generator.get_state()

        def gradients() -> list[Tensor]:
            self._generator.set_state(drawn)
            loss, *table_gradients = self._step.gradients(part, self._step.draw(len(part)))
            tensors = [loss, *(gradient.rows for gradient in table_gradients)]
            return tensors + [gradient.index for gradient in table_gradients if gradient.index is not None]

        trial = Trial(gradients)
        try:
            self._threads.look(trial)
        finally:
            self._generator.set_state(drawn)
        if not trial.alike:
            self._threads.keep()

    def _look(self) -> float:
        """The mean reciprocal rank on valid; writes the tables if they are the best so far."""
        mrr = -1.0
        if self._known is not None and self._team.rank == 0:
            mrr = float(summary(ranks(self._tables(), self._valid, self._known))["mrr"])
        mrr = self._team.agreed(mrr)
        if mrr > self._state.best:
            self._state.best, self._state.best_epoch = mrr, self._state.epoch
            self._keep_best()
        return mrr

    def _keep_best(self) -> None:
        if self._team.rank:
            return
        tables = self._tables()
        tensors = {"entities": tables.entities, "relations": tables.relations}
        checkpoint.write_tensors(self._folder / BEST, tensors)

    def _out_of_patience(self) -> bool:
        looks: list[int] = [row["epoch"] for row in self._state.history if "valid_mrr" in row]
        without_gain = [epoch for epoch in looks if epoch > self._state.best_epoch]
        return len(without_gain) >= self._training.patience

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
        """As they are ranked and kept; the training goes on with what was not projected."""
        entities = self._state.entities
        if self._attribute and self._training.neutral_by == PROJECTION:
            entities = projected(entities, self._attribute)
        return Tables(
            self._training.model,
            self._training.chosen_comparator,
            entities,
            self._state.relations,
            self._subgraph.entities,
            self._subgraph.relations,
            self._training.reciprocal,
        )

    def _finished(self, stopped: str) -> TrainedEmbedding:
        state, tables = self._state, self._tables()
        if not state.best_epoch:
            self._keep_best()
        elif self._team.rank == 0:
            tensors, _ = checkpoint.read_tensors(self._folder / BEST)
            tables = Tables(
                tables.model,
                tables.comparator_name,
                tensors["entities"],
                tensors["relations"],
                tables.entity_keys,
                tables.relation_names,
                tables.reciprocal,
            )
        return TrainedEmbedding(
            tables, tuple(state.history), state.epoch, state.best_epoch, state.best, stopped, torch.get_num_threads()
        )

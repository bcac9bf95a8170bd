"""The loop that trains a populator, with a checkpoint after each epoch (Fang et al. 2021, section 6.2)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.models.population.evaluation import auc
from harmgraph.models.population.examples import Part, Passage
from harmgraph.models.population.populator import NEIGHBOURHOOD, Populator
from harmgraph.models.population.trained import CHECKPOINT, WEIGHTS

if TYPE_CHECKING:
    import numpy
    import torch

    from harmgraph.models.population.examples import Data, Example
    from harmgraph.models.population.neighbours import Around, Neighbourhood
    from harmgraph.models.population.network import Network, Reader, Vectors
    from harmgraph.models.population.recipe import Recipe

    Numbers = numpy.ndarray[Any, Any]

POOL = 50  # batches sorted by length together
JUDGED_AT_ONCE = 64  # triples
NODES_AT_ONCE = 4_096  # passages that a frozen encoder reads between two reports
DRAWN_TO_JUDGE = 2**31
"""Stands in the seed of an evaluation's draws where the number of the epoch stands in a training's."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """The result of an epoch.

    Attributes:
        number: from 0.
        loss: mean over its triples.
        auc: on the valid examples.
    """

    number: int
    loss: float
    auc: float


@dataclass(slots=True)
class Training:
    """A training with its checkpoint in a folder.

    Attributes:
        folder: gets the weights of the best epoch and the checkpoint of the last.
        neighbourhood: None for a model without neighbours.
        identity: of the training; a checkpoint of another one is refused.
        threads: CPU threads; 0 for those of the checkpoint, or for torch's. They stay the same until the end, because the last
            bits of sums depend on them.
        precision: ``bf16`` or ``fp32``; a checkpoint's stays the same too.
        epochs: those done.
    """

    folder: Path
    populator: Populator
    network: Network
    reader: Reader
    data: Data
    neighbourhood: Neighbourhood | None
    recipe: Recipe
    identity: str
    threads: int = 0
    precision: str = "fp32"
    epochs: list[Epoch] = field(default_factory=list)

    @property
    def best(self) -> Epoch:
        """The epoch with the best AUC on the valid examples, the first of equals."""
        return max(self.epochs, key=lambda epoch: epoch.auc)

    @property
    def stopped(self) -> str:
        """Why the training is over: ``epochs`` or ``patience``; empty if it is not."""
        if self.epochs and self.epochs[-1].number - self.best.number >= self.recipe.patience:
            return "patience"
        return "epochs" if len(self.epochs) >= self.recipe.epochs else ""

    def run(self, progress: Progress = silent) -> int:
        """Trains until the last epoch or until the AUC stops improving; the folder then has the weights of the best epoch.

        Returns:
            How many epochs this call trained.

        Raises:
            InputError: the checkpoint belongs to another training, or the training diverges.
            UnreadableFile: the checkpoint is damaged.
            NoSpace: a file cannot be written.
        """
        import torch

        optimiser = _optimiser(self.network, self.recipe)
        self._take_up(optimiser)
        begun = len(self.epochs)
        self.network.precision = self.precision
        before = torch.get_num_threads()
        self.threads = self.threads or before
        torch.set_num_threads(self.threads)
        try:
            judged_around = around_of(self.data.valid, self.neighbourhood, self.recipe)
            while not self.stopped:
                number = len(self.epochs)
                loss, vectors = self._epoch(number, optimiser, judged_around, progress)
                scores = judge(
                    self.populator,
                    self.network,
                    self.reader,
                    self.data.valid,
                    judged_around,
                    self.recipe,
                    vectors=vectors,
                    progress=progress,
                )
                self.epochs.append(Epoch(number, loss, auc([example.label for example in self.data.valid], scores)))
                self._keep(optimiser)
        finally:
            torch.set_num_threads(before)
        return len(self.epochs) - begun

    def _epoch(
        self, number: int, optimiser: torch.optim.Optimizer, judged_around: Around, progress: Progress
    ) -> tuple[float, Vectors | None]:
        """Trains an epoch. Returns its loss, and the vectors of a frozen encoder."""
        import torch

        self.network.train()
        vectors = self._vectors(number, judged_around, progress)
        # For the dropout, so that an epoch that is begun again is the same.
        torch.manual_seed(self.recipe.seed * 1_000 + number)
        batches = math.ceil(len(self.data.train) / self.recipe.batch)
        lost = torch.zeros((), dtype=torch.float64)
        stage = f"epoch {number + 1} of at most {self.recipe.epochs}"
        for done, (examples, around) in enumerate(self._steps(number)):
            progress(stage, done, batches)
            lost += self._step(optimiser, examples, around, vectors)
        if not math.isfinite(float(lost)):
            raise InputError(
                f"the loss of epoch {number + 1} is not a number: the training diverged",
                remedy=f"choose a smaller --learning-rate than {self.recipe.learning_rate:g}",
            )
        return float(lost) / len(self.data.train), vectors

    def _step(
        self,
        optimiser: torch.optim.Optimizer,
        examples: Sequence[Example],
        around: Around,
        vectors: Vectors | None,
    ) -> torch.Tensor:
        """A step of the optimiser. Returns the sum of the losses."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        from harmgraph.models.population.network import batch_of

        lost = torch.zeros((), dtype=torch.float64)
        size = math.ceil(len(examples) / self.recipe.accumulate)
        for start in range(0, len(examples), size):
            piece = examples[start : start + size]
            parts = [parts_of(self.populator, example, around, self.recipe) for example in piece]
            logits = self.network(batch_of(parts, self.reader, vectors))
            labels = torch.tensor([float(example.label or 0) for example in piece], device=logits.device)
            loss = binary_cross_entropy_with_logits(logits, labels, reduction="sum")
            (loss / len(examples)).backward()
            lost += loss.detach().double().cpu()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        return lost

    def _steps(self, number: int) -> Iterator[tuple[Sequence[Example], Around]]:
        """The triples of each step of an epoch and the neighbours drawn for them, each time the same."""
        for step, places in enumerate(_batches(self.data.train, self.recipe, number)):
            examples = [self.data.train[place] for place in places.tolist()]
            yield examples, self._drawn(examples, (self.recipe.seed, number, step))

    def _drawn(self, examples: Sequence[Example], seed: tuple[int, ...]) -> Around:
        if self.neighbourhood is None:
            return {}
        return self.neighbourhood.draw(ends(examples), self.recipe.drawn, seed, again=self.recipe.as_released)

    def _vectors(self, number: int, judged_around: Around, progress: Progress) -> Vectors | None:
        """What a frozen encoder makes of every text of an epoch, each read once; None for other trainings."""
        if not (self.recipe.frozen and self.populator.reads_nodes):
            return None
        passages: set[Passage] = set()
        steps: list[tuple[Sequence[Example], Around]] = [(self.data.valid, judged_around)]
        for examples, around in (*steps, *self._steps(number)):
            for example in examples:
                for part in parts_of(self.populator, example, around, self.recipe):
                    passages.update(part)
        return read_once(self.network, self.reader, passages, progress)

    def _keep(self, optimiser: torch.optim.Optimizer) -> None:
        """Writes the weights of the best epoch first and the checkpoint last: if killed in between, the epoch is done again."""
        from harmgraph.models.checkpoint import write_tensors
        from harmgraph.models.text.saving import saving

        weights = self.network.state_dict()
        state = {
            "identity": self.identity,
            "threads": self.threads,
            "precision": self.precision,
            "epochs": [asdict(epoch) for epoch in self.epochs],
        }
        tensors = {f"model.{name}": value for name, value in weights.items()}
        for place, moments in optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{place}.{name}": value for name, value in moments.items()}
        with saving(self.folder):
            if self.best.number == self.epochs[-1].number:
                write_tensors(self.folder / WEIGHTS, weights)
            write_tensors(self.folder / CHECKPOINT, tensors, {"state": json.dumps(state)})

    def _take_up(self, optimiser: torch.optim.Optimizer) -> None:
        from harmgraph.models.checkpoint import read_tensors

        path = self.folder / CHECKPOINT
        if not path.exists():
            return
        tensors, facts = read_tensors(path)
        try:
            state = json.loads(facts["state"])
            if state["identity"] != self.identity:
                raise other_training(self.folder)
            weights = {name[6:]: value for name, value in tensors.items() if name.startswith("model.")}
            self.network.load_state_dict(weights)
            moments: dict[int, dict[str, Any]] = {}
            for key, value in tensors.items():
                kind, _, rest = key.partition(".")
                place, _, name = rest.partition(".")
                if kind == "optimiser":
                    moments.setdefault(int(place), {})[name] = value
            optimiser.load_state_dict(optimiser.state_dict() | {"state": moments})
            self.epochs = [Epoch(**epoch) for epoch in state["epochs"]]
            self.threads = self.threads or state["threads"]
            self.precision = state["precision"]
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise UnreadableFile(
                path, f"is damaged ({reason})", remedy="start the training over with --again"
            ) from error


def other_training(place: Path) -> InputError:
    """The error for a folder of a training with other data or options."""
    return InputError(
        "a populator of this name was trained on other data or with other options",
        where=str(place),
        remedy="choose another name, or start over with --again",
    )


def ends(examples: Sequence[Example]) -> set[str]:
    """The texts of heads and tails."""
    return {text for example in examples for text in (example.head, example.tail)}


def parts_of(populator: Populator, example: Example, around: Around, recipe: Recipe) -> tuple[Part, ...]:
    """The parts of a triple, with neighbours of its head and its tail.

    A graph that has the very triple would give its answer away: the triple itself is no edge of its ends. The paper's graph has
    only relations of ASER, so there it makes no difference.
    """
    heads = [
        near for near in around.get(example.head, ()) if (near.relation, near.text) != (example.relation, example.tail)
    ]
    tails = [
        near for near in around.get(example.tail, ()) if (near.relation, near.text) != (example.relation, example.head)
    ]
    return populator.parts(example, heads, tails, recipe)


def around_of(examples: Sequence[Example], neighbourhood: Neighbourhood | None, recipe: Recipe) -> Around:
    """The neighbours with which triples are judged: all, or as many as the recipe says, drawn with its seed."""
    if neighbourhood is None:
        return {}
    return neighbourhood.draw(ends(examples), recipe.judged, (recipe.seed, DRAWN_TO_JUDGE), again=recipe.as_released)


def judge(
    populator: Populator,
    network: Network,
    reader: Reader,
    examples: Sequence[Example],
    around: Around,
    recipe: Recipe,
    *,
    vectors: Vectors | None = None,
    progress: Progress = silent,
) -> Numbers:
    """The logits of triples, [triples] in their order: the higher, the more plausible."""
    import numpy as np
    import torch

    from harmgraph.models.population.network import batch_of

    network.eval()
    order = sorted(range(len(examples)), key=lambda place: (-len(examples[place].text), place))
    scores = np.empty(len(examples), np.float64)
    for start in range(0, len(order), JUDGED_AT_ONCE):
        progress("judging", start, len(order))
        places = order[start : start + JUDGED_AT_ONCE]
        parts = [parts_of(populator, examples[place], around, recipe) for place in places]
        with torch.no_grad():
            scores[places] = network(batch_of(parts, reader, vectors)).double().cpu().numpy()
    return scores


def read_once(network: Network, reader: Reader, passages: set[Passage], progress: Progress = silent) -> Vectors:
    """What a frozen encoder makes of passages; the same passages give the same bits."""
    import torch

    from harmgraph.models.population.network import Vectors

    ordered = sorted(passages, key=lambda passage: (sum(map(len, passage)), passage))
    read = []
    for start in range(0, len(ordered), NODES_AT_ONCE):
        progress("reading texts", start, len(ordered))
        with torch.no_grad():
            read.append(network.read(reader.ids(ordered[start : start + NODES_AT_ONCE])).cpu())
    return Vectors({passage: place for place, passage in enumerate(ordered)}, torch.cat(read))


def _optimiser(network: Network, recipe: Recipe) -> torch.optim.Optimizer:
    import torch

    trained = [value for value in network.parameters() if value.requires_grad]
    groups = [
        {"params": [value for value in trained if value.ndim >= 2], "weight_decay": 0.01},
        {"params": [value for value in trained if value.ndim < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=True)


def _batches(examples: Sequence[Example], recipe: Recipe, number: int) -> Iterator[Numbers]:
    """The places of the triples of each step: of similar length, in random order."""
    import numpy as np

    generator = np.random.default_rng([recipe.seed, number])
    places = generator.permutation(len(examples))
    lengths = np.array([len(examples[place].text) for place in places.tolist()])
    size = recipe.batch * POOL
    pools = [start + np.argsort(lengths[start : start + size], kind="stable") for start in range(0, len(places), size)]
    ordered = places[np.concatenate(pools)]
    starts = range(0, len(ordered), recipe.batch)
    for place in generator.permutation(len(starts)):
        yield ordered[starts[place] : starts[place] + recipe.batch]


def identity_of(
    populator: str, encoder: str, recipe: Recipe, data: Data, neighbourhood: Neighbourhood | None
) -> Mapping[str, Any]:
    """Everything that determines the result of a training."""
    lasting = recipe.lasting()
    if neighbourhood is None:
        lasting = {name: value for name, value in lasting.items() if name not in NEIGHBOURHOOD}
    return {
        "populator": populator,
        "encoder": encoder,
        "recipe": lasting,
        "data": data.digest,
        "graph": neighbourhood.digest if neighbourhood else "",
    }

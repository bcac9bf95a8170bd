"""The one procedure that trains every named model but embeddings: lock its folder, look what is there, begin, train, finish."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict

from harmgraph.common.progress import Tell
from harmgraph.models.extra import needed
from harmgraph.models.processor import device_of, freed_memory
from harmgraph.models.record import FINISHED, Known, Records, Trained
from harmgraph.models.text.saving import saving

if TYPE_CHECKING:
    from torch.nn import Module

    from harmgraph.models.text.finetuning import Epoch, Task, Training


class How(TypedDict, total=False):
    """How a training is carried out.

    Attributes:
        again: whether to remove first what the name has.
        device, precision: see ``processor.device_of`` and ``text.finetuning.Training``.
        threads: CPU threads; 0 for those of the interrupted training, or for torch's or the faster number, see ``tell``.
        tell: if given, all threads and one are timed, and it is called with the choice.
    """

    again: bool
    device: str
    precision: str
    threads: int
    tell: Tell | None


class Course(Protocol):
    """What recipes say of the loop."""

    @property
    def epochs(self) -> int: ...
    @property
    def patience(self) -> int: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun(Generic[Known]):
    """What a training begins with.

    Attributes:
        known: what is known of the model before. identity: of the checkpoint.
        task: its steps. recipe: how many there are.
        state: the folder of the checkpoint. work: what is removed at the end; None if nothing is.
        of_epoch: what the history says of an epoch; those that the record has too are those of the best epoch.
        save: writes what is kept beside the record.
        prepare: is called when the record is kept and the network is on its device.
        finish: writes the model, which has the weights of its best epoch, and returns the record to keep; None if there is
            nothing to write.
        quicker: how to train in less time. single: whether losses are added in fp32.
        varied: whether each step has large arrays of other sizes, as the probabilities of a vocabulary after so many tokens.
    """

    known: Known
    identity: str
    task: Task[Any]
    recipe: Course
    state: Path
    of_epoch: Callable[[Epoch], Mapping[str, Any]] = field(default=lambda epoch: epoch.more)
    save: Callable[[], None] = field(default=lambda: None)
    prepare: Callable[[], None] = field(default=lambda: None)
    finish: Callable[[Known, Training[Any]], Known] | None = None
    work: Path | None = None
    quicker: str = ""
    single: bool = False
    varied: bool = False


def network_of(task: Task[Any]) -> Module:
    """All weights, of which those of a frozen encoder are not the task's."""
    network: Module = getattr(task, "network", task.model)
    return network


def check(records: Records[Any], name: str) -> None:
    """Checks what every training needs, before anything is read.

    Raises:
        BadName: the name is not allowed.
        MissingExtra: torch or transformers is not installed.
    """
    records.folders.of(name)
    needed("torch")
    needed("transformers")


def carried_out(
    records: Records[Known],
    name: str,
    identity: object,
    begin: Callable[[Path, str], Begun[Known]],
    *,
    is_over: Callable[[Known], bool] = lambda _: True,
    again: bool = False,
    device: str = "auto",
    precision: str = "auto",
    threads: int = 0,
    tell: Tell | None = None,
) -> Trained[Known]:
    """Trains a model, or goes on with an interrupted training; a finished one is left as it is.

    Args:
        identity: digest of everything that determines the result.
        begin: begins it in the folder of the model, for a device.
        is_over: whether a finished training has nothing left to do. The other options are those of ``How``.

    Raises:
        InputError: another training has this name, or this one has another precision or diverges.
        UnreadableFile: a file of it is damaged.
        Busy: another command trains it.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    import torch

    from harmgraph.models.text.finetuning import Training

    with records.folders.alone(name) as place:
        known = records.standing(name, identity, again=again, precision=precision)
        if known and known.state == FINISHED and is_over(known):
            return Trained(known, place, 0, anew=False)
        device = device_of(device)
        begun = begin(place, device)
        with saving(place):
            begun.save()
            records.keep(place, begun.known, [])
        network_of(begun.task).to(device)
        begun.prepare()
        loop = Training(
            task=begun.task,
            folder=begun.state,
            identity=begun.identity,
            most=begun.recipe.epochs,
            patience=begun.recipe.patience,
            seed=begun.recipe.seed,
            threads=threads,
            tell=tell,
            precision=precision,
            sums=torch.float32 if begun.single else torch.float64,
            quicker=begun.quicker,
        )
        freed_memory(kept=not begun.varied)  # device_of, which others call too, keeps it
        fresh = loop.run()
        _finish(records, place, begun, loop)
        return Trained(records.read(name), place, fresh)


def _finish(records: Records[Known], place: Path, begun: Begun[Known], loop: Training[Any]) -> None:
    """Writes the model of the best epoch, then what is known of it, and removes what the training needed."""
    from harmgraph.models.checkpoint import load_weights, read_tensors
    from harmgraph.models.text.finetuning import WEIGHTS

    names = {each.name for each in fields(begun.known)}  # type: ignore[arg-type]  # it is a dataclass
    outcome = {**loop.outcome, **begun.of_epoch(loop.best)}
    done = replace(begun.known, **{name: value for name, value in outcome.items() if name in names})  # type: ignore[type-var]
    history = [{"epoch": each.number + 1, "loss": each.loss, **begun.of_epoch(each)} for each in loop.epochs]
    if begun.finish:
        load_weights(begun.task.model, read_tensors(begun.state / WEIGHTS)[0])
    with saving(place):
        if begun.finish:
            network_of(begun.task).to("cpu")
            done = begun.finish(done, loop)
        records.keep(place, done, history)
    if begun.work:
        shutil.rmtree(begun.work, ignore_errors=True)

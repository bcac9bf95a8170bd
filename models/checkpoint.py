"""The state of a training on disk: all that a resumed one needs to go on as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor

from harmgraph.graph.common.errors import UnreadableFile
from harmgraph.graph.common.whole_file import beside


@dataclass(slots=True)
class State:
    """A training between two steps.

    Attributes:
        entities, relations: the tables.
        optimiser: its states by table and name, such as ``entities.sum``.
        generator: [processes, bytes] the states of the generators behind negatives and dropout.
        identity: digest of options and subgraph; a checkpoint of another training is refused.
        epoch, step: epochs done, and steps done of the one under way.
        loss: sum of the losses of those steps.
        history: one row an epoch.
        best, best_epoch: best mean reciprocal rank on valid so far and its epoch, 0 before the first look.
        threads: the number to go on with, because it was named or because sums depend on it; 0 where any will do.
    """

    entities: Tensor
    relations: Tensor
    optimiser: dict[str, Tensor]
    generator: Tensor
    identity: str
    epoch: int = 0
    step: int = 0
    loss: float = 0.0
    best: float = -1.0
    best_epoch: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    threads: int = 0

    def facts(self) -> dict[str, Any]:
        """What is no tensor."""
        names = ("identity", "epoch", "step", "loss", "best", "best_epoch", "history", "threads")
        return {name: getattr(self, name) for name in names}


def save(state: State, path: Path) -> None:
    """Writes a checkpoint."""
    tensors = {"entities": state.entities, "relations": state.relations, "generator": state.generator}
    tensors |= {f"optimiser.{name}": tensor for name, tensor in state.optimiser.items()}
    write(path, tensors, {"state": json.dumps(state.facts())})


def load(path: Path) -> State | None:
    """The state in a checkpoint, None where there is none.

    Raises:
        UnreadableFile: the file is damaged.
    """
    if not path.exists():
        return None
    tensors, facts = read(path)
    optimiser = {
        name.removeprefix("optimiser."): tensor for name, tensor in tensors.items() if name.startswith("optimiser.")
    }
    return State(
        tensors["entities"], tensors["relations"], optimiser, tensors["generator"], **json.loads(facts["state"])
    )


def facts(path: Path) -> dict[str, Any] | None:
    """What is no tensor in a checkpoint, and ``processes``, how many trained it; None where there is none.

    Raises:
        UnreadableFile: the file is damaged.
    """
    if not path.exists():
        return None
    tensors, found = read(path, "generator")
    state: dict[str, Any] = json.loads(found["state"])
    return state | {"processes": len(tensors["generator"])}


def write(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, str] | None = None) -> None:
    """Writes tensors as safetensors; the file appears whole or not at all."""
    from safetensors.torch import save_file

    with beside(path) as part:
        save_file(
            {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, part, dict(facts or {})
        )


def read(path: Path, *names: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors, or those of some names, and the facts of a safetensors file.

    Raises:
        UnreadableFile: missing or damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as found:
            return {name: found.get_tensor(name) for name in names or found.keys()}, dict(found.metadata() or {})
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(
            path, f"is no whole safetensors file ({error})", remedy="train again with --again"
        ) from error

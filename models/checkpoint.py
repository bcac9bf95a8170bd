"""Checkpoints: everything that a resumed training needs to continue as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor
from torch.nn import Module

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.whole_file import beside


@dataclass(slots=True)
class CheckpointState:
    """The state of a training between two steps.

    Attributes:
        entities, relations: the tables.
        optimiser: its states by table and name, such as ``entities.sum``.
        generator: [processes, bytes] states of the random generators of negatives and dropout.
        identity: digest of options and subgraph; a checkpoint of another training is refused.
        epoch, step: finished epochs, and finished steps of the current one.
        loss: sum of the losses of those steps.
        history: a row per epoch.
        best, best_epoch: best mean reciprocal rank on valid so far and its epoch, 0 before the first evaluation.
        threads: the number to continue with, if it was named or the result depends on it; 0 for any.
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
        """Everything except the tensors."""
        names = ("identity", "epoch", "step", "loss", "best", "best_epoch", "history", "threads")
        return {name: getattr(self, name) for name in names}


def save(state: CheckpointState, path: Path) -> None:
    """Writes a checkpoint."""
    tensors = {"entities": state.entities, "relations": state.relations, "generator": state.generator}
    tensors |= {f"optimiser.{name}": tensor for name, tensor in state.optimiser.items()}
    write_tensors(path, tensors, {"state": json.dumps(state.facts())})


def load(path: Path) -> CheckpointState | None:
    """The state in a checkpoint; None if there is no file.

    Raises:
        UnreadableFile: the file is damaged.
    """
    if not path.exists():
        return None
    tensors, facts = read_tensors(path)
    optimiser = {
        name.removeprefix("optimiser."): tensor for name, tensor in tensors.items() if name.startswith("optimiser.")
    }
    return CheckpointState(
        tensors["entities"], tensors["relations"], optimiser, tensors["generator"], **from_json(facts["state"])
    )


def facts(path: Path) -> dict[str, Any] | None:
    """Everything in a checkpoint except tensors, and ``processes``, how many trained it; None if there is no file.

    Raises:
        UnreadableFile: the file is damaged.
    """
    if not path.exists():
        return None
    tensors, metadata = read_tensors(path, "generator")
    state: dict[str, Any] = from_json(metadata["state"])
    return state | {"processes": len(tensors["generator"])}


def write_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, str] | None = None) -> None:
    """Writes tensors as a safetensors file, atomically."""
    from safetensors.torch import save_file

    with beside(path) as part:
        save_file(
            {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, part, dict(facts or {})
        )


def distinct_weights(model: Module) -> dict[str, Tensor]:
    """The weights of a model by name; one that several layers share stands under its first name alone, as safetensors has it."""
    first: dict[tuple[int, tuple[int, ...]], str] = {}
    weights = model.state_dict()
    for name, value in weights.items():
        if value.numel():
            first.setdefault((value.data_ptr(), tuple(value.shape)), name)
    return {
        name: value
        for name, value in weights.items()
        if not value.numel() or first[value.data_ptr(), tuple(value.shape)] == name
    }


def load_weights(model: Module, weights: Mapping[str, Tensor]) -> None:
    """Loads what ``distinct_weights`` gave.

    Raises:
        RuntimeError: they are not of this model.
    """
    shared = model.state_dict().keys() - distinct_weights(model).keys()
    missing, unknown = model.load_state_dict(dict(weights), strict=False)
    wrong = [*sorted(set(missing) - shared), *sorted(unknown)]
    if wrong:
        raise RuntimeError(f"the weights {', '.join(wrong[:3])} are missing or unknown")


def read_tensors(path: Path, *names: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors of a safetensors file, or only those named, and its metadata.

    Raises:
        UnreadableFile: the file is missing or damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in names or file.keys()}, dict(file.metadata() or {})
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(
            path, f"is not a complete safetensors file ({error})", remedy="train again with --again"
        ) from error

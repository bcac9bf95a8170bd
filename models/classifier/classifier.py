"""A loaded sequence classifier, which gives texts a label and a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.graph.common.label_words import classifier_label, label_meanings
from harmgraph.graph.common.progress import Tell, quiet
from harmgraph.graph.common.user_file import short_digest
from harmgraph.graph.scorer import NEGATIVE, POSITIVE
from harmgraph.models.text.arithmetic import quantised
from harmgraph.models.text.encoder import CONFIG, locate, need_torch
from harmgraph.models.text.inference import BATCH, Lanes, logits
from harmgraph.models.text.pretrained import (
    check_at_work,
    classifier_of,
    commit_of,
    most_tokens,
    no_numbers,
    refuse_code,
    tokenizer_of,
)

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MOST_TOKENS = 512
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


@dataclass(frozen=True, slots=True)
class Classifier:
    """See ``opened``.

    Attributes:
        labels: the label of each of the model's outputs.
        tokens: maximum tokens of a text; the rest is cut off.
        lanes: batches that run in parallel on the CPU.
    """

    tokenizer: PreTrainedTokenizerBase
    model: PreTrainedModel
    labels: tuple[str, ...]
    tokens: int
    lanes: Lanes

    def judge(self, texts: Sequence[str], *, batch: int = BATCH) -> list[tuple[str, float]]:
        """The label of each text, and P(positive) - P(negative), -1 to 1.

        Raises:
            InputError: the model returns NaN or infinite numbers.
        """
        import numpy as np

        ids = self.tokenizer(list(texts), truncation=True, max_length=self.tokens)["input_ids"]
        outputs = logits(self.model, ids, batch=batch, lanes=self.lanes)
        if not np.isfinite(outputs).all():
            raise no_numbers(str(self.model.config.name_or_path))
        shares = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        positive = shares[:, [label == POSITIVE for label in self.labels]].sum(axis=1)
        negative = shares[:, [label == NEGATIVE for label in self.labels]].sum(axis=1)
        best = [self.labels[place] for place in outputs.argmax(axis=1)]
        return list(zip(best, (positive - negative).clip(-1, 1).astype(float).tolist(), strict=True))


def opened(
    name: str,
    mapping: str = "",
    device: str = "cpu",
    precision: str = "fp32",
    *,
    threads: int = 0,
    tell: Tell = quiet,
) -> Classifier:
    """Loads a classifier; weights as safetensors only.

    Args:
        name: see ``locate``.
        mapping: what the model's labels mean, ``LABEL_0=negative,...``; empty if their names say it.
        precision: ``fp32``, ``bf16`` or ``int8`` (weights and products of the dense layers).
        threads: CPU threads; 0 for all or one, whichever is faster. Labels do not depend on it.
        tell: is called with the number chosen.

    Raises:
        InputError: the model cannot be loaded, needs its own code, or is not a classifier.
        BadName: the meaning of a label is not known.
    """
    refuse_code(name)  # first, because this check takes no time
    need_torch()
    import torch

    try:
        tokenizer = tokenizer_of(name)
        model, loading = classifier_of(
            name,
            # For texts this short plain attention is faster than the fused kernels, which are made for long texts.
            attn_implementation="eager" if device == "cpu" else None,
            dtype=torch.bfloat16 if precision == "bf16" else torch.float32,
        )
    except (OSError, ValueError) as error:
        raise _not_loaded(name, error) from error
    if loading["missing_keys"]:
        raise InputError(
            "is an encoder without a trained classifier",
            where=name,
            remedy="train one on it: harmgraph scorer train NAME --data FILE --encoder " + name,
        )
    if precision == "int8":
        model = quantised(model)
    named: Mapping[Any, str] = model.config.id2label or {}
    names = [str(named[number]) for number in range(len(named))]
    meanings = _labels(names, mapping)
    model = model.to(device).eval()  # type: ignore[arg-type]  # a decorator of transformers hides self from mypy
    check_at_work(name, tokenizer, model)
    return Classifier(tokenizer, model, meanings, most_tokens(tokenizer, model, MOST_TOKENS), Lanes(threads, tell))


def model_identity(name: str) -> str:
    """The model's name with a version of its weights: digest of the file, or the hub's commit.

    Raises:
        InputError: there is no such model, or it needs its own code.
    """
    refuse_code(name)
    place = locate(name)
    folder = Path(place)
    if not folder.is_dir():
        return f"{name}@{_commit(place)[:12]}"
    for file in WEIGHTS:
        path = folder / file
        if path.is_file():
            known = path.stat()
            return f"{folder.name if '/' in name else name}@{_digest(path, known.st_mtime_ns, known.st_size)}"
    raise UnreadableFile(folder, f"has no {WEIGHTS[0]}", remedy="save the model with safetensors")


@lru_cache(maxsize=8)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return short_digest(path)


@lru_cache(maxsize=8)
def _commit(hub_id: str) -> str:
    need_torch()
    try:
        return commit_of(hub_id)
    except (OSError, ValueError) as error:
        raise _not_loaded(hub_id, error) from error


def _not_loaded(name: str, error: Exception) -> InputError:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    folder = Path(locate(name))
    if (folder / CONFIG).is_file():
        return InputError(
            f"the model cannot be loaded ({reason})", where=name, remedy="it must have safetensors weights"
        )
    if folder.is_dir():
        return UnreadableFile(folder, f"has no {CONFIG}, so it is not a model", remedy="give the folder that has it")
    return InputError(
        f"is not a folder or a scorer trained here, and cannot be fetched from the model hub ({reason})",
        where=f"model {name}",
        remedy="check the name and the network, give a folder, or train one: harmgraph scorer train",
    )


def _labels(names: Sequence[str], mapping: str) -> tuple[str, ...]:
    meanings = label_meanings(mapping)
    for name in meanings:
        if name not in names:
            raise BadName("label", name, f"is not one of the model's labels, which are {', '.join(names)}")
    labels = [meanings.get(name) or classifier_label(name) for name in names]
    unknown = [name for name, label in zip(names, labels, strict=True) if label is None]
    if unknown:
        template = ",".join(f"{name}=..." for name in unknown)
        raise BadName("label", unknown[0], f"of the model has no known meaning: give it with --labels {template}")
    return tuple(label for label in labels if label)

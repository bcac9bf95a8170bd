"""A loaded sequence classifier, which gives texts a label and a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import BadName, InputError, UnreadableFile, first_line
from harmgraph.common.json_text import from_json
from harmgraph.common.label_words import classifier_label, label_meanings
from harmgraph.common.progress import Tell, quiet
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE
from harmgraph.common.user_file import short_digest
from harmgraph.models.text.arithmetic import quantised
from harmgraph.models.text.encoder import CONFIG, locate, need_torch
from harmgraph.models.text.inference import BATCH, Lanes, logits
from harmgraph.models.text.pretrained import (
    check_at_work,
    classifier_of,
    config_of,
    most_tokens,
    no_numbers,
    refuse_code,
    tokenizer_of,
)

if TYPE_CHECKING:
    import numpy
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

    Numbers = numpy.ndarray[Any, Any]

MOST_TOKENS = 512
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
INDEPENDENT, REGRESSION = "multi_label_classification", "regression"
"""Values of ``problem_type`` in a configuration; any other model gives each text one of its labels."""
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Classifier:
    """See ``opened``.

    Attributes:
        labels: the label of each of the model's outputs.
        tokens: maximum tokens of a text; the rest is cut off.
        lanes: batches that run in parallel on the CPU.
        thresholds: of each of the outputs, where they are independent of each other: the probability from which it counts; empty
            where a text has one of them.
    """

    tokenizer: PreTrainedTokenizerBase
    model: PreTrainedModel
    labels: tuple[str, ...]
    tokens: int
    lanes: Lanes
    thresholds: tuple[float, ...] = ()

    def judge(self, texts: Sequence[str], *, batch: int = BATCH) -> list[tuple[str, float]]:
        """The label of each text, and P(positive) - P(negative), -1 to 1; see ``_one_of_all`` and ``_independent``.

        Raises:
            InputError: the model returns NaN or infinite numbers.
        """
        import numpy as np

        ids = self.tokenizer(list(texts), truncation=True, max_length=self.tokens)["input_ids"]
        outputs = logits(self.model, ids, batch=batch, lanes=self.lanes)
        if not np.isfinite(outputs).all():
            raise no_numbers(str(self.model.config.name_or_path))
        labels, values = self._independent(outputs) if self.thresholds else self._one_of_all(outputs)
        return list(zip(labels, values.clip(-1, 1).astype(float).tolist(), strict=True))

    def _one_of_all(self, outputs: Numbers) -> tuple[list[str], Numbers]:
        """A text has one of the labels: the likeliest. The probabilities of outputs that mean the same are added."""
        import numpy as np

        shares = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        positive, negative = (
            shares[:, [label == wanted for label in self.labels]].sum(axis=1) for wanted in (POSITIVE, NEGATIVE)
        )
        return [self.labels[place] for place in outputs.argmax(axis=1)], positive - negative

    def _independent(self, outputs: Numbers) -> tuple[list[str], Numbers]:
        """Each output has a probability of its own, and a text any number of them over their thresholds.

        The likeliest of these decides; without any the text is neutral. Of outputs that mean the same, the likeliest counts.
        """
        import numpy as np

        shares = 1 / (1 + np.exp(-outputs.astype(np.float64)))
        over = np.where(shares >= np.array(self.thresholds), shares, -1)
        labels = [
            self.labels[place] if row[place] >= 0 else NEUTRAL
            for row, place in zip(over, over.argmax(axis=1), strict=True)
        ]
        positive, negative = (
            shares[:, [label == wanted for label in self.labels]].max(axis=1, initial=0)
            for wanted in (POSITIVE, NEGATIVE)
        )
        return labels, positive - negative


def opened(
    name: str,
    mapping: str = "",
    device: str = "cpu",
    precision: str = "fp32",
    *,
    thresholds: str = "",
    threads: int = 0,
    tell: Tell = quiet,
) -> Classifier:
    """Loads a classifier; weights as safetensors only.

    Args:
        name: see ``locate``.
        mapping: what the model's labels mean, ``LABEL_0=negative,...``; empty if their names say it.
        precision: ``fp32``, ``bf16`` or ``int8`` (weights and products of the dense layers).
        thresholds: see ``read_thresholds``.
        threads: CPU threads; 0 for all or one, whichever is faster. Labels do not depend on it.
        tell: is called with the number chosen.

    Raises:
        InputError: the model cannot be loaded, needs its own code, or is not a classifier.
        BadName: the meaning of a label is not known, or a threshold is not one of the model's.
    """
    refuse_code(name)  # first, because this check takes no time
    need_torch()
    independent = has_independent_labels(name)
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
    limits = _thresholds(name, names, thresholds, independent=independent)
    model = model.to(device).eval()  # type: ignore[arg-type]  # a decorator of transformers hides self from mypy
    check_at_work(name, tokenizer, model)
    tokens = most_tokens(tokenizer, model, MOST_TOKENS)
    return Classifier(tokenizer, model, meanings, tokens, Lanes(threads, tell), limits)


def model_identity(name: str) -> str:
    """The model's name with a version of its weights: digest of the file, or the hub's commit.

    Raises:
        InputError: there is no such model, or it needs its own code.
    """
    refuse_code(name)
    place = locate(name)
    folder = Path(place)
    if not folder.is_dir():
        return f"{name}@{str(_hub_config(place)._commit_hash)[:12]}"
    for file in WEIGHTS:
        path = folder / file
        if path.is_file():
            known = path.stat()
            return f"{folder.name if '/' in name else name}@{_digest(path, known.st_mtime_ns, known.st_size)}"
    raise UnreadableFile(folder, f"has no {WEIGHTS[0]}", remedy="save the model with safetensors")


@lru_cache(maxsize=8)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return short_digest(path)


def has_independent_labels(name: str) -> bool:
    """Whether a text may have several of a model's labels, or none, by its configuration: toxicity models are of this kind.

    A single output is a probability too, as the library has it.

    Raises:
        InputError: there is no such model, it needs its own code, or its output is a number and no label.
    """
    refuse_code(name)
    place = locate(name)
    folder = Path(place)
    if folder.is_dir():
        try:
            facts = from_json((folder / CONFIG).read_bytes())
        except OSError as error:
            raise _not_loaded(name, error) from error
        named = facts.get("id2label")
        problem, outputs = facts.get("problem_type"), len(named) if isinstance(named, dict) else facts.get("num_labels")
    else:
        config = _hub_config(place)
        problem, outputs = config.problem_type, config.num_labels
    if problem == REGRESSION:
        raise InputError(
            "is a regression: its output is a number, and no label", where=name, remedy="choose a classifier"
        )
    return problem == INDEPENDENT or (problem is None and outputs == 1)


@lru_cache(maxsize=8)
def _hub_config(hub_id: str) -> PreTrainedConfig:
    need_torch()
    try:
        return config_of(hub_id)
    except (OSError, ValueError) as error:
        raise _not_loaded(hub_id, error) from error


def _not_loaded(name: str, error: Exception) -> InputError:
    reason = first_line(error)
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


def read_thresholds(text: str) -> dict[str, float]:
    """Thresholds by the names of labels from ``toxic=0.7,insult=0.6``, or from ``0.7`` for all of them, whose name is empty.

    Raises:
        BadName: one is not a probability.
    """
    read: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, given, number = part.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value < 1 or bool(given) != bool(name.strip()) or name.strip() in read:
            raise BadName("threshold", part, "cannot be read: give 0.7 for all labels, or toxic=0.7,insult=0.6")
        read[name.strip()] = value
    return read


def _thresholds(name: str, names: Sequence[str], text: str, *, independent: bool) -> tuple[float, ...]:
    """The threshold of each label of a model; empty where a text has one of them."""
    given = read_thresholds(text)
    if not independent:
        if given:
            raise BadName(
                "thresholds", text, f"are for a model of independent labels, and a text has one label of {name}"
            )
        return ()
    for label in given:
        if label and label not in names:
            raise BadName("label", label, f"is not one of the model's labels, which are {', '.join(names)}")
    return tuple(given.get(label, given.get("", THRESHOLD)) for label in names)

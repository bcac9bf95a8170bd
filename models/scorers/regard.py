"""Regard (Sheng et al. 2019) by a sequence classifier: from the model hub, from a folder, or trained on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.options import Option
from harmgraph.common.progress import terminal
from harmgraph.common.scorer import Score, Scorer
from harmgraph.models.classifier.classifier import (
    Classifier,
    has_independent_labels,
    model_identity,
    opened,
    read_thresholds,
)
from harmgraph.models.options import JUDGING

DEFAULT = "sasha/regardv3"
LEAST = {"batch": 1, "threads": 0}


class Regard(Scorer):
    """The label with the highest probability; the value is P(positive) - P(negative).

    Where the labels of a model are independent of each other, the likeliest of those over their thresholds; neutral without any.
    Labels other than positive, neutral and negative become other.
    """

    name = "regard"
    measure = "regard"
    language = "en"
    title = "of a group, by a classifier of the hub or of your own"
    citation = "Sheng et al. 2019; or whose model you name"
    options = (
        Option("model", DEFAULT, "hub id, folder, or name of a scorer trained on this machine"),
        Option("labels", "", "what the model's labels mean: LABEL_0=negative,LABEL_1=neutral,..."),
        Option(
            "thresholds",
            "",
            "of a model with independent labels: from which probability a label counts, 0.7 for all or toxic=0.7,insult=0.6; 0.5 "
            "if not given. Of several labels the likeliest counts; without any the text is neutral",
        ),
        Option("precision", "auto", "auto, bf16, fp32 or int8; auto: bf16 if the CPU has it"),
        Option("device", "auto", "auto, cpu or cuda"),
        Option("batch", 64, "texts per batch"),
        Option("threads", 0, "CPU threads, 0 for all or one, whichever is faster; does not change labels"),
    )
    workers = False
    texts_at_once = 4_000

    @property
    def version(self) -> str:
        return "1"

    def reads(self, options: Mapping[str, Any]) -> str:
        """The default model reads English; of another model the user knows."""
        return self.language if options["model"] == DEFAULT else ""

    def located(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Scorer.located``: of a model in a folder; another name stays."""
        chosen = self.chosen(options)
        folder = Path(chosen["model"]).expanduser()
        return {**chosen, "model": str(folder.absolute())} if folder.is_dir() else chosen

    def by(self, options: Mapping[str, Any]) -> str:
        """The signature of the labels: the digest of the weights and all that affects labels.

        Raises:
            InputError: the model cannot be found.
            BadName: a precision or device that does not exist, a batch or number of threads that is too small, or a threshold
                that is not a probability.
        """
        chosen = self.chosen(options)
        _check_numbers(chosen)
        device, precision = _arithmetic(chosen["device"], chosen["precision"])
        thresholds = read_thresholds(chosen["thresholds"])
        where = "" if device == "cpu" else f",{device}"
        mapping = f",{chosen['labels']}" if chosen["labels"] else ""
        limits = ",".join(f"{name}={value:g}" if name else f"{value:g}" for name, value in sorted(thresholds.items()))
        kind = ",independent" if has_independent_labels(chosen["model"]) else ""
        over = f',thresholds="{limits}"' if limits else ""
        return f"{self.name}@{self.version}({model_identity(chosen['model'])},{precision}{where}{kind}{mapping}{over})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            InputError: the model cannot be loaded, or the meaning of its labels is unknown.
            BadName: a batch or number of threads that is too small, or a threshold that is not one of the model's.
        """
        if not texts:
            return []
        _check_numbers(options)
        device, precision = _arithmetic(options["device"], options["precision"])
        classifier = _opened(
            options["model"], options["labels"], device, precision, options["thresholds"], options["threads"]
        )
        labelled = classifier.judge(texts, batch=options["batch"])
        return [Score(label, value) for label, value in labelled]


def _check_numbers(options: Mapping[str, Any]) -> None:
    for name, least in LEAST.items():
        if options[name] < least:
            raise BadName(name, str(options[name]), f"must be {least} or more")


def _arithmetic(device: str, precision: str) -> tuple[str, str]:
    from harmgraph.models.text.arithmetic import chosen_precision, cuda_is_there

    if precision not in JUDGING:
        raise BadName("precision", precision, f"is not one of {', '.join(JUDGING)}")
    if device not in ("auto", "cpu", "cuda"):
        raise BadName("device", device, "is not auto, cpu or cuda")
    if device == "cuda" and not cuda_is_there():
        raise BadName("device", device, "is not on this machine: use cpu or auto")
    device = "cuda" if device != "cpu" and cuda_is_there() else "cpu"
    if precision == "int8" and device == "cuda":
        raise BadName("precision", precision, "works only on the CPU: use bf16 with cuda")
    return device, chosen_precision(precision, device)


@lru_cache(maxsize=1)
def _opened(model: str, labels: str, device: str, precision: str, thresholds: str, threads: int) -> Classifier:
    return opened(model, labels, device, precision, thresholds=thresholds, threads=threads, tell=terminal)


SCORER = Regard()

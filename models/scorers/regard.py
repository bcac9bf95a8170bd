"""Regard (Sheng et al. 2019) by a sequence classifier: one of the model hub, of a folder, or trained here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.common.progress import terminal
from harmgraph.graph.scorer import Option, Score, Scorer
from harmgraph.models.classifier.classifier import Classifier, identity, opened

LEAST = {"batch": 1, "threads": 0}
PRECISIONS = ("auto", "fp32", "bf16", "int8")


class Regard(Scorer):
    """The label with the highest probability; the value is P(positive) - P(negative).

    A label that is neither positive, neutral nor negative is kept as other.
    """

    name = "regard"
    measure = "regard"
    citation = "Sheng et al. 2019; any sequence classifier of the hub or of 'harmgraph scorer train'"
    options = (
        Option("model", "sasha/regardv3", "hub id, folder, or name of a scorer trained here"),
        Option("labels", "", "what the model's labels mean: LABEL_0=negative,LABEL_1=neutral,..."),
        Option("precision", "auto", "auto, fp32, bf16 or int8; auto: bf16 where the processor has it"),
        Option("device", "auto", "auto, cpu or cuda"),
        Option("batch", 64, "texts that the model sees at once"),
        Option("threads", 0, "of the processor, 0 for all or one, whichever is quicker; changes no label"),
    )
    workers = False
    texts_at_once = 4_000

    @property
    def version(self) -> str:
        return "1"

    def by(self, options: Mapping[str, Any]) -> str:
        """The model stands in it by the digest of its weights, and the arithmetic, since both decide labels.

        Raises:
            InputError: the model cannot be found.
            BadName: a precision or a device that is not there, or no number of texts or threads.
        """
        chosen = self.chosen(options)
        _check_numbers(chosen)
        device, precision = _arithmetic(chosen["device"], chosen["precision"])
        where = "" if device == "cpu" else f",{device}"
        mapping = f",{chosen['labels']}" if chosen["labels"] else ""
        return f"{self.name}@{self.version}({identity(chosen['model'])},{precision}{where}{mapping})"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        """See ``Scorer.scores``.

        Raises:
            InputError: the model cannot be loaded, or its labels say nothing of what they mean.
            BadName: no number of texts or threads.
        """
        if not texts:
            return []
        _check_numbers(options)
        device, precision = _arithmetic(options["device"], options["precision"])
        classifier = _opened(options["model"], options["labels"], device, precision, options["threads"])
        found = classifier.judge(texts, batch=options["batch"])
        return [Score(label, value) for label, value in found]


def _check_numbers(options: Mapping[str, Any]) -> None:
    for name, least in LEAST.items():
        if options[name] < least:
            raise BadName(name, str(options[name]), f"must be {least} or more")


def _arithmetic(device: str, precision: str) -> tuple[str, str]:
    from harmgraph.models.text.arithmetic import best_precision, cuda_is_there

    if precision not in PRECISIONS:
        raise BadName("precision", precision, f"is none of {', '.join(PRECISIONS)}")
    if device not in ("auto", "cpu", "cuda"):
        raise BadName("device", device, "is none of auto, cpu, cuda")
    if device == "cuda" and not cuda_is_there():
        raise BadName("device", device, "is not on this machine: use cpu or auto")
    device = "cuda" if device != "cpu" and cuda_is_there() else "cpu"
    if precision == "int8" and device == "cuda":
        raise BadName("precision", precision, "is for the processor: use bf16 with cuda")
    return device, best_precision(device) if precision == "auto" else precision


@lru_cache(maxsize=1)
def _opened(model: str, labels: str, device: str, precision: str, threads: int) -> Classifier:
    return opened(model, labels, device, precision, threads=threads, tell=terminal)


SCORER = Regard()

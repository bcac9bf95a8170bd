"""Trained frame models on disk, one folder each under ``HARMGRAPH_HOME/frames``.

A folder has ``model`` (weights of the best epoch, tokenizer, model card), ``config.json`` (a ``Config``), ``history.json`` (a row
per epoch), ``posts.jsonl`` (the posts that it was trained, chosen and judged on) and ``training``, from which training continues.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import BadName, InputError, UnknownMember, UnreadableFile
from harmgraph.graph.common.whole_file import beside
from harmgraph.models.folders import Folders
from harmgraph.models.language.frames.recipe import Recipe

FORM = 1
MODEL, TRAINING, CONFIG, HISTORY = "model", "training", "config.json", "history.json"
FOLDERS = Folders("frames", "frame model")
folder, names, alone = FOLDERS.of, FOLDERS.names, FOLDERS.alone
AGAIN = "train it again with --again"


@dataclass(frozen=True, slots=True)
class Config:
    """What is known of a trained frame model.

    Attributes:
        state: ``training`` or ``finished``.
        model: what it began as: hub id, folder, package, ``new:SIZE`` or a language model trained here.
        identity: digest of everything that determines the result of the training.
        corpus: names of the files. corpus_digest: of their posts.
        train, valid, test: posts of each part. annotations: those that it learnt from.
        left_out: rows that were not used, by reason.
        thresholds: of a classifier, see ``classifier.thresholds``.
        stopped: why the training ended, ``epochs`` or ``patience``. best_epoch: counted from 1.
        loss_valid: of the best epoch.
        sha256: digest of the weights.
    """

    state: str
    model: str
    recipe: Recipe
    identity: str
    corpus: str
    corpus_digest: str
    train: int
    valid: int
    test: int
    annotations: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    thresholds: tuple[float, ...] = ()
    parameters: int = 0
    precision: str = "fp32"
    threads: int = 0
    form: int = FORM
    versions: Mapping[str, str] = field(default_factory=dict)
    stopped: str = ""
    epochs: int = 0
    best_epoch: int = 0
    loss_valid: float | None = None
    sha256: str = ""
    trained_at: str = ""

    @classmethod
    def of(cls, facts: Any) -> Config:
        """The record in a file; names that this version does not know are ignored.

        Raises:
            ValueError: it is none; the message says why.
        """
        if not isinstance(facts, dict):
            raise ValueError("it is not a JSON object")  # noqa: TRY004 - reported like every other fault
        known = {field.name: facts[field.name] for field in fields(cls) if field.name in facts}
        if known.get("form") != FORM:
            raise ValueError("another version of harmgraph wrote it")
        numbers = ("train", "valid", "test", "annotations", "parameters", "threads", "epochs", "best_epoch", "form")
        kinds: dict[str, type] = {
            **dict.fromkeys(numbers, int),
            **dict.fromkeys(("recipe", "versions", "left_out"), dict),
            "thresholds": list,
        }
        for name, value in known.items():
            if name != "loss_valid" and type(value) is not kinds.get(name, str):
                raise ValueError(f"{name} is {value!r}")
        known |= {"recipe": Recipe.of(facts.get("recipe")), "thresholds": tuple(facts.get("thresholds", ()))}
        try:
            return cls(**known)
        except TypeError as error:
            raise ValueError(f"it lacks {str(error).rpartition(': ')[2]}") from error

    def facts(self) -> dict[str, Any]:
        """The record as JSON."""
        return asdict(self) | {"thresholds": list(self.thresholds)}


def config(name: str) -> Config:
    """What is known of a trained frame model.

    Raises:
        UnknownMember: there is none of that name; the message lists similar names.
        UnreadableFile: its file is damaged.
    """
    path = folder(name) / CONFIG
    if not path.is_file():
        raise UnknownMember("trained frame model", name, names())
    try:
        return Config.of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, BadName) as error:
        raise UnreadableFile(path, f"cannot be read ({error})", remedy=AGAIN) from error


def ready(name: str) -> Config:
    """``config`` of a model whose training is finished.

    Raises:
        as ``config``, and InputError: its training is not finished.
    """
    known = config(name)
    if known.state != "finished":
        raise InputError("its training is not finished", where=name, remedy="run the same 'frames train' again")
    return known


def keep(place: Path, known: Config, history: Sequence[Mapping[str, Any]]) -> None:
    """Writes ``history.json`` and ``config.json``."""
    for name, content in ((HISTORY, list(history)), (CONFIG, known.facts())):
        with beside(place / name) as part:
            part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

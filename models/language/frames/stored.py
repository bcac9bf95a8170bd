"""Trained frame models on disk, one folder each under ``HARMGRAPH_HOME/frames``.

A folder has ``model`` (weights of the best epoch, tokenizer, model card), ``config.json`` (a ``FrameConfig``),
``history.json`` (a row per epoch), ``posts.jsonl`` (the posts that it was trained, chosen and judged on) and ``training``, from
which training continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harmgraph.models.folders import Folders
from harmgraph.models.language.frames.recipe import FrameRecipe
from harmgraph.models.record import Outcome, Records

MODEL, TRAINING = "model", "training"
FOLDERS = Folders("frames", "frame model")
folder, names = FOLDERS.of, FOLDERS.names


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameConfig(Outcome):
    """What is known of a trained frame model.

    Attributes:
        state: ``training`` or ``finished``.
        model: what it began as: hub id, folder, package, ``new:SIZE`` or a language model trained here.
        identity: digest of everything that determines the result of the training.
        corpus: names of the files. corpus_digest: of their posts.
        train, valid, test: posts of each part. annotations: those that it learnt from.
        left_out: rows that were not used, by reason.
        thresholds: of a classifier, see ``classifier.thresholds``.
        loss_valid: of the best epoch. f1_valid: of it, if epochs were chosen by it.
        sha256: digest of the weights.
    """

    state: str
    model: str
    recipe: FrameRecipe
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
    loss_valid: float | None = None
    f1_valid: float | None = None
    sha256: str = ""


RECORDS = Records(FOLDERS, FrameConfig, "frames train")
config, finished = RECORDS.read, RECORDS.finished

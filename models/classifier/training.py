"""Trains a scorer: examples of a file, an encoder, and what came of it, saved where ``label`` finds it by its name."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.graph.common.progress import Progress, Tell, quiet, silent
from harmgraph.models.classifier.card import card
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.examples import Example, Examples, Split, counts, read_examples, split
from harmgraph.models.classifier.finetuning import Recipe, Training, is_of, saving, token_ids
from harmgraph.models.classifier.held_out import LabelScore, judged
from harmgraph.models.classifier.lock import alone
from harmgraph.models.classifier.pretrained import most_tokens
from harmgraph.models.text.encoder import trained

FACTS = "training.json"
CARD = "README.md"
NEEDED = frozenset({"name", "identity", "file", "counts", "epochs", "scores", "baseline", "trained_at"})


@dataclass(frozen=True, slots=True)
class Trained:
    """A scorer and how well it does.

    Attributes:
        folder: where it stands; ``label regard --model`` takes it, or its name.
        scores: on the held-out examples.
        baseline: of a linear model on the same examples.
        facts: all that is known of the training, as in ``training.json``.
        anew: False where it had been trained before.
    """

    folder: Path
    scores: tuple[LabelScore, ...]
    baseline: tuple[LabelScore, ...]
    facts: Mapping[str, Any]
    anew: bool


def train(
    name: str,
    data: Path,
    encoder: str,
    *,
    recipe: Recipe | None = None,
    again: bool = False,
    threads: int = 0,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> Trained:
    """Trains, or goes on with a training that was interrupted, or gives what was trained before.

    Args:
        threads: of the processor; 0 for all or one, whichever is quicker. With the same data, recipe and threads the scorer
            comes out the same.
        tell: hears which was.

    Raises:
        BadName: the name is no name of a folder, or the learning rate is none.
        UnreadableFile: the data cannot be read.
        InputError: too few examples, no such encoder, or another training under this name.
        Busy: another command trains or removes this scorer.
        NoSpace: harmgraph's home cannot be written.
    """
    recipe = recipe or Recipe()
    if not 0 < recipe.learning_rate < math.inf:
        raise BadName("learning rate", str(recipe.learning_rate), "is none: give a number above 0, such as 1e-4")
    folder = trained(_checked(name))
    examples = read_examples(data)
    identity = {"data": examples.digest, "encoder": model_identity(encoder), "recipe": asdict(recipe)}
    with alone(name):
        if not again and (folder / FACTS).is_file():
            return _standing(folder, identity)
        begun = begun_folder(name)
        # What stands there was interrupted. One of the same data and options is gone on with, since it comes to the same.
        if again and not is_of(begun, identity):
            shutil.rmtree(begun, ignore_errors=True)
        parts = split(examples.examples, seed=recipe.seed)
        if not (parts.train and parts.valid and parts.test):
            raise InputError(
                f"no example is left to check on: {parts.repeated:,} of {len(examples.examples):,} repeat a text that is learnt",
                where=str(data),
                remedy="give more distinct texts",
            )
        work = Training(begun, encoder, parts, recipe, identity, threads, tell)
        return _trained(name, data.name, examples, work, progress)


def _trained(name: str, file: str, examples: Examples, work: Training, progress: Progress) -> Trained:
    folder, parts, recipe = trained(name), work.split, work.recipe
    model, tokenizer = work.run(progress)
    progress("a linear model on the same examples", 0)
    baseline = _baseline(parts, recipe.seed)
    progress("the held-out examples", 0)
    scores = _scores(model, tokenizer, parts.test, recipe)
    facts = {
        "name": name,
        "identity": work.identity,
        "file": file,
        "rejected": examples.rejected,
        "by_target": examples.by_target,
        "repeated": parts.repeated,
        "counts": {part: counts(getattr(parts, part)) for part in ("train", "valid", "test")},
        "targets": {
            part: len({example.group for example in getattr(parts, part)}) for part in ("train", "valid", "test")
        },
        "epochs": [asdict(epoch) for epoch in work.epochs],
        "scores": [asdict(score) for score in scores],
        "baseline": [asdict(score) for score in baseline],
        "threads": work.threads,
        "versions": {package: version(package) for package in ("torch", "transformers", "safetensors")},
        "trained_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    with saving(folder):
        _save(model, tokenizer, folder, facts)
    shutil.rmtree(work.folder, ignore_errors=True)
    return Trained(folder, scores, baseline, facts, True)


def begun_folder(name: str) -> Path:
    """Where a training keeps what it has until it is done."""
    return trained(f".{name}.training")


def trained_scorers() -> list[dict[str, Any]]:
    """The facts of all scorers trained here, by name.

    Raises:
        UnreadableFile: the facts of one are damaged.
    """
    return [
        _facts(path.parent) for path in sorted(trained("").glob(f"*/{FACTS}")) if not path.parent.name.startswith(".")
    ]


def _checked(name: str) -> str:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
        raise BadName("scorer", name, "cannot be a folder's name: letters, digits, - _ and . only")
    return name


def _standing(folder: Path, identity: Mapping[str, Any]) -> Trained:
    facts = _facts(folder)
    if facts["identity"] != identity:
        raise InputError(
            "a scorer was trained under this name on other data or with other options",
            where=str(folder),
            remedy="choose another name, or train it anew with --again",
        )
    scores, baseline = (tuple(LabelScore(**score) for score in facts[key]) for key in ("scores", "baseline"))
    return Trained(folder, scores, baseline, facts, False)


def _facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or not facts.keys() >= NEEDED:
        raise UnreadableFile(
            path, "is damaged", remedy=f"train it anew with --again, or remove it: harmgraph scorer rm {folder.name}"
        )
    return facts


def _baseline(parts: Split, seed: int) -> tuple[LabelScore, ...]:
    from harmgraph.models.classifier.baseline import predicted

    return tuple(
        judged(parts.test, predicted(parts.train, [example.text for example in parts.test], seed=seed), seed=seed)
    )


def _scores(model: Any, tokenizer: Any, test: tuple[Example, ...], recipe: Recipe) -> tuple[LabelScore, ...]:
    from harmgraph.models.text.inference import logits

    ids = token_ids(tokenizer, test, most_tokens(tokenizer, model, recipe.tokens))
    return tuple(judged(test, logits(model, ids).argmax(axis=1), seed=recipe.seed))


def _save(model: Any, tokenizer: Any, folder: Path, facts: Mapping[str, Any]) -> None:
    """Beside its place first: whoever labels with it meanwhile reads the old one or the new one whole."""
    from harmgraph.models.text.inference import quiet

    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with quiet():
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)
    (part / CARD).write_text(card(facts), encoding="utf-8")
    (part / FACTS).write_text(json.dumps(facts, indent=2), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    part.replace(folder)

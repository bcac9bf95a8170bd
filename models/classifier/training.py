"""Trains a scorer from labelled examples and an encoder, and saves it where ``label`` finds it by name."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.common.whole_file import beside, folder_beside
from harmgraph.models.classifier.card import card
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.examples import Example, Examples, Split, counts, read_examples, split
from harmgraph.models.classifier.finetuning import Recipe, finetuned, token_ids
from harmgraph.models.classifier.held_out import FileScore, LabelScore, file_score, judged
from harmgraph.models.drawn import drawn
from harmgraph.models.folders import locked
from harmgraph.models.record import same_precision
from harmgraph.models.text.encoder import trained
from harmgraph.models.text.pretrained import classifier_of, most_tokens, tokenizer_of
from harmgraph.models.text.saving import saving

if TYPE_CHECKING:
    import numpy
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

FACTS = "training.json"
CARD = "README.md"
LOCKS = ".locks"
NEEDED = frozenset({"name", "identity", "file", "precision", "counts", "epochs", "scores", "baseline", "trained_at"})


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained scorer and its scores.

    Attributes:
        folder: its folder; ``label regard --model`` takes it, or its name.
        scores: on the held-out examples.
        baseline: scores of a linear model on the same examples.
        facts: the content of ``training.json``.
        anew: False if it had been trained before.
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
    meanings: Mapping[str, str] | None = None,
    limit: int = 0,
    tests: Sequence[Path] = (),
    test_meanings: Mapping[str, str] | None = None,
    again: bool = False,
    precision: str = "auto",
    threads: int = 0,
    tell: Tell = quiet,
) -> Trained:
    """Trains a scorer, continues an interrupted training, or returns a scorer that is already trained.

    Args:
        meanings: what the labels of the data mean, where ``classifier_label`` does not say it.
        limit: examples at most, see ``drawn``; 0 for all.
        tests: held-out files of the same form to judge the scorer on; also one that is already trained. Texts that the data has
            too are left out and counted.
        test_meanings: what the labels of the held-out files mean, where that is not ``meanings``.
        precision: see ``models.text.finetuning.Training``.
        threads: CPU threads; 0 for all or one, whichever is faster. The same data, recipe, precision and threads give the same
            scorer.
        tell: is called with the number chosen.

    Raises:
        BadName: the name is not allowed as a folder name, the learning rate is not a positive number, or the data has no such
            label.
        UnreadableFile: the data or a held-out file cannot be read.
        InputError: too few examples, no such encoder, or another training has this name or another precision; or it is not known
            what a label means.
        Busy: another command trains or removes this scorer.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    recipe = recipe or Recipe()
    if not 0 < recipe.learning_rate < math.inf:
        raise BadName("learning rate", str(recipe.learning_rate), "is not valid: give a number above 0, such as 1e-4")
    folder = trained(_checked(name))
    examples = read_examples(data, meanings)
    examples = replace(examples, examples=drawn(examples.examples, limit, lambda example: example.text))
    read = [_HeldOut.read(path, test_meanings or meanings, examples) for path in tests]
    held = list({each.found.digest: each for each in read}.values())
    identity: dict[str, Any] = {"data": examples.digest, "encoder": model_identity(encoder), "recipe": asdict(recipe)}
    if limit:
        identity["limit"] = limit
    if meanings:
        identity["labels"] = dict(sorted(meanings.items()))
    with alone(name):
        if not again and (folder / FACTS).is_file():
            return _judged_too(_standing(folder, identity, precision), held, recipe)
        from harmgraph.models.text.finetuning import is_of

        begun, key = begun_folder(name), json.dumps(identity, sort_keys=True)
        # An interrupted training with the same data and options is continued even with --again: the result is the same.
        if again and not is_of(begun, key):
            shutil.rmtree(begun, ignore_errors=True)
        parts = split(examples.examples, seed=recipe.seed)
        if not (parts.train and parts.valid and parts.test):
            raise InputError(
                f"no example is left to test on: {parts.repeated:,} of {len(examples.examples):,} repeat a training text",
                where=str(data),
                remedy="give more distinct texts",
            )
        model, tokenizer, work = finetuned(
            begun, encoder, parts, recipe, key, precision=precision, threads=threads, tell=tell
        )
        progress("a linear model on the same examples", 0)
        baseline = _baseline(parts, recipe.seed)
        progress("the held-out examples", 0)
        scores = _scores(model, tokenizer, parts.test, recipe)
        facts = {
            "name": name,
            "identity": identity,
            "file": data.name,
            "rejected": examples.rejected,
            "by_target": examples.by_target,
            "repeated": parts.repeated,
            "counts": {part: counts(getattr(parts, part)) for part in ("train", "valid", "test")},
            "targets": {
                part: len({example.group for example in getattr(parts, part)}) for part in ("train", "valid", "test")
            },
            "epochs": [
                {"number": epoch.number, "loss": epoch.loss, "score": epoch.measure, **epoch.more}
                for epoch in work.epochs
            ],
            "scores": [asdict(score) for score in scores],
            "baseline": [asdict(score) for score in baseline],
            "tests": [asdict(each.judge(model, tokenizer, recipe)) for each in held],
            "precision": work.precision,
            "threads": work.threads,
            "versions": {package: version(package) for package in ("torch", "transformers", "safetensors")},
            "trained_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        }
        with saving(folder):
            _save(model, tokenizer, folder, facts)
        shutil.rmtree(begun, ignore_errors=True)
    return Trained(folder, scores, baseline, facts, True)


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """A file to judge on: what it has, and of that the examples whose text is not in the file to learn from."""

    file: str
    found: Examples
    unseen: tuple[Example, ...]

    @classmethod
    def read(cls, path: Path, meanings: Mapping[str, str] | None, learnt: Examples) -> _HeldOut:
        found = read_examples(path, meanings, held_out=True)
        if meanings:  # the same file with other meanings is judged anew
            said = json.dumps(sorted(meanings.items()))
            found = replace(found, digest=sha256(f"{found.digest} {said}".encode()).hexdigest())
        known = {example.text for example in learnt.examples}
        unseen = tuple(example for example in found.examples if example.text not in known)
        if not unseen:
            raise InputError(
                "every text of it is in the file to learn from",
                where=str(path),
                remedy="give --test a file of texts that are not learnt",
            )
        return cls(path.name, found, unseen)

    def judge(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> FileScore:
        progress(self.file, 0)
        predicted = _predicted(model, tokenizer, self.unseen, recipe)
        return file_score(self.file, self.found, self.unseen, predicted, seed=recipe.seed)


def _judged_too(standing: Trained, held: Sequence[_HeldOut], recipe: Recipe) -> Trained:
    """A trained scorer, judged on those held-out files that it was not judged on before; they are kept with the others."""
    tests = list(standing.facts.get("tests", ()))
    judged_on = {score["data"] for score in tests}
    new = [each for each in held if each.found.digest not in judged_on]
    if not new:
        return standing
    place = str(standing.folder)
    tokenizer, (model, _) = tokenizer_of(place), classifier_of(place)
    tests += [asdict(each.judge(model.eval(), tokenizer, recipe)) for each in new]
    facts = {**standing.facts, "tests": tests}
    with saving(standing.folder):
        for name, text in _pages(facts).items():
            with beside(standing.folder / name) as part:
                part.write_text(text, encoding="utf-8")
    return replace(standing, facts=facts)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Lets only one command at a time train or remove a scorer, until the block ends.

    Raises:
        Busy: another command has it.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    # Beside the folders, because a trained scorer takes the place of a whole folder.
    with locked(
        trained(LOCKS) / f"{name}.lock",
        "another command trains or removes this scorer",
        name,
        "wait until it is done, or stop it (finished epochs are kept)",
    ):
        yield


def begun_folder(name: str) -> Path:
    """The folder for the checkpoints of an unfinished training."""
    return trained(f".{name}.training")


def trained_scorers() -> list[dict[str, Any]]:
    """The ``training.json`` of all scorers on this machine, sorted by name.

    Raises:
        UnreadableFile: one is damaged.
    """
    return [
        _facts(path.parent) for path in sorted(trained("").glob(f"*/{FACTS}")) if not path.parent.name.startswith(".")
    ]


def _checked(name: str) -> str:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
        raise BadName("scorer", name, "is not allowed as a folder name: use letters, digits, - _ and .")
    return name


def _standing(folder: Path, identity: Mapping[str, Any], precision: str) -> Trained:
    facts = _facts(folder)
    if facts["identity"] != identity:
        raise InputError(
            "a scorer of this name was trained on other data or with other options",
            where=str(folder),
            remedy="choose another name, or train it again with --again",
        )
    same_precision(precision, facts["precision"], folder)
    scores, baseline = (tuple(LabelScore(**score) for score in facts[key]) for key in ("scores", "baseline"))
    return Trained(folder, scores, baseline, facts, False)


def _facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS
    try:
        facts = from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        facts = None
    if not isinstance(facts, dict) or not facts.keys() >= NEEDED:
        raise UnreadableFile(
            path, "is damaged", remedy=f"train it again with --again, or remove it: harmgraph scorer rm {folder.name}"
        )
    return facts


def _baseline(parts: Split, seed: int) -> tuple[LabelScore, ...]:
    """Scores of a linear model: a classifier must do clearly better to be worth its time."""
    labels = _by_linear_model(parts.train, [example.text for example in parts.test], seed)
    return tuple(judged(parts.test, labels, seed=seed))


def _by_linear_model(train: Sequence[Example], texts: Sequence[str], seed: int) -> numpy.ndarray[Any, Any]:
    """Predicts labels by logistic regression on word 1- and 2-grams and character 2- to 5-grams, with balanced label weights.

    Returns:
        Indices into ``CLASSIFIER_LABELS``, of shape (texts,).
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline, make_union

    grams = make_union(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
        TfidfVectorizer(ngram_range=(2, 5), analyzer="char_wb", sublinear_tf=True, min_df=2),
    )
    model = make_pipeline(grams, LogisticRegression(C=4, class_weight="balanced", max_iter=300, random_state=seed))
    model.fit([example.text for example in train], [example.label for example in train])
    return np.asarray(model.predict(list(texts)))


def _scores(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, test: tuple[Example, ...], recipe: Recipe
) -> tuple[LabelScore, ...]:
    return tuple(judged(test, _predicted(model, tokenizer, test, recipe), seed=recipe.seed))


def _predicted(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, test: Sequence[Example], recipe: Recipe
) -> numpy.ndarray[Any, Any]:
    """Indices into ``CLASSIFIER_LABELS``, of shape (test,)."""
    from harmgraph.models.text.inference import logits

    ids = token_ids(tokenizer, test, most_tokens(tokenizer, model, recipe.tokens))
    predicted: numpy.ndarray[Any, Any] = logits(model, ids).argmax(axis=1)
    return predicted


def _save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path, facts: Mapping[str, Any]) -> None:
    """Saves to another folder first, so that a program that loads the scorer meanwhile gets the old or the new one complete."""
    from harmgraph.models.text.inference import without_messages

    with folder_beside(folder) as part:
        with without_messages():
            model.save_pretrained(part)
            tokenizer.save_pretrained(part)
        for name, text in _pages(facts).items():
            (part / name).write_text(text, encoding="utf-8")


def _pages(facts: Mapping[str, Any]) -> dict[str, str]:
    """The files that say what is known of a scorer."""
    return {CARD: card(facts), FACTS: json.dumps(facts, indent=2)}

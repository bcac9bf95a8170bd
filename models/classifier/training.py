"""Trains a scorer from labelled examples and an encoder, and saves it where ``label`` finds it by name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.progress import progress, quiet
from harmgraph.common.whole_file import beside, folder_beside
from harmgraph.models.classifier.card import card
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.examples import Examples, Split, TextExample, counts, read_examples, split
from harmgraph.models.classifier.finetuning import EARLIER, ScorerRecipe, ScorerTask, loaded, token_ids
from harmgraph.models.classifier.held_out import FileScore, LabelScore, file_score, judged
from harmgraph.models.classifier.scorer_folders import ScorerFolders
from harmgraph.models.drawn import drawn
from harmgraph.models.options import QUICKER
from harmgraph.models.record import FINISHED, UNFINISHED, Records, Trained, versions
from harmgraph.models.text.encoder import PEOPLE, TUNED, trained
from harmgraph.models.text.pretrained import classifier_of, most_tokens, tokenizer_of
from harmgraph.models.text.saving import saving
from harmgraph.models.training_procedure import Begun, How, carried_out

if TYPE_CHECKING:
    import numpy
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.text.finetuning import Training

FACTS = TUNED
CARD = "README.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerRecord:
    """What is known of a trained scorer: ``training.json``.

    Attributes:
        identity: everything that determines the result of the training.
        file: of the examples. rejected: its lines without an example. by_target: whether it names targets.
        repeated: examples that are left out. counts, targets: of each part, by label, and how many.
        epochs: a row of each. scores: on the held-out examples. tests: on other files.
        baseline: scores of a linear model on the same examples.
    """

    name: str
    identity: Mapping[str, Any]
    file: str
    rejected: int = 0
    by_target: bool = False
    repeated: int = 0
    counts: Mapping[str, Mapping[str, int]]
    targets: Mapping[str, int] = field(default_factory=dict)
    epochs: tuple[Mapping[str, Any], ...]
    scores: tuple[LabelScore, ...]
    baseline: tuple[LabelScore, ...]
    tests: tuple[FileScore, ...] = ()
    precision: str
    threads: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    trained_at: str

    @property
    def state(self) -> str:
        """``finished`` of every scorer that has a folder."""
        return FINISHED if self.trained_at else UNFINISHED


class _Folders(ScorerFolders):
    """Those of scorers that are trained on examples."""

    __slots__ = ()

    def of(self, name: str) -> Path:
        return trained(name)


class _Scorers(Records[ScorerRecord]):
    """Those of scorers. What is finished stays until another takes its place; what is begun is in a folder beside it."""

    __slots__ = ()

    def standing(self, name: str, identity: object, *, again: bool, precision: str = "auto") -> ScorerRecord | None:
        from harmgraph.models.text.finetuning import is_of

        if (trained(name) / PEOPLE).exists() and not again:
            raise _other(trained(name))
        # An interrupted training with the same data and options is continued even with --again: the result is the same.
        if again and not is_of(begun_folder(name), json.dumps(identity, sort_keys=True)):
            shutil.rmtree(begun_folder(name), ignore_errors=True)
        return None if again else Records.standing(self, name, identity, again=False, precision=precision)

    def keep(
        self, place: Path, known: ScorerRecord, history: Sequence[Mapping[str, Any]] | None = None, **files: Any
    ) -> None:
        if known.state == FINISHED:
            for name, text in _pages(known).items():
                with beside(place / name) as part:
                    part.write_text(text, encoding="utf-8")


def _damaged(path: Path, _error: Exception) -> UnreadableFile:
    remedy = f"train it again with --again, or remove it: harmgraph scorer rm {path.parent.name}"
    return UnreadableFile(path, "is damaged", remedy=remedy)


def _other(place: Path) -> InputError:
    return InputError(
        "a scorer of this name was trained on other data or with other options",
        where=str(place),
        remedy="choose another name, or train it again with --again",
    )


WAIT = "wait until it is done, or stop it (finished epochs are kept)"
FOLDERS = _Folders("scorers", "scorer", FACTS, "trains or removes", WAIT)
RECORDS = _Scorers(FOLDERS, ScorerRecord, "scorer train", damaged=_damaged, other=_other)
alone = FOLDERS.alone


def train(
    name: str,
    data: Path,
    encoder: str,
    *,
    recipe: ScorerRecipe | None = None,
    meanings: Mapping[str, str] | None = None,
    limit: int = 0,
    tests: Sequence[Path] = (),
    test_meanings: Mapping[str, str] | None = None,
    **how: Unpack[How],
) -> Trained[ScorerRecord]:
    """Trains a scorer, continues an interrupted training, or returns a scorer that is already trained.

    Args:
        meanings: what the labels of the data mean, where ``classifier_label`` does not say it.
        limit: examples at most, see ``drawn``; 0 for all.
        tests: held-out files of the same form to judge the scorer on; also one that is already trained. Texts that the data has
            too are left out and counted.
        test_meanings: what the labels of the held-out files mean, where that is not ``meanings``.
        how: without a device; by default the faster of one thread and all is looked for. The same data, recipe, precision and
            threads give the same scorer.

    Raises:
        BadName: the name is not allowed as a folder name, or the data has no such label.
        UnreadableFile: the data or a held-out file cannot be read.
        InputError: too few examples, no such encoder, or another training has this name or another precision; or it is not known
            what a label means.
        Busy: another command trains or removes this scorer.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    recipe = recipe or ScorerRecipe()
    _check(name)
    examples = read_examples(data, meanings)
    examples = replace(examples, examples=drawn(examples.examples, limit, lambda example: example.text))
    read = [_HeldOut.read(path, test_meanings or meanings, examples) for path in tests]
    held = list({each.found.digest: each for each in read}.values())
    identity: dict[str, Any] = {"data": examples.digest, "encoder": model_identity(encoder), "recipe": asdict(recipe)}
    if limit:
        identity["limit"] = limit
    if meanings:
        identity["labels"] = dict(sorted(meanings.items()))
    asked: How = {"tell": quiet, "device": "cpu", **how}

    def begin(place: Path, _device: str) -> Begun[ScorerRecord]:
        import torch

        from harmgraph.models.text.inference import Lanes

        parts = split(examples.examples, seed=recipe.seed)
        if not (parts.train and parts.valid and parts.test):
            raise InputError(
                f"no example is left to test on: {parts.repeated:,} of {len(examples.examples):,} repeat a training text",
                where=str(data),
                remedy="give more distinct texts",
            )
        if (begun_folder(name) / EARLIER).exists():
            raise UnreadableFile(
                begun_folder(name),
                "has an unfinished training of an earlier version of harmgraph",
                remedy="start the training over with --again",
            )
        split_up = {part: getattr(parts, part) for part in ("train", "valid", "test")}
        known = ScorerRecord(
            name=name,
            identity=identity,
            file=data.name,
            rejected=examples.rejected,
            by_target=examples.by_target,
            repeated=parts.repeated,
            counts={part: counts(few) for part, few in split_up.items()},
            targets={part: len({example.group for example in few}) for part, few in split_up.items()},
            epochs=(),
            scores=(),
            baseline=(),
            precision="",
            versions=versions("torch", "transformers", "safetensors"),
            trained_at="",
        )
        torch.manual_seed(recipe.seed)
        tokenizer, encoded = loaded(encoder)
        task = ScorerTask(encoded, tokenizer, parts, recipe, Lanes(how.get("threads", 0)))

        def finish(done: ScorerRecord, loop: Training[Any]) -> ScorerRecord:
            progress(f"best: epoch {loop.best.number + 1}", 1, 1)
            model = task.finished(loop.best.more["shift"])
            progress("a linear model on the same examples", 0)
            baseline = _baseline(parts, recipe.seed)
            progress("the held-out examples", 0)
            done = replace(
                done,
                epochs=tuple(
                    {"number": epoch.number, "loss": epoch.loss, "score": epoch.measure, **epoch.more}
                    for epoch in loop.epochs
                ),
                scores=tuple(judged(parts.test, _predicted(model, tokenizer, parts.test, recipe), seed=recipe.seed)),
                baseline=baseline,
                tests=tuple(each.judge(model, tokenizer, recipe) for each in held),
            )
            _save(model, tokenizer, place, done)
            return done

        return Begun(
            known=known,
            identity=json.dumps(identity, sort_keys=True),
            task=task,
            recipe=recipe,
            state=begun_folder(name),
            work=begun_folder(name),
            finish=finish,
            quicker=QUICKER,
            single=True,
        )

    done = carried_out(RECORDS, name, identity, begin, **asked)
    return _judged_too(name, done, held, recipe)


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """A file to judge on: what it has, and of that the examples whose text is not in the file to learn from."""

    file: str
    found: Examples
    unseen: tuple[TextExample, ...]

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

    def judge(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, recipe: ScorerRecipe) -> FileScore:
        progress(self.file, 0)
        predicted = _predicted(model, tokenizer, self.unseen, recipe)
        return file_score(self.file, self.found, self.unseen, predicted, seed=recipe.seed)


def _judged_too(
    name: str, done: Trained[ScorerRecord], held: Sequence[_HeldOut], recipe: ScorerRecipe
) -> Trained[ScorerRecord]:
    """A trained scorer, judged on those held-out files that it was not judged on before; they are kept with the others."""
    if {each.found.digest for each in held} <= {score.data for score in done.config.tests}:
        return done
    with alone(name) as place:
        known = RECORDS.read(name)
        judged_on = {score.data for score in known.tests}  # now: another command may have judged it since
        new = [each for each in held if each.found.digest not in judged_on]
        tokenizer, (model, _) = tokenizer_of(str(place)), classifier_of(str(place))
        tests = [each.judge(model.eval(), tokenizer, recipe) for each in new]
        known = replace(known, tests=(*known.tests, *tests))
        with saving(place):
            RECORDS.keep(place, known)
    return replace(done, config=known)


def begun_folder(name: str) -> Path:
    """The folder for the checkpoints of an unfinished training."""
    return trained(f".{name}.training")


def trained_scorers() -> list[dict[str, Any]]:
    """The ``training.json`` of all scorers on this machine, sorted by name.

    Raises:
        UnreadableFile: one is damaged.
    """
    return RECORDS.listed(lambda _, known: asdict(known))


def _check(name: str) -> None:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
        raise BadName("scorer", name, "is not allowed as a folder name: use letters, digits, - _ and .")


def _baseline(parts: Split, seed: int) -> tuple[LabelScore, ...]:
    """Scores of a linear model: a classifier must do clearly better to be worth its time."""
    labels = _by_linear_model(parts.train, [example.text for example in parts.test], seed)
    return tuple(judged(parts.test, labels, seed=seed))


def _by_linear_model(train: Sequence[TextExample], texts: Sequence[str], seed: int) -> numpy.ndarray[Any, Any]:
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


def _predicted(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, test: Sequence[TextExample], recipe: ScorerRecipe
) -> numpy.ndarray[Any, Any]:
    """Indices into ``CLASSIFIER_LABELS``, of shape (test,)."""
    from harmgraph.models.text.inference import logits

    ids = token_ids(tokenizer, test, most_tokens(tokenizer, model, recipe.tokens))
    predicted: numpy.ndarray[Any, Any] = logits(model, ids).argmax(axis=1)
    return predicted


def _save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path, known: ScorerRecord) -> None:
    """Saves to another folder first, so that a program that loads the scorer meanwhile gets the old or the new one complete."""
    from harmgraph.models.text.inference import without_messages

    with folder_beside(folder) as part:
        with without_messages():
            model.save_pretrained(part)
            tokenizer.save_pretrained(part)
        for name, text in _pages(known).items():
            (part / name).write_text(text, encoding="utf-8")


def _pages(known: ScorerRecord) -> dict[str, str]:
    """The files that say what is known of a scorer."""
    facts = asdict(known)
    return {CARD: card(facts), FACTS: json.dumps(facts, indent=2)}

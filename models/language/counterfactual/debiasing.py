"""Makes a language model speak more alike of the values of an attribute: the curriculum of Huang et al. 2020, section 4.

The first step is ``language train``. The second trains a classifier of hidden states, which only the method ``sentiment`` needs;
the third goes on with the language model, on windows of its own training texts in which a value stands. No template is learnt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.common.private import make_folder
from harmgraph.common.progress import progress
from harmgraph.models.language import trained
from harmgraph.models.language.counterfactual.recipe import SENTIMENT, Debiasing
from harmgraph.models.language.counterfactual.values import Matcher, Sensitive, check_values
from harmgraph.models.language.judging.perplexity import perplexity
from harmgraph.models.language.named_language_model import finish, of_epoch, ready
from harmgraph.models.language.recipe import COMET, TEXT, recipe_for
from harmgraph.models.language.sequences import FILE, Tokens, check_any, keep, kept, sequences, windows
from harmgraph.models.language.trained import STATE, TRAINING, LanguageConfig
from harmgraph.models.record import UNFINISHED, Trained, read_json, write_json
from harmgraph.models.text.saving import saving
from harmgraph.models.training_procedure import Begun, How, carried_out

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.common.scorer import Scorer
    from harmgraph.models.language.corpus import Corpus
    from harmgraph.models.language.counterfactual.fairness import FairTask
    from harmgraph.models.text.finetuning import Training

DEBIASED = "debiased.json"
HELD_OUT = "held out from the training of the model"
"""In the folder of a training: what is known before its last step."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A scorer, whose confident texts the classifier of hidden states learns, with its options."""

    scorer: Scorer
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def by(self) -> str:
        """Name, version and options."""
        return self.scorer.by(self.options)


@dataclass(frozen=True, slots=True)
class DebiasingPlan:
    """What is done to which model.

    Attributes:
        model: one trained here on texts; or any other with ``corpus``.
        judge: for the method ``sentiment``.
        corpus: texts to learn; None for those that the model was trained on.
    """

    model: str
    values: tuple[Sensitive, ...]
    debiasing: Debiasing
    judge: Judge
    corpus: Corpus | None = None

    def identity(self, before: LanguageConfig | None) -> str:
        """A digest of everything that determines the result."""
        facts = [
            before.sha256 if before else self.model,
            self.corpus.digest if self.corpus else "",
            [asdict(value) for value in self.values],
            dict(self.debiasing.facts()),
            self.judge.by if self.debiasing.method == SENTIMENT else "",
        ]
        return facts_digest(facts)


@dataclass(frozen=True, slots=True)
class _Texts:
    """What is known of the model before, and its texts.

    Attributes:
        train, valid: token ids of whole texts.
    """

    known: LanguageConfig
    train: Sequence[Tokens]
    valid: Sequence[Tokens]


def debias(name: str, plan: DebiasingPlan, **how: Unpack[How]) -> Trained[LanguageConfig]:
    """Goes on with a language model so that what it says differs less between values; the result has a name of its own.

    A training that was interrupted goes on, and a finished one is left as it is.

    Raises:
        as ``training_procedure.carried_out``, and MissingExtra: torch or transformers is not installed.
        InputError: no such model, or its texts are not known or have no value.
    """
    trained.folder(name)
    before = _before(name, plan)
    identity = plan.identity(before)

    def begin(place: Path, _device: str) -> Begun[LanguageConfig]:
        work = place / TRAINING
        progress("reading the texts", 0)
        causal, tokenizer = trained.loaded(plan.model)
        texts = _texts(plan, before, tokenizer, causal)
        task = _task(plan, before, texts, causal, tokenizer)
        judged = _confident(plan, tokenizer, texts.train)
        known = replace(
            texts.known,
            state=UNFINISHED,
            model=plan.model,
            recipe=task.recipe,
            identity=identity,
            stopped="",
            epochs=0,
            best_epoch=0,
            valid_perplexity=None,
            sha256="",
            trained_at="",
            debias={},
        )
        facts: dict[str, Any] = {}

        def prepare() -> None:
            facts.update(_at_first(work / DEBIASED, task))
            if judged is not None:
                facts.update(_projected(plan, task, tokenizer, judged, work / "projection", identity))

        def finished(done: LanguageConfig, loop: Training[Any]) -> LanguageConfig:
            debias = {**_facts(plan, task), **facts, "distance_after": loop.best.more["distance"]}
            return finish(name, place, causal, tokenizer, replace(done, debias=debias), loop)

        return Begun(
            known=known,
            identity=identity,
            task=task,
            recipe=task.recipe,
            state=work / STATE,
            work=work,
            of_epoch=of_epoch,
            save=lambda: keep(place / FILE, train=texts.train, valid=texts.valid),
            prepare=prepare,
            finish=finished,
            varied=True,
        )

    return carried_out(trained.RECORDS, name, identity, begin, **how)


def _before(name: str, plan: DebiasingPlan) -> LanguageConfig | None:
    """What is known of the model before; None for one from elsewhere.

    Raises:
        InputError: the plan cannot be carried out.
    """
    known = ready(plan.model)
    if known is None and plan.corpus is None:
        raise InputError(
            "was not trained here, so its texts are not known", where=plan.model, remedy="give texts: --corpus FILE"
        )
    if known and known.recipe.kind == COMET:
        raise InputError("learnt triples, and no texts", where=plan.model, remedy="choose a model of texts")
    if plan.model == name and known:
        raise InputError("cannot go on from itself", where=name, remedy="choose another name for the new model")
    check_values(plan.values)
    return known


def _task(
    plan: DebiasingPlan,
    before: LanguageConfig | None,
    texts: _Texts,
    causal: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
) -> FairTask:
    from harmgraph.models.language.counterfactual.fairness import FairTask, with_values

    recipe = plan.debiasing.steps(texts.known.recipe, before is not None)
    every = windows(texts.train, recipe.context)
    matcher = Matcher(tokenizer, plan.values)
    chosen = with_values(every, matcher)
    if not chosen:
        raise InputError(
            f"no text has one of the {len(plan.values):,} values",
            where=texts.known.corpus,
            remedy="give other texts: --corpus FILE",
        )
    return FairTask(causal, every, chosen, texts.valid, matcher, recipe, plan.debiasing)


def _facts(plan: DebiasingPlan, task: FairTask) -> dict[str, Any]:
    return {
        **{name: value for name, value in plan.debiasing.facts().items() if value is not None},
        "attributes": list(dict.fromkeys(value.attribute for value in plan.values)),
        "values": len(plan.values),
        "windows": len(task.chosen),
        "of_windows": len(task.every),
    }


def _texts(
    plan: DebiasingPlan, before: LanguageConfig | None, tokenizer: PreTrainedTokenizerBase, causal: PreTrainedModel
) -> _Texts:
    """The texts of a model trained here, or those that were given; what is held out stays that of its training."""
    model, corpus = plan.model, plan.corpus
    if before and corpus is None:
        file = trained.folder(model) / FILE
        return _Texts(before, kept(file, "train"), kept(file, "valid"))
    assert corpus is not None, "a model from elsewhere needs texts"
    left_out = dict(corpus.left_out)
    if before:
        recipe, valid = before.recipe, kept(trained.folder(model) / FILE, "valid")
        held_out = {tokens.ids.tobytes() for tokens in valid}
        read = sequences(tokenizer, corpus.texts)
        train = [tokens for tokens in read if tokens.ids.tobytes() not in held_out]
        if len(train) < len(read):
            left_out[HELD_OUT] = len(read) - len(train)
        if not train:
            raise InputError(
                "has no text that was not held out from the training of the model",
                where=corpus.name,
                remedy="give other texts: --corpus FILE",
            )
    else:
        recipe = recipe_for(TEXT, model, {})
        learnt, judged = corpus.parts(recipe.held_out)
        train, valid = sequences(tokenizer, learnt), sequences(tokenizer, judged)
    recipe = trained.within(recipe, causal)
    for part in (train, valid):
        check_any(part, corpus.name, recipe.context)
    known = replace(trained.begun(model, recipe, corpus, train, valid, causal, tokenizer), left_out=left_out)
    return _Texts(replace(known, versions=before.versions) if before else known, train, valid)


def _at_first(file: Path, task: FairTask) -> dict[str, Any]:
    """Perplexity and distance on the held-out texts before the last step; computed once."""
    if file.is_file():
        facts: dict[str, Any] = read_json(file)
        return facts
    facts = {
        "perplexity_before": perplexity(task.nats_a_token()),
        "distance_before": task.distance(),
        "distances": len(task.held),
    }
    with saving(file.parent):
        make_folder(file.parent)
        write_json(file, facts)
    return facts


def _confident(
    plan: DebiasingPlan, tokenizer: PreTrainedTokenizerBase, read: Sequence[Tokens]
) -> tuple[list[str], list[int]] | None:
    """The texts and labels that the classifier of hidden states learns; None for a method without one."""
    if plan.debiasing.method != SENTIMENT:
        return None
    from harmgraph.models.language.counterfactual.projection import confident_texts

    judge = plan.judge
    return confident_texts(tokenizer, read, judge.scorer, dict(judge.options), plan.debiasing.confident)


def _projected(
    plan: DebiasingPlan,
    task: FairTask,
    tokenizer: PreTrainedTokenizerBase,
    judged: tuple[list[str], list[int]],
    folder: Path,
    identity: str,
) -> dict[str, Any]:
    """Gives the task its classifier of hidden states; what is known of it."""
    from harmgraph.models.language.counterfactual.projection import learnt

    recipe = task.recipe
    made = learnt(task.model, tokenizer, *judged, recipe.context, folder, identity, recipe.seed)
    task.projection = made.projection.to(task.model.device)
    return {"scorer": plan.judge.by, "classifier": made.facts()}

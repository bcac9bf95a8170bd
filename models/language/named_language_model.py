"""Trains a named language model, judges texts with it, and lists those on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from harmgraph.common import resampling
from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.models import store
from harmgraph.models.extra import needed
from harmgraph.models.language import trained
from harmgraph.models.language.card import card
from harmgraph.models.language.corpus import Corpus, Text
from harmgraph.models.language.fresh import new_model, new_tokenizer, size_of
from harmgraph.models.language.judging.perplexity import DRAWS, PerplexityRow, nats, perplexity, row
from harmgraph.models.language.recipe import COMET, NEW, LanguageRecipe
from harmgraph.models.language.sequences import FILE, Tokens, check_any, fitting, keep, kept, sequences, windows
from harmgraph.models.language.trained import MODEL, STATE, TRAINING, LanguageConfig
from harmgraph.models.options import QUICKER
from harmgraph.models.processor import device_of, torch_threads
from harmgraph.models.record import CONFIG, Trained
from harmgraph.models.training_procedure import Begun, How, carried_out, check

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.graph.connection import Graph
    from harmgraph.models.text.finetuning import Epoch, Training

FAMILY = "language"
LEARNT = 0.01
"""Most of the texts judged for keeping that may equal learnt ones, token by token: some tokenizers ignore capitals."""
TOO_LONG = "longer than the context"


def train(
    name: str, corpus: Corpus, model: str, recipe: LanguageRecipe, *, held_out: Corpus | None = None, **how: Unpack[How]
) -> Trained[LanguageConfig]:
    """Trains a language model, or continues an interrupted training; a finished one is left as it is.

    Args:
        model: hub id, folder, a package that carries a model, a model trained here, or ``new:SIZE``.
        held_out: texts that decide when to stop; None for a part of the corpus.

    Raises:
        as ``training_procedure.carried_out``, and MissingExtra: torch or transformers is not installed.
        InputError: the corpus is too small, or no such model.
        UnknownMember: no such size of a new model.
    """
    check(trained.RECORDS, name)
    if model.startswith(NEW):
        size_of(model.removeprefix(NEW))
    if model == name and trained.is_trained(model):
        raise InputError("cannot go on from itself", where=name, remedy="choose another name for the new model")
    identity = _identity(corpus, held_out, model, recipe)
    parts = (corpus.texts, held_out.texts) if held_out else corpus.parts(recipe.held_out)

    def begin(place: Path, _device: str) -> Begun[LanguageConfig]:
        from harmgraph.models.language.training import LanguageTask

        work = place / TRAINING
        progress("reading the texts", 0)
        causal, tokenizer, fitted = _opened(work, model, recipe, parts[0])
        read = sequences(tokenizer, parts[0]), sequences(tokenizer, parts[1])
        fit = fitting(read[0], fitted.context), fitting(read[1], fitted.context)
        train_part, valid_part = fit if fitted.kind == COMET else read
        for part in (train_part, valid_part):
            check_any(part, corpus.name, fitted.context)
        long = sum(len(part) for part in read) - len(train_part) - len(valid_part)
        known = replace(
            trained.begun(model, fitted, corpus, train_part, valid_part, causal, tokenizer),
            identity=identity,
            left_out={**corpus.left_out, **({TOO_LONG: long} if long else {})},
            source=corpus.source,
            imports=corpus.imports,
            relations=corpus.relations,
        )

        def save() -> None:
            if not (work / CONFIG).exists():
                trained.save(work, causal, tokenizer)
            keep(place / FILE, train=train_part, valid=valid_part)

        pieces = train_part if fitted.kind == COMET else windows(train_part, fitted.context)
        return Begun(
            known=known,
            identity=identity,
            task=LanguageTask(causal, pieces, valid_part, fitted),
            recipe=fitted,
            state=work / STATE,
            work=work,
            of_epoch=of_epoch,
            save=save,
            finish=partial(finish, name, place, causal, tokenizer),
            quicker=QUICKER,
            varied=True,
        )

    return carried_out(trained.RECORDS, name, identity, begin, **how)


def _opened(
    work: Path, model: str, recipe: LanguageRecipe, learnt: Sequence[Text]
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase, LanguageRecipe]:
    """The model before its training, its tokenizer, and the recipe with the context that the model has.

    What an interrupted training began with is kept: neither the hub nor the making of a tokenizer need give the same again.
    """
    import torch

    torch.manual_seed(recipe.seed)
    if (work / CONFIG).exists():
        causal, tokenizer = trained.loaded(str(work))
    elif model.startswith(NEW):
        size = size_of(model.removeprefix(NEW))
        texts = (f"{text.prompt} {text.text}" if text.prompt else text.text for text in learnt)
        tokenizer = new_tokenizer(texts, recipe.vocabulary or size.vocabulary)
        causal = new_model(size, len(tokenizer), recipe.context)
    else:
        causal, tokenizer = trained.loaded(model)
    return causal, tokenizer, trained.within(recipe, causal)


def of_epoch(epoch: Epoch) -> dict[str, Any]:
    """What the history of a language model says of an epoch."""
    return {f"valid_{what}": value for what, value in epoch.more.items()}


def finish(
    name: str,
    place: Path,
    causal: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    done: LanguageConfig,
    _loop: Training[Any],
) -> LanguageConfig:
    """Writes the folder of the model; see ``Begun.finish``."""
    trained.save(place / MODEL, causal, tokenizer, card(name, done))
    return replace(done, sha256=store.sha256(place / MODEL / "model.safetensors"))


def register(graph: Graph, name: str, known: LanguageConfig) -> None:
    """Writes the ``Model`` node of a finished model, with the source it was trained on. Raises as ``store.register``."""
    facts: dict[str, Any] = {"valid_perplexity": known.valid_perplexity}
    store.register(graph, name, FAMILY, known.sha256, known.imports, trained.FOLDERS, **facts)


def keep_judged(graph: Graph, name: str, known: LanguageConfig, source: str, part: str, row: PerplexityRow) -> None:
    """Writes ``(:Model)-[:JUDGED_ON]->(:Source)``: how well a model predicts a part of a source.

    Raises:
        InputError: the graph has a model of another kind by this name.
    """
    register(graph, name, known)
    columns = ("perplexity", "perplexity_low", "perplexity_high", "word_perplexity", "texts")
    facts = {column: value for column, value in row.facts().items() if column in columns}
    graph.write("language/judged", model=name, source=source, part=part, facts={**facts, "sha256": known.sha256})


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """How well a model predicts texts.

    Attributes:
        rows: of the model, and of the n-gram model trained on the same tokens.
        said: what the reader of the rows must know, a line each.
    """

    rows: tuple[PerplexityRow, ...]
    said: tuple[str, ...] = ()


def evaluate(
    name: str,
    texts: Sequence[Text] | None = None,
    *,
    context: int = 0,
    ngrams: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    keeps: bool = False,
    device: str = "auto",
    threads: int = 0,
) -> JudgedTexts:
    """Perplexity of a model, and of a 5-gram model trained on the same tokens.

    Args:
        name: see ``trained.loaded``.
        texts: None for those held out from the training.
        context: tokens seen at once; 0 for those of the training.
        ngrams: whether to train the n-gram model.
        draws, seed: of the intervals.
        keeps: whether the result is to be kept in the graph, as that of texts which the model did not learn.
        threads: CPU threads; 0 for torch's.

    Raises:
        InputError: no such model, its training is not finished, or it was not trained here and no texts are given; or more than
            ``LEARNT`` of the texts are those that it learnt, and the result is to be kept.
        UnreadableFile: a file of the model is missing or damaged.
    """
    import torch

    known = ready(name)
    device = device_of(device)
    model, tokenizer = trained.loaded(name)
    context = known.recipe.context if known and not context else context
    context = min(context or 1_024, int(getattr(model.config, "max_position_embeddings", None) or 1_024))
    if texts is None and known is None:
        raise InputError("was not trained here, so it has no held-out texts", where=name, remedy="give --corpus FILE")
    place = trained.folder(name) / FILE if known else Path()
    read = kept(place, "valid") if texts is None else sequences(tokenizer, texts)
    said: list[str] = []
    if texts is not None and any(text.prompt for text in texts):
        fit = fitting(read, context)
        if len(fit) < len(read):
            said.append(f"{len(read) - len(fit):,} texts are left out: {TOO_LONG}")
        read = fit
    check_any(read, name, context)
    learnt = kept(place, "train") if known else []
    seen = {tokens.ids.tobytes() for tokens in learnt}
    repeated = sum(tokens.ids.tobytes() in seen for tokens in read)
    if keeps and repeated > LEARNT * len(read):
        raise InputError(
            f"{repeated:,} of {len(read):,} texts are in its training data, so this perplexity is not kept in the graph",
            where=name,
            remedy="judge without --save, or on the held-out part of a source that it did not learn whole",
        )
    trained.move(model, device)
    with torch_threads(threads or torch.get_num_threads()):
        lost = nats(model, read, context)
    rows = [row(name, read, lost, draws=draws, seed=seed)]
    if known and ngrams:
        from harmgraph.models.language.judging import kneser_ney

        progress(f"a {kneser_ney.ORDER}-gram model on the same tokens", 0)
        others = kneser_ney.trained(learnt, len(tokenizer)).nats(read)
        rows.append(row(f"{kneser_ney.ORDER}-gram, Kneser-Ney", read, others, draws=draws, seed=seed))
        said += _compared(read, lost, others, draws, seed)
    if repeated:
        said.append(f"{repeated:,} of {len(read):,} texts are in its training data")
    return JudgedTexts(tuple(rows), tuple(said))


def _compared(read: Sequence[Tokens], lost: Any, others: Any, draws: int, seed: int) -> list[str]:
    """A line that compares the two models on the same resampled texts."""
    import numpy as np

    words = np.array([tokens.words for tokens in read])
    difference = lost - others
    line = f"perplexity a word, the model's by the n-grams': {perplexity(float(difference.sum() / words.sum())):.3f}"
    if draws and len(read) > 1:
        low, high = resampling.interval(resampling.ratios(difference, words, draws, seed))
        line += f" ({perplexity(low):.3f} to {perplexity(high):.3f})"
    return [line]


def ready(name: str) -> LanguageConfig | None:
    """What is known of a model trained here; None for one from elsewhere.

    Raises:
        InputError: its training is not finished.
        UnreadableFile: its file is damaged.
        MissingExtra: torch or transformers is not installed.
    """
    needed("torch")
    needed("transformers")
    if not trained.is_trained(name):
        return None
    return trained.finished(name)


def shown(name: str, known: LanguageConfig) -> dict[str, Any]:
    """What is shown of a language model."""
    return {
        "model": name,
        "kind": known.recipe.kind,
        "began_as": known.model,
        "state": known.state,
        "perplexity": known.valid_perplexity,
        "epochs": known.epochs,
        "best_epoch": known.best_epoch or None,
        "texts": known.train,
        "held_out": known.valid,
        "tokens": known.train_tokens,
        "parameters": known.parameters,
        "corpus": known.corpus,
        "debiased": known.reduced,
        "sha256": known.sha256[:12],
    }


def _identity(corpus: Corpus, held_out: Corpus | None, model: str, recipe: LanguageRecipe) -> str:
    return facts_digest([corpus.digest, held_out.digest if held_out else "", model, recipe.facts()])

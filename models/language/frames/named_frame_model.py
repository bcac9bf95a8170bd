"""Trains a named frame model, and lets it predict frames of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.models import store
from harmgraph.models.extra import needed
from harmgraph.models.language import trained
from harmgraph.models.language.frames import posts as files
from harmgraph.models.language.frames import stored
from harmgraph.models.language.frames.card import card
from harmgraph.models.language.frames.generative.search import Search
from harmgraph.models.language.frames.posts import TEST, TRAIN, VALID, Post, Posts
from harmgraph.models.language.frames.recipe import CLASSIFIER, F1, FrameRecipe
from harmgraph.models.language.frames.scores import mean_f1
from harmgraph.models.language.frames.stored import MODEL, TRAINING, FrameConfig
from harmgraph.models.language.fresh import new_model, new_tokenizer, size_of
from harmgraph.models.language.named_language_model import ready
from harmgraph.models.language.recipe import NEW
from harmgraph.models.language.trained import STATE
from harmgraph.models.options import FROZEN, QUICKER
from harmgraph.models.processor import device_of, torch_threads
from harmgraph.models.record import CONFIG, UNFINISHED, Trained, versions
from harmgraph.models.text.saving import saving
from harmgraph.models.training_procedure import Begun, How, carried_out, check, network_of

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.text.finetuning import Task, Training


def train(name: str, corpus: Posts, model: str, recipe: FrameRecipe, **how: Unpack[How]) -> Trained[FrameConfig]:
    """Trains a frame model, or continues an interrupted training; a finished one is left as it is.

    Args:
        model: of a generative one hub id, folder, package, language model trained here or ``new:SIZE``; of a classifier the
            encoder.

    Raises:
        as ``training_procedure.carried_out``, and MissingExtra: torch or transformers is not installed.
        InputError: there are too few posts, or no such model.
        UnknownMember: no such size of a new model.
    """
    check(stored.RECORDS, name)
    if model.startswith(NEW):
        size_of(model.removeprefix(NEW))
    parts = {part: corpus.of(part, recipe.fold) for part in files.PARTS}
    lacking = [part for part, few in parts.items() if not few]
    if lacking:
        raise InputError(
            f"has {len(corpus.posts):,} posts, and none for {', '.join(lacking)}",
            where=corpus.name,
            remedy="give more posts: a hash of each decides",
        )
    identity = _identity(corpus, model, recipe)

    def begin(place: Path, _device: str) -> Begun[FrameConfig]:
        progress("reading the posts", 0)
        work = place / TRAINING
        task, tokenizer, fitting = _opened(work, model, recipe, parts[TRAIN], parts[VALID])
        network = network_of(task)
        known = FrameConfig(
            state=UNFINISHED,
            model=model,
            recipe=fitting,
            identity=identity,
            corpus=corpus.name,
            corpus_digest=corpus.digest,
            train=len(parts[TRAIN]),
            valid=len(parts[VALID]),
            test=len(parts[TEST]),
            annotations=sum(len(post.annotations) for post in parts[TRAIN]),
            left_out=corpus.left_out,
            parameters=sum(weight.numel() for weight in network.parameters()),
            versions=versions(*trained.PACKAGES),
        )
        return Begun(
            known=known,
            identity=identity,
            task=task,
            recipe=fitting,
            state=work / STATE,
            work=work,
            save=lambda: files.keep(place / files.FILE, corpus.posts),
            finish=partial(_finish, name, place, network, tokenizer, parts[VALID]),
            quicker=QUICKER if recipe.frozen or recipe.kind != CLASSIFIER else FROZEN,
            varied=recipe.kind != CLASSIFIER,
        )

    return carried_out(stored.RECORDS, name, identity, begin, **how)


def _opened(
    work: Path, model: str, recipe: FrameRecipe, learnt: Sequence[Post], valid: Sequence[Post]
) -> tuple[Task[Any], PreTrainedTokenizerBase, FrameRecipe]:
    """What is trained, its tokenizer, and the recipe with the context that the model has.

    What an interrupted training of a generative model began with is kept: neither the hub nor the making of a tokenizer need
    give the same again.
    """
    import torch

    torch.manual_seed(recipe.seed)
    if recipe.kind == CLASSIFIER:
        from harmgraph.models.language.frames import classifier

        network, tokenizer = classifier.opened(model, recipe.frozen)
        return classifier.ClassifierTask(network, tokenizer, learnt, valid, recipe), tokenizer, recipe
    from harmgraph.models.language.frames.generative.decoding import frames as decoded
    from harmgraph.models.language.frames.generative.linearised import ROOM, linearised, marked, order_of, prompts
    from harmgraph.models.language.frames.generative.training import FrameTask

    if (work / CONFIG).exists():
        causal, tokenizer = trained.loaded(str(work))
        marks = marked(tokenizer)
    elif model.startswith(NEW):
        size = size_of(model.removeprefix(NEW))
        texts = (text for post in learnt for text in (post.text, *post.groups, *post.statements))
        tokenizer = new_tokenizer(texts, recipe.vocabulary or size.vocabulary)
        marks = marked(tokenizer)
        causal = new_model(size, len(tokenizer), recipe.context)
    else:
        causal, tokenizer = trained.loaded(model)
        marks = marked(tokenizer)
        if len(tokenizer) > int(causal.config.vocab_size):
            causal.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    recipe = trained.within(recipe, causal)
    if recipe.context <= ROOM:
        raise InputError(
            f"sees {recipe.context} tokens at once, of which a frame alone can need {ROOM}",
            where=model,
            remedy=f"choose another model, or a --context above {ROOM}",
        )
    if not (work / CONFIG).exists():
        with saving(work):
            trained.save(work, causal, tokenizer)
    order = order_of(recipe.variables)

    def f1() -> float:
        asked = prompts(tokenizer, marks, [post.text for post in valid], recipe.context)
        return mean_f1(valid, decoded(causal, tokenizer, marks, asked, Search(), order))

    task = FrameTask(
        causal,
        linearised(tokenizer, marks, learnt, recipe.context, order=order),
        linearised(tokenizer, marks, valid, recipe.context, with_post=False, order=order),
        recipe,
        f1 if recipe.choose_by == F1 else None,
    )
    if not task.train or not task.valid:
        raise InputError("no annotation answers a question", where=model, remedy="give more posts")
    return task, tokenizer, recipe


def _finish(
    name: str,
    place: Path,
    network: Any,
    tokenizer: PreTrainedTokenizerBase,
    valid: Sequence[Post],
    done: FrameConfig,
    _loop: Training[Any],
) -> FrameConfig:
    """Writes the folder of the model; see ``Begun.finish``."""
    if done.recipe.kind == CLASSIFIER:
        from harmgraph.models.language.frames import classifier

        limits = classifier.thresholds(network, tokenizer, valid, done.recipe.context)
        done = replace(done, thresholds=tuple(limits))
        classifier.save(place / MODEL, network, tokenizer, card(name, done))
    else:
        trained.save(place / MODEL, network, tokenizer, card(name, done))
    return replace(done, sha256=store.weights_digest(place / MODEL))


def predicted(
    name: str,
    texts: Sequence[str],
    search: Search,
    *,
    device: str = "auto",
    threads: int = 0,
) -> list[Frame]:
    """The frames of texts by a model, in their order.

    Args:
        search: how they are chosen; a classifier has one way.
        threads: CPU threads; 0 for torch's.

    Raises:
        MissingExtra: torch or transformers is not installed.
        UnknownMember: no such model.
        InputError: its training is not finished.
        UnreadableFile: a file of it is damaged.
        BadName: there is no such device.
    """
    needed("torch")
    needed("transformers")
    known, place = stored.finished(name), stored.folder(name) / MODEL
    context, device = known.recipe.context, device_of(device)
    if known.recipe.kind == CLASSIFIER:
        from harmgraph.models.language.frames import classifier

        network, words = classifier.loaded(place)
        trained.move(network, device)
        progress("predicting frames", 0, len(texts))
        yes = classifier.probabilities(network, words, texts, context)
        return classifier.frames(yes, known.thresholds)
    import torch

    from harmgraph.models.language.frames.generative.decoding import frames
    from harmgraph.models.language.frames.generative.linearised import marked, order_of, prompts

    model, tokenizer = _generative(place)
    trained.move(model, device)
    marks = marked(tokenizer)
    with torch_threads(threads or torch.get_num_threads()):
        ids = prompts(tokenizer, marks, texts, context)
        return frames(model, tokenizer, marks, ids, search, order_of(known.recipe.variables))


def _generative(place: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    return trained.loaded(str(place))


def parts_of(name: str) -> dict[str, tuple[Post, ...]]:
    """The posts that a model was trained, chosen and judged on, by part.

    Raises:
        as ``stored.finished``.
    """
    known = stored.finished(name)
    posts = Posts(known.corpus, files.kept(stored.folder(name) / files.FILE))
    return {part: posts.of(part, known.recipe.fold) for part in (TRAIN, VALID, TEST)}


def shown(name: str, known: FrameConfig) -> dict[str, Any]:
    """What is shown of a frame model."""
    return {
        "model": name,
        "kind": known.recipe.kind,
        "began_as": known.model,
        "state": known.state,
        "loss_valid": known.loss_valid,
        "f1_valid": known.f1_valid,
        "order": None if known.recipe.kind == CLASSIFIER else ", ".join(known.recipe.variables),
        "epochs": known.epochs,
        "best_epoch": known.best_epoch or None,
        "train": known.train,
        "valid": known.valid,
        "test": known.test,
        "annotations": known.annotations,
        "parameters": known.parameters,
        "corpus": known.corpus,
        "sha256": known.sha256[:12],
    }


def _weights_of(model: str) -> str:
    """The digest of the weights of a model on this machine, which can change under its name; empty for all others."""
    if model.startswith(NEW):
        return ""
    if known := ready(model):
        return known.sha256
    return store.weights_digest(Path(model)) if Path(model).is_dir() else ""


def _identity(corpus: Posts, model: str, recipe: FrameRecipe) -> str:
    return facts_digest([corpus.digest, model, _weights_of(model), recipe.facts()])

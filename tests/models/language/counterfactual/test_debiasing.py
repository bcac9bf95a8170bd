"""A tiny model that goes on learning with each method: what the loss is, what comes out, and the same bits after a stop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import numpy as np
import torch

from harmgraph.common.errors import BadName, InputError
from harmgraph.common.scorer import scorers
from harmgraph.models.folders import clear
from harmgraph.models.language import trained
from harmgraph.models.language.corpus import Corpus, Text
from harmgraph.models.language.counterfactual.debiasing import DebiasingPlan, Judge, debias
from harmgraph.models.language.counterfactual.fairness import FairTask, with_values
from harmgraph.models.language.counterfactual.projection import Projection
from harmgraph.models.language.counterfactual.recipe import METHODS, Debiasing
from harmgraph.models.language.counterfactual.values import Matcher, Sensitive
from harmgraph.models.language.named_language_model import Trained, evaluate, shown, train
from harmgraph.models.language.recipe import recipe_for
from harmgraph.models.language.sequences import FILE, kept, windows
from harmgraph.models.text.finetuning import Training
from tests.support.occupations import OCCUPATIONS, texts

VALUES = tuple(Sensitive("occupation", value, value) for value in OCCUPATIONS)
CORPUS = Corpus("towns", tuple(map(Text, texts())), "line")
VADER = Judge(scorers.get("vader"), scorers.get("vader").chosen({}))
WORDS = {"epochs": 4, "batch": 8, "context": 32, "vocabulary": 400, "learning_rate": 5e-3}


@pytest.fixture(scope="module")
def base(home: Path) -> Iterator[Trained]:
    """A model of four occupations."""
    for name in trained.names():
        clear(trained.folder(name))
    recipe = recipe_for("text", "new:tiny", WORDS)
    yield train("before", CORPUS, "new:tiny", recipe, precision="fp32", threads=1)
    for name in trained.names():
        clear(trained.folder(name))


def learnt_of(base: Trained) -> set[Text]:
    """The texts that the model was not held out from."""
    return set(CORPUS.parts(base.config.recipe.held_out)[0])


def run(name: str, debiasing: Debiasing, **more: Any) -> Trained:
    plan = DebiasingPlan("before", VALUES, debiasing, VADER, more.pop("corpus", None))
    return debias(name, plan, **{"precision": "fp32", "threads": 1} | more)


def task_of(base: Trained, debiasing: Debiasing) -> FairTask:
    model, tokenizer = trained.loaded("before")
    every = windows(kept(base.folder / FILE, "train"), 32)
    matcher = Matcher(tokenizer, VALUES)
    recipe = debiasing.steps(base.config.recipe, True)
    valid = kept(base.folder / FILE, "valid")
    return FairTask(model.eval(), every, with_values(every, matcher), valid, matcher, recipe, debiasing)


@pytest.mark.parametrize("method", ["embedding", "sentiment"])
def test_the_loss_is_the_cross_entropy_and_the_weighted_distance(base: Trained, method: str) -> None:
    """Of states without dropout, which would differ after the same value too."""
    plain, weighted = (task_of(base, Debiasing(method, weight)) for weight in (0.0, 7.0))
    assert weighted.model.config.resid_pdrop > 0
    for task in (plain, weighted):
        task.model.train()
    project = torch.nn.Identity()
    if method == "sentiment":
        torch.manual_seed(3)
        project = weighted.projection = Projection(weighted.model.config.n_embd)
    step = next(weighted.steps(0))
    (piece,) = step.pieces
    same = next(plain.steps(0)).pieces[0]
    assert [example.at for example in same] == [example.at for example in piece]
    with torch.no_grad():
        difference = float(weighted.loss(piece) - plain.loss(piece))
    total = 0.0
    for example in piece:
        mine = torch.tensor(example.tokens.ids[: example.at + 1].astype(np.int64))[None]
        other = torch.tensor(example.other)[None]
        states = []
        for ids in (mine, other):
            with torch.no_grad():
                hidden = weighted.model(input_ids=ids, output_hidden_states=True).hidden_states
            states.append((hidden[-1][0, -1] + hidden[-2][0, -1]) / 2)
        with torch.no_grad():
            mine, other = map(project, states)
        distance = 1 - float(torch.nn.functional.cosine_similarity(mine, other, dim=0))
        total += distance * example.tokens.predicted
    assert total > 0
    assert difference == pytest.approx(7 * total, rel=1e-3)


def test_each_method_learns_as_many_windows_and_what_it_should(base: Trained) -> None:
    sizes = {}
    for method in METHODS:
        task = task_of(base, Debiasing(method))
        steps = list(task.steps(0))
        examples = [example for step in steps for piece in step.pieces for example in piece]
        sizes[method] = (len(steps), len(examples))
        known = {window.tokens.ids.tobytes(): window for window in task.chosen}
        changed = [example for example in examples if example.tokens.ids.tobytes() not in known]
        if method in {"embedding", "sentiment"}:
            assert not changed
            for example in examples:
                mine = task.matcher.places(example.tokens.ids[: example.at + 2])[-1].value
                other = task.matcher.places(np.array([*example.other, 0]))[-1].value
                assert mine != other
        elif method == "augment":
            assert 0.3 < len(changed) / len(examples) < 0.7
            assert all(task.matcher.places(example.tokens.ids) for example in changed)
        else:
            assert all(not example.other for example in examples)
            assert changed, "texts without a value too"
    assert len(set(sizes.values())) == 1


def test_embeddings_come_closer_and_the_result_is_a_model_like_any_other(base: Trained) -> None:
    far = run("none", Debiasing("none", epochs=2)).config
    near = run("near", Debiasing("embedding", 20.0, epochs=2)).config
    assert near.debias["distance_before"] == far.debias["distance_before"] > 0
    assert near.debias["distance_after"] < 0.5 * near.debias["distance_before"]
    assert near.debias["distance_after"] < 0.5 * far.debias["distance_after"]
    assert near.debias["perplexity_before"] == pytest.approx(base.config.valid_perplexity, rel=1e-5)
    assert (near.model, near.epochs, near.best_epoch, near.stopped) == ("before", 2, 2, "epochs")
    assert near.debias["windows"] < near.debias["of_windows"]
    assert "weight" not in far.debias
    (row,) = [row for row in trained.RECORDS.listed(shown) if row["model"] == "near"]
    assert (row["began_as"], row["debiased"]) == ("before", "embedding 20: occupation")
    assert "made to differ less between values: method embedding" in (
        trained.folder("near") / "model" / "README.md"
    ).read_text(encoding="utf-8")
    judged = evaluate("near", draws=0, ngrams=False).rows[0]
    assert judged.perplexity == pytest.approx(near.valid_perplexity, rel=1e-5)
    history = json.loads((trained.folder("near") / "history.json").read_text())
    assert [row["epoch"] for row in history] == [1, 2]
    assert history[-1]["valid_distance"] == near.debias["distance_after"]
    again = run("near", Debiasing("embedding", 20.0, epochs=2))
    assert (again.fresh_epochs, again.config) == (0, near)
    with pytest.raises(InputError, match="with other options has this name"):
        run("near", Debiasing("embedding", 2.0, epochs=2))


def stopping(method: str, after: int, folder: str) -> Any:
    """A method of ``Training`` that is interrupted the so-manieth time, in trainings in one folder."""
    whole, calls = getattr(Training, method), [0]

    def stops(self: Training[Any], *arguments: Any) -> Any:
        result = whole(self, *arguments)
        calls[0] += self.folder.name == folder
        if calls[0] == after:
            raise KeyboardInterrupt
        return result

    return stops


@pytest.mark.parametrize(
    ("method", "after", "folder"), [("_keep", 1, "state"), ("_step", 2, "projection")], ids=["third", "second"]
)
def test_sentiment_is_regularised_and_a_stop_changes_no_bit(
    base: Trained, method: str, after: int, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Debiasing("sentiment", 5.0, confident=0.3, epochs=2)
    straight = run("straight", wanted)
    classifier = straight.config.debias["classifier"]
    assert classifier["texts"] + classifier["held_out"] > 100
    assert straight.config.debias["scorer"].startswith("vader@")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, method, stopping(method, after, folder))
        run("broken", wanted, again=True)
    resumed = run("broken", wanted)
    for file in ("model/model.safetensors", "history.json", "corpus.safetensors"):
        assert (resumed.folder / file).read_bytes() == (straight.folder / file).read_bytes(), file
    assert resumed.config.debias == straight.config.debias
    assert not (resumed.folder / "training").exists()


def test_a_model_from_elsewhere_needs_texts(base: Trained) -> None:
    folder = str(base.folder / "model")
    plan = DebiasingPlan(folder, VALUES, Debiasing("embedding", epochs=1, batch=8), VADER)
    with pytest.raises(InputError, match=r"was not trained here.*--corpus FILE"):
        debias("elsewhere", plan)
    done = debias("elsewhere", replace(plan, corpus=CORPUS), precision="fp32", threads=1)
    assert (done.config.corpus, done.config.recipe.learning_rate) == ("towns", 1e-5)
    here = run("other-texts", Debiasing("none", epochs=1), corpus=CORPUS)
    assert (here.config.corpus, here.config.valid) == ("towns", base.config.valid)
    assert here.config.left_out == {"held out from the training of the model": base.config.valid}
    assert here.config.train == base.config.train
    held_out = Corpus("held out", tuple(text for text in CORPUS.texts if text not in learnt_of(base)), "line")
    with pytest.raises(InputError, match="held out: has no text that was not held out"):
        run("held-out-texts", Debiasing("none", epochs=1), corpus=held_out)


def test_what_cannot_be_done_is_said_and_leaves_nothing(base: Trained) -> None:
    rivers = Corpus("rivers", tuple(map(Text, texts(40, with_values=False))), "line")
    with pytest.raises(InputError, match=r"rivers: no text has one of the 4 values; give other texts"):
        run("no-values", Debiasing("embedding"), corpus=rivers)
    with pytest.raises(InputError, match=r"confident of 0 negative sentences of .*lower --confident"):
        run("unsure", Debiasing("sentiment", confident=1.0))
    with pytest.raises(InputError, match="cannot go on from itself"):
        debias("before", DebiasingPlan("before", VALUES, Debiasing("none"), VADER))
    with pytest.raises(BadName, match="'-1' is not valid: give 0 or more"):
        Debiasing("embedding", -1.0)
    with pytest.raises(BadName, match="is none of embedding"):
        Debiasing("magic")
    with pytest.raises(BadName, match="from 0 to 1"):
        Debiasing("sentiment", confident=2.0)
    assert not {"no-values", "unsure"} & set(trained.names())

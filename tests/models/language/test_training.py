"""Training of tiny language models: what they learn, what the loss is of, and that a broken training comes to the same bits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import BadName, HarmgraphError, InputError, UnknownMember, UnreadableFile
from harmgraph.models import training_procedure
from harmgraph.models.language import named_language_model, trained
from harmgraph.models.language.corpus import Corpus, Text, from_files, prompt_of
from harmgraph.models.language.fresh import Size, new_model, new_tokenizer
from harmgraph.models.language.judging.perplexity import nats
from harmgraph.models.language.named_language_model import evaluate
from harmgraph.models.language.recipe import recipe_for
from harmgraph.models.language.sequences import Tokens, sequences, windows
from harmgraph.models.language.training import LanguageTask
from harmgraph.models.record import Trained
from harmgraph.models.text.finetuning import Training

pytestmark = pytest.mark.usefixtures("without_language_models")
WORDS = ("person", "lawyer", "doctor", "baker", "house", "street", "river", "bread")
TEXTS = Corpus(
    "lines", tuple(Text(f"the {one} sees the {two} and the {one} is glad") for one in WORDS for two in WORDS), "line"
)
TRIPLES = Corpus(
    "kb",
    tuple(Text(tail, prompt_of(head, "IsA")) for head in WORDS for tail in (f"kind of {head}", f"good {head}")),
    "triple",
    ("IsA",),
    source="kb",
    imports={"kb": "1"},
)
TINY: dict[str, Any] = {"epochs": 3, "batch": 8, "context": 32, "learning_rate": 3e-3, "vocabulary": 300}


def run(name: str, corpus: Corpus = TEXTS, model: str = "new:tiny", **options: Any) -> Trained:
    others = {key: options.pop(key) for key in ("again", "threads", "device", "held_out_corpus") if key in options}
    recipe = recipe_for("comet" if corpus.relations else "text", model, TINY | options)
    return named_language_model.train(
        name, corpus, model, recipe, held_out=others.pop("held_out_corpus", None), **others
    )


def test_a_training_learns_and_its_folder_is_of_transformers() -> None:
    done = run("learnt", epochs=5)
    history = json.loads((done.folder / "history.json").read_text())
    assert history[-1]["valid_perplexity"] < history[0]["valid_perplexity"] / 2
    known = done.config
    assert known.best_epoch == min(history, key=lambda epoch: epoch["valid_perplexity"])["epoch"]
    files = {path.name for path in (done.folder / "model").iterdir()}
    assert files >= {"model.safetensors", "config.json", "tokenizer.json", "README.md"}
    assert not [path for path in done.folder.rglob("*") if path.suffix in (".bin", ".pt", ".pkl")]
    assert not (done.folder / "training").exists()
    assert "`new:tiny`" in (done.folder / "model" / "README.md").read_text()
    judged = evaluate("learnt", draws=20)
    assert judged.rows[0].perplexity == pytest.approx(known.valid_perplexity, rel=1e-5)
    assert (judged.rows[0].texts, judged.rows[0].tokens) == (known.valid, known.valid_tokens)
    assert judged.rows[0].words == known.valid * 11, "ten words and the end"
    assert judged.rows[1].model == "5-gram, Kneser-Ney"
    assert judged.rows[1].tokens == judged.rows[0].tokens
    low, high = judged.rows[0].word_perplexity_low, judged.rows[0].word_perplexity_high
    assert low is not None and high is not None and low <= judged.rows[0].word_perplexity <= high
    again = run("learnt", epochs=5)
    assert (again.fresh_epochs, again.config) == (0, known)
    # As a model from elsewhere, by its folder.
    elsewhere = evaluate(str(done.folder / "model"), TEXTS.texts[:5], context=32)
    assert [row.model for row in elsewhere.rows] == [str(done.folder / "model")]
    seen = evaluate("learnt", TEXTS.texts, draws=0)
    assert f"{known.train:,} of {len(TEXTS.texts):,} texts are in its training data" in seen.said[-1]


def stopping(method: str, after: int) -> Callable[..., Any]:
    """A method of ``Training`` that is interrupted the so-manieth time."""
    whole, calls = getattr(Training, method), [0]

    def stops(self: Training[Any], *arguments: Any) -> Any:
        result = whole(self, *arguments)
        calls[0] += 1
        if calls[0] == after:
            raise KeyboardInterrupt
        return result

    return stops


@pytest.mark.parametrize(
    ("corpus", "method", "after"),
    [(TEXTS, "_keep", 1), (TEXTS, "_step", 9), (TRIPLES, "_step", 3)],
    ids=["text after an epoch", "text amid an epoch", "comet"],
)
def test_an_interrupted_training_comes_to_the_same_bits(
    corpus: Corpus, method: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = run("straight", corpus, threads=1, accumulate=2)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, method, stopping(method, after))
        run("broken", corpus, threads=1, accumulate=2)
    assert trained.config("broken").state == "training"
    with pytest.raises(InputError, match="its training is not finished; run the same"):
        evaluate("broken")
    resumed = run("broken", corpus, accumulate=2)
    assert resumed.config.threads == 1
    for name in ("model/model.safetensors", "model/tokenizer.json", "history.json", "corpus.safetensors"):
        assert (resumed.folder / name).read_bytes() == (straight.folder / name).read_bytes(), name
    assert resumed.config.sha256 == straight.config.sha256
    other = run("other", corpus, threads=1, accumulate=2, seed=1)
    assert other.config.sha256 != straight.config.sha256


def test_freed_memory_is_given_back_as_the_sizes_of_steps_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[bool] = []
    monkeypatch.setattr(training_procedure, "freed_memory", lambda *, kept: said.append(kept))
    run("m", epochs=1)
    assert said == [False]


def test_a_model_goes_on_from_another() -> None:
    first = run("first")
    second = run("second", model="first", learning_rate=1e-4)
    third = run("third", model=str(first.folder / "model"), learning_rate=1e-4)
    assert second.config.model == "first"
    assert second.config.sha256 == third.config.sha256
    assert (second.config.valid_perplexity or 0) < (first.config.valid_perplexity or 0)


def test_the_loss_is_of_the_tail_alone() -> None:
    """What stands in the prompt changes the loss only through what the tail sees, and every label is of the tail."""
    torch.manual_seed(0)
    tokenizer = new_tokenizer([f"{text.prompt} {text.text}" for text in TRIPLES.texts], 300)
    model = new_model(Size(16, 1, 2, 300), len(tokenizer), 32).eval()
    (tokens,) = sequences(tokenizer, [Text("kind of baker", "baker [is a]")])
    assert tokenizer.decode(tokens.ids[: tokens.start]) == "baker [is a]"
    assert tokenizer.decode(tokens.ids[tokens.start :]) == " kind of baker<|endoftext|>"
    assert tokens.words == 4
    task = LanguageTask(model, [tokens], [tokens], recipe_for("comet", "new:tiny", TINY))
    longer = Tokens(np.concatenate([tokens.ids, tokens.ids]), tokens.start)
    with torch.no_grad():
        loss = float(task.loss((tokens,)))
        logs = torch.log_softmax(model(torch.tensor(tokens.ids[None].astype(np.int64))).logits[0], dim=-1)
        expected = -sum(float(logs[at - 1, tokens.ids[at]]) for at in range(tokens.start, len(tokens.ids)))
        assert loss == pytest.approx(expected, rel=1e-5)
        # Beside a longer one it is filled up, which changes nothing.
        both = float(task.loss((tokens, longer)))
        assert both == pytest.approx(loss + float(task.loss((longer,))), rel=1e-5)
    assert nats(model, [tokens], 32)[0] == pytest.approx(expected, rel=1e-5)


def test_windows_predict_each_token_once() -> None:
    texts = [Tokens(np.array([0, *range(1, length), 0], np.int32), 1) for length in (5, 12, 3)]
    cut = windows(texts, 4)
    assert sum(window.predicted for window in cut) == sum(text.predicted for text in texts)
    assert max(len(window.ids) for window in cut) == 5
    assert np.concatenate([window.ids[1:] for window in cut]).tolist() == [
        token for text in texts for token in text.ids[1:].tolist()
    ]


def test_a_text_longer_than_the_context_is_judged_in_windows() -> None:
    torch.manual_seed(0)
    model = new_model(Size(16, 1, 2, 300), 300, 8).eval()
    ids = np.arange(1, 31, dtype=np.int32)
    (lost,) = nats(model, [Tokens(ids, 1)], 8)
    expected, after = 0.0, 1
    with torch.no_grad():
        while after < len(ids):
            end = min(len(ids), 9 if after == 1 else after + 4)
            window = ids[max(0, end - 9) : end].astype(np.int64)
            logs = torch.log_softmax(model(torch.tensor(window[None, :-1])).logits[0], dim=-1)
            new = end - after
            expected -= sum(float(logs[at - 1, window[at]]) for at in range(len(window) - new, len(window)))
            after = end
    assert lost == pytest.approx(expected, rel=1e-5)


def test_training_stops_when_the_held_out_perplexity_no_longer_improves() -> None:
    noise = Corpus("noise", tuple(Text(text) for text in ("qz xv", "jk wq zz", "vv kj")), "line")
    done = run("patient", epochs=40, patience=1, held_out_corpus=noise, learning_rate=2e-2)
    assert done.config.stopped == "patience"
    assert done.config.epochs == done.config.best_epoch + 1 < 40
    assert done.config.valid == 3


def test_the_hash_holds_out_the_same_texts_of_a_part() -> None:
    part = Corpus("part", TEXTS.texts[:40], "line")
    assert set(part.parts(0.2)[1]) == set(TEXTS.parts(0.2)[1]) & set(part.texts)
    assert not set(TEXTS.parts(0.2)[0]) & set(TEXTS.parts(0.2)[1])
    for share in (0.000001, 0.999999):
        assert all(Corpus("two", TEXTS.texts[:2], "line").parts(share))


def test_articles_of_wikitext_and_lines_of_others(tmp_path: Path) -> None:
    wiki = tmp_path / "wiki.txt"
    wiki.write_text(" \n = One = \n \n First . \n \n = = Part = = \n \n More . \n \n = Two = \n \n Last . \n")
    corpus = from_files([wiki])
    assert corpus.unit == "article"
    assert [text.text for text in corpus.texts] == ["= One =\nFirst .\n= = Part = =\nMore .", "= Two =\nLast ."]
    lines = tmp_path / "lines.txt"
    lines.write_text("a b\n\nc\na b\n")
    corpus = from_files([lines])
    assert ([text.text for text in corpus.texts], corpus.unit) == (["a b", "c"], "line")
    assert corpus.left_out == {"equal to an earlier one": 1}


def test_the_defaults_of_a_gpt_by_name_are_those_of_the_authors() -> None:
    recipe = recipe_for("comet", "openai-gpt", {"epochs": None})
    assert (recipe.batch, recipe.learning_rate, recipe.warm) == (64, 1e-5, 0.002)
    assert recipe_for("comet", "new:small", {}).learning_rate > 1e-4
    assert recipe_for("text", "gpt2", {"batch": 3}).batch == 3


def test_errors_are_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n \n")
    bare = tmp_path / "bare"
    new_model(Size(16, 1, 2, 300), 300, 8).save_pretrained(bare)
    run("taken", epochs=1)
    one = Corpus("one", TEXTS.texts[:1], "line")
    cases: list[tuple[type[HarmgraphError], str, Callable[[], object]]] = [
        (InputError, "empty.txt: has no text", lambda: from_files([tmp_path / "empty.txt"])),
        (UnreadableFile, "cannot be read", lambda: from_files([tmp_path / "none.txt"])),
        (UnknownMember, "no size named 'smal'; did you mean small?", lambda: run("a", model="new:smal")),
        (InputError, "bare: has no vocabulary", lambda: run("a", model=str(bare))),
        (InputError, "the language model cannot be loaded", lambda: run("a", model=str(tmp_path))),
        (InputError, "has one line alone", lambda: run("a", one)),
        (BadName, "name '../a'", lambda: run("../a")),
        (BadName, "learning rate", lambda: run("a", learning_rate=0.0)),
        (BadName, "held-out share", lambda: run("a", held_out=1.0)),
        (BadName, "device", lambda: run("a", device="abacus")),
        (InputError, "or start over with --again", lambda: run("taken", epochs=1, seed=3)),
        (InputError, "cannot go on from itself", lambda: run("taken", model="taken")),
        (InputError, "was not trained here", lambda: evaluate(str(trained.folder("taken") / "model"))),
    ]
    for error, said, call in cases:
        with pytest.raises(error) as raised:
            call()
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)
    assert trained.names() == ["taken"], "nothing is half-written"
    (trained.folder("taken") / "config.json").write_text("[]")
    with pytest.raises(UnreadableFile, match="it is not a JSON object"):
        trained.RECORDS.listed(named_language_model.shown)

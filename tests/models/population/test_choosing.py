"""Epochs chosen on triples that people labelled: which triples count, each relation's own epoch, and the same bits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import HarmgraphError, InputError, UnreadableFile
from harmgraph.common.progress import bar
from harmgraph.models.population import named_populator, trained
from harmgraph.models.population.choosing import choosing_file
from harmgraph.models.population.evaluation import auc
from harmgraph.models.population.named_populator import evaluate, logits, train
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.population.train_commands import train_command
from harmgraph.models.population.training import PopulatorTask
from harmgraph.models.record import Trained
from harmgraph.models.text.finetuning import HeldOutVerdict, Training
from tests.support.population import neighbourhood, rows

HEADER = "head,relation,tail,label,split"
NO_SERVER: Any = object()


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file whose triples of dev choose: two relations with both labels, and one with one label."""
    dev = [f"{h},{r},{t},{label},dev" for h, r, t, label in rows(40, seed=8) if r != "Causes" or label]
    tst = [f"{h} too,{r},{t},{label},tst" for h, r, t, label in rows(20, seed=9)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join([HEADER, *dev, *tst]) + "\n", encoding="utf-8")
    return path


def run(name: str, examples: Path, encoder: Path, people: Path, member: str = "kgbert", **options: Any) -> Trained:
    recipe = PopulatorRecipe(**{"epochs": 4, "patience": 4, "batch": 16, "learning_rate": 3e-3, "seed": 1, **options})
    return train(
        name,
        examples,
        member,
        graph=NO_SERVER,
        encoder=str(encoder),
        recipe=recipe,
        choose_on=people,
        precision="fp32",
        threads=1,
    )


def stated(monkeypatch: pytest.MonkeyPatch, *epochs: dict[str, float]) -> None:
    """Each epoch has the AUC per relation that is stated, whatever the model learnt."""
    verdicts = iter(epochs)

    def judge(_: PopulatorTask) -> HeldOutVerdict:
        parts = next(verdicts)
        return HeldOutVerdict(sum(parts.values()) / len(parts), {"valid_auc": 0.5}, parts)

    monkeypatch.setattr(PopulatorTask, "judge", judge)


def test_the_labelled_triples_of_dev_choose(people: Path, tmp_path: Path) -> None:
    chosen = choosing_file(people)
    assert {example.split for example in chosen.examples} == {"valid"}
    scores = np.random.default_rng(0).normal(size=len(chosen.examples))
    mean, parts = chosen.measure(scores)
    assert parts.keys() == {"xWant", "xEffect"}, "a relation with one label has no AUC"
    total, count = 0.0, 0
    for name, value in parts.items():
        places = [place for place, each in enumerate(chosen.examples) if each.relation == name]
        assert value == auc([chosen.examples[place].label for place in places], scores[places])
        total, count = total + value * len(places), count + len(places)
    assert mean == pytest.approx(total / count)
    whole = tmp_path / "whole.csv"
    whole.write_text("head,relation,tail,label\na,xWant,b,1\na,xWant,c,0\na,xWant,d,\n")
    assert len(choosing_file(whole).examples) == 2, "without splits all that have a label"


@pytest.mark.usefixtures("without_populators")
def test_each_relation_is_judged_by_its_own_epoch(
    examples: Path, encoder: Path, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        stated(
            patch,
            {"xWant": 0.9, "xEffect": 0.2},
            {"xWant": 0.5, "xEffect": 0.8},
            {"xWant": 0.9, "xEffect": 0.5},
            {"xWant": 0.1, "xEffect": 0.1},
        )
        done = run("own", examples, encoder, people)
    assert (done.config.best_epoch, dict(done.config.choice)) == (3, {"xWant": 1, "xEffect": 2}), "the first of equals"
    assert (done.config.chosen_auc, done.config.valid_auc) == (0.7, 0.5)
    assert {path.name for path in done.folder.glob("epoch-*")} == {"epoch-1.safetensors", "epoch-2.safetensors"}
    history = json.loads((done.folder / "history.json").read_text())
    assert history[1]["relation_auc"] == {"xWant": 0.5, "xEffect": 0.8}
    triples = choosing_file(people).examples
    scores, _ = logits("own", triples)
    for relation, epoch in (("xWant", 1), ("xEffect", 2), ("Causes", 3)):
        places = [place for place, each in enumerate(triples) if each.relation == relation]
        run(f"plain{epoch}", examples, encoder, people, epochs=epoch)
        single = json.loads((trained.folder(f"plain{epoch}") / "config.json").read_text())
        single |= {"choice": {}, "best_epoch": epoch}
        (trained.folder(f"plain{epoch}") / "config.json").write_text(json.dumps(single))
        last = trained.folder(f"plain{epoch}")
        (last / "model.safetensors").write_bytes(of_checkpoint(last))
        alone, _ = logits(f"plain{epoch}", triples)
        np.testing.assert_allclose(scores[places], alone[places], rtol=1e-5, atol=1e-6)


def of_checkpoint(folder: Path) -> bytes:
    """The weights after the last epoch, as a file of weights."""
    from safetensors.torch import save

    from harmgraph.models.checkpoint import read_tensors

    tensors, _ = read_tensors(folder / "checkpoint.safetensors")
    return save({name[6:]: value for name, value in tensors.items() if name.startswith("model.")})


@pytest.mark.usefixtures("without_populators")
@pytest.mark.parametrize(("member", "options"), [("kgbert", {}), ("bert", {"frozen": True}), ("graph", {})])
def test_what_was_chosen_is_what_an_evaluation_finds(
    examples: Path, encoder: Path, people: Path, member: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The AUC of each relation on the file is the best of the epochs, and the file is told to have chosen."""
    monkeypatch.setattr(named_populator, "read_neighbourhood", lambda *_, **__: neighbourhood())
    done = run("found", examples, encoder, people, member, **options)
    history = json.loads((done.folder / "history.json").read_text())
    judged = evaluate("found", people, graph=NO_SERVER, split="valid", linear=False, draws=0)
    for row in judged.rows:
        if row.of == "relation" and row.name in done.config.choice:
            assert row.auc == pytest.approx(max(epoch["relation_auc"][row.name] for epoch in history))
    assert any("epochs were chosen on" in line for line in judged.said)
    single = evaluate("found", people, graph=NO_SERVER, split="valid", one_epoch=True, linear=False, draws=0)
    mean = next(row.auc for row in single.rows if row.of == "weighted mean")
    assert mean == pytest.approx(done.config.chosen_auc) == max(epoch["chosen_auc"] for epoch in history)
    assert not evaluate("found", people, graph=NO_SERVER, linear=False, draws=0).said


@pytest.mark.usefixtures("without_populators")
def test_an_interrupted_training_chooses_the_same(
    examples: Path, encoder: Path, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = run("straight", examples, encoder, people)
    whole = Training._keep

    def stops(self: Training[Any], *arguments: Any) -> None:
        whole(self, *arguments)
        if len(self.epochs) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "_keep", stops)
        run("broken", examples, encoder, people)
    resumed = run("broken", examples, encoder, people)
    run("longer", examples, encoder, people, epochs=2)
    longer = run("longer", examples, encoder, people)
    for other in (resumed, longer):
        assert other.config.choice == straight.config.choice
        assert {path.name for path in other.folder.glob("epoch-*")} == {
            path.name for path in straight.folder.glob("epoch-*")
        }
        for path in (*straight.folder.glob("*.safetensors"), straight.folder / "history.json"):
            assert (other.folder / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.usefixtures("without_populators")
def test_another_file_is_another_training(examples: Path, encoder: Path, people: Path) -> None:
    run("taken", examples, encoder, people, epochs=1)
    people.write_text(people.read_text().replace(",tst", ",tst\n", 1).replace("\n\n", "\n") + "a,xWant,b,1,tst\n")
    with pytest.raises(InputError, match="other data or with other options"):
        run("taken", examples, encoder, people, epochs=1)
    with pytest.raises(InputError, match="other data or with other options"):
        train("taken", examples, "kgbert", encoder=str(encoder), recipe=PopulatorRecipe(epochs=1), precision="fp32")


@pytest.mark.usefixtures("without_populators")
def test_the_command_says_which_epochs(examples: Path, encoder: Path, people: Path) -> None:
    from click.testing import CliRunner

    words = ["mine", "--data", str(examples), "--model", "bert", "--encoder", str(encoder), "--epochs", "2"]
    result = CliRunner().invoke(train_command, [*words, "--choose-on", str(people), "--output", "json"])
    assert result.exit_code == 0, result.exception
    row = json.loads(result.stdout)
    assert row["choice"].keys() == {"xWant", "xEffect"}
    assert row["chosen_auc"] is not None
    assert row["valid_auc"] is not None
    assert f"triples: xEffect {row['choice']['xEffect']}, xWant {row['choice']['xWant']}" in result.stderr


def test_triples_that_are_trained_on_are_told(
    examples: Path, encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], without_populators: None
) -> None:
    with bar():
        run("leaks", examples, encoder, examples / "train.tsv", epochs=1)
    assert "the file to choose on has triples that are trained on (" in capsys.readouterr().err


def test_errors_are_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"

    def of(text: str) -> Callable[[], object]:
        def call() -> object:
            path.write_text(text)
            return choosing_file(path)

        return call

    cases: list[tuple[type[HarmgraphError], str, Callable[[], object]]] = [
        (UnreadableFile, "is missing; name a table with", lambda: choosing_file(tmp_path / "none.csv")),
        (UnreadableFile, "has no column tail", of("head,relation,label\na,xWant,1\n")),
        (InputError, "has no labels to choose epochs by", of("head,relation,tail\na,xWant,b\n")),
        (InputError, "no triple of valid or dev", of(f"{HEADER}\na,xWant,b,1,tst\n")),
        (
            InputError,
            "no relation with both plausible and other triples",
            of("head,relation,tail,label\na,xWant,b,1\na,xEffect,b,0\n"),
        ),
    ]
    for error, said, call in cases:
        with pytest.raises(error) as raised:
            call()
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)

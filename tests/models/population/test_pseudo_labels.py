"""Pseudo-labels: what the teacher labels, what the filters keep, and the student that learns from it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import BadName, InputError, UnknownMember, UnreadableFile
from harmgraph.models.population import named_populator, trained
from harmgraph.models.population.examples import ExampleFolder, TripleExample, read_file, read_folder
from harmgraph.models.population.network import Network
from harmgraph.models.population.pseudo_labels import making
from harmgraph.models.population.pseudo_labels.filters import DAMPING, agreeing, influences
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.record import Trained, record
from harmgraph.models.text.finetuning import Training
from harmgraph.models.text.passages import PassageReader
from tests.support.population import LEARNS, rows

TAUGHT = replace(LEARNS, epochs=3, pseudo_epochs=1, plausible_above=0.7, implausible_below=0.3)


@pytest.fixture(scope="module")
def candidates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty unlabelled triples, one twice, one of an unknown relation, and one that is trained on."""
    path = tmp_path_factory.mktemp("candidates") / "candidates.tsv"
    lines = [f"{head} at home\t{relation}\t{tail}\t\tcs_head" for head, relation, tail, _ in rows(40, seed=9)]
    distinct = list(dict.fromkeys(lines))
    known = rows(1)[0]
    others = [distinct[0], "a thief\txReact\tgood\t\tcs_head", f"{known[0]}\t{known[1]}\t{known[2]}\t\tall_head"]
    path.write_text("\n".join(["head\trelation\ttail\tlabel\tclass", *distinct, *others]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def homes(examples: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a teacher."""
    place = tmp_path_factory.mktemp("homes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(place))
        named_populator.train("teacher", examples, "kgbert", encoder=str(encoder), recipe=LEARNS, threads=1)
    return place


@pytest.fixture
def home_with_teacher(homes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    shutil.copytree(homes, tmp_path / "home")
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))


def taught(name: str, examples: Path, candidates: Path, **options: Any) -> Trained:
    recipe = replace(TAUGHT, teacher="teacher", candidates=str(candidates), **options)
    return named_populator.train(name, examples, "pseudoreasoner", recipe=recipe, threads=1)


@pytest.mark.usefixtures("home_with_teacher")
def test_a_student_learns_from_what_its_teacher_labelled(examples: Path, candidates: Path) -> None:
    done = taught("student", examples, candidates)
    counts = done.config.pseudo_labels
    assert (counts["repeated"], counts["known"], counts["unknown relation"]) == (1, 1, 1)
    dropped = sum(counts.get(name, 0) for name in ("not confident", "beyond the share", "influence", "agreement"))
    assert counts["candidates"] == 3 + dropped + counts["plausible"] + counts["implausible"]
    kept = read_file(done.folder / making.TABLE)
    assert Counter(each.label for each in kept) == {1: counts["plausible"], 0: counts["implausible"]}
    teacher, _ = named_populator.logits("teacher", kept)
    assert all((logit > 0) == (each.label == 1) for logit, each in zip(teacher, kept, strict=True))
    assert (done.config.valid_auc or 0) > 0.95
    assert named_populator.evaluate("student", linear=False, draws=10).rows[0].auc > 0.95
    assert taught("student", examples, candidates).fresh_epochs == 0
    second = named_populator.train(
        "second", examples, "pseudoreasoner", recipe=replace(TAUGHT, teacher="student", candidates=str(candidates))
    )
    assert second.config.pseudo_labels["candidates"] == counts["candidates"], "a student can teach"


@pytest.mark.usefixtures("home_with_teacher")
def test_the_first_epochs_are_on_the_candidates(
    examples: Path, candidates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []
    whole = Training._epoch

    def epoch(self: Any, number: int, *rest: Any) -> float:
        seen.append({each.text for step in self.task.steps(number) for piece in step.pieces for each in piece[0]})
        return whole(self, number, *rest)

    monkeypatch.setattr(Training, "_epoch", epoch)
    done = taught("phases", examples, candidates, pseudo_epochs=2)
    labelled = {each.text for each in read_folder(examples).train}
    pseudo = {each.text for each in read_file(done.folder / making.TABLE)}
    assert seen == [pseudo, pseudo, labelled]


@pytest.mark.usefixtures("home_with_teacher")
def test_an_interrupted_student_comes_to_the_same_bits(
    examples: Path, candidates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = taught("straight", examples, candidates)
    keep = Training._keep

    def stops(self: Any, optimiser: Any) -> None:
        keep(self, optimiser)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "_keep", stops)
        taught("broken", examples, candidates)
    place = trained.folder("broken")
    facts = json.loads((place / making.COUNTS).read_text())
    assert making._stored(place, facts["identity"]) is not None
    assert making._stored(place, "another training") is None
    resumed = taught("broken", examples, candidates)
    assert resumed.fresh_epochs == 2
    for file in (trained.WEIGHTS, making.TABLE):
        assert (resumed.folder / file).read_bytes() == (straight.folder / file).read_bytes()
    with pytest.raises(InputError, match="or start over with --again"):
        taught("broken", examples, candidates, filters="none")


def network_of(name: str = "teacher") -> tuple[Network, PassageReader]:
    known = trained.config(name)
    network, tokenizer = trained.load(known, trained.folder(name))
    return network, PassageReader(tokenizer, known.recipe.separators, known.recipe.tokens)


@pytest.mark.usefixtures("home_with_teacher")
def test_the_influence_is_what_training_on_the_candidate_does_to_the_valid_loss(
    examples: Path, candidates: Path
) -> None:
    """Against the change of the valid loss after the output layer is fitted again with a little weight on the candidate."""
    network, reader = network_of()
    data = read_folder(examples)
    some = [replace(each, label=label) for each in read_file(candidates)[:3] for label in (0, 1)]  # of which one helps

    def vectors(of: Any) -> tuple[Any, Any]:
        with torch.no_grad():
            read = network.encode(reader.ids([(each.head, each.relation, each.tail) for each in of])).double()
        x = torch.hstack([read, torch.ones(len(of), 1, dtype=torch.float64)])
        return x, torch.tensor([float(each.label or 0) for each in of], dtype=torch.float64)

    x, y = vectors(data.train)
    held, wanted = vectors(data.valid)
    start = torch.cat([network.output.weight[0], network.output.bias]).detach().double()  # type: ignore[union-attr, arg-type]
    bce = torch.nn.functional.binary_cross_entropy_with_logits
    # A quadratic penalty whose minimum with the training loss is the weights as they are.
    probability = torch.sigmoid(x @ start)
    slope = x.T @ (probability - y) / len(y)
    hessian = (x * (probability * (1 - probability))[:, None]).T @ x / len(y) + DAMPING * torch.eye(len(start))

    def refitted(place: int, weight: float) -> float:
        cx, cy = vectors([some[place]])
        moved = start.clone()
        for _ in range(20):  # Newton
            p = torch.sigmoid(x @ moved)
            gradient = x.T @ (p - y) / len(y) - slope + DAMPING * (moved - start)
            gradient = gradient + weight * (cx.T @ (torch.sigmoid(cx @ moved) - cy))
            moved = moved - torch.linalg.solve(hessian, gradient)
        return float(bce(held @ moved, wanted))

    expected = [(refitted(place, 1e-5) - refitted(place, -1e-5)) / 2e-5 for place in range(len(some))]
    values = influences(network, reader, some, data.train, data.valid)
    np.testing.assert_allclose(values, expected, rtol=2e-2, atol=1e-6)
    assert (values < 0).any() and (values > 0).any()


@pytest.mark.usefixtures("home_with_teacher")
def test_a_label_that_dropout_overturns_is_not_kept(candidates: Path) -> None:
    network, reader = network_of()
    some = [replace(each, label=1) for each in read_file(candidates)]
    opposite = [replace(each, label=0) for each in some]
    agree, other = (agreeing(network, reader, of, passes=3, seed=1) for of in (some, opposite))
    assert agree.any() and other.any() and not (agree & other).any()
    assert (agreeing(network, reader, some, passes=3, seed=1) == agree).all()
    assert not network.training


def test_of_each_relation_the_surest_are_kept_up_to_half_of_the_training_triples() -> None:
    train = tuple(TripleExample(f"{number}", "xWant", "b", number % 2) for number in range(4))
    chosen = [TripleExample("a", "xWant", f"{number}") for number in range(5)]
    logits, labels = np.array([3.0, 5.0, 4.0, -9.0, 0.1]), np.array([1, 1, 1, 0, -1])
    data = ExampleFolder(Path(), train, train, (), "")
    assert making._most(chosen, logits, labels, data) == [1, 2, 3]


@pytest.mark.usefixtures("home_with_teacher")
def test_errors_are_a_line_each(examples: Path, encoder: Path, candidates: Path, tmp_path: Path) -> None:
    cases: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (InputError, "pseudoreasoner needs --teacher", {"teacher": ""}),
        (InputError, "pseudoreasoner needs --candidates", {"candidates": ""}),
        (UnknownMember, "no trained populator named 'nobody'", {"teacher": "nobody"}),
        (UnreadableFile, "is missing; make candidates with", {"candidates": str(tmp_path / "none.tsv")}),
        (InputError, "a bert cannot be the teacher", {"teacher": "other"}),
        (InputError, "no candidate is left to learn from", {"plausible_above": 1.0, "implausible_below": 0.0}),
    ]
    named_populator.train("other", examples, "bert", encoder=str(encoder), recipe=replace(LEARNS, epochs=1))
    for error, said, options in cases:
        with pytest.raises(error) as raised:
            taught("a", examples, options.pop("candidates", candidates), **options) if "teacher" not in options else (
                named_populator.train(
                    "a", examples, "pseudoreasoner", recipe=replace(TAUGHT, candidates=str(candidates), **options)
                )
            )
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)
    for options, said in (
        ({"filters": "some"}, "filters"),
        ({"plausible_above": 0.1, "implausible_below": 0.5}, "thresholds"),
        ({"teacher": "teacher", "epochs": 1}, "leave none for the labelled triples"),
    ):
        with pytest.raises(BadName, match=said):
            PopulatorRecipe(**options)
    with pytest.raises(InputError, match="the encoder is that of the teacher"):
        recipe = replace(TAUGHT, teacher="teacher", candidates=str(candidates))
        named_populator.train("a", examples, "pseudoreasoner", encoder="bert-base-uncased", recipe=recipe)


def test_a_populator_of_an_earlier_version_has_no_teacher() -> None:
    facts = json.loads(json.dumps(replace(LEARNS).lasting() | {"epochs": 12, "patience": 12}))
    for name in ("teacher", "candidates", "plausible_above", "implausible_below", "filters", "passes", "pseudo_epochs"):
        del facts[name]
    assert record(PopulatorRecipe, facts) == LEARNS

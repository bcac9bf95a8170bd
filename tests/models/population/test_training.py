"""Training of populators on a tiny encoder: what it learns, and that interrupted trainings come to the same bits."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import BadName, HarmgraphError, InputError, UnknownMember, UnreadableFile
from harmgraph.common.progress import bar
from harmgraph.models.population import named_populator, trained
from harmgraph.models.population.examples import read_folder
from harmgraph.models.population.named_populator import evaluate, train
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.population.training import PopulatorTask, identity_of
from harmgraph.models.record import Trained
from harmgraph.models.text import finetuning
from harmgraph.models.text.arithmetic import cuda_is_there
from harmgraph.models.text.finetuning import Training
from tests.support import tiny_model
from tests.support.population import LEARNS, RECIPE, neighbourhood, write_folder

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("without_populators", "ring")]
MEMBERS = tuple(name for name in populators.names() if name != "pseudoreasoner")
"""Those that need no teacher; see test_pseudo_labels."""


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph without a server."""

    def read(*_: Any, direction: str, **__: Any) -> Any:
        return neighbourhood(direction=direction)

    monkeypatch.setattr(named_populator, "read_neighbourhood", read)


def run(name: str, examples: Path, member: str, encoder: Path, **options: Any) -> Trained:
    """Trains in fp32 unless told otherwise, so that what is learnt does not depend on the processor."""
    options.setdefault("precision", "fp32")
    recipe = replace(RECIPE, **{key: options.pop(key) for key in list(options) if hasattr(RECIPE, key)})
    return train(name, examples, member, graph=NO_SERVER, encoder=str(encoder), recipe=recipe, **options)


NO_SERVER: Any = object()


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("frozen", [False, True])
def test_a_training_learns_and_its_folder_judges(examples: Path, encoder: Path, member: str, frozen: bool) -> None:
    # A single linear layer takes larger steps than an encoder, or than the layers of a model that is always frozen.
    larger = {} if populators.get(member).frozen else {"learning_rate": 3e-2}
    options = asdict(LEARNS) | ({"frozen": True, **larger} if frozen else {})
    done = run("learnt", examples, member, encoder, **options)
    history = json.loads((done.folder / "history.json").read_text())
    assert history[-1]["loss"] < history[0]["loss"]
    # What a frozen encoder with random weights makes of a whole triple says little of a word in it.
    least = 0.6 if frozen and not populators.get(member).reads_nodes else 0.95
    assert done.config.valid_auc is not None and done.config.valid_auc > least
    assert done.config.best_epoch == max(history, key=lambda epoch: epoch["valid_auc"])["epoch"]
    assert {path.name for path in done.folder.iterdir()} >= {
        *("model.safetensors", "config.json", "history.json", "checkpoint.safetensors", "tokenizer.json")
    }
    assert not [path for path in done.folder.iterdir() if path.suffix in (".bin", ".pt", ".pkl")]
    judged = evaluate("learnt", graph=NO_SERVER)
    assert len(judged.scores) == 60
    table = {(row.of, row.name): row for row in judged.rows}
    assert table["overall", "all"].auc > least
    assert table["linear model", "TF-IDF and logistic regression"].auc == 1.0
    assert table["frequency", "of the head among plausible ones, weighted mean"].auc_low is not None
    assert [row.name for row in judged.rows if row.of == "paper"] == [
        "BERT",
        "BertSAGE",
        "KG-BERT",
        "KG-BertSAGE",
        "people",
    ]
    again = run("learnt", examples, member, encoder, **options)
    assert (again.fresh_epochs, again.config) == (0, done.config)
    if not frozen:
        other_precisions_rank_the_triples_alike("learnt")


def other_precisions_rank_the_triples_alike(name: str) -> None:
    from scipy.stats import spearmanr

    scores = {
        precision: evaluate(name, graph=NO_SERVER, linear=False, draws=10, precision=precision).scores
        for precision in ("auto", "fp32", "bf16", "int8")
    }
    assert scores["auto"] == scores[trained.config(name).precision]
    for precision in ("bf16", "int8"):
        assert scores[precision] != scores["fp32"], "it was computed in it"
        assert spearmanr(scores[precision], scores["fp32"]).statistic > 0.9


@pytest.mark.skipif(not cuda_is_there(), reason="torch finds no CUDA device on this machine")
def test_a_gpu_trains_and_ranks_as_the_processor_does(examples: Path, encoder: Path) -> None:
    from scipy.stats import spearmanr

    done = run("there", examples, "kgbertsage", encoder, device="cuda", precision="fp32", **asdict(LEARNS))
    assert done.config.valid_auc is not None and done.config.valid_auc > 0.95
    scores = [
        evaluate("there", graph=NO_SERVER, linear=False, draws=10, device=device, precision="fp32").scores
        for device in ("cuda", "cpu")
    ]
    assert spearmanr(*scores).statistic > 0.999


def test_the_weights_are_those_of_the_best_epoch(examples: Path, encoder: Path) -> None:
    done = run("best", examples, "kgbert", encoder)
    valid = evaluate("best", examples / "valid.tsv", linear=False)
    assert valid.rows[0].auc == pytest.approx(done.config.valid_auc)


def test_a_training_in_bf16_learns_and_keeps_its_precision(examples: Path, encoder: Path) -> None:
    done = run("rounded", examples, "kgbert", encoder, precision="bf16")
    history = json.loads((done.folder / "history.json").read_text())
    assert history[-1]["loss"] < history[0]["loss"]
    assert done.config.precision == "bf16"
    valid = evaluate("rounded", examples / "valid.tsv", linear=False)
    # Triples are together in other batches here, which bf16 rounds otherwise.
    assert valid.rows[0].auc == pytest.approx(done.config.valid_auc, abs=0.02)


def test_a_model_is_trained_on_one_source_and_judged_on_all(tmp_path: Path, encoder: Path) -> None:
    folder = write_folder(tmp_path / "data")
    for path in folder.glob("*.tsv"):
        header, *lines = path.read_text().splitlines()
        of_two = [line if number % 4 < 2 else f"{line[:-2]}folk" for number, line in enumerate(lines)]
        path.write_text("\n".join((header, *of_two)) + "\n")
    done = run("one-source", folder, "kgbert", encoder, train_on=("folk",))
    assert (done.config.train, done.config.valid, done.config.train_on) == (48, 24, ("folk",))
    judged = evaluate("one-source")
    assert len(judged.scores) == 60
    assert not judged.said, "the linear model is trained on the same source"
    with pytest.raises(InputError, match="other data or with other options"):
        run("one-source", folder, "kgbert", encoder)
    with pytest.raises(
        UnknownMember, match=r"no source in train.tsv named 'folks'; did you mean folk\? known: folk, kb"
    ):
        run("two-sources", folder, "kgbert", encoder, train_on=("folks",))


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
    ("member", "options"),
    [
        ("bert", {"frozen": True}),
        ("bertsage", {}),
        ("bertsage", {"frozen": True}),
        ("kgbert", {"accumulate": 3, "separators": "added"}),
        ("kgbertsage", {"neighbours": "out"}),
        ("kgbertsage", {"as_released": True}),
        ("kgbertsage", {"hops": 2}),
    ],
)
def test_an_interrupted_training_comes_to_the_same_bits(
    examples: Path, encoder: Path, member: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of an epoch, and in the middle of one."""
    straight = run("straight", examples, member, encoder, threads=1, **options)
    for broken, method, after, epochs_left in (("at-an-end", "_keep", 2, 2), ("in-the-middle", "_step", 9, 3)):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Training, method, stopping(method, after))
            run(broken, examples, member, encoder, threads=1, **options)
        assert trained.config(broken).state == "training"
        with pytest.raises(InputError, match="its training is not finished; run the same"):
            evaluate(broken, graph=NO_SERVER)
        resumed = run(broken, examples, member, encoder, **options)
        assert (resumed.fresh_epochs, resumed.config.threads) == (epochs_left, 1)
        for name in ("model.safetensors", "checkpoint.safetensors", "history.json"):
            assert (resumed.folder / name).read_bytes() == (straight.folder / name).read_bytes(), (broken, name)


def counted(calls: list[int], stop_after: int = 0) -> Callable[..., Any]:
    """``Training._step``, which counts its calls; in the so-manieth, Ctrl-C is pressed."""
    whole = Training._step

    def step(self: Training[Any], *arguments: Any) -> Any:
        calls.append(len(self.epochs))
        if len(calls) == stop_after:
            signal.raise_signal(signal.SIGINT)
        return whole(self, *arguments)

    return step


@pytest.mark.parametrize(
    ("member", "options"),
    [("bertsage", {}), ("bertsage", {"frozen": True}), ("kgbert", {"accumulate": 3}), ("kgbertsage", {})],
)
def test_ctrl_c_keeps_the_state_within_an_epoch(
    examples: Path, encoder: Path, member: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps that were done are not done again, and the result has the same bits, dropout and all."""
    every: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Training, "_step", counted(every))
        straight = run("straight", examples, member, encoder, threads=1, **options)
    before: list[int] = []
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "_step", counted(before, stop_after=9))
        run("broken", examples, member, encoder, threads=1, **options)
    assert len(before) == 9
    after: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Training, "_step", counted(after))
        resumed = run("broken", examples, member, encoder, **options)
    assert before + after == every
    for name in ("model.safetensors", "checkpoint.safetensors", "history.json"):
        assert (resumed.folder / name).read_bytes() == (straight.folder / name).read_bytes(), name


def test_ctrl_c_in_a_judgement_keeps_the_epoch(examples: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight = run("straight", examples, "kgbert", encoder, threads=1)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(PopulatorTask, "judge", stop)
        run("broken", examples, "kgbert", encoder, threads=1)
    after: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Training, "_step", counted(after))
        resumed = run("broken", examples, "kgbert", encoder)
    assert 0 not in after, "no step of the first epoch is done again"
    assert (resumed.folder / "model.safetensors").read_bytes() == (straight.folder / "model.safetensors").read_bytes()


def test_a_state_is_kept_now_and_then(examples: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a machine that goes down costs minutes."""
    straight = run("straight", examples, "kgbert", encoder, threads=1)
    monkeypatch.setattr(finetuning, "SAVE_EVERY_S", 0.0)
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Training, "_tell_length", lambda _, done, *__: sys.exit() if done == 4 else None)
        run("broken", examples, "kgbert", encoder, threads=1)
    after: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Training, "_step", counted(after))
        resumed = run("broken", examples, "kgbert", encoder)
    assert after.count(0) == after.count(1) - 4
    assert (resumed.folder / "model.safetensors").read_bytes() == (straight.folder / "model.safetensors").read_bytes()


def test_a_long_epoch_is_told_with_what_makes_it_shorter(
    examples: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Estimated from the first steps, and said once."""
    monkeypatch.setattr(finetuning, "MEASURED_S", 0.0)
    with bar():
        run("short", examples, "kgbert", encoder)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(finetuning, "LONG_S", 0.0)
    for name, options in (("long", {}), ("frozen", {"frozen": True})):
        with bar():
            run(name, examples, "bert", encoder, **options)
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("an epoch takes some ")
        assert ("--frozen trains only the output layer" in line) == (name == "long")
        assert line.endswith("--limit N learns from N of them")


def test_what_comes_before_the_first_step_makes_no_epoch_longer(
    examples: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A task sorts the triples of the whole epoch before its first step."""
    now, batches = [0.0], finetuning.by_length

    def slow(*arguments: Any) -> Any:
        now[0] += 100_000
        for batch in batches(*arguments):
            now[0] += 300
            yield batch

    monkeypatch.setattr(finetuning, "by_length", slow)
    monkeypatch.setattr(finetuning, "time", SimpleNamespace(monotonic=lambda: now[0], perf_counter=time.perf_counter))
    with bar():
        run("long", examples, "bert", encoder, epochs=1)
    assert "an epoch takes some 30:00 here" in capsys.readouterr().err


def test_a_limit_learns_from_a_part(examples: Path, encoder: Path) -> None:
    done = run("few", examples, "kgbert", encoder, epochs=1, limit=20)
    assert (done.config.train, done.config.valid, done.config.limit) == (20, 20, 20)
    assert not evaluate("few", draws=10).said, "the linear model learns from the same examples"
    with pytest.raises(InputError, match="other data or with other options"):
        run("few", examples, "kgbert", encoder, epochs=1)
    assert run("few", examples, "kgbert", encoder, epochs=1, limit=20).fresh_epochs == 0


def test_more_epochs_continue_a_finished_training(examples: Path, encoder: Path) -> None:
    whole = run("whole", examples, "kgbert", encoder, epochs=4)
    run("parts", examples, "kgbert", encoder, epochs=2)
    parts = run("parts", examples, "kgbert", encoder, epochs=4)
    assert parts.fresh_epochs == 2
    assert (parts.folder / "model.safetensors").read_bytes() == (whole.folder / "model.safetensors").read_bytes()


def test_pieces_of_a_batch_have_the_gradient_of_the_batch(examples: Path, encoder: Path) -> None:
    """In a frozen encoder there is no dropout, so the same steps are taken up to rounding."""
    losses = []
    for accumulate in (1, 3):
        done = run(f"pieces{accumulate}", examples, "bert", encoder, frozen=True, accumulate=accumulate)
        losses.append([row["loss"] for row in json.loads((done.folder / "history.json").read_text())])
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_training_stops_when_the_auc_no_longer_improves(examples: Path, encoder: Path) -> None:
    done = run("patient", examples, "kgbert", encoder, epochs=40, patience=1)
    assert done.config.stopped == "patience"
    assert done.config.epochs == done.config.best_epoch + 1


def test_what_stands_only_in_the_graph_is_learnt_from_it(
    examples: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tails are words that the encoder does not know, and their neighbours tell which are plausible."""
    folder, edges = write_folder(tmp_path / "hidden"), []
    for part in ("train", "valid", "test"):
        lines = (folder / f"{part}.tsv").read_text().splitlines()
        rows = [line.split("\t") for line in lines[1:]]
        for number, row in enumerate(rows):
            row[0], row[1], row[2] = "this person", "xWant", f"{part}{number}"
            edges.append((row[2], "Result", "a person is good" if row[3] == "1" else "this is bad"))
        (folder / f"{part}.tsv").write_text("\n".join([lines[0], *("\t".join(row) for row in rows)]) + "\n")
    monkeypatch.setattr(named_populator, "read_neighbourhood", lambda *_, **__: neighbourhood(edges))
    assert (run("blind", folder, "bert", encoder).config.valid_auc or 0) < 0.7
    done = run("graph", folder, "bertsage", encoder, judged=0)
    assert done.config.valid_auc == 1.0
    assert done.config.graph_digest == neighbourhood(edges).digest
    monkeypatch.setattr(named_populator, "read_neighbourhood", lambda *_, **__: neighbourhood())
    judged = evaluate("graph", graph=NO_SERVER, linear=False)
    assert judged.said == ("the graph has changed since the training: the neighbours are those of now",)


def test_other_options_need_another_name(examples: Path, encoder: Path, tmp_path: Path) -> None:
    run("taken", examples, "kgbert", encoder, epochs=1)
    for options in ({"seed": 2}, {"separators": "none"}):
        with pytest.raises(InputError, match="or start over with --again"):
            run("taken", examples, "kgbert", encoder, epochs=1, **options)
    with pytest.raises(InputError, match="or start over with --again"):
        run("taken", write_folder(tmp_path / "other", train=40), "kgbert", encoder, epochs=1)
    assert run("taken", examples, "bert", encoder, epochs=1, again=True).config.populator == "bert"


def test_errors_are_a_line_each(examples: Path, encoder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    cases: list[tuple[type[HarmgraphError], str, Callable[[], object]]] = [
        (InputError, "the encoder cannot be loaded", lambda: run("a", examples, "bert", empty)),
        (UnreadableFile, "data.json: is missing", lambda: run("a", empty, "bert", encoder)),
        (UnknownMember, "no populator named 'bart'; did you mean bert?", lambda: run("a", examples, "bart", encoder)),
        (BadName, "name '../a'", lambda: run("../a", examples, "bert", encoder)),
        (InputError, "bert has no option --judged", lambda: run("a", examples, "bert", encoder, judged=3)),
        (InputError, "no option --as-released", lambda: run("a", examples, "kgbert", encoder, as_released=True)),
        (BadName, "separators", lambda: PopulatorRecipe(separators="comma")),
        (BadName, "does not go with --as-released", lambda: PopulatorRecipe(as_released=True, hops=2)),
        (InputError, "kgbert has no option --hops", lambda: run("a", examples, "kgbert", encoder, hops=2)),
        (BadName, "learning rate", lambda: PopulatorRecipe(learning_rate=0.0)),
        (BadName, "device", lambda: run("a", examples, "bert", encoder, device="abacus")),
        (UnknownMember, "no trained populator named 'nobody'", lambda: evaluate("nobody")),
    ]
    for error, said, call in cases:
        with pytest.raises(error) as raised:
            call()
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)


def test_damaged_folders_are_a_line_each(examples: Path, encoder: Path) -> None:
    done = run("damaged", examples, "kgbert", encoder, epochs=1)
    for name, content, said in (
        ("model.safetensors", b"x", "train again with --again"),
        ("config.json", b"[]", "it is not a JSON object"),
        ("config.json", b'{"form": 1}', "train it again with --again"),
    ):
        before = (done.folder / name).read_bytes()
        (done.folder / name).write_bytes(content)
        with pytest.raises(UnreadableFile, match=said):
            evaluate("damaged")
        (done.folder / name).write_bytes(before)
    (done.folder / "checkpoint.safetensors").write_bytes(b"x")
    with pytest.raises(UnreadableFile, match=r"checkpoint\.safetensors"):
        run("damaged", examples, "kgbert", encoder, epochs=2)


def test_a_checkpoint_of_an_earlier_version_is_refused(examples: Path, encoder: Path) -> None:
    from harmgraph.models.checkpoint import read_tensors, write_tensors

    path = run("old", examples, "kgbert", encoder, epochs=1).folder / "checkpoint.safetensors"
    tensors, facts = read_tensors(path)
    state = json.loads(facts["state"])
    del state["form"]
    write_tensors(path, tensors, {"state": json.dumps(state)})
    with pytest.raises(UnreadableFile, match="was written by an earlier version of harmgraph; start the training over"):
        run("old", examples, "kgbert", encoder, epochs=2)
    assert run("old", examples, "kgbert", encoder, epochs=2, again=True).fresh_epochs == 2


@pytest.mark.parametrize(("member", "said"), [("bertsage", False), ("graph", True)])
def test_one_hop_is_the_training_of_earlier_versions(examples: Path, member: str, said: bool) -> None:
    """They had no --hops but for graph, so what they trained is still found."""
    data, near = read_folder(examples), neighbourhood()
    one, two = (identity_of(member, "e", replace(RECIPE, hops=hops), data, near)["recipe"] for hops in (1, 2))
    assert ("hops" in one) == said
    assert two["hops"] == 2


def test_int8_is_for_the_cpu(examples: Path, encoder: Path) -> None:
    known = run("cpu", examples, "bert", encoder, epochs=1).config
    with pytest.raises(BadName, match="is for the CPU: choose bf16"):
        named_populator.judging_precision("int8", known, "cuda")


def test_an_encoder_without_vocabulary_is_refused(examples: Path, tmp_path: Path) -> None:
    place = tiny_model.save(tmp_path / "bare", classifier=False)
    for name in ("tokenizer.json", "vocab.txt"):
        (place / name).unlink(missing_ok=True)
    with pytest.raises(InputError):
        run("bare", examples, "bert", place)

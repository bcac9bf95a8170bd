"""``harmgraph embed`` with an encoder: train, eval on people it never saw, and what a hurried person does wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from tests.support.family import SIZE, records, rows
from tests.support.filling import import_triples
from tests.support.toy import entity, ring

torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("without_models")
SMALL = ["--dim", "16", "--layers", "3", "--batch", "4", "--learning-rate", "0.01", "--epoch-triples", "0"]
TESTS = sum(split == "test" for *_, split in rows("a"))


def train(name: str, *more: str, source: str = "a") -> int:
    given = ["--source", source, "--encoder", "nbfnet", "--output", "json", "--threads", "1", *SMALL]
    return main(["embed", "train", name, *given, *more])


@pytest.fixture
def families(graph: Graph) -> Graph:
    """Two families without a common member, as two sources."""
    for name in "ab":
        import_triples(graph, *records(name), source=name)
    return graph


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    capsys.readouterr()
    assert main(["embed", "eval", "paths", "--output", "json", *arguments]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_train_and_ask_about_people_whom_it_never_saw(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("paths", "--epochs", "12", "--patience", "12") == 0
    out, err = capsys.readouterr()
    known = json.loads(out)
    assert (known["family"], known["state"], known["epochs"], known["comparator"]) == ("nbfnet", "finished", 12, "")
    assert "harmgraph embed eval paths" in err
    assert train("paths", "--epochs", "12", "--patience", "12") == 0
    assert "is already finished" in capsys.readouterr().err
    (row,) = families.rows("model/list")
    assert (row["sources"], row["model"]["sha256"]) == (["a"], store.config("paths").sha256)

    own = asked(capsys)
    assert (own["triples"], own["candidates"]) == (TESTS, SIZE)
    assert "entities" not in own
    other = asked(capsys, "--inference", "b")
    assert (other["triples"], other["candidates"], other["unknown_edges"]) == (TESTS, SIZE, 0)
    assert other["mrr"] > 0.7  # type: ignore[operator]
    assert set(other["entities"]) == {"unseen"}  # type: ignore[call-overload]
    seen = asked(capsys, "--inference", "a")
    assert set(seen["entities"]) == {"seen"}  # type: ignore[call-overload]
    assert seen["mrr"] == own["mrr"]

    assert main(["embed", "eval", "paths", "--inference", "b"]) == 0
    table = capsys.readouterr().out
    assert "paths on test of b" in table
    assert "(unseen)" in table
    assert main(["embed", "list"]) == 0
    assert "nbfnet" in capsys.readouterr().out


def test_edges_of_unknown_relations_are_counted(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(families, *records("c"), *ring(), source="c")
    assert train("paths", "--epochs", "1") == 0
    found = asked(capsys, "--inference", "c", "--split", "valid")
    assert found["unknown_edges"] == len(ring())
    assert main(["embed", "eval", "paths", "--inference", "c", "--split", "valid"]) == 0
    assert f"{len(ring())} edges have a relation that paths does not know" in capsys.readouterr().err


def test_a_training_goes_on(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("paths", "--epochs", "1") == 0
    assert train("paths", "--epochs", "2") == 0
    assert train("whole", "--epochs", "2") == 0
    capsys.readouterr()
    assert store.config("paths").sha256 == store.config("whole").sha256
    assert train("paths", "--epochs", "2", "--seed", "4") == 1
    assert "was trained with seed 0 (now 4)" in capsys.readouterr().err


def test_the_best_epoch_is_chosen_on_another_graph(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--epochs", "3", "--patience", "3", "--choose-on", "b"]
    assert train("paths", *chosen) == 0
    known = store.config("paths")
    found = asked(capsys, "--inference", "b", "--split", "valid")
    assert (known.chosen_on, known.valid_mrr) == ("b", pytest.approx(found["mrr"]))
    assert train("paths", "--epochs", "3", "--patience", "3") == 1
    assert "a model of that name was trained with the choice of its best epoch on b" in capsys.readouterr().err
    assert train("paths", *chosen) == 0
    assert "is already finished" in capsys.readouterr().err
    import_triples(families, *ring(), source="c")
    assert train("other", *chosen[:-1], "c") == 1
    assert "the source c has no valid triple of a relation that is trained on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["train", "x", "--source", "a", "--choose-on", "b"], 1, "'choose_on' works only with an encoder"),
        (["train", "x", "--source", "a", "--encoder", "nbf"], 2, "nbfnet"),
        (["train", "x", "--source", "a", "--encoder", "nbfnet", "--negatives", "9"], 1, "'negatives' is not used by"),
        (["train", "x", "--source", "a", "--encoder", "nbfnet", "--model", "transe"], 2, "leave out --model"),
        (
            ["train", "x", "--source", "a", "--encoder", "nbfnet", "--processes", "2"],
            1,
            "does not work with the encoder",
        ),
        (["train", "x", "--source", "a", "--encoder", "nbfnet", "--recipe", "n3"], 1, "'recipe' is not used by"),
        (["train", "x", "--source", "a", "--layers", "2"], 1, "'layers' works only with an encoder"),
        (["train", "x", "--encoder", "nbfnet", "--fanout", "4,4,4,4"], 1, "'fanout' is not used by the encoder nbfnet"),
        (["train", "x", "--encoder", "sage", "--fanout", "4,4,4"], 1, "'4,4,4' has 3 numbers for 2 layers"),
        (["train", "x", "--encoder", "sage", "--subgraphs", "live"], 1, "'subgraphs' is not used by the encoder sage"),
        (
            [
                "train",
                "x",
                "--encoder",
                "sage",
                "--fanout",
                "4,4",
                "--subgraphs",
                "live",
                "--statement",
                "subgraph/unseen",
            ],
            1,
            "works only with all triples of a source",
        ),
        (["eval", "paths", "--inference", "nobody"], 1, "no source named 'nobody' in the graph"),
        (["eval", "paths", "--inference", "ring"], 1, "ring: has no training edge of a relation that the model knows"),
        (["eval", "paths", "--triples-of", "paths"], 2, "does not work with a model that has an encoder"),
        (["eval", "table", "--valid-negatives", "valid.txt"], 2, "--valid-negatives needs --negatives"),
        (["eval", "paths", "--valid-negatives", "valid.txt"], 2, "--valid-negatives needs --negatives"),
        (["eval", "table", "--inference", "b"], 2, "table has a table of entities"),
    ],
)
def test_wrong_input(
    families: Graph, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, why: str
) -> None:
    import_triples(families, *ring(), source="ring")
    assert train("paths", "--epochs", "1") == 0
    assert main(["embed", "train", "table", "--source", "a", "--dim", "4", "--negatives", "5", "--epochs", "1"]) == 0
    capsys.readouterr()
    assert main(["embed", *arguments]) == code
    err = capsys.readouterr().err
    assert why in err
    assert "Traceback" not in err


def test_a_probe_says_that_it_has_no_table(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("paths", "--epochs", "1") == 0
    capsys.readouterr()
    assert main(["probe", "shift", "paths", "--relation", "PARENT", "--a", "a00", "--b", "a01"]) == 1
    assert "has no table of entities, but the encoder nbfnet" in capsys.readouterr().err


@pytest.mark.parametrize("encoder", ["compgcn", "rgcn", "sage"])
def test_vectors_of_people_whom_training_never_saw(
    families: Graph, capsys: pytest.CaptureFixture[str], encoder: str
) -> None:
    """What evaluation says of the encoder on another graph, it says of the table of its vectors too; probes take the table."""
    assert train("paths", "--epochs", "3", "--encoder", encoder, "--model", "distmult") == 0
    other = asked(capsys, "--inference", "b")
    assert main(["embed", "encode", "paths", "--source", "b", "--as", "later", "--output", "json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert (known["family"], known["source"], known["entities"], known["stopped"]) == ("distmult", "b", SIZE, "encoded")
    assert main(["embed", "eval", "later", "--output", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["mrr"] == pytest.approx(other["mrr"])
    assert main(["embed", "encode", "paths", "--source", "b", "--as", "later"]) == 1
    assert "a model of that name exists" in capsys.readouterr().err
    assert main(["embed", "encode", "paths", "--source", "b", "--as", "later", "--again"]) == 0
    assert main(["embed", "encode", "later", "--source", "b", "--as", "more"]) == 1
    assert "has no encoder but a table of entities" in capsys.readouterr().err


def test_paths_have_no_vectors(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("paths", "--epochs", "1") == 0
    assert main(["embed", "encode", "paths", "--source", "b", "--as", "later"]) == 1
    assert "the encoder nbfnet has no vectors: its scores are of paths" in capsys.readouterr().err
    assert list(store.names()) == ["paths"]


def test_damaged_weights(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("paths", "--epochs", "1") == 0
    path = store.folder("paths") / store.WEIGHTS
    path.write_bytes(path.read_bytes()[:-9])
    assert main(["embed", "eval", "paths"]) == 1
    assert "is not the file that was trained" in capsys.readouterr().err
    path.unlink()
    assert main(["embed", "eval", "paths"]) == 1
    assert "is missing" in capsys.readouterr().err


def test_an_entity_without_an_edge_is_no_fault(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Her only triple is the one to be found: nothing leads to her, so she is ranked among all of whom nothing is known."""
    from harmgraph.graph.records import Triple

    alone = Triple(entity("alone"), "PARENT", entity("d00"), properties={"split": "test"})
    import_triples(families, *records("d"), alone, source="d")
    assert train("paths", "--epochs", "2") == 0
    found = asked(capsys, "--inference", "d")
    assert (found["triples"], found["candidates"]) == (TESTS + 1, SIZE + 1)


def test_drawn_neighbourhoods_train_and_encode(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = ["--encoder", "sage", "--model", "distmult", "--fanout", "3,3,3", "--negatives", "9"]
    assert train("paths", "--epochs", "2", *drawn) == 0
    assert dict(store.config("paths").training)["fanout"] == "3,3,3"
    other = asked(capsys, "--inference", "b")
    assert (other["triples"], other["candidates"]) == (TESTS, SIZE)
    assert main(["embed", "encode", "paths", "--source", "b", "--as", "vectors"]) == 0
    capsys.readouterr()
    assert main(["embed", "eval", "vectors", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["mrr"] == pytest.approx(other["mrr"])


def test_people_left_out_are_unseen(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody with an edge in the training is among them; they are ranked apart."""
    left_out = ["--statement", "subgraph/unseen", "--param", "share=0.2"]
    assert train("paths", "--epochs", "2", "--encoder", "sage", "--model", "distmult", *left_out) == 0
    config = store.config("paths")
    assert config.subgraph
    assert 20 < config.subgraph.entities < SIZE
    found = asked(capsys, "--inference", "a")
    groups: Any = found["entities"]
    assert set(groups) == {"seen", "unseen"}
    assert found["candidates"] == SIZE
    assert asked(capsys)["candidates"] == config.subgraph.entities


def test_a_training_on_the_live_graph_goes_on(families: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """It keeps no keys of entities, so evaluation reads them."""
    live = ["--encoder", "sage", "--model", "distmult", "--fanout", "4,4,4", "--negatives", "9", "--subgraphs", "live"]
    assert train("paths", "--epochs", "1", *live, "--epoch-triples", "12") == 0
    assert train("paths", "--epochs", "2", *live, "--epoch-triples", "12") == 0
    assert train("whole", "--epochs", "2", *live, "--epoch-triples", "12") == 0
    assert store.config("paths").sha256 == store.config("whole").sha256
    config = store.config("paths")
    assert config.subgraph
    assert (config.subgraph.entities, config.subgraph.digest) == (SIZE, None)
    assert config.best_epoch
    assert asked(capsys, "--split", "valid")["mrr"] == pytest.approx(config.valid_mrr)
    assert set(asked(capsys, "--inference", "a")["entities"]) == {"seen"}  # type: ignore[call-overload]
    assert set(asked(capsys, "--inference", "b")["entities"]) == {"unseen"}  # type: ignore[call-overload]
    import_triples(families, *records("a"), *ring(), source="a")
    assert train("paths", "--epochs", "3", *live, "--epoch-triples", "12") == 1
    assert "another state of the graph" in capsys.readouterr().err
    now = {row["name"]: row["import_id"] for row in families.rows("probe/imports")}["a"]
    for more in ((), ("--inference", "a"), ("--inference", "b")):
        assert main(["embed", "eval", "paths", *more]) == 1
        said = capsys.readouterr().err
        assert (
            f"the source 'a' was imported again since ({config.imports['a']} then, {now} now); train it again" in said
        )

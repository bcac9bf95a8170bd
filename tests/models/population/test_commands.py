"""The commands: train, eval on every form of file, list, rm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import InputError, UnknownMember, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.population import named_populator, neighbours, trained
from harmgraph.models.population.compare_command import compare_command
from harmgraph.models.population.train_commands import eval_command, list_command, remove_command, train_command
from tests.support.filling import import_triples, triple
from tests.support.population import FORMS, HEADS, TAILS

pytestmark = pytest.mark.usefixtures("without_populators")


def call(command: click.Command, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"COLUMNS": "160"})


def train(encoder: Path, examples: Path, *words: str) -> Result:
    options = ("--encoder", str(encoder), "--data", str(examples), "--epochs", "2", "--learning-rate", "3e-3")
    return call(train_command, "mine", *options, *words)


def test_train_and_list(encoder: Path, examples: Path) -> None:
    assert "nothing" in call(list_command).stdout
    result = train(encoder, examples, "--model", "kgbert", "--batch", "16", "--output", "json")
    assert result.exit_code == 0, result.exception
    row = json.loads(result.stdout)
    assert (row["populator"], row["model"], row["train"], row["graph"]) == ("mine", "kgbert", 96, "")
    assert "judge with it: harmgraph population eval mine" in result.stderr
    assert json.loads(call(list_command, "--output", "json").stdout) == [row]
    assert "nothing was done" in train(encoder, examples, "--model", "kgbert", "--batch", "16").stderr


def test_remove(graph: Graph, encoder: Path, examples: Path) -> None:
    """An embedding of the same name keeps its node."""
    assert train(encoder, examples, "--model", "bert").exit_code == 0
    store.register(graph, "mine", "transe", None)
    result = call(remove_command, "mine", "--yes")
    assert result.exit_code == 0, result.exception
    assert "removed mine: " in result.stdout
    assert "nothing" in call(list_command).stdout
    assert graph.rows("model/about", name="mine")
    assert isinstance(call(remove_command, "mine", "--yes").exception, UnknownMember)


@pytest.mark.parametrize("form", FORMS)
def test_eval_takes_every_form(encoder: Path, examples: Path, tmp_path: Path, form: str) -> None:
    assert train(encoder, examples, "--model", "bert").exit_code == 0
    path = tmp_path / "file.csv"
    path.write_text(FORMS[form])
    result = call(eval_command, "mine", "--file", str(path), "--split", "all", "--draws", "50", "--output", "json")
    assert result.exit_code == 0, result.exception
    if form == "bare":
        assert result.stdout == ""
        assert "no AUC" in result.stderr
        lines = (tmp_path / "file.csv.scores.tsv").read_text().splitlines()
        assert lines[0] == "head\trelation\ttail\tlabel\tscore"
        assert [line.split("\t")[:4] for line in lines[1:]] == [
            ["personx eat", "gEffect", "personx be full", ""],
            ["personx eat", "gEffect", "personx be hungry", ""],
        ]
        return
    table = {(row["of"], row["name"]): row for row in json.loads(result.stdout)}
    assert table["overall", "all"]["n"] == table["relation", "gEffect"]["n"] == 2, "two spellings of one relation"
    assert table["class", "cs_head"]["auc"] is None, "a single label"
    compared = {"linear model", "frequency", "untrained encoder", "paper"}
    assert {of for of, _ in table} == {"overall", "weighted mean", "class", "relation", "new nodes", *compared}


def test_eval_by_default_judges_the_test_examples(encoder: Path, examples: Path, tmp_path: Path) -> None:
    train(encoder, examples, "--model", "bert")
    result = call(eval_command, "mine", "--scores", str(tmp_path / "scores.tsv"))
    assert result.exit_code == 0, result.exception
    for words in (
        "mine, 60 triples",
        "weighted mean",
        "TF-IDF and logistic regression",
        "KG-BertSAGE",
        "people",
        "0.844",
    ):
        assert words in result.stdout
    assert len((tmp_path / "scores.tsv").read_text().splitlines()) == 61
    path = tmp_path / "others.csv"
    path.write_text(
        f"head,relation,tail,label\n{HEADS[0]},xWant,dance,1\n{HEADS[0]},xWant,{TAILS[0]},0\nsing,xWant,dance,0\n"
    )
    result = call(eval_command, "mine", "--file", str(path), "--examples", "1", "--output", "json")
    assert result.exit_code == 0, result.exception
    assert "2 of the 4 nodes (50.0%) stand in no training triple" in result.stderr
    for row in json.loads(result.stdout):
        says, new = row["score"] > 0, row["new_nodes"]
        assert (
            row["kind"]
            == {
                (True, 0): "wrong: says plausible",
                (False, 1): "wrong: says not plausible",
                (True, 1): "right and new",
            }[says, row["label"]]
        )
        assert new == {"dance": 1 + (row["head"] == "sing")}.get(row["tail"], 0)
    path.write_text("head,relation,tail\na,xWant,b\n")
    result = call(eval_command, "mine", "--file", str(path), "--examples", "1")
    assert isinstance(result.exception, InputError)
    assert "nobody labelled these triples" in str(result.exception)


@pytest.mark.parametrize(
    "command",
    [
        (eval_command, "mine", "--draws", "0"),
        (compare_command, "--a", "mine", "--b", "mine", "--draws", "0", "--permutations", "0"),
    ],
)
def test_judging_takes_a_number_of_threads(
    encoder: Path, examples: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[click.Command, *tuple[str, ...]]
) -> None:
    assert train(encoder, examples, "--model", "bert").exit_code == 0
    judge, threads = named_populator.judge, []

    def spied(*given: Any, **more: Any) -> Any:
        threads.append(torch.get_num_threads())
        return judge(*given, **more)

    monkeypatch.setattr(named_populator, "judge", spied)
    before = torch.get_num_threads()
    result = call(*command, "--threads", str(before + 1))
    assert result.exit_code == 0, result.exception
    assert set(threads) == {before + 1}
    assert torch.get_num_threads() == before


def test_eval_reads_texts_with_the_threads_of_the_training(
    graph: Graph, encoder: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the vectors of the nodes that the training kept are these, to the bit, and need not be made again."""
    import_triples(
        graph, *(triple(*ends) for ends in zip(HEADS, ["Result"] * len(HEADS), TAILS, strict=True)), source="folk"
    )
    result = train(encoder, examples, "--model", "graph", "--threads", "1")
    assert result.exit_code == 0, result.exception
    read, threads = named_populator.read_with_nodes, []

    def spied(*given: Any) -> Any:
        threads.append(torch.get_num_threads())
        return read(*given)

    monkeypatch.setattr(named_populator, "read_with_nodes", spied)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert call(eval_command, "mine", "--draws", "20", "--no-linear").exit_code == 0
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert threads == [1]


@pytest.mark.parametrize("library", ["dgl", "numpy"])
def test_neighbours_are_read_from_the_live_graph(
    graph: Graph, encoder: Path, examples: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    if library == "dgl":
        pytest.importorskip("dgl", reason="the extra harmgraph[dgl] is not installed")
    else:
        for module in (neighbours, named_populator):
            monkeypatch.setattr(module, "drawing_library", lambda: "numpy")
    pairs = zip(HEADS, TAILS, strict=True)
    import_triples(graph, *(triple(head, "Result", tail) for head, tail in pairs), source="folk")
    result = train(encoder, examples, "--model", "kgbertsage", "--output", "json")
    assert result.exit_code == 0, result.exception
    assert json.loads(result.stdout)["graph"] == "folk"
    assert ("neighbours are drawn by NumPy" in result.stderr) is (library == "numpy")
    assert {"dgl", "numpy"} & trained.RECORDS.finished("mine").versions.keys() == {library}
    judged = call(eval_command, "mine", "--draws", "20", "--no-linear", "--output", "json")
    assert judged.exit_code == 0, judged.exception
    assert json.loads(judged.stdout)[0]["n"] == 60
    assert "nodes (0.0%) stand in no training triple" in judged.stderr


def test_errors_are_a_line_each(encoder: Path, examples: Path, tmp_path: Path) -> None:
    for result, said in (
        (train(tmp_path / "none", examples, "--model", "bert"), "encoder cannot be loaded"),
        (train(encoder, tmp_path, "--model", "bert"), "data.json: is missing"),
        (train(encoder, examples, "--model", "bert", "--as-released"), "no option --as-released"),
    ):
        assert isinstance(result.exception, InputError)
        assert said in str(result.exception)
        assert "\n" not in str(result.exception)
    train(encoder, examples, "--model", "bert")
    path = tmp_path / "file.csv"
    path.write_text("head,relation,colour\na,b,c\n")
    result = call(eval_command, "mine", "--file", str(path))
    assert isinstance(result.exception, UnreadableFile)
    path.write_text("head,relation,tail,label,split\na,xWant,c,1,dev\n")
    result = call(eval_command, "mine", "--file", str(path))
    assert isinstance(result.exception, InputError)
    assert "no triple of the split test; choose another --split" in str(result.exception)
    assert call(train_command, "mine", "--data", str(examples), "--model", "bart").exit_code == 2

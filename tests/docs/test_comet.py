"""The commands of the page on COMeT, and the steps of its job, run in their order with the smallest model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import cli, main
from harmgraph.analytics.jobs.check import checked
from harmgraph.analytics.jobs.file import read_job
from harmgraph.graph.connection import Graph
from harmgraph.models.folders import clear
from harmgraph.models.language import trained
from tests.support.page import blocks
from tests.support.places import DOCS

PAGE = "comet.md"
JOB = DOCS / "jobs" / "retrain.toml"
SMALL = "--batch 16 --vocabulary 300 --threads 1"
WHO = ("lawyer", "doctor", "baker", "teacher", "nurse", "priest")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in trained.names():
        clear(trained.folder(name))


def test_the_page_runs(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = (("IsA", "kind {}"), ("CapableOf", "murder"), ("CapableOf", "sit"), ("AtLocation", "town"))
    rows = [(relation, who, tail.format(who)) for who in WHO for relation, tail in said]
    (tmp_path / "train100k.txt").write_text("".join("\t".join((*row, "1.0")) + "\n" for row in rows))
    _, steps, masked = blocks(PAGE, "bash")
    for line in (steps + masked).splitlines():
        words = shlex.split(line)[1:]
        if words[:2] == ["language", "train"]:
            words += shlex.split(SMALL)
        if words[:2] == ["language", "generate"]:
            words += ["--category", "religion", "--length", "4"]
        assert main(words) == 0, line
    assert "not asked in the same way" not in capsys.readouterr().err
    assert main(["stats", "retrained", "cn100k", "cn100k-neutral", "--output", "json"]) == 0
    numbers = {(row["category"], row["number"]): row for row in json.loads(capsys.readouterr().out)}
    assert numbers["all", "neutral_mean"]["first_models"] == 3
    assert numbers["all", "neutral_mean"]["p"] >= 0.1
    assert numbers["all", "word_perplexity"]["other"] > 1
    every = [row["source"] for row in graph.rows("source/list")]
    asked = [json.loads(each["options"])["relations"] for each in every if each["name"].startswith("said")]
    assert asked == [["AtLocation"]] * 6, "both kinds, though one learnt more"
    kept = {each["name"]: each["counts"] for each in every}
    relations = {name: json.loads(kept[name])["relations"] for name in ("cn100k-neutral", "cn100k-tone")}
    assert "CAPABLE_OF" not in relations["cn100k-neutral"]
    assert relations["cn100k-tone"]["CAPABLE_OF"] == len(WHO)  # who can sit


def test_the_job_runs(graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps as it has them, in this process, with one model of each kind."""
    monkeypatch.chdir(JOB.parent)
    for command in checked(cli, read_job(JOB)):
        words = ["--seeds=1" if word.startswith("--seeds=") else word for word in command.arguments]
        if words[:2] == ["language", "train"]:
            words += [*shlex.split(SMALL), "--epochs", "1"]
        assert main(words) == 0, command.line
    told = capsys.readouterr().err
    assert "1 and 1 models" in told
    assert "not asked in the same way" not in told
    every = [row["source"] for row in graph.rows("source/list")]
    asked = [json.loads(each["options"])["relations"] for each in every if each["name"].startswith("said")]
    neutral = set(json.loads(next(each["counts"] for each in every if each["name"] == "sample-neutral"))["relations"])
    assert asked[0] == asked[1]
    assert len(asked[0]) == len(neutral)

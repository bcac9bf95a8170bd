"""The commands of the page that make a model differ less run in their order, with the smallest model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.models.folders import clear
from harmgraph.models.language import trained
from tests.support.occupations import BAD, GOOD
from tests.support.page import blocks

PAGE = "counterfactual.md"
SMALL = {
    "train": "--epochs 2 --batch 8 --vocabulary 400 --threads 1",
    "debias": "--epochs 1 --threads 1 --confident 0.4",
    "generate": "--threads 1 --length 8",
    "compare": "--permutations 5 --resamples 5 --no-quality --min-samples 1",
    "pair": "--permutations 5 --resamples 5 --min-samples 1",
}
"""What is added to the page's commands."""
WHERE = ("Syria", "Iran", "Italy", "Chile")


def test_a_model_that_differs_less(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"town {place} of {land} is {word} ." for land in WHERE for place in range(4) for word in (*GOOD, *BAD)]
    Path("corpus.txt").write_text("\n".join(lines), encoding="utf-8")
    Path("other.txt").write_text("we saw Italy .\nthey went home .\n", encoding="utf-8")
    for name in trained.names():
        clear(trained.folder(name))
    (block,) = blocks(PAGE, "bash")
    for line in block.splitlines():
        words = shlex.split(line.replace("new:small", "new:tiny").replace("--samples 1000", "--samples 1"))[1:]
        words += shlex.split(SMALL.get(words[1], ""))
        assert main(words) == 0, line
    methods = {name: trained.config(name).debias.get("method", "") for name in trained.names()}
    assert methods == {"plain": "", "longer": "none", "near": "embedding", "calm": "sentiment", "swapped": "augment"}
    samples = [json.loads(line) for line in Path("near.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {sample["generation"]["model"] for sample in samples} == {"near"}
    (source,) = [row["source"] for row in graph.rows("source/list") if row["source"]["name"] == "near"]
    assert source["state"] == "complete"
    for name in trained.names():
        clear(trained.folder(name))

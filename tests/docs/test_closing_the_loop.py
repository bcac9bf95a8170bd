"""The commands of the page run in their order, on a small knowledge base and a tiny encoder."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.models.folders import clear
from harmgraph.models.population import trained
from tests.support import tiny_model
from tests.support.page import blocks

PAGE = "closing_the_loop.md"
SMALL = {
    "train": "--encoder encoder --epochs 2 --batch 16 --learning-rate 3e-3",
    "propose": "--min-score 0",
    "accept": "--min-score 0",
}
"""What is added to the page's commands: so small a model is sure of nothing."""
WHO = ("teacher", "lawyer", "doctor", "nurse", "thief", "friend")
WHERE = ("home", "work", "school", "town")


def knowledge(path: Path) -> None:
    """Triples about people, some of whom are targets."""
    lines = []
    for who in WHO:
        for where in WHERE:
            for verb in ("meets", "sees"):
                head = f"PersonX {verb} a {who} at {where}"
                lines += [f"{head}\txWant\tto find a good {who}", f"{head}\txReact\tawful at {where}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_the_page_runs(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("personx", "xwant", "xreact", "xeffect", "find", "meet", "see", "want", "to", *WHO, *WHERE)
    monkeypatch.setattr(tiny_model, "WORDS", tuple(dict.fromkeys((*tiny_model.WORDS, *words))))
    monkeypatch.chdir(tmp_path)
    tiny_model.save(tmp_path / "encoder", classifier=False)
    knowledge(tmp_path / "train.tsv")
    digests: dict[str, str] = {}
    try:
        for block in blocks(PAGE, "bash"):
            for line in block.splitlines():
                more = SMALL.get(line.split()[2], "") if line.startswith("harmgraph population ") else ""
                digests[line] = digest(graph)
                assert main(shlex.split(f"{line} {more}")[1:]) == 0, line
    finally:
        if "kb" in trained.names():
            clear(trained.folder("kb"))
    (accepted,) = (line for line in digests if "accept" in line and "--dry-run" not in line)
    assert digest(graph) == digests[accepted], "undo gives back the graph before accept"
    assert digests["harmgraph population undo"] != digests[accepted]

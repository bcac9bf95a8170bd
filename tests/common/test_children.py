"""A child ends with its parent, however it was started and whatever it is doing when kill -9 ends the parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from harmgraph.common import children
from tests.support.places import ROOT
from tests.support.processes import is_gone, wait_until_gone

pytestmark = pytest.mark.skipif(not children.LINUX, reason="Linux alone ends them")

PARENT = """
import multiprocessing, os, subprocess, sys, time
from concurrent.futures import ProcessPoolExecutor
from harmgraph.common.children import end_with_parent, ending_with_us

def say(what):
    # A whole line at once: with PYTHONUNBUFFERED, print() writes a line and its end apart, and two processes write here.
    os.write(1, f"{what}\\n".encode())

def begin():
    end_with_parent()
    say(os.getpid())

def work(_=None):
    time.sleep(600)

def child():
    begin()
    work()

if __name__ == "__main__":
    way = sys.argv[1]
    if way == "command":
        say(subprocess.Popen(ending_with_us(["/bin/sleep", "600"])).pid)
    elif way == "pool":
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("forkserver"), initializer=begin)
        pool.submit(work)
    else:
        multiprocessing.get_context(way).Process(target=child, daemon=True).start()
    say("started")
    time.sleep(600)
"""
LATE = """
import multiprocessing, os, sys, time
from harmgraph.common.children import end_with_parent

def child():
    print(os.getpid(), flush=True)
    while multiprocessing.parent_process().is_alive():
        time.sleep(0.01)
    end_with_parent()
    print("survived", flush=True)

if __name__ == "__main__":
    multiprocessing.get_context("fork").Process(target=child, daemon=True).start()
    time.sleep(600)
"""


@contextmanager
def started(folder: Path, text: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    path = folder / "parent.py"
    path.write_text(text)
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, path, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        try:
            yield parent
        finally:
            parent.kill()  # else what a test raised would be seen when the parent ends, in ten minutes


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver", "pool", "command"])
def test_a_child_ends_with_its_parent(tmp_path: Path, way: str) -> None:
    with started(tmp_path, PARENT, way) as parent:
        assert parent.stdout
        said = {parent.stdout.readline().strip() for _ in range(2)}
        [pid] = (int(line) for line in said - {"started"})
        child = psutil.Process(pid)
        assert not is_gone(child)
        parent.kill()
        wait_until_gone(child)


def test_a_child_that_asks_too_late_ends_at_once(tmp_path: Path) -> None:
    with started(tmp_path, LATE) as parent:
        assert parent.stdout
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        wait_until_gone(child)
        assert parent.stdout.read() == ""


def test_a_command_whose_parent_is_gone_already_never_begins() -> None:
    command = children.ending_with_us(["/bin/echo", "begun"])
    command[command.index(str(os.getpid()))] = "1"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "")
    here = subprocess.run(children.ending_with_us(["/bin/echo", "begun"]), capture_output=True, text=True, check=True)
    assert (here.stdout, here.stderr) == ("begun\n", "")

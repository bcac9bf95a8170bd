"""A real standalone cluster of Spark on loopback: a master and two workers, processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from harmgraph.common.engines.spark.java import java_home
from harmgraph.common.errors import EngineError
from tests.support.places import ROOT
from tests.support.processes import children_of, wait_for, wait_until_gone

LOOPBACK = "127.0.0.1"
REQUIRED = "HARMGRAPH_SPARK_REQUIRED"


def _why_not() -> str:
    if find_spec("pyspark") is None:
        return "the extra harmgraph[spark] is not installed"
    try:
        java_home()
    except EngineError as error:
        return str(error)
    return ""


WHY_NOT = _why_not()
needs_spark = pytest.mark.skipif(bool(WHY_NOT) and not os.environ.get(REQUIRED), reason=WHY_NOT)
"""Skips by name where Spark cannot run; where it may not be skipped, the tests fail."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """A running cluster.

    Attributes:
        master: its address for ``--master``.
        folder: where its processes write.
    """

    master: str
    folder: Path


@contextmanager
def standalone(folder: Path) -> Iterator[Standalone]:
    """Starts it, and ends its processes and those that these started."""
    started: list[subprocess.Popen[str]] = []
    try:
        master = _start(folder, "master", "Master", "--host", LOOPBACK, "--port", "0", "--webui-port", "0")
        started.append(master)
        said = _said(folder, "master", r"Starting Spark master at (spark://\S+)", master)
        _said(folder, "master", "elected leader", master)
        for name in ("first", "second"):
            arguments = ("--host", LOOPBACK, "--cores", "1", "--memory", "1g", "--webui-port", "0")
            worker = _start(folder, name, "Worker", *arguments, "--work-dir", str(folder / f"{name} work"), said)
            started.append(worker)
        for name, worker in zip(("first", "second"), started[1:], strict=True):
            _said(folder, name, "Successfully registered", worker)
        yield Standalone(said, folder)
    finally:
        children = [child for process in started for child in children_of(process.pid)]
        for process in started:
            process.terminate()
            process.wait()
        for child in children:
            if child.is_running():
                child.kill()
        wait_until_gone(*children)


def _start(folder: Path, name: str, kind: str, *arguments: str) -> subprocess.Popen[str]:
    import pyspark

    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    environment |= {
        "JAVA_HOME": str(java_home()),
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_NO_DAEMONIZE": "1",
        "PYTHONPATH": str(ROOT),
        "PYSPARK_PYTHON": sys.executable,
    }
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            [str(program), f"org.apache.spark.deploy.{kind.lower()}.{kind}", *arguments],
            stdout=log,
            stderr=log,
            env=environment,
            text=True,
            cwd=folder,
        )


def _said(folder: Path, name: str, pattern: str, process: subprocess.Popen[str]) -> str:
    """What a process printed that matches the pattern, once it did: its group, if it has one."""
    log = folder / f"{name}.log"

    def match() -> re.Match[str] | None:
        assert process.poll() is None, log.read_text()
        return re.search(pattern, log.read_text(errors="replace"))

    wait_for(match)
    found = match()
    assert found is not None
    return found[found.re.groups]

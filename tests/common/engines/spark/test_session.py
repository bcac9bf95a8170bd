"""What Spark's processes are told: which Python the workers start, and what failed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from harmgraph.common.engines.spark.session import environment, failed

PYTHON = "PYSPARK_PYTHON"


def test_the_workers_python_is_this_one_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (PYTHON, "PYSPARK_DRIVER_PYTHON", "JAVA_HOME"):
        monkeypatch.setenv(name, "so that it is as before after the test")
        monkeypatch.delenv(name)
    with environment(tmp_path):
        assert os.environ[PYTHON] == sys.executable
    monkeypatch.setenv(PYTHON, "/opt/harmgraph/bin/python")
    with environment(tmp_path):
        assert os.environ[PYTHON] == "/opt/harmgraph/bin/python"
    assert os.environ[PYTHON] == "/opt/harmgraph/bin/python"


class OfJava(Exception):
    """An error as py4j gives it, with its causes."""

    def __init__(self, *said: str) -> None:
        super().__init__("An error occurred while calling o42.toLocalIterator")
        self.java_exception = Thrown(said)


class Thrown:
    def __init__(self, said: Sequence[str]) -> None:
        self.said = said

    def __str__(self) -> str:
        return self.said[0]

    def getCause(self) -> Thrown | None:  # noqa: N802 - Java's name
        return Thrown(self.said[1:]) if self.said[1:] else None


AWAITED = "org.apache.spark.SparkException: Exception thrown in awaitResult:"


def test_a_worker_without_this_python() -> None:
    missing = 'java.io.IOException: Cannot run program "/home/ada/.venv/bin/python": error=2, No such file'
    lost = f"org.apache.spark.SparkException: Job aborted: Lost task 0.3: {missing}\nDriver stacktrace:"
    told = str(failed("the job failed", OfJava(AWAITED, lost, missing, "java.io.IOException: error=2, No such file")))
    assert '(Cannot run program "/home/ada/.venv/bin/python"' in told
    assert "name theirs with PYSPARK_PYTHON" in told


def test_the_last_cause_is_told() -> None:
    told = str(failed("the job failed", OfJava(AWAITED, "java.io.IOException: no space")))
    assert "(java.io.IOException: no space)" in told
    assert "PYSPARK_PYTHON" not in told
    assert "(ValueError: x)" in str(failed("the job failed", RuntimeError("Traceback:\n  line\nValueError: x")))

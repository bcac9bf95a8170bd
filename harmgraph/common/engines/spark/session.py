"""Starts a Spark session. Nothing secret is handed to Spark: this process alone talks to the graph."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from harmgraph.common.engines.spark.java import java_home
from harmgraph.common.errors import EngineError, InputError, MissingExtra
from harmgraph.common.home import home
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PYTHON = "PYSPARK_PYTHON"  # the variable that names the workers' Python
LOOPBACK = "127.0.0.1"
NO_PROGRAM = "Cannot run program"  # what Java says of a worker's Python that is not there
CAUSES = 9  # of an error, at most
LAST = 300  # characters of what Spark said


@contextmanager
def session(master: str) -> Iterator[SparkSession]:
    """A session on a master such as ``local[2]``, ``spark://host:7077``, ``yarn`` or ``k8s://https://host``.

    What Spark prints goes to ``spark.log`` in harmgraph's home.

    Raises:
        MissingExtra: pyspark is not installed.
        InputError: there is no such form of a master.
        EngineError: there is no Java for it, or the master does not answer.
    """
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyspark":
            raise
        raise MissingExtra("pyspark", "spark") from error
    _check(master)
    java = java_home()
    builder = (
        SparkSession.builder.master(master)
        .appName("harmgraph")
        .config("spark.sql.adaptive.enabled", "false")  # the number of partitions stays as it was asked for
        .config("spark.ui.showConsoleProgress", "false")
    )
    if _is_here(master):
        # Without this Spark and its page would listen on every interface.
        builder = (
            builder.config("spark.driver.host", LOOPBACK)
            .config("spark.driver.bindAddress", LOOPBACK)
            .config("spark.ui.enabled", "false")
        )
    with environment(java), _printed_to(log_file()):
        try:
            spark = builder.getOrCreate()
        except Exception as error:  # pyspark raises many kinds, py4j's among them
            raise failed(f"no session on {master}", error) from error
    try:
        yield spark
    finally:
        with suppress(Exception):  # it may have failed already, which is told elsewhere
            spark.stop()


def log_file() -> Path:
    """What Spark printed last."""
    return home() / "spark.log"


def failed(what: str, error: BaseException) -> EngineError:
    """The error of Spark as one line."""
    lines = [line.strip() for line in _said(error).splitlines() if line.strip()]
    # A Python error on a worker stands at the end of its traceback, a Java error at the beginning.
    line = next((line for line in reversed(lines) if _is_error(line)), lines[0] if lines else type(error).__name__)
    remedy = f"{log_file()} has more"
    missing = next((line for line in reversed(lines) if NO_PROGRAM in line), None)
    if missing:
        line = missing[missing.index(NO_PROGRAM) :]
        remedy = f"every worker needs this Python, or name theirs with {PYTHON} (docs/scale.md); {remedy}"
    return EngineError(f"{what} ({line[:LAST]})", where="Spark", remedy=remedy)


def _said(error: BaseException) -> str:
    """What Spark said, and after it the causes: what a worker said may stand only there."""
    java: Any = getattr(error, "java_exception", None)
    said: list[str] = []
    with suppress(Exception):  # Java may be gone
        while java is not None and len(said) < CAUSES:
            said.append(str(java))
            java = java.getCause()
    return "\n".join(said) or str(error)


def _is_error(line: str) -> bool:
    name, colon, _ = line.partition(":")
    return bool(colon) and name.replace(".", "").isidentifier() and name.endswith(("Error", "Exception"))


def _check(master: str) -> None:
    if master.startswith(("local", "spark://", "k8s://")) or master == "yarn":
        return
    raise InputError(
        f"no master of the form {master!r}", remedy="name local[2], spark://HOST:7077, yarn or k8s://https://HOST"
    )


def _is_here(master: str) -> bool:
    return master.startswith("local") or urlsplit(master).hostname in (LOOPBACK, "localhost")


@contextmanager
def environment(java: Path) -> Iterator[None]:
    """Names Java and Python for Spark's processes, and hides the variables with the graph's password from them.

    Workers start the Python that ``PYSPARK_PYTHON`` names; where nothing is set this one, by its full path.
    """
    hidden = {name: value for name, value in os.environ.items() if name.startswith("NEO4J_")}
    os.environ["JAVA_HOME"] = str(java)
    os.environ.setdefault(PYTHON, sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


@contextmanager
def _printed_to(path: Path) -> Iterator[None]:
    """Lets processes that start in the block print to a file, not among what this command prints."""
    sys.stderr.flush()
    sys.stdout.flush()
    with writing(path):
        make_file(path)
        log = path.open("wb")
    with log:
        kept = [(number, os.dup(number)) for number in (1, 2)]
        try:
            for number, _ in kept:
                os.dup2(log.fileno(), number)
            yield
        finally:
            for number, copy in kept:
                os.dup2(copy, number)
                os.close(copy)

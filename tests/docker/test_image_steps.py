"""The steps of the image without Docker: what it builds, in a clean folder, and its command as its user starts it.

The packages that harmgraph needs are those of the tests, because they are some gigabytes.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from tests.support.dockerfile import instructions, sent
from tests.support.jobs import LINES
from tests.support.people import people
from tests.support.places import ROOT
from tests.support.processes import PATIENCE

pytestmark = pytest.mark.long
PLACE = "/opt/harmgraph"
ORDINARY = 10_001  # its number in the image; only root may become another user
STEPS = (
    "embed train small --source people --model distmult --dim 4 --epochs 2 --batch 32 --no-progress",
    "probe shift small --a freebase/m.female --b freebase/m.male --min-count 1",
    "scorer train tone --data tones.tsv --epochs 1 --no-progress",
    "label regard --model tone --source kb --no-progress",
    "population data --source events --out population --no-progress",
    "population train judge --data population --model graph --hops 0 --epochs 1 --no-progress",
    "population eval judge --draws 10 --no-progress",
)
"""Probes, regard and population, each with what it learns from."""
JOB = "".join(['cron = "*/2 * * * * *"\n', *(f'[[step]]\nrun = "{step}"\n' for step in STEPS)])
FILES = {
    "tones.tsv": "".join(
        f"t{at}\t{label}\tthis person is {word} {at}\n"
        for at in range(40)
        for label, word in ((-1, "bad"), (1, "kind"))
    ),
    "nightly.toml": JOB,
}
"""Of the folder of jobs."""


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """A folder with what ``COPY`` sends and what ``RUN`` installs, for ``EXTRAS=models``."""
    folder = Path(tempfile.mkdtemp(prefix="harmgraph-image-"))
    folder.chmod(0o755)
    try:
        tracked = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in filter(None, tracked.stdout.split("\0")):
            if sent(name) and ((ROOT / name).is_file() or (ROOT / name).is_symlink()):
                copy = folder / "source" / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / name).is_symlink():
                    copy.symlink_to((ROOT / name).readlink())
                else:
                    shutil.copy(ROOT / name, copy)
        (install,) = (rest for word, rest in instructions() if word == "RUN" and PLACE in rest)
        done = subprocess.run(
            install.replace(PLACE, str(folder / "harmgraph")),
            shell=True,
            cwd=folder / "source",
            env={**os.environ, "EXTRAS": "models", "PIP_NO_DEPS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2_000:]
        (packages,) = (folder / "harmgraph" / "lib").glob("python*/site-packages")
        (packages / "of_the_tests.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
        yield folder
    finally:
        shutil.rmtree(folder)


def _other_user() -> dict[str, Any]:
    """Who runs the command: the image's user where this process may become it, and it may read the tests' packages."""
    if os.getuid():
        return {}
    other: dict[str, Any] = {"user": ORDINARY, "group": ORDINARY, "extra_groups": []}
    try:
        tried = subprocess.run([sys.executable, "-c", "import click"], capture_output=True, check=False, **other)
    except PermissionError:
        return {}
    return {} if tried.returncode else other


@pytest.fixture
def work(image: Path) -> Iterator[Path]:
    """``/work`` of the image."""
    folder = image / "work"
    folder.mkdir()
    if _other_user():
        os.chown(folder, ORDINARY, ORDINARY)
    yield folder
    shutil.rmtree(folder)


def _started(image: Path, address: Address) -> dict[str, Any]:
    """How the entry point is started: the variables that the image and Compose set, and no home that can be written."""
    settings = {
        "PATH": f"{image}/harmgraph/bin:/usr/bin:/bin",
        "HOME": "/",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "HARMGRAPH_HOME": str(image / "work" / ".harmgraph"),
        "NEO4J_URI": address.uri,
        "NEO4J_USERNAME": address.username,
        "NEO4J_PASSWORD": address.password,
        "NEO4J_DATABASE": address.database,
    }
    entry = f"{image}/harmgraph/bin/harmgraph"
    return {"cwd": image / "work", "env": settings, "executable": entry, "text": True, **_other_user()}


def command(image: Path, address: Address, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(["harmgraph", *words], capture_output=True, check=False, **_started(image, address))


def scheduled(image: Path, address: Address) -> tuple[list[str], int]:
    """What the service ``schedule`` says until a run ends, and the exit code with which it stops then."""
    with subprocess.Popen(
        ["harmgraph", "job", "schedule", "--verbose", "jobs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **_started(image, address),
    ) as process:
        said: list[str] = []
        try:
            assert process.stdout is not None
            for line in process.stdout:
                said.append(line)
                if "nightly: ended with" in line:
                    break
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
    return said, process.returncode


def _id(entity: Any) -> str:
    return "/" + entity.key.removeprefix("freebase/").replace(".", "/")


def _to_load() -> dict[str, tuple[str, str]]:
    """The source that each importer makes, and its lines."""
    return {
        "freebase": (
            "people",
            "".join(f"{_id(one.head)}\t{one.relation}\t{_id(one.tail)}\n" for one in people()),
        ),
        "triples": ("kb", "".join(f"{line}\n" for line in LINES)),
        "ckbp": (
            "events",
            "".join(f"PersonX see thing{at},xEffect,PersonX hear thing{at}\n" for at in range(200)),
        ),
    }


def test_a_job_of_probes_regard_and_population_runs_when_due_in_the_image(
    image: Path, work: Path, address: Address, graph: Graph
) -> None:
    status = command(image, address, "db", "status")
    assert status.returncode == 0, status.stderr
    (work / "jobs").mkdir()
    if _other_user():
        os.chown(work / "jobs", ORDINARY, ORDINARY)
    for name, text in FILES.items():
        (work / "jobs" / name).write_text(text, "utf-8")
        (work / "jobs" / name).chmod(0o644)
    for importer, (source, text) in _to_load().items():
        (work / f"{importer}.txt").write_text(text, "utf-8")
        loaded = command(image, address, "load", importer, f"{importer}.txt", "--source", source)
        assert loaded.returncode == 0, loaded.stderr
    said, stopped = scheduled(image, address)
    assert said[-1].endswith("nightly: ended with exit code 0\n"), "".join(said)
    assert stopped == 0
    for kind, column, name in (("embed", "model", "small"), ("population", "populator", "judge")):
        listed = command(image, address, kind, "list", "--output", "json")
        assert [row[column] for row in json.loads(listed.stdout)] == [name]
    assert {row["model"] for row in graph.rows("probe/results")} == {"small"}
    (labelled,) = graph.rows("measure/scorers", measure="regard", source="kb")
    assert "tone" in labelled["scorer"]


def test_what_dgl_needs_of_the_system_is_in_the_image() -> None:
    """The slim image has a C library and what Python needs, and no OpenMP."""
    pytest.importorskip("dgl", reason="DGL has no wheel for this Python")
    library = Path(sysconfig.get_path("purelib")) / "dgl" / "libdgl.so"
    needed = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=True).stdout
    assert "libgomp.so.1" in needed
    (system,) = (rest for word, rest in instructions() if word == "RUN" and "apt-get" in rest)
    assert "libgomp1" in system

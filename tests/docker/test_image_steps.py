"""The steps of the image without Docker: what it builds, in a clean folder, and its command as its user starts it.

The packages that harmgraph needs are those of the tests, because they are some gigabytes.
"""

from __future__ import annotations

import json
import os
import shutil
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
from tests.support.people import people
from tests.support.places import ROOT

pytestmark = pytest.mark.long
PLACE = "/opt/harmgraph"
ORDINARY = 10_001  # its number in the image; only root may become another user
JOB = """
[[step]]
run = "embed train small --source people --model distmult --dim 4 --epochs 2 --batch 32 --no-progress"
[[step]]
run = "probe shift small --a freebase/m.female --b freebase/m.male --min-count 1"
"""


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


def command(image: Path, address: Address, *words: str) -> subprocess.CompletedProcess[str]:
    """The entry point, with the variables that the image and Compose set, and no home that can be written."""
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
    return subprocess.run(
        ["harmgraph", *words],
        cwd=image / "work",
        env=settings,
        executable=f"{image}/harmgraph/bin/harmgraph",
        capture_output=True,
        text=True,
        check=False,
        **_other_user(),
    )


def _id(entity: Any) -> str:
    return "/" + entity.key.removeprefix("freebase/").replace(".", "/")


def test_a_job_that_trains_and_probes_runs_in_the_image(
    image: Path, work: Path, address: Address, graph: Graph
) -> None:
    status = command(image, address, "db", "status")
    assert status.returncode == 0, status.stderr
    rows = "".join(f"{_id(triple.head)}\t{triple.relation}\t{_id(triple.tail)}\n" for triple in people())
    (work / "train.txt").write_text(rows, "utf-8")
    (work / "jobs").mkdir()
    (work / "jobs" / "nightly.toml").write_text(JOB, "utf-8")
    for path in (work / "jobs").rglob("*"):
        path.chmod(0o644)
    loaded = command(image, address, "load", "freebase", "train.txt", "--source", "people")
    assert loaded.returncode == 0, loaded.stderr
    done = command(image, address, "job", "run", "jobs/nightly.toml")
    assert done.returncode == 0, done.stdout + done.stderr
    listed = command(image, address, "embed", "list", "--output", "json")
    assert [row["model"] for row in json.loads(listed.stdout)] == ["small"]
    assert {row["model"] for row in graph.rows("probe/results")} == {"small"}


def test_what_dgl_needs_of_the_system_is_in_the_image() -> None:
    """The slim image has a C library and what Python needs, and no OpenMP."""
    pytest.importorskip("dgl", reason="DGL has no wheel for this Python")
    library = Path(sysconfig.get_path("purelib")) / "dgl" / "libdgl.so"
    needed = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=True).stdout
    assert "libgomp.so.1" in needed
    (system,) = (rest for word, rest in instructions() if word == "RUN" and "apt-get" in rest)
    assert "libgomp1" in system

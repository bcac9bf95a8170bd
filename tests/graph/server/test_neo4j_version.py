"""A store goes from one patch of Neo4j to the next without a word; one of another major version is told in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.server import distribution, server
from harmgraph.graph.server.folder import folder, neo4j_note
from harmgraph.graph.server.store import noted_version, same_series


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    (folder() / "data").mkdir(parents=True)
    yield tmp_path / "home"
    server.stop()


def note(version: str) -> None:
    neo4j_note().write_text(json.dumps({"neo4j": version}), encoding="utf-8")


@pytest.mark.parametrize("version", ["4.4.38", "5.25.1", "2025.1.0", "2026.4.0", "6"])
def test_a_store_of_another_version_is_one_line_and_not_touched(
    version: str, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note(version)
    before = sorted(path for path in own_home.rglob("*") if path.is_file())
    for command in (["db", "start"], ["source", "list"]):
        assert main(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert f"the store was last opened by Neo4j {version}, and this harmgraph runs {distribution.NEO4J}" in said.err
    assert sorted({path for path in own_home.rglob("*") if path.is_file()} - {own_home / "server.lock"}) == before


def test_another_patch_is_no_word(own_home: Path) -> None:
    note("5.26.1")
    told: list[str] = []
    server.start("300m", "32m", told.append)
    usual = "looking for Neo4j"  # where the jars are not checked yet
    assert [line for line in told if not line.startswith(usual)] == ["starting Neo4j ..."]
    assert noted_version() == distribution.NEO4J


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_a_store_without_a_note_is_opened(text: str, own_home: Path) -> None:
    assert noted_version() == ""
    neo4j_note().write_text(text)
    assert noted_version() == ""


def test_a_series() -> None:
    assert same_series("5.26.0", "5.26.29")
    assert not same_series("5.2", "5.26.29")
    assert not same_series("2026.05.0", "5.26.29")

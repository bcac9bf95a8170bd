"""All that harmgraph makes in its home only the user may read, however open new files are by default."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.common import private
from harmgraph.common.whole_file import beside, folder_beside, write_whole, written
from harmgraph.graph.server import server

JOB = """
name = "nightly"

[[step]]
run = "stats representation"
"""


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    before = os.umask(0)
    yield tmp_path / "home"
    os.umask(before)


def open_to_others(place: Path) -> dict[str, str]:
    """The files and folders below that somebody else may read, with their modes."""
    modes = {path: path.stat().st_mode & 0o7777 for path in (place, *place.rglob("*"))}
    return {str(path): oct(mode) for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)}


def test_every_way_of_writing(own_home: Path) -> None:
    private.make_folder(own_home / "rejects" / "deep")
    private.make_file(own_home / "rejects" / "kb.tsv")
    with beside(own_home / "names.json") as part:
        part.write_text("{}")
    with written(own_home / "cache" / "x" / "y") as file:
        file.write("x")
    write_whole(own_home / "jobs" / "nightly.json", b"{}", remedy="")
    with folder_beside(own_home / "models" / "m") as part:
        (part / "of a library").mkdir(mode=0o777)
        (part / "of a library" / "weights").touch(mode=0o666)
    assert open_to_others(own_home) == {}
    assert {path.name for path in own_home.rglob("*") if path.is_file()} >= {"kb.tsv", "names.json", "y", "weights"}


def test_elsewhere_files_are_as_open_as_the_system_makes_them(own_home: Path, tmp_path: Path) -> None:
    write_whole(tmp_path / "out" / "report.html", b"", remedy="")
    with folder_beside(tmp_path / "out" / "data") as part:
        (part / "x").touch()
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "out").rglob("*")}
    assert modes == {0o777, 0o666}


def test_what_an_earlier_harmgraph_left_open_is_closed(own_home: Path) -> None:
    (own_home / "rejects").mkdir(parents=True)
    (own_home / "spark.log").touch()
    private.make_folder(own_home / "rejects")
    private.make_file(own_home / "spark.log")
    assert set(open_to_others(own_home)) == {str(own_home)}, "how open the home is, decided who made it"


def test_a_link_to_the_home_is_the_home(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_home.mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(own_home)
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "link"))
    private.make_folder(own_home / "neo4j")
    private.make_folder(tmp_path / "link" / "rejects")
    assert open_to_others(own_home) == {}


@pytest.mark.timeout(900)
def test_a_home_after_work(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARMGRAPH_HEAP", "300m")
    (tmp_path / "kb.tsv").write_text("muslim\tIsA\tterrible person\nno triple\n" + "muslim\tIsA\tperson\n" * 9)
    (tmp_path / "nightly.toml").write_text(JOB)
    try:
        for command in (
            ["load", "triples", str(tmp_path / "kb.tsv"), "--source", "kb", "--max-rejects", "50%"],
            ["label", "vader"],
            ["job", "run", str(tmp_path / "nightly.toml")],
            ["db", "backup", str(tmp_path / "graph.backup")],
            ["source", "list"],
        ):
            assert main(command) == 0, command
    finally:
        server.stop()
    made = {path.relative_to(own_home).as_posix() for path in own_home.rglob("*")}
    assert made >= {
        "rejects/kb.tsv",
        "names.json",
        "jobs/nightly.json",
        "neo4j/logs/debug.log",
        "neo4j/data/dbms/auth.ini",
    }
    assert open_to_others(own_home) == {}

"""All that harmgraph makes in its home only the user may read, however open new files are by default.

``tests/test_home_after_work.py`` looks at a home after the main job.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.common import private
from harmgraph.common.whole_file import beside, folder_beside, write_whole, written
from tests.support.modes import open_to_others


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    before = os.umask(0)
    yield tmp_path / "home"
    os.umask(before)


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

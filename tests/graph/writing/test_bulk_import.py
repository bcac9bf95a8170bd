"""The new store takes the place of the old one whole, wherever it is killed; without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.common.whole_file import finish_moves
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import folder, restore_note
from harmgraph.graph.writing import bulk_import

PLACES = ("databases", "transactions")


def write_store(name: str, content: str) -> None:
    for place in PLACES:
        (folder() / "data" / place / name).mkdir(parents=True)
        (folder() / "data" / place / name / "file").write_text(content, encoding="utf-8")


def stores() -> dict[str, str]:
    return {str(path.relative_to(folder() / "data")): path.read_text() for path in folder().rglob("file")}


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a store, in which no server runs."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    write_store(bulk_import.DATABASE, "old")
    monkeypatch.setattr(server, "admin", lambda *_: write_store(bulk_import.BESIDE, "new"))
    return tmp_path


@pytest.mark.parametrize("moves", range(5))
def test_interrupted_among_its_moves_the_next_start_makes_the_others(
    moves: int, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        nonlocal made
        if made == moves:
            raise KeyboardInterrupt
        made += 1
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", interrupted)
        if moves < 4:
            with pytest.raises(KeyboardInterrupt):
                bulk_import.replace_store([], own_home / "import.report")
        else:
            bulk_import.replace_store([], own_home / "import.report")
    finish_moves(restore_note())  # as the next start does
    assert stores() == {f"{place}/neo4j/file": "new" for place in PLACES}


def test_an_import_that_fails_leaves_the_old_store_alone(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: str) -> None:
        write_store(bulk_import.BESIDE, "half")
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "admin", fail)
    with pytest.raises(KeyboardInterrupt):
        bulk_import.replace_store([], own_home / "import.report")
    assert stores() == {f"{place}/neo4j/file": "old" for place in PLACES}
    assert not restore_note().exists()


def test_one_that_was_killed_among_its_moves_is_finished_before_the_next(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *_: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception):
            bulk_import.replace_store([], own_home / "import.report")
    bulk_import.replace_store([], own_home / "import.report")
    assert stores() == {f"{place}/neo4j/file": "new" for place in PLACES}
    assert not restore_note().exists()


def test_neo4js_importer_is_told_to_leave_nothing_out(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def note(*arguments: str) -> None:
        given.extend(arguments)
        write_store(bulk_import.BESIDE, "new")

    monkeypatch.setattr(server, "admin", note)
    bulk_import.replace_store([], own_home / "import.report")
    assert "--bad-tolerance=0" in given
    assert not [argument for argument in given if argument.startswith("--skip-")]

"""What of harmgraph's home goes into a backup, and what a restore does not touch there; without a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.graph.backup import home_files
from harmgraph.graph.backup.backup_file import HOME
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.common.errors import InputError, OtherNeo4j
from harmgraph.graph.server import distribution
from harmgraph.graph.server.folder import neo4j_note
from tests.support.backups import WEIGHTS, write


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("HARMGRAPH_HOME", str(home))
    for name in ("models/m/weights", "backups/notes.txt", "spark.log"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(WEIGHTS)
    return home


def names() -> list[str]:
    return [str(name) for name, _ in home_files.files()]


def test_logs_of_this_machine_do_not_belong_into_a_backup(home: Path) -> None:
    for name in ("names.json", "pages-port", "jobs/nightly.json", "server.lock"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("of here")
    assert names() == ["backups/notes.txt", "models/m/weights"]


@pytest.mark.parametrize("folder", ["", "backups", "backups/2026/11", "models/m"])
def test_other_backups_do_not_wherever_they_lie(folder: str, home: Path) -> None:
    (home / folder).mkdir(parents=True, exist_ok=True)
    write(home / folder / "graph.backup")
    assert names() == ["backups/notes.txt", "models/m/weights"]
    assert set(home_files.digests(home / "models" / "m")) == {"models/m/weights"}


def test_a_restore_puts_nothing_in_the_place_of_a_backup(home: Path) -> None:
    """Neither of the one that it reads nor of one in the folder of a model that it would replace."""
    own = home / "backups" / "graph.backup"
    write(own, more={f"{HOME}backups/graph.backup": b"an older one"})
    whole = own.read_bytes()
    with pytest.raises(InputError, match=r"graph\.backup: a backup lies there, .*; move it to another folder"):
        restore(own, replace=True)
    assert own.read_bytes() == whole
    (home / "models" / "m" / "weights").write_bytes(b"trained since")
    kept = write(home / "models" / "m" / "before.backup")
    with pytest.raises(InputError, match=r"before\.backup: a backup lies there"):
        restore(kept, replace=True)
    assert kept.exists()


def test_a_store_of_another_neo4j_is_not_replaced(home: Path, tmp_path: Path) -> None:
    """The rest of it, such as the database with its users, would stay, and no server would start on it."""
    neo4j_note().parent.mkdir(parents=True)
    neo4j_note().write_text(json.dumps({"neo4j": "2026.4.0"}), encoding="utf-8")
    before = sorted(home.rglob("*"))
    told = rf"last opened by Neo4j 2026\.4\.0, and this harmgraph runs {distribution.NEO4J}.*run 'harmgraph db reset'"
    with pytest.raises(OtherNeo4j, match=told):
        restore(write(tmp_path / "graph.backup"), replace=True)
    assert sorted(set(home.rglob("*")) - {home / "server.lock"}) == before

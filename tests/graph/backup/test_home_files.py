"""What of harmgraph's home goes into a backup, and what a restore does not touch there; without a server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, OtherNeo4j
from harmgraph.graph.backup import home_files
from harmgraph.graph.backup.backup import backup
from harmgraph.graph.backup.backup_file import HOME
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.server import distribution, server
from harmgraph.graph.server.folder import neo4j_note
from tests.support.backups import WEIGHTS, write


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("HARMGRAPH_HOME", str(home))
    for name in ("models/m/weights", "models/notes.txt", "notes.txt", "spark.log"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(WEIGHTS)
    return home


def names() -> list[str]:
    return [str(name) for name, _ in home_files.files()]


def test_only_what_was_trained_belongs_into_a_backup(home: Path) -> None:
    of_here = ("names.json", "pages-port", "jobs/nightly.json", "server.lock", "password", "neo4j/conf/neo4j.conf")
    being_made = ("models/m/.lock", "models/m/.weights.7.part", "models/.m.old/weights", "scorers/.locks/mine.lock")
    kept = (
        "scorers/mine/deep/er/x",
        "scorers/.theirs.training/checkpoint",
        "frames/f/x",
        "language/l/x",
        "populators/p/x",
    )
    for name in (*of_here, *being_made, *kept):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("of here")
    assert names() == sorted({"models/m/weights", *kept})


def test_the_folder_of_a_model_may_be_a_link_and_what_stays_in_it(home: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    (home / "models").rename(disk)
    (home / "models").symlink_to(disk)
    (disk / "m").rename(tmp_path / "elsewhere")
    (disk / "m").symlink_to(tmp_path / "elsewhere")
    (disk / "m" / "same").symlink_to("weights")
    (disk / "n").symlink_to(disk / "m")
    assert names() == ["models/m/same", "models/m/weights", "models/n/same", "models/n/weights"]


def linked(place: Path, to: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(to)


OUT: dict[str, tuple[Callable[[Path], None], str]] = {
    "the password": (lambda home: linked(home / "models/m/x", home / "password"), "x: is a link that leads out"),
    "a relative one": (lambda home: linked(home / "models/m/x", Path("../../password")), "x: is a link that leads out"),
    "another model": (lambda home: linked(home / "models/m/x", home / "models/n"), "x: is a link that leads out"),
    "the whole disk": (lambda home: linked(home / "models/m/x", Path("/")), "x: is a link that leads out"),
    "a circle": (lambda home: linked(home / "models/m/deep/x", home / "models/m"), "x: is a link in a circle"),
    "nothing": (lambda home: linked(home / "models/m/x", home / "models/m/none"), "x: is a link to nothing"),
    "a device": (lambda home: linked(home / "models/m/x", Path("/dev/zero")), "x: is a link that leads out"),
    "a FIFO": (lambda home: os.mkfifo(home / "models/m/x"), "x: is not a file"),
    "a model that is gone": (
        lambda home: linked(home / "models/x", home / "none"),
        "x: is a link to a folder that is",
    ),
    "a model that is the store": (
        lambda home: linked(home / "models/x", home / "neo4j"),
        "x: is a link into harmgraph's own",
    ),
    "a model that is the home": (
        lambda home: linked(home / "models/x", home),
        "x: is a link into harmgraph's own",
    ),
    "a model that is all": (
        lambda home: linked(home / "models/x", Path("/")),
        "x: is a link into harmgraph's own",
    ),
    "a name of two lines": (
        lambda home: (home / "models/m/a\nb").touch(),
        "m: the name 'a\\\\nb' has control characters",
    ),
    "a name of Windows": (lambda home: (home / "models/m/a\\b").touch(), "is not that of a file below a folder"),
}


@pytest.mark.parametrize("case", OUT)
def test_what_cannot_be_kept_is_said_before_the_server_is_touched(
    case: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "password").write_text("secret")
    (home / "neo4j").mkdir()
    (home / "models" / "n").mkdir()
    make, told = OUT[case]
    make(home)
    monkeypatch.setattr(server, "as_before", None)
    with pytest.raises(InputError, match=told):
        backup(tmp_path / "graph.backup")
    assert not (tmp_path / "graph.backup").exists()


@pytest.mark.parametrize("folder", ["", "backups", "backups/2026/11", "models/m"])
def test_other_backups_do_not_wherever_they_lie(folder: str, home: Path) -> None:
    (home / folder).mkdir(parents=True, exist_ok=True)
    write(home / folder / "graph.backup")
    assert names() == ["models/m/weights"]
    assert set(home_files.digests(home / "models" / "m")) == {"models/m/weights"}


def test_a_restore_puts_nothing_in_the_place_of_a_backup(home: Path) -> None:
    """Neither of the one that it reads nor of another in the folder of a model that it would replace."""
    own = home / "models" / "m" / "before.backup"
    write(own, more={f"{HOME}models/m/before.backup": b"an older one"})
    whole = own.read_bytes()
    with pytest.raises(InputError, match=r"before\.backup: a backup lies there, .*; move it to another folder"):
        restore(own, replace=True)
    with pytest.raises(InputError, match=r"before\.backup: a backup lies there"):
        restore(write(home.parent / "other.backup", more={f"{HOME}models/m/more": b"x"}), replace=True)
    assert own.read_bytes() == whole


def test_a_store_of_another_neo4j_is_not_replaced(home: Path, tmp_path: Path) -> None:
    """The rest of it, such as the database with its users, would stay, and no server would start on it."""
    neo4j_note().parent.mkdir(parents=True)
    neo4j_note().write_text(json.dumps({"neo4j": "2026.4.0"}), encoding="utf-8")
    before = sorted(home.rglob("*"))
    told = rf"last opened by Neo4j 2026\.4\.0, and this harmgraph runs {distribution.NEO4J}.*run 'harmgraph db reset'"
    with pytest.raises(OtherNeo4j, match=told):
        restore(write(tmp_path / "graph.backup"), replace=True)
    assert sorted(set(home.rglob("*")) - {home / "server.lock"}) == before

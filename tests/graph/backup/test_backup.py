"""A graph and its models go into a file and come back the same, with real servers in homes of their own."""

from __future__ import annotations

import json
import os
import signal
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harmgraph.__main__ import main
from harmgraph.common import whole_file
from harmgraph.common.errors import Busy, InputError, NoSpace, ServerError, StoreNotEmpty
from harmgraph.graph.backup import backup as backups
from harmgraph.graph.backup.backup import backup
from harmgraph.graph.backup.backup_file import MANIFEST, open_backup, writing_backup
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.server import server
from harmgraph.graph.server.folder import restore_note
from harmgraph.graph.statements import parse
from tests.support.commands import command
from tests.support.filling import import_triples, triple
from tests.support.processes import wait_for

MODELS = {"models/comet/weights": b"w" * 3_000, "models/comet/config.json": b"{}", "scorers/mine/vocabulary": b"a b"}
CHANGE = parse("change", "MATCH (c:Concept {key: 'en/liar'}) SET c.text = 'changed'")


@contextmanager
def at(home: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(home))
        patch.setenv("HARMGRAPH_HEAP", "300m")
        patch.setenv("HARMGRAPH_PAGECACHE", "32m")
        yield home


def write_models(home: Path, files: dict[str, bytes] = MODELS) -> None:
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.fixture(scope="module")
def first_home(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a graph and models, and things that are of that machine alone; its server is stopped.

    The server of the run stands before: otherwise it would be started in one of the homes here, and stopped with them.
    """
    with at(tmp_path_factory.mktemp("first")) as home:
        with Graph.open() as graph:
            import_triples(graph, triple("lawyer", "IsA", "liar", 1.0), triple("nurse", "IsA", "kind person"))
        write_models(home)
        write_models(home, {"models/comet/.lock": b"", "cache/subgraphs/x.npz": b"x", "models/a.part": b"torn"})
        (home / "models" / "other").symlink_to(home / "models" / "comet")
        server.stop()
        yield home
        server.stop()


@pytest.fixture(scope="module")
def made(first_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its backup."""
    with at(first_home):
        path = tmp_path_factory.mktemp("backups") / "sub" / "graph.backup"
        assert main(["db", "backup", str(path), "--no-progress"]) == 0
        assert server.running() is None, "it did not run before"
    return path


@pytest.fixture(scope="module")
def second_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at(tmp_path_factory.mktemp("second")) as home:
        yield home
        server.stop()


@pytest.fixture
def second(second_home: Path) -> Iterator[Path]:
    with at(second_home):
        yield second_home


def tree(home: Path) -> dict[str, bytes]:
    """The store, the password and the models, byte by byte."""
    files = [path for place in ("neo4j/data", "models", "scorers") for path in (home / place).rglob("*")]
    return {str(path): path.read_bytes() for path in [*files, home / "password"] if path.is_file()}


def facts(path: Path) -> dict[str, object]:
    with zipfile.ZipFile(path) as archive:
        read: dict[str, object] = json.loads(archive.read(MANIFEST))
        return read


def test_the_file_says_what_it_holds_and_holds_no_secret(made: Path, first_home: Path) -> None:
    with open_backup(made) as opened:
        opened.verify()
        manifest = opened.manifest
    assert (manifest.sources, manifest.relationships) == (("kb",), 2)
    assert manifest.neo4j == "5.26.29"
    assert {str(name) for name in manifest.home_files()} == {
        *MODELS, *(name.replace("comet", "other") for name in MODELS if "comet" in name),
    }  # fmt: skip
    secret = (first_home / "password").read_bytes().strip()
    assert secret
    assert secret not in made.read_bytes()
    assert made.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in made.parent.iterdir()] == [made.name]


def test_it_comes_back_the_same_also_where_the_restore_is_killed_at_its_end(
    made: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (second / "neo4j" / "data" / "restoring").mkdir(parents=True)  # of a restore that was killed early
    with monkeypatch.context() as patch:
        patch.setattr(whole_file, "finish_moves", interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(made)
    assert restore_note().exists()
    with Graph.open() as graph:
        assert digest(graph) == facts(made)["digest"]
        assert graph.form() == facts(made)["form"]
        graph.write(CHANGE)  # and it can be written
    assert not restore_note().exists()
    assert {name: (second / name).read_bytes() for name in MODELS} == MODELS
    left = {path.name for path in second.iterdir()} | {path.name for path in (second / "neo4j" / "data").iterdir()}
    assert not {name for name in left if "restor" in name or name.endswith(".old")}
    assert not (second / "models" / ".restoring").exists()
    with pytest.raises(StoreNotEmpty, match=r"the graph is not empty \(.*2 Concept|4 Concept"):
        restore(made)
    server.stop()


def interrupted(_: Path) -> bool:
    raise KeyboardInterrupt


def test_the_old_graph_stays_where_the_restored_one_is_another(made: Path, second: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.backup"
    with open_backup(made) as old, writing_backup(wrong) as writer:
        for name in old.manifest.files:
            with writer.member(name) as write:
                for chunk in old.chunks(name):
                    write(chunk)
        writer.close(replace(old.manifest, digest="f" * 64, files=writer.files))
    before = tree(second)
    with pytest.raises(ServerError, match="the restored graph is not that of the backup: 7 nodes and 2 relationships"):
        restore(wrong, replace=True)
    assert tree(second) == before
    assert not (second / "neo4j" / "data" / "restoring").exists()


def test_a_killed_restore_leaves_no_server_and_the_old_graph(made: Path, second: Path) -> None:
    before = tree(second)
    stage = second / "neo4j" / "data" / "restoring"
    with command("db", "restore", str(made), "--replace", "--no-progress") as process:
        wait_for(lambda: list(stage.rglob("console.log")), process)
        process.send_signal(signal.SIGKILL)
        process.wait()
    wait_for(lambda: not servers_below(stage))
    assert {name: content for name, content in tree(second).items() if "/restoring/" not in name} == before


def servers_below(place: Path) -> list[int]:
    found = []
    for process in psutil.process_iter():
        try:
            if any(str(place) in word for word in process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def test_models_of_the_same_name_are_compared(made: Path, second: Path, tmp_path: Path) -> None:
    (second / "models" / "comet" / "weights").write_bytes(b"other")
    with pytest.raises(
        InputError, match=r"models/comet: is there already, and is not as in the backup; give --replace"
    ):
        restore(made)


def test_a_model_in_training_is_not_replaced(made: Path, second: Path) -> None:
    from harmgraph.common.lock import held

    with held(second / "models" / "comet" / ".lock"), pytest.raises(Busy, match="another command trains this model"):
        restore(made, replace=True)


def test_replace_puts_graph_and_models_back(made: Path, second: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_models(second, {"models/newer/weights": b"n", "cache/subgraphs/x.npz": b"of another graph"})
    assert main(["db", "restore", str(made), "--replace", "--no-progress"]) == 0
    said = capsys.readouterr()
    assert f"digest {str(facts(made)['digest'])[:12]}, which was checked" in said.out
    assert "put in place: models/comet" in said.out
    assert "there already, and the same: models/other, scorers/mine" in said.out
    assert {name: (second / name).read_bytes() for name in MODELS} == MODELS
    assert (second / "models" / "newer" / "weights").exists(), "a model that the backup does not know stays"
    assert not (second / "cache").exists()
    assert server.running() is None


def test_what_cannot_be_written_is_told_before_the_server_is_touched(second: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("text")
    with pytest.raises(InputError, match="is there and is not a backup of harmgraph; name another file"):
        backup(tmp_path / "thesis.txt")
    with pytest.raises(InputError, match="is a folder"):
        backup(tmp_path)
    with pytest.raises(NoSpace, match="name another file"):
        backup(tmp_path / "thesis.txt" / "graph.backup")
    assert (tmp_path / "thesis.txt").read_text() == "text"


def test_keep_deletes_the_oldest_backups_of_the_name_and_nothing_else(made: Path, tmp_path: Path) -> None:
    names = [f"graph-2026112{day}T023000Z.backup" for day in range(5)]
    for name in names:
        (tmp_path / name).write_bytes(made.read_bytes()[:100])
    others = ["graph-20261101T023000Z.txt", "graph.backup", "other-20261101T023000Z.backup", "graph-2026.backup"]
    for name in others:
        (tmp_path / name).write_bytes(made.read_bytes()[:100])
    (tmp_path / "graph-20200101T000000Z.backup").write_text("not a backup")
    assert [path.name for path in backups._remove_older(tmp_path / "graph.backup", 2)] == names[:3]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*others, *names[3:], "graph-20200101T000000Z.backup"}


def test_what_a_killed_backup_left_is_removed(tmp_path: Path) -> None:
    gone, alive = 2**22 + 1, os.getpid()
    for name in (f".graph.backup.{gone}.part", f".graph-20261101T023000Z.backup.{gone}.part"):
        (tmp_path / name).write_bytes(b"half")
    stays = {f".graph.backup.{alive}.part", f".other.backup.{gone}.part", "graph.backup"}
    for name in stays:
        (tmp_path / name).write_bytes(b"half")
    backups._remove_parts(tmp_path / "graph.backup")
    assert {path.name for path in tmp_path.iterdir()} == stays


def test_a_graph_that_is_changed_while_it_is_read(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a program that does not ask: its digest would be that of no moment."""
    read = backups._facts(graph)
    assert read["digest"] == digest(graph)

    def changing(_: Graph) -> str:
        graph.write(parse("by hand", "CREATE (:Source {name: 'made by hand'})"))
        return "f" * 64

    monkeypatch.setattr(backups, "digest", changing)
    with pytest.raises(Busy, match="the graph was changed while it was read"):
        backups._facts(graph)

"""The page on backups: its commands and its job do what they are said to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.backup.backup_file import DUMP, writing_backup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.upgrade import upgrade
from harmgraph.graph.form.steps import newest
from harmgraph.graph.server import server
from tests.support.earlier import make_first_form
from tests.support.filling import import_triples, triple
from tests.support.page import blocks


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a small graph; the commands restart its server."""
    for name, value in (("HOME", str(tmp_path / "home")), ("HEAP", "300m"), ("PAGECACHE", "32m")):
        monkeypatch.setenv(f"HARMGRAPH_{name}", value)
    monkeypatch.chdir(tmp_path)
    with Graph.open() as graph:
        import_triples(graph, triple("lawyer", "IsA", "liar"))
    yield tmp_path
    server.stop()


def test_the_page(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (job,) = blocks("backup.md", "toml")
    (own_home / "backup.toml").write_text(job, encoding="utf-8")
    for day in range(10, 18):
        old = own_home / "backups" / f"graph-201001{day}T040000Z.backup"
        old.parent.mkdir(exist_ok=True)
        with writing_backup(old) as writer, writer.member(DUMP) as write:
            write(b"old")
    assert main(["job", "run", "backup.toml"]) == 0
    names = sorted(path.name for path in (own_home / "backups").iterdir())
    assert names[:6] == [f"graph-201001{day}T040000Z.backup" for day in range(12, 18)]
    assert len(names) == 7
    assert re.fullmatch(r"graph-\d{8}T\d{6}Z\.backup", names[6])
    with Graph.open() as graph:
        upgraded = made_by_the_first_harmgraph(graph)
        before = digest(graph)
    (shell,) = blocks("backup.md", "sh")
    for line in shell.splitlines():
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    said = capsys.readouterr().out
    assert "wrote backups/graph.backup" in said
    assert f"digest {before[:12]}, which was checked" in said
    assert "it was made by an earlier harmgraph: run 'harmgraph db upgrade' next" in said
    assert f"upgraded the graph from form 0 to form {newest()}" in said
    with Graph.open() as graph:
        assert digest(graph) == upgraded != before


def made_by_the_first_harmgraph(graph: Graph) -> str:
    """Puts a graph of the first form in the place of what stands; the digest that it has when it is upgraded where it is."""
    graph.autocommit("schema/wipe")
    make_first_form(graph)
    upgrade(graph)
    upgraded = digest(graph)
    graph.autocommit("schema/wipe")
    make_first_form(graph)
    graph.write("lock/make")  # as every command that asks for the lock does, also a backup
    return upgraded

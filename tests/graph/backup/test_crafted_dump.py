"""An attacker's dumps within backups of correct manifests, loaded by the real Neo4j: nothing gets out, and no disk is filled."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harmgraph.common.errors import HarmgraphError, StartFailed, UnreadableFile
from harmgraph.common.progress import receiver
from harmgraph.graph.backup.restore import restore
from tests.support.backups import write

EVIL, MIB = b"evil of an attacker", 1 << 20


def dump(fill: Callable[[tarfile.TarFile], None]) -> bytes:
    """A dump in the form of Neo4j that is packed with gzip."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        fill(archive)
    return b"DGV1" + gzip.compress(out.getvalue())


def file(name: str, content: bytes = EVIL) -> Callable[[tarfile.TarFile], None]:
    def fill(archive: tarfile.TarFile) -> None:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))

    return fill


def through_a_link(to: Path) -> Callable[[tarfile.TarFile], None]:
    def fill(archive: tarfile.TarFile) -> None:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, str(to)
        archive.addfile(link)
        file("link/evil.jar")(archive)

    return fill


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HARMGRAPH_HEAP", "300m")
    return tmp_path / "home"


@pytest.mark.parametrize("case", ["above", "absolute", "through a link"])
def test_a_dump_that_leads_out_is_refused_and_writes_nothing(case: str, home: Path, tmp_path: Path) -> None:
    fill = {
        "above": file("../../../plugins/evil.jar"),
        "absolute": file(str(tmp_path / "evil.jar")),
        "through a link": through_a_link(tmp_path),
    }[case]
    path = write(tmp_path / "graph.backup", dumped=dump(fill))
    with pytest.raises(StartFailed, match="Unable to load database"):
        restore(path)
    assert not list(tmp_path.rglob("evil*"))
    assert not (home / "neo4j" / "data" / "restoring").exists()
    assert not (home / "neo4j" / "data" / "databases").exists()
    assert list((home / "models").iterdir()) == []


def test_a_dump_that_unpacks_to_more_than_it_says_is_ended(home: Path, tmp_path: Path) -> None:
    """A thousandth of it is in the backup; its manifest says that the store has five bytes."""
    path = write(tmp_path / "graph.backup", dumped=dump(file("neostore", bytes(600 * MIB))))
    assert path.stat().st_size < MIB
    most = 0

    def watch(*_: object) -> None:
        nonlocal most
        most = max([most, *(each.stat().st_size for each in home.rglob("neostore"))])

    with pytest.raises(HarmgraphError) as caught, receiver(watch):
        restore(path)
    assert isinstance(caught.value, UnreadableFile)
    assert "its graph is larger than it says (0 MiB), and nothing was restored" in str(caught.value)
    assert most < 600 * MIB
    assert not (home / "neo4j" / "data" / "restoring").exists()

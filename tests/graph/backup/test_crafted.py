"""An attacker's backups: whole archives with correct manifests that hold what no backup holds. Nothing of them is put in place.

Neo4j takes any dump here (``own_home``); what it makes of a crafted dump is tried in ``test_crafted_dump``.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.backup import restore as restores
from harmgraph.graph.backup.backup_file import DUMP, FILE_FORM, FORMAT, HOME, MANIFEST
from harmgraph.graph.server import distribution, server
from harmgraph.graph.server.folder import folder
from tests.support.backups import DUMPED, FACTS, WEIGHTS

GOOD = {DUMP: DUMPED, f"{HOME}models/m/weights": WEIGHTS}
LINK, DEVICE, FIFO = stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o666, stat.S_IFIFO | 0o666


def described(content: bytes) -> dict[str, Any]:
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def crafted(
    path: Path,
    more: dict[str, bytes] | None = None,
    *,
    twice: str = "",
    modes: dict[str, int] | None = None,
    packed: int = zipfile.ZIP_STORED,
    **facts: Any,
) -> Path:
    """A backup as an attacker writes it, with tools of their own.

    Args:
        more: further members, which the manifest describes as they are.
        twice: a member that the archive has twice.
        modes: Unix modes of members, with the kind of file.
        packed: how ZIP packs the members.
        facts: other values of the manifest.
    """
    members = GOOD | (more or {})
    files = {name: described(content) for name, content in members.items()}
    manifest = {"format": FORMAT, "file_form": FILE_FORM} | asdict(FACTS) | {"files": files} | facts
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        for name, content in [*members.items(), *([(twice, members[twice])] if twice else [])]:
            info = zipfile.ZipInfo(name)
            info.external_attr = (modes or {}).get(name, 0o644) << 16
            info.compress_type = zipfile.ZIP_STORED if name == DUMP else packed
            archive.writestr(info, content)
        archive.writestr(MANIFEST, json.dumps(manifest))
    return path


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home in which no server runs, whose Neo4j loads any dump and checks nothing; new files are open to all by default."""

    def write_stamp(_: object) -> None:
        distribution.stamp_file().parent.mkdir(parents=True, exist_ok=True)
        distribution.stamp_file().touch()

    def load(chunks: Iterator[bytes], *_: str, **__: object) -> None:
        for place in restores.PLACES:
            (folder() / "data" / place / restores.DATABASE).mkdir(parents=True)
            (folder() / "data" / place / restores.DATABASE / "file").write_bytes(b"".join(chunks))

    home = tmp_path / "home"
    monkeypatch.setenv("HARMGRAPH_HOME", str(home))
    monkeypatch.setattr(distribution, "jars", write_stamp)
    monkeypatch.setattr(server, "admin_input", load)
    monkeypatch.setattr(restores, "_check_graph", lambda *_: None)
    before = os.umask(0)
    yield home
    os.umask(before)


def tree(home: Path) -> set[str]:
    """All that lies in the home, without what the fixture makes and the lock."""
    found = {path.relative_to(home).as_posix() for path in home.rglob("*") if not path.is_dir()}
    return {name for name in found - {"server.lock", "neo4j/jars.json"} if not name.startswith("neo4j/data/")}


ELSEWHERE = [
    "neo4j/plugins/evil.jar",
    "neo4j/conf/neo4j.conf",
    "neo4j/data/dbms/auth.ini",
    "neo4j/server.json",
    "password",
    "restore.json",
    "server.lock/x",
    "names.json",
    "pages-port",
    "cache/subgraphs/x.npz",
    "jobs/nightly.json",
    "rejects/kb.tsv",
    "before-recovery-20260101-000000/password",
    "bulk-x/a.csv",
    ".staged/x",
    ".restoring/x",
    "notes.txt",
    "models/notes.txt",
    "models/.lock",
    "models/.restoring/m",
    "models/.m.old/weights",
    "models/m/.lock",
    "models/m/.restoring/x",
    "scorers/.locks/mine.lock",
    "Models/m/weights",
    "models./m/weights",
]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_no_backup_holds_is_not_put_in_place_and_said(
    name: str, own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = b"evil of an attacker"
    path = crafted(tmp_path / "x.backup", {f"{HOME}{name}": evil}, modes={f"{HOME}{name}": 0o777})
    assert main(["db", "restore", str(path), "--no-progress"]) == 0
    assert tree(own_home) == {"models/m/weights"}
    assert not [each for each in own_home.rglob("*") if each.is_file() and each.read_bytes() == evil]
    said = capsys.readouterr()
    assert f"not put in place, as no backup of harmgraph contains it: {name}" in said.out + said.err


def test_files_and_folders_are_the_user_s_alone(own_home: Path, tmp_path: Path) -> None:
    names = [f"{HOME}models/m/deep/er/weights", f"{HOME}scorers/s/config.json", f"{HOME}frames/f/x"]
    path = crafted(tmp_path / "x.backup", dict.fromkeys(names, b"x"), modes=dict.fromkeys(names, 0o6777))
    assert main(["db", "restore", str(path), "--no-progress"]) == 0
    restored = [own_home / "models", own_home / "scorers", own_home / "frames"]
    restored += [below for place in list(restored) for below in place.rglob("*")]
    assert {below.name for below in restored} >= {"deep", "er", "weights", "config.json", "x"}
    modes = {(at.is_dir(), oct(at.stat().st_mode & 0o7777)) for at in restored}
    assert modes == {(True, "0o700"), (False, "0o600")}


def in_directory(path: Path, field: int, value: bytes) -> Path:
    """Writes into the entry of the weights in the archive's directory."""
    content = bytearray(crafted(path).read_bytes())
    entry = content.rindex(f"{HOME}models/m/weights".encode()) - 46
    content[entry + field : entry + field + len(value)] = value
    path.write_bytes(bytes(content))
    return path


def named(name: str) -> Callable[[Path], Path]:
    return lambda path: crafted(path, {name: b"x"})


def with_facts(**facts: Any) -> Callable[[Path], Path]:
    return lambda path: crafted(path, **facts)


def with_more(files: dict[str, Any]) -> Callable[[Path], Path]:
    """Files of the manifest are described in another way, or there are more of them."""
    return with_facts(files={name: described(content) for name, content in GOOD.items()} | files)


def with_file(fact: Any) -> Callable[[Path], Path]:
    return with_more({f"{HOME}models/m/weights": fact})


def with_text(text: str) -> Callable[[Path], Path]:
    """A manifest that is another text."""

    def make(path: Path) -> Path:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(DUMP, DUMPED)
            archive.writestr(MANIFEST, text)
        return path

    return make


def of_mode(mode: int) -> Callable[[Path], Path]:
    return lambda path: crafted(path, modes={f"{HOME}models/m/weights": mode})


def bomb(path: Path) -> Path:
    """300 MB of zeros in 300 kB: the manifest says the truth."""
    return crafted(path, {f"{HOME}models/m/zeros": b"\0" * 300_000_000}, packed=zipfile.ZIP_DEFLATED)


def overlapping(path: Path) -> Path:
    """Two entries of the directory that share their bytes."""
    content = bytearray(crafted(path, {f"{HOME}models/m/weighty": WEIGHTS}).read_bytes())
    first = content.rindex(f"{HOME}models/m/weights".encode()) - 46
    second = content.rindex(f"{HOME}models/m/weighty".encode()) - 46
    content[second + 42 : second + 46] = content[first + 42 : first + 46]
    path.write_bytes(bytes(content))
    return path


REFUSED: dict[str, Callable[[Path], Path]] = {
    "larger than the manifest says": with_file(described(WEIGHTS) | {"size": 1}),
    "smaller than the manifest says": with_file(described(WEIGHTS) | {"size": 10**15}),
    "a size below zero": with_file(described(WEIGHTS) | {"size": -1}),
    "larger than the directory says": lambda path: in_directory(path, 24, struct.pack("<L", 1)),
    "a bomb": bomb,
    "overlapping members": overlapping,
    "twice in the archive": lambda path: crafted(path, twice=f"{HOME}models/m/weights"),
    "two dumps": lambda path: crafted(path, twice=DUMP),
    "a link": of_mode(LINK),
    "a device": of_mode(DEVICE),
    "a FIFO": of_mode(FIFO),
    "a file and a folder": named(f"{HOME}models/m/weights/more"),
    "a folder": named(f"{HOME}models/m/"),
    "a file in the place of a model": lambda path: crafted(path, {f"{HOME}models/m": b"x"}),
    "a line break": named(f"{HOME}models/m/a\nb"),
    "an escape": named(f"{HOME}models/m/\x1b[2J"),
    "a text that runs backwards": named(f"{HOME}models/m/\u202etxt.exe"),
    "NUL": lambda path: in_directory(path, 46 + 5, b"\0"),
    "a lone surrogate": with_more({f"{HOME}models/m/\ud800": described(b"")}),
    "a long name": named(f"{HOME}models/m/{'a' * 256}"),
    "a deep name": named(f"{HOME}models/m/{'a/' * 3000}a"),
    "above": named(f"{HOME}../x"),
    "above, hidden": named(f"{HOME}models/m/../../../x"),
    "above, of Windows": named(f"{HOME}models\\..\\x"),
    "absolute": named("/tmp/x"),
    "absolute within": named(f"{HOME}/tmp/x"),
    "outside of home": named("homework/x"),
    "only dots": named(f"{HOME}models/./m/x"),
    "the manifest in the manifest": with_more({MANIFEST: described(b"x")}),
    "a file that is not there": with_more({f"{HOME}models/m/more": described(b"x")}),
    "nodes are a text": with_facts(nodes="x"),
    "nodes are true": with_facts(nodes=True),
    "nodes are negative": with_facts(nodes=-1),
    "nodes are endless": with_facts(nodes=float("inf")),
    "Neo4j is null": with_facts(neo4j=None),
    "Neo4j is a list": with_facts(neo4j=["5.26"]),
    "harmgraph is an escape": with_facts(harmgraph="\x1b]0;evil\x07"),
    "harmgraph is long": with_facts(harmgraph="1" * 10_000),
    "the time is an escape": with_facts(made_at="2026\x1b[2J"),
    "the time has lines": with_facts(made_at="2026\nharmgraph: all is well"),
    "form is a text": with_facts(form="2"),
    "form of file is a text": with_facts(file_form="1"),
    "form of file is a list": with_facts(file_form=[1]),
    "form of digest is null": with_facts(digest_form=None),
    "digest is a number": with_facts(digest=7),
    "digest is short": with_facts(digest="f"),
    "sources are a text": with_facts(sources="kb"),
    "sources are numbers": with_facts(sources=[1]),
    "the store is a text": with_facts(store_bytes="5"),
    "files are a list": with_facts(files=[]),
    "a file is a text": with_file("x"),
    "a file is null": with_file(None),
    "a file without a digest": with_file({"size": 1}),
    "a size that is a text": with_file({"size": "1", "sha256": "0" * 64}),
    "a size that is endless": with_file({"size": float("inf"), "sha256": "0" * 64}),
    "a digest that is a number": with_file(described(WEIGHTS) | {"sha256": 7}),
    "a manifest that is a list": with_text("[]"),
    "a manifest that is deep": with_text("[" * 200_000),
    "a manifest of a huge number": with_text('{"format": ' + "9" * 5_000 + "}"),
    "a manifest that is not JSON": with_text("{"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_in_one_line_and_nothing_is_touched(
    case: str, own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = REFUSED[case](tmp_path / "x.backup")
    assert main(["db", "restore", str(path), "--replace"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.rstrip("\n").isprintable()
    assert len(said.err) < 600
    assert "cut short or damaged" in said.err
    assert not own_home.exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.backup"]


def test_a_good_one_of_the_same_tools_is_taken(own_home: Path, tmp_path: Path) -> None:
    """Otherwise all the others might be refused for how they are written."""
    assert main(["db", "restore", str(crafted(tmp_path / "x.backup")), "--no-progress"]) == 0
    assert tree(own_home) == {"models/m/weights"}

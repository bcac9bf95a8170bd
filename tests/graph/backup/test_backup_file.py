"""The file of a backup: what is not whole, not ours or not safe is refused before anything is touched."""

from __future__ import annotations

import errno
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.common.errors import NewerGraph, UnreadableFile
from harmgraph.graph.backup.backup_file import DUMP, HOME, MANIFEST, open_backup
from harmgraph.graph.form.steps import newest
from tests.support.backups import DUMPED, FACTS, write


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write(tmp_path / "graph.backup")


def test_it_reads_as_it_was_written(whole: Path) -> None:
    with open_backup(whole) as backup:
        assert replace(backup.manifest, files={}) == FACTS
        assert [str(name) for name in backup.manifest.home_files()] == ["models/m/weights"]
        assert backup.manifest.files[DUMP].size == len(DUMPED)
        backup.verify()
        assert b"".join(backup.chunks(DUMP)) == DUMPED
    assert whole.stat().st_mode & 0o777 == 0o600


def test_other_tools_read_it(whole: Path) -> None:
    with zipfile.ZipFile(whole) as archive:
        assert archive.namelist() == [DUMP, f"{HOME}models/m/weights", MANIFEST]
        assert json.loads(archive.read(MANIFEST))["sources"] == ["kb"]


def torn(path: Path, part: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])


def flipped(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(bytes(content))


def rewritten(path: Path, **changes: object) -> None:
    """The same backup with another manifest."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    facts = json.loads(members[MANIFEST])
    members[MANIFEST] = json.dumps({k: v for k, v in (facts | changes).items() if v is not None}).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)


@pytest.mark.parametrize("part", [0.01, 0.3, 0.7, 0.99, 0.9999])
def test_one_that_was_cut_short_is_told(whole: Path, part: float) -> None:
    torn(whole, part)
    with pytest.raises(UnreadableFile, match="is a backup that was cut short or damaged"), open_backup(whole) as backup:
        backup.verify()


@pytest.mark.parametrize("at", [100, 10_000, 30_000, -300, -30, -3])
def test_a_changed_byte_is_told(whole: Path, at: int) -> None:
    flipped(whole, at)
    with pytest.raises(UnreadableFile, match="cut short or damaged"), open_backup(whole) as backup:
        backup.verify()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (42, b"\xff\xff\xff\x7f"),
        (42, b"\xff\xff\xff\xff"),
        (46, b"\xff\xfe"),
        (10, b"\x0c"),
        (10, b"\x0e"),
        (8, b"\x01"),
    ],
    ids=["place", "largest place", "name", "bzip2", "lzma", "encrypted"],
)
@pytest.mark.parametrize("member", [DUMP, MANIFEST])
def test_a_damaged_list_of_the_files_is_told(whole: Path, member: str, field: int, value: bytes) -> None:
    content = bytearray(whole.read_bytes())
    entry = content.rindex(member.encode()) - 46  # in the archive's directory
    content[entry + 9] |= 8  # names are UTF-8
    content[entry + field : entry + field + len(value)] = value
    whole.write_bytes(bytes(content))
    with pytest.raises(UnreadableFile, match="cut short or damaged"), open_backup(whole) as backup:
        backup.verify()


def test_a_disk_that_cannot_be_read_is_told(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with open_backup(whole) as backup, monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipExtFile, "read", fail)
        with pytest.raises(UnreadableFile, match=r"cannot be read \(Input/output error\)"):
            backup.verify()


def test_content_that_the_manifest_does_not_know_is_told(whole: Path) -> None:
    with zipfile.ZipFile(whole, "a") as archive:
        archive.writestr("home/models/m/more", b"")
    with pytest.raises(UnreadableFile, match="cut short or damaged"), open_backup(whole):
        pass


@pytest.mark.parametrize("content", [b"", b"PK", b"a thesis" * 100, b"PK\3\4" + b"\0" * 100])
def test_a_foreign_file_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "thesis"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="is not a backup of harmgraph"), open_backup(path):
        pass


def test_a_foreign_archive_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("thesis.txt", "text")
    with pytest.raises(UnreadableFile, match="is not a backup of harmgraph"), open_backup(tmp_path / "other.zip"):
        pass


@pytest.mark.parametrize(
    "name", ["../m", "/etc/passwd", "home/../../m", "home//m", "home/a/../../m", "home/a\\..\\m", "home/"]
)
def test_a_file_that_would_leave_the_home_is_refused(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "graph.backup")
    with zipfile.ZipFile(path) as archive:
        files = json.loads(archive.read(MANIFEST))["files"]
    rewritten(path, files=files | {name: {"size": 1, "sha256": "0"}})
    with pytest.raises(UnreadableFile, match="cut short or damaged"), open_backup(path):
        pass


def test_one_of_before_digests_had_forms_is_of_the_first(whole: Path) -> None:
    rewritten(whole, digest_form=None)
    with open_backup(whole) as backup:
        assert backup.manifest.digest_form == 1
    rewritten(whole, digest_form=7)
    with open_backup(whole) as backup:
        assert backup.manifest.digest_form == 7


@pytest.mark.parametrize("changes", [{"digest": None}, {"files": None}, {"files": []}, {"format": None}, {"files": {}}])
def test_a_manifest_that_lacks_something_is_refused(whole: Path, changes: dict[str, object]) -> None:
    rewritten(whole, **changes)
    with pytest.raises(UnreadableFile, match="cut short or damaged"), open_backup(whole):
        pass


def test_a_later_form_of_file_is_told(whole: Path) -> None:
    rewritten(whole, file_form=2, harmgraph="3.0")
    with pytest.raises(NewerGraph, match=r"written by a later harmgraph, 3\.0"), open_backup(whole):
        pass


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "cut short": (lambda path: torn(path, 0.7), "is a backup that was cut short or damaged"),
    "one byte": (lambda path: flipped(path, 10_000), "is a backup that was cut short or damaged"),
    "foreign": (lambda path: path.write_text("a thesis") and None, "is not a backup of harmgraph"),
    "missing": (lambda path: path.unlink(), "cannot be read (No such file or directory)"),
    "later form": (lambda path: rewritten(path, form=newest() + 1, harmgraph="3.0"), "made by a later harmgraph, 3.0"),
    "other Neo4j": (lambda path: rewritten(path, neo4j="2026.4.0"), "was made by Neo4j 2026.4.0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_restore_refuses_it_in_one_line_and_touches_nothing(
    case: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    spoil, told = REFUSED[case]
    spoil(whole)
    assert main(["db", "restore", str(whole), "--replace"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert told in said.err
    assert not (tmp_path / "home").exists()


def test_the_user_s_own_server_is_not_touched(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://localhost:1")
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    for command, what in (("restore", "restore"), ("backup", "back up")):
        assert main(["db", command, str(whole)]) == 1
        assert f"this server is yours, and harmgraph does not {what} it" in capsys.readouterr().err

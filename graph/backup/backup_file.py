"""The file of a backup: a ZIP archive of the store's dump, the files of harmgraph's home, and a manifest with their digests.

The dump comes first, so that a file that was cut short is still known as a backup; ``manifest.json`` comes last. Nothing is
compressed again: Neo4j's dump is, and weights cannot be. ``unzip -p FILE manifest.json`` shows what a backup holds.
"""

from __future__ import annotations

import errno
import hashlib
import json
import re
import stat
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from harmgraph.common.errors import NewerGraph, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import progress
from harmgraph.graph.backup.listed import DUMP, HOME, MANIFEST, fault, is_listed

FORMAT, FILE_FORM = "harmgraph backup", 1
CHUNK = 1 << 20
MOST_MANIFEST = 1 << 28  # bytes
MOST_WORD, SHOWN = 100, 60  # characters: of a version or a time; of what an error repeats
ENCRYPTED = 1  # flag of the ZIP format
_LOCAL_HEADER = struct.Struct("<4s22xHH")  # of the ZIP format: signature, length of the name, length of the extra field
_DAMAGED = (
    zipfile.BadZipFile,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    KeyError,
    ValueError,
    OverflowError,
)
"""What Python's module for ZIP archives raises on damaged ones, beside an ``OSError``."""


@dataclass(frozen=True, slots=True)
class BackupMember:
    """A file in a backup: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup holds.

    Attributes:
        harmgraph, neo4j: versions that made it.
        form: version of the graph's form (``graph.form.steps``).
        digest: digest of the graph (``graph.contents.digest``).
        store_bytes: size of the store on disk, in bytes.
        made_at: time of the backup, UTC, ISO 8601.
        sources: names of the sources in the graph.
        files: the members of the archive by name, without the manifest.
        digest_form: which form of digest it is (``graph.contents.digest.FORM``); 1 where the manifest does not say.
    """

    harmgraph: str
    neo4j: str
    form: int
    digest: str
    nodes: int
    relationships: int
    store_bytes: int
    made_at: str
    sources: tuple[str, ...]
    files: dict[str, BackupMember]
    digest_form: int = 1

    def home_files(self) -> list[PurePosixPath]:
        """The files of harmgraph's home that a backup may hold, relative to it, sorted."""
        return [name for name in self._below_home() if is_listed(name)]

    def unlisted(self) -> list[PurePosixPath]:
        """The other files: this harmgraph puts none of them in its backups, nor in place."""
        return [name for name in self._below_home() if not is_listed(name)]

    def _below_home(self) -> list[PurePosixPath]:
        return sorted(PurePosixPath(name.removeprefix(HOME)) for name in self.files if name != DUMP)


class BackupWriter:
    """Writes a backup; use ``writing_backup``."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.files: dict[str, BackupMember] = {}

    @contextmanager
    def member(self, name: str) -> Iterator[Callable[[bytes], None]]:
        """Yields a function that appends to a new file in the archive."""
        digest = hashlib.sha256()
        size = 0
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o600 << 16
        with self._archive.open(info, "w", force_zip64=True) as out:

            def write(chunk: bytes) -> None:
                nonlocal size
                out.write(chunk)
                digest.update(chunk)
                size += len(chunk)

            yield write
        self.files[name] = BackupMember(size, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        """Writes the manifest."""
        facts = {"format": FORMAT, "file_form": FILE_FORM} | asdict(manifest)
        self._archive.writestr(MANIFEST, json.dumps(facts, indent=1, ensure_ascii=True))


@contextmanager
def writing_backup(path: Path) -> Iterator[BackupWriter]:
    """Yields the writer of a new file, which only the user may read."""
    path.touch(mode=0o600)
    with zipfile.ZipFile(path, "w") as archive:
        yield BackupWriter(archive)


class BackupReader:
    """A backup that is open for reading; use ``open_backup``."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._archive = archive

    def chunks(self, name: str) -> Iterator[bytes]:
        """The content of a file in the archive, part by part, as large as the manifest says (see ``_check_members``).

        Raises:
            UnreadableFile: it is damaged; at the end also where its digest is not that of the manifest.
        """
        digest = hashlib.sha256()
        with _reading(self.path), self._archive.open(name) as member:
            while chunk := member.read(CHUNK):
                digest.update(chunk)
                yield chunk
        if digest.hexdigest() != self.manifest.files[name].sha256:
            raise _damaged(self.path, f"the digest of {_shown(name)} is another one")

    def verify(self) -> None:
        """Reads the whole backup and compares it with its manifest.

        Raises:
            UnreadableFile: it is damaged.
        """
        total = sum(member.size for member in self.manifest.files.values())
        done = 0
        for name in self.manifest.files:
            for chunk in self.chunks(name):
                done += len(chunk)
                progress("checking the backup", done, total)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Wraps what reads the archive.

    Raises:
        UnreadableFile: it is damaged, or cannot be read.
    """
    try:
        yield
    except _DAMAGED as error:
        raise _damaged(path) from error
    except OSError as error:
        if error.errno in (None, errno.EINVAL):  # data, or a place before the file's beginning, that a flipped bit made
            raise _damaged(path) from error
        raise UnreadableFile(path, f"cannot be read ({error.strerror})") from error


@contextmanager
def open_backup(path: Path) -> Iterator[BackupReader]:
    """Opens a backup.

    Raises:
        UnreadableFile: it cannot be read, is not a backup, or was cut short.
        NewerGraph: a later harmgraph made it, in a form of file that this one does not know.
    """
    try:
        if path.exists() and not path.is_file():  # a FIFO would wait for somebody who writes
            raise UnreadableFile(path, "is not a file", remedy="name a file that 'harmgraph db backup' wrote")
        with path.open("rb") as file:
            if not _begins_like_a_backup(file.read(_LOCAL_HEADER.size + len(DUMP))):
                raise UnreadableFile(
                    path, "is not a backup of harmgraph", remedy="name a file that 'harmgraph db backup' wrote"
                )
            with _reading(path):
                archive = zipfile.ZipFile(file)
            with archive:
                yield BackupReader(path, archive, _manifest(path, archive))
    except OSError as error:
        if error.filename is None or Path(error.filename) != path:
            raise
        raise UnreadableFile(path, f"cannot be read ({error.strerror})") from error


def is_backup(path: Path) -> bool:
    """Whether a file begins like a backup."""
    with path.open("rb") as file:
        return _begins_like_a_backup(file.read(_LOCAL_HEADER.size + len(DUMP)))


def _begins_like_a_backup(head: bytes) -> bool:
    if len(head) < _LOCAL_HEADER.size + len(DUMP):
        return False
    signature, length, _ = _LOCAL_HEADER.unpack_from(head)
    return bool(signature == b"PK\3\4" and length == len(DUMP) and head[_LOCAL_HEADER.size :] == DUMP.encode())


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    """Reads the manifest, whose values may be of any type where the file is not ours.

    Raises:
        UnreadableFile: it is not as harmgraph writes it.
        NewerGraph: a later harmgraph wrote the file.
    """
    try:
        with _reading(path):
            member = archive.getinfo(MANIFEST)
            text = archive.read(member) if member.file_size <= MOST_MANIFEST and _is_plain(member) else b""
        facts = from_json(text)
    except ValueError as error:
        raise _damaged(path, "its manifest is not JSON") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise _damaged(path, "it has no manifest of harmgraph")
    _check_facts(path, facts, ("file_form", "harmgraph"))
    if facts["file_form"] > FILE_FORM:
        raise NewerGraph(
            f"was written by a later harmgraph, {facts['harmgraph']}, in a form that this one does not know",
            where=str(path),
            remedy="restore it with that harmgraph",
        )
    known = [each.name for each in fields(Manifest) if each.default is MISSING or each.name in facts]
    _check_facts(path, facts, known)
    files = {name: BackupMember(fact["size"], fact["sha256"]) for name, fact in facts["files"].items()}
    manifest = Manifest(**{name: facts[name] for name in known} | {"files": files, "sources": tuple(facts["sources"])})
    _check_names(path, files)
    _check_members(path, archive, files)
    return manifest


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= MOST_WORD


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def _are_sources(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _are_files(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(fact, dict) and _is_count(fact.get("size")) and _is_digest(fact.get("sha256"))
        for fact in value.values()
    )


_FACTS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("file_form", "form", "nodes", "relationships", "store_bytes", "digest_form"), _is_count),
    **dict.fromkeys(("harmgraph", "neo4j", "made_at"), _is_word),
    "digest": _is_digest,
    "sources": _are_sources,
    "files": _are_files,
}


def _check_facts(path: Path, facts: Mapping[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if name not in facts:
            raise _damaged(path, f"its manifest has no {name}")
        if not _FACTS[name](facts[name]):
            raise _damaged(path, f"in its manifest {name} is not as harmgraph writes it: {_shown(facts[name])}")


def _check_names(path: Path, files: Mapping[str, BackupMember]) -> None:
    """Checks that each file has a place of its own below harmgraph's home, as far as names tell."""
    if DUMP not in files:
        raise _damaged(path, "it has no dump")
    for name in files:
        why = fault(name)
        if name != DUMP and (why or not name.startswith(HOME)):
            raise _damaged(path, f"the name {_shown(name)} {why or 'is not one of a backup'}")
        above = name
        while above:
            above = above.rpartition("/")[0]
            if above in files:
                raise _damaged(path, f"{_shown(above)} is a file and a folder")


def _check_members(path: Path, archive: zipfile.ZipFile, files: Mapping[str, BackupMember]) -> None:
    """Checks that the archive holds what its manifest says, in plain files of the sizes that it says."""
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        if member.filename in members:
            raise _damaged(path, f"{_shown(member.filename)} is there twice")
        members[member.filename] = member
    differing = members.keys() ^ {*files, MANIFEST}
    if differing:
        raise _damaged(path, f"archive and manifest differ in {_shown(min(differing))}")
    for name, member in members.items():
        if not _is_plain(member):
            raise _damaged(path, f"{_shown(name)} is not a plain file")
        if name in files and member.file_size != files[name].size:
            raise _damaged(path, f"the size of {_shown(name)} is not that of the manifest")
    if sum(member.file_size for member in members.values()) > path.stat().st_size:
        raise _damaged(path, "its members are larger than itself")


def _is_plain(member: zipfile.ZipInfo) -> bool:
    """Whether it is a file of which each byte stands in the archive: no link, device or folder, not packed, not encrypted."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    stored = member.compress_type == zipfile.ZIP_STORED and member.compress_size == member.file_size
    return kind in (0, stat.S_IFREG) and stored and not member.flag_bits & ENCRYPTED


def _shown(value: Any) -> str:
    """A value of a file that may be of anybody's, in few plain characters."""
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value):,}"  # it may be deep, or long
    text = ascii(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _damaged(path: Path, why: str = "") -> UnreadableFile:
    return UnreadableFile(
        path,
        f"is a backup that was cut short or damaged{f' ({why})' if why else ''}, and nothing was restored",
        remedy="copy it again, or take another backup",
    )

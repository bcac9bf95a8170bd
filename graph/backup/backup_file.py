"""The file of a backup: a ZIP archive of the store's dump, the files of harmgraph's home, and a manifest with their digests.

The dump comes first, so that a file that was cut short is still known as a backup; ``manifest.json`` comes last. Nothing is
compressed again: Neo4j's dump is, and weights cannot be. ``unzip -p FILE manifest.json`` shows what a backup holds.
"""

from __future__ import annotations

import errno
import hashlib
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from harmgraph.graph.common.errors import NewerGraph, UnreadableFile
from harmgraph.graph.common.json_text import from_json
from harmgraph.graph.common.progress import Progress, silent

FORMAT, FILE_FORM = "harmgraph backup", 1
DUMP, MANIFEST, HOME = "neo4j.dump", "manifest.json", "home/"
CHUNK = 1 << 20
MOST_MANIFEST = 1 << 28  # bytes
_LOCAL_HEADER = struct.Struct("<4s22xHH")  # of the ZIP format: signature, length of the name, length of the extra field
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
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
class Member:
    """A file in a backup: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
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
    files: dict[str, Member]
    digest_form: int = 1

    def home_files(self) -> list[PurePosixPath]:
        """The files of harmgraph's home, relative to it, sorted."""
        return sorted(PurePosixPath(name.removeprefix(HOME)) for name in self.files if name != DUMP)


class Writer:
    """Writes a backup; use ``writing_backup``."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.files: dict[str, Member] = {}

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
        self.files[name] = Member(size, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        """Writes the manifest."""
        facts = {"format": FORMAT, "file_form": FILE_FORM} | asdict(manifest)
        self._archive.writestr(MANIFEST, json.dumps(facts, indent=1, ensure_ascii=True))


@contextmanager
def writing_backup(path: Path) -> Iterator[Writer]:
    """Yields the writer of a new file, which only the user may read."""
    path.touch(mode=0o600)
    with zipfile.ZipFile(path, "w") as archive:
        yield Writer(archive)


class Reader:
    """A backup that is open for reading; use ``open_backup``."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._archive = archive

    def chunks(self, name: str) -> Iterator[bytes]:
        """The content of a file in the archive, part by part.

        Raises:
            UnreadableFile: it is damaged.
        """
        with _reading(self.path), self._archive.open(name) as member:
            while chunk := member.read(CHUNK):
                yield chunk

    def verify(self, progress: Progress = silent) -> None:
        """Reads the whole backup and compares it with its manifest.

        Raises:
            UnreadableFile: it is damaged.
        """
        if sorted(self._archive.namelist()) != sorted([*self.manifest.files, MANIFEST]):
            raise _damaged(self.path)
        total = sum(member.size for member in self.manifest.files.values())
        done = 0
        for name, member in self.manifest.files.items():
            digest = hashlib.sha256()
            for chunk in self.chunks(name):
                digest.update(chunk)
                done += len(chunk)
                progress("checking the backup", done, total)
            if digest.hexdigest() != member.sha256:
                raise _damaged(self.path)


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
def open_backup(path: Path) -> Iterator[Reader]:
    """Opens a backup.

    Raises:
        UnreadableFile: it cannot be read, is no backup, or was cut short.
        NewerGraph: a later harmgraph made it, in a form of file that this one does not know.
    """
    try:
        with path.open("rb") as file:
            if not _begins_like_a_backup(file.read(_LOCAL_HEADER.size + len(DUMP))):
                raise UnreadableFile(
                    path, "is no backup of harmgraph", remedy="name a file that 'harmgraph db backup' wrote"
                )
            with _reading(path):
                archive = zipfile.ZipFile(file)
            with archive:
                yield Reader(path, archive, _manifest(path, archive))
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
    try:
        with _reading(path):
            member = archive.getinfo(MANIFEST)
            text = archive.read(member) if member.file_size <= MOST_MANIFEST else b""
        facts: dict[str, Any] = from_json(text)
        form, maker = int(facts["file_form"]), str(facts["harmgraph"])
        if facts["format"] != FORMAT:
            raise _damaged(path)
        if form > FILE_FORM:
            raise NewerGraph(
                f"was written by a later harmgraph, {maker}, in a form that this one does not know",
                where=str(path),
                remedy="restore it with that harmgraph",
            )
        files = {name: Member(int(fact["size"]), str(fact["sha256"])) for name, fact in facts["files"].items()}
        known = {
            field.name: facts[field.name]
            for field in fields(Manifest)
            if field.default is MISSING or field.name in facts
        }
        manifest = Manifest(**known | {"files": files, "sources": tuple(facts["sources"])})
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(path) from error
    if DUMP not in files or not all(name == DUMP or _is_safe(name) for name in files):
        raise _damaged(path)
    return manifest


def _is_safe(name: str) -> bool:
    """Whether the file would be written below harmgraph's home."""
    parts = name.removeprefix(HOME).split("/")
    return name.startswith(HOME) and not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts)


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(
        path,
        "is a backup that was cut short or damaged, and nothing was restored",
        remedy="copy it again, or take another backup",
    )

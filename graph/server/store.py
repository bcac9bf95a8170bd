"""Prepares, measures and deletes the embedded server's files."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from harmgraph.common.errors import OtherNeo4j, ServerError
from harmgraph.common.json_text import from_json
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_file, make_folder
from harmgraph.common.whole_file import beside
from harmgraph.graph.server import distribution, password
from harmgraph.graph.server.conf import server_conf
from harmgraph.graph.server.folder import folder, neo4j_note, password_file, restore_note
from harmgraph.graph.server.memory import Memory
from harmgraph.graph.server.ports import free

FOLDERS = ("conf", "data", "logs", "run", "import", "plugins")
OF_THE_STORE = ("data", "run", "logs")
REMEDY = "use the harmgraph that made it, or set HARMGRAPH_HOME to another folder and load the sources there"


def prepare(size: Memory, bolt: int = 0, http: int = 0, settings: Mapping[str, str] | None = None) -> str:
    """Creates the folders, the settings and, for a new store, the password.

    Args:
        bolt, http: the ports; 0 if no server will listen.
        settings: further Neo4j settings, added to harmgraph's own.

    Returns:
        The password.

    Raises:
        ServerError: there is a store but its password is missing.
        NoSpace: the disk is full, or a folder cannot be written.
    """
    base = folder()
    with writing(base):
        for name in FOLDERS:
            make_folder(base / name)
        begun = (base / "data" / "databases" / "system").exists()
        secret = password.read(password_file()) if begun or password_file().exists() else password.make(password_file())
        if not begun:
            password.write_initial(base / "data" / "dbms" / "auth.ini", secret)
        if not (bolt and http):
            bolt, http = free(bolt, http)
        conf = base / "conf" / "neo4j.conf"
        make_file(conf)
        conf.write_text(_conf(bolt, http, size, settings), encoding="utf-8")
    return secret


def _conf(bolt: int, http: int, size: Memory, settings: Mapping[str, str] | None) -> str:
    return server_conf(bolt, http, size, settings) if settings else server_conf(bolt, http, size)


def note_version() -> None:
    """Notes with the store which Neo4j opened it."""
    with beside(neo4j_note()) as part:
        part.write_text(json.dumps({"neo4j": distribution.NEO4J}), encoding="utf-8")


def noted_version() -> str:
    """The Neo4j that opened the store last, such as 5.26.29; empty if none is noted, as in stores of the first harmgraph."""
    try:
        return str(from_json(neo4j_note().read_text(encoding="utf-8"))["neo4j"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def check_version(remedy: str = REMEDY) -> None:
    """Checks that this harmgraph's Neo4j can open the store; patch versions (5.26.x) open each other's.

    Args:
        remedy: what the user can do.

    Raises:
        OtherNeo4j: another major version opened it last. Nothing is changed.
    """
    noted = noted_version()
    if noted and not same_series(noted, distribution.NEO4J):
        raise OtherNeo4j(
            f"the store was last opened by Neo4j {noted}, and this harmgraph runs {distribution.NEO4J}, which cannot open it",
            where=str(folder() / "data"),
            remedy=remedy,
        )


def same_series(version: str, other: str) -> bool:
    """Whether two versions differ at most in their patch: 5.26.1 and 5.26.29."""
    return re.findall(r"\d+", version)[:2] == re.findall(r"\d+", other)[:2]


def store_bytes(data: Path | None = None) -> int:
    """Size of the store and its transaction logs in bytes.

    Args:
        data: the folder of another store.
    """
    total = 0
    for path in (data or folder() / "data").rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # deleted while we counted
            total += path.stat().st_size if path.is_file() else 0
    return total


def delete_store() -> None:
    """Deletes the store, its logs and its password; a new store gets a new password.

    Raises:
        ServerError: a folder of the store is a link that leads out of harmgraph's home.
        NoSpace: the files cannot be deleted.
    """
    base = folder()
    for name in OF_THE_STORE:
        if (base / name).is_symlink():
            raise ServerError(
                "is a link, and nothing outside harmgraph's own folder is deleted",
                where=str(base / name),
                remedy="delete what it leads to, and the link, yourself",
            )
    doomed = base / "deleted"
    with writing(base):
        if doomed.exists():
            shutil.rmtree(doomed)
        for name in OF_THE_STORE:
            if (base / name).exists():
                # Moved away in one step, since a half-deleted store would not start.
                (base / name).rename(doomed)
                shutil.rmtree(doomed)
        password_file().unlink(missing_ok=True)
        restore_note().unlink(missing_ok=True)  # otherwise the next start would put another store in place

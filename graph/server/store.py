"""Prepares, measures and deletes the embedded server's files."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping

from harmgraph.graph.common.errors import ServerError
from harmgraph.graph.common.no_space import writing
from harmgraph.graph.server import password
from harmgraph.graph.server.conf import server_conf
from harmgraph.graph.server.folder import folder, password_file
from harmgraph.graph.server.memory import Memory
from harmgraph.graph.server.ports import free

FOLDERS = ("conf", "data", "logs", "run", "import", "plugins")
OF_THE_STORE = ("data", "run", "logs")


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
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in FOLDERS:
            (base / name).mkdir(mode=0o700, exist_ok=True)
        begun = (base / "data" / "databases" / "system").exists()
        secret = password.read(password_file()) if begun or password_file().exists() else password.make(password_file())
        if not begun:
            password.write_initial(base / "data" / "dbms" / "auth.ini", secret)
        if not (bolt and http):
            bolt, http = free(bolt, http)
        (base / "conf" / "neo4j.conf").write_text(_conf(bolt, http, size, settings), encoding="utf-8")
    return secret


def _conf(bolt: int, http: int, size: Memory, settings: Mapping[str, str] | None) -> str:
    return server_conf(bolt, http, size, settings) if settings else server_conf(bolt, http, size)


def store_bytes() -> int:
    """Size of the store and its transaction logs in bytes."""
    total = 0
    for path in (folder() / "data").rglob("*"):
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

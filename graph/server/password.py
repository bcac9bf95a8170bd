"""The embedded server's password: random, in a file that only the user can read."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from harmgraph.common.errors import ServerError
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside

ITERATIONS = 1024


def read(path: Path) -> str:
    """The password in the file.

    Raises:
        ServerError: there is no such file, or it is empty.
    """
    try:
        password = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        password = ""
    if not password:
        raise ServerError(
            "the password of the embedded server is gone",
            where=str(path),
            remedy="put it back into that file, or start anew with 'harmgraph db reset'",
        )
    return password


def make(path: Path) -> str:
    """Writes a new random password to a file that must not exist yet; the file is never empty or readable by others."""
    password = secrets.token_urlsafe(24)
    with beside(path) as part:
        part.unlink(missing_ok=True)  # left by a killed process with the same pid
        _write_private(part, password + "\n")
    return password


def write_initial(path: Path, password: str) -> None:
    """Writes the file with the initial password, which Neo4j reads at the first start of a store.

    The command ``neo4j-admin dbms set-initial-password`` would write the same, but takes the password as an argument,
    which is visible to everybody in the process list.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    make_folder(path.parent)
    path.unlink(missing_ok=True)
    _write_private(path, f"neo4j:SHA-256,{digest.hex()},{salt.hex()},{ITERATIONS}:\n")


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)

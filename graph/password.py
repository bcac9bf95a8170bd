"""The embedded server's password: random, in a file that only the user can read."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

ITERATIONS = 1024


def read_or_make(path: Path) -> str:
    """The password in the file; where there is no file, a new random one is put into it."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        return path.read_text(encoding="ascii").strip()
    password = secrets.token_urlsafe(24)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(password + "\n")
    return password


def write_initial(path: Path, password: str) -> None:
    """Writes Neo4j's own file of the initial password, which it reads at the first start of a store.

    The command ``neo4j-admin dbms set-initial-password`` would write the same, but takes the password as an argument that the
    process list shows.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"neo4j:SHA-256,{digest.hex()},{salt.hex()},{ITERATIONS}:\n")

"""Files of backups with little in them, made without a server."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harmgraph.graph.backup.backup_file import DUMP, HOME, Manifest, writing_backup
from harmgraph.graph.form.steps import newest

DUMPED, WEIGHTS = b"dump" * 5_000, b"weights" * 3_000
FACTS = Manifest(
    harmgraph="0.1.0",
    neo4j="5.26.29",
    form=newest(),
    digest="0" * 64,
    nodes=3,
    relationships=4,
    store_bytes=5,
    made_at="2026-11-23T02:30:00+00:00",
    sources=("kb",),
    files={},
)


def write(path: Path, facts: Manifest = FACTS, more: dict[str, bytes] | None = None, *, dumped: bytes = DUMPED) -> Path:
    """Writes a whole backup.

    Args:
        more: further files by their names in the archive.
        dumped: its dump; Neo4j would not take the usual one.
    """
    with writing_backup(path) as writer:
        for name, content in {DUMP: dumped, f"{HOME}models/m/weights": WEIGHTS, **(more or {})}.items():
            with writer.member(name) as append:
                append(content)
        writer.close(replace(facts, files=writer.files))
    return path

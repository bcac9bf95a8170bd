"""The port on which a home's pages for Neo4j Browser are served: links that were made earlier still lead there."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from harmgraph.graph.common.home import home

PORT = 7476
"""Of a home whose pages were never served. Local storage belongs to a port: the same one keeps what the user saves there."""


def known() -> int:
    """The port on which the pages of this home were served last; ``PORT`` where they never were."""
    with suppress(OSError, ValueError):
        port = int(_file().read_text(encoding="ascii"))
        if 0 < port < 65536:
            return port
    return PORT


def keep(port: int) -> None:
    """Notes the port. Where the note cannot be written links made later name the usual port, whose page says what to do."""
    with suppress(OSError):
        _file().write_text(f"{port}\n", encoding="ascii")


def _file() -> Path:
    return home() / "pages-port"

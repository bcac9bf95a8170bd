"""The port for the Neo4j Browser pages of a harmgraph home; it is saved so that older links still work."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from harmgraph.common.home import home
from harmgraph.common.private import make_file

PORT = 7476
"""The default port. Browsers keep local storage per port, so using the same port keeps what the user saved."""


def known() -> int:
    """The port on which the pages of this home were last served; ``PORT`` if they never were."""
    with suppress(OSError, ValueError):
        port = int(_file().read_text(encoding="ascii"))
        if 0 < port < 65536:
            return port
    return PORT


def keep(port: int) -> None:
    """Saves the port. If that fails, later links use the default port; the page there says what to do."""
    with suppress(OSError):
        make_file(_file())
        _file().write_text(f"{port}\n", encoding="ascii")


def _file() -> Path:
    return home() / "pages-port"

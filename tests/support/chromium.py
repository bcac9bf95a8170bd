"""A real browser, where one is installed."""

from __future__ import annotations

import shutil

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
KEPT = "() => JSON.parse(localStorage.getItem('neo4j.connections')).connectionsById['$$discovery'].password !== ''"
"""Whether Neo4j Browser has put its password into its storage again."""

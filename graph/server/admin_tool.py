"""Runs ``neo4j-admin`` on a store while its server is stopped."""

from __future__ import annotations

import subprocess

from harmgraph.graph.common.children import ending_with_us
from harmgraph.graph.common.errors import NoSpace, StartFailed
from harmgraph.graph.server import distribution
from harmgraph.graph.server.folder import folder, telling
from harmgraph.graph.server.java import java_command, java_environment
from harmgraph.graph.server.memory import memory
from harmgraph.graph.server.store import prepare

ENTRY = "org.neo4j.cli.AdminTool"
LAST_LINES = 12


def admin(*arguments: str) -> str:
    """Runs ``neo4j-admin`` on the store of the embedded server, inside ``graph.server.server.offline()``.

    Args:
        arguments: as on the command line, such as ``"database", "info"``; visible in the process list.

    Returns:
        What it printed.

    Raises:
        NoSpace: the disk is full.
        StartFailed: it failed; the error has its last lines.
    """
    size = memory()
    prepare(size)
    result = subprocess.run(
        # It writes to the store, so it must not outlive this process and run beside the next command.
        ending_with_us(java_command(ENTRY, *arguments, jars=distribution.jars(), heap=size.heap)),
        env=java_environment() | {"NEO4J_HOME": str(folder()), "NEO4J_CONF": str(folder() / "conf")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode and "No space left on device" in result.stdout + result.stderr:
        raise NoSpace(
            f"the disk is full, so neo4j-admin {' '.join(arguments[:2])} ended",
            where=str(folder()),
            remedy="make room and run the same command again",
        )
    if result.returncode:
        raise StartFailed(
            f"neo4j-admin {' '.join(arguments[:2])} ended with exit code {result.returncode}",
            telling(result.stdout + result.stderr)[-LAST_LINES:],
            where=str(folder()),
            remedy="mend what it names and run this again",
        )
    return result.stdout

"""Free and used ports on the loopback interface."""

from __future__ import annotations

import socket
from contextlib import ExitStack

LOOPBACK = "127.0.0.1"


def free(*wanted: int) -> list[int]:
    """For each wanted port, that port if it is free, otherwise any free one; 0 means any. All ports are different."""
    ports: list[int] = []
    with ExitStack() as taken:  # all stay open until the last is found, so that no port is returned twice
        for port in wanted:
            try:
                probe = taken.enter_context(_listening(port))
            except OSError:
                probe = taken.enter_context(_listening(0))
            ports.append(probe.getsockname()[1])
    return ports


def answers(port: int) -> bool:
    """Whether something listens on the port; a timeout counts as yes, since the server may be busy."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=2):
            return True
    except TimeoutError:
        return True
    except OSError:
        return False


def _listening(port: int) -> socket.socket:
    probe = socket.socket()
    try:
        # Closing connections of a server that has ended do not block its port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((LOOPBACK, port))
        probe.listen(1)
    except OSError:
        probe.close()
        raise
    return probe

"""Ports on the loopback."""

from __future__ import annotations

import socket
from contextlib import ExitStack

LOOPBACK = "127.0.0.1"


def free(*wanted: int) -> list[int]:
    """For each wanted port itself where it is free, otherwise any free one; 0 wants any. No two are the same."""
    ports: list[int] = []
    with ExitStack() as taken:  # all stay taken until the last is found, so that none comes twice
        for port in wanted:
            try:
                probe = taken.enter_context(_listening(port))
            except OSError:
                probe = taken.enter_context(_listening(0))
            ports.append(probe.getsockname()[1])
    return ports


def answers(port: int) -> bool:
    """Whether something listens there; a server too busy to answer soon still does."""
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
        # What an ended server's connections left behind does not keep its port taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((LOOPBACK, port))
        probe.listen(1)
    except OSError:
        probe.close()
        raise
    return probe

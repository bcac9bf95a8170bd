"""Keeps what Neo4j's driver logs away from the user."""

from __future__ import annotations

import logging

_NOWHERE = logging.NullHandler()


def silence() -> None:
    """Otherwise Python prints the driver's warnings, one for each retry, in addition to the one-line error."""
    logging.getLogger("neo4j").addHandler(_NOWHERE)

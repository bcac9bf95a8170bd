"""The address of a Neo4j server, with user name and password."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from harmgraph.graph.common.errors import InputError, Unauthorised

_SCHEME = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://")


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database on it.

    Attributes:
        uri: Bolt address, such as ``bolt://127.0.0.1:7687``.
        browser: address of Neo4j Browser, empty if unknown.
        embedded: whether it is the server that harmgraph starts itself.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    database: str
    browser: str
    embedded: bool


def from_environment() -> Address | None:
    """The user's own server, from ``NEO4J_URI``, ``NEO4J_USERNAME``, ``NEO4J_PASSWORD``, ``NEO4J_DATABASE``.

    Returns:
        None if ``NEO4J_URI`` is not set.

    Raises:
        InputError: it is not an address, or it contains a user name or password, which process lists and logs would show.
    """
    uri = os.environ.get("NEO4J_URI", "").strip()
    if not uri:
        return None
    if "@" in uri:
        # Not by its parts: a password with a slash in it would be taken for a port and a path, and be repeated.
        scheme = _SCHEME.match(uri)
        raise InputError(
            "NEO4J_URI holds a user name or password",
            where=f"{scheme[0]}…" if scheme else "",
            remedy="put them into NEO4J_USERNAME and NEO4J_PASSWORD, and write the address as neo4j://host:7687",
        )
    try:
        urlsplit(uri)
    except ValueError as error:
        raise InputError("NEO4J_URI is no address", remedy="write it as neo4j://host:7687") from error
    return Address(
        uri,
        os.environ.get("NEO4J_USERNAME", "neo4j"),
        os.environ.get("NEO4J_PASSWORD", ""),
        os.environ.get("NEO4J_DATABASE", "neo4j"),
        "",
        False,
    )


def no_password(address: Address, code: str) -> Unauthorised:
    """The error if a server requires a password and none was given; a server may also work without one.

    Args:
        code: the status code of Neo4j.
    """
    return Unauthorised(
        f"NEO4J_URI is set without NEO4J_PASSWORD, and the server wants a password for {address.username!r}",
        where=address.uri,
        remedy="set NEO4J_PASSWORD, and NEO4J_USERNAME where it is another, or unset NEO4J_URI for the embedded server",
        code=code,
    )

"""The address of a Neo4j server, with user name and password."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from harmgraph.common.errors import InputError, Unauthorised

_SCHEME = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://")


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database on it.

    Attributes:
        uri: Bolt address, such as ``bolt://127.0.0.1:7687``; it may be shown and written down.
        browser: address of Neo4j Browser, empty if unknown.
        embedded: whether it is the server that harmgraph starts itself.
        routing: what follows ``?`` in the address, the routing context for a server; empty if nothing does. Never shown: a
            proxy before the server may take a secret there.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    database: str
    browser: str
    embedded: bool
    routing: str = field(default="", repr=False)

    @property
    def connecting(self) -> str:
        """The address for the driver alone, with the routing context."""
        return f"{self.uri}?{self.routing}" if self.routing else self.uri


def from_environment() -> Address | None:
    """The user's own server, from ``NEO4J_URI``, ``NEO4J_USERNAME``, ``NEO4J_PASSWORD``, ``NEO4J_DATABASE``.

    Returns:
        None if ``NEO4J_URI`` is not set.

    Raises:
        InputError: it is not an address; or it contains a user name or password, which process lists and logs would show; or
            what follows ``?`` or ``#`` in it is of no use. No message repeats any of these.
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
    uri, hash_sign, _ = uri.partition("#")
    uri, question_mark, routing = uri.partition("?")
    if not _is_address(uri):
        raise InputError("NEO4J_URI is not an address", remedy="write it as neo4j://host:7687")
    if hash_sign:
        raise InputError("has a part after #, which no server is told", where=uri, remedy="leave it out of NEO4J_URI")
    if question_mark:  # also where nothing follows it
        _check_routing(uri, routing)
    return Address(
        uri,
        os.environ.get("NEO4J_USERNAME", "neo4j"),
        os.environ.get("NEO4J_PASSWORD", ""),
        os.environ.get("NEO4J_DATABASE", "neo4j"),
        "",
        False,
        routing,
    )


def _is_address(text: str) -> bool:
    """Whether a text has the form of an address; not its host or scheme, which the driver knows."""
    try:
        parts = urlsplit(text)
        _ = parts.port  # a ValueError where it is not a number
        return bool(parts.scheme and parts.netloc)
    except ValueError:
        return False


def _check_routing(uri: str, routing: str) -> None:
    """Checks a routing context before the driver does, whose messages repeat it.

    Raises:
        InputError: it is not a list of ``name=value``, or the address is of one server alone.
    """
    if not uri.startswith("neo4j"):
        raise InputError(
            "has a part after ?, which only neo4j:// addresses take", where=uri, remedy="leave it out of NEO4J_URI"
        )
    try:
        values = parse_qs(routing, keep_blank_values=True)
    except ValueError:
        values = {}
    if not values or not all(name and len(given) == 1 and given[0] for name, given in values.items()):
        raise InputError(
            "the part after ? is not a list of different names with values, name=value&name=value",
            where=uri,
            remedy="mend it in NEO4J_URI, or leave it out",
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

"""The address of a server of language models."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from harmgraph.common.errors import BadName, InputError

USUAL = "http://127.0.0.1:11434/v1"
"""Where ollama listens."""
PORTS = {"http": 80, "https": 443}
_ASKING = "/chat/completions"


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """Where a server of language models listens.

    Attributes:
        scheme: http or https.
        path: what stands before ``/chat/completions``, such as ``/v1``.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine, so that nothing leaves it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}{self.path}"


def read_address(text: str) -> EndpointAddress:
    """Reads an address. One without a path gets ``/v1``.

    Raises:
        BadName: it is not the address of an http or https server.
        InputError: it has a password in it.
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise _bad(text) from error
    if "@" in parts.netloc:
        raise InputError(
            "the endpoint has a user name or a password in it",
            remedy="give the address alone, and the name of an environment variable with the key: --key-from NAME",
        )
    plain = parts.geturl().isascii() and not any(character.isspace() for character in text.strip())
    if parts.scheme not in PORTS or not parts.hostname or parts.query or parts.fragment or not plain:
        raise _bad(text)
    path = parts.path.rstrip("/").removesuffix(_ASKING) or "/v1"
    return EndpointAddress(parts.scheme, parts.hostname, port or PORTS[parts.scheme], path)


def _bad(text: str) -> BadName:
    """The error. An address with a user, a question or a fragment is not shown: a key may be in it."""
    shown = "..." if any(mark in text for mark in "@?#") else text
    return BadName("endpoint", shown, f"is not the address of an http or https server; write it like {USUAL}")

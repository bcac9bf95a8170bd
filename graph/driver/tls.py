"""Why an encrypted connection fails: asks the address itself what it speaks. Nothing secret is sent."""

from __future__ import annotations

import socket
import ssl
import struct
from urllib.parse import urlsplit

PORT = 7687
PATIENCE_S = 3.0
MAGIC = b"\x60\x60\xb0\x17"
VERSIONS = (0x00080805, 0x00020404, 0, 0)  # Bolt 5.8 to 5.0 and 4.4 to 4.2


def place(uri: str) -> tuple[str, int]:
    """Host and port of an address; the driver's defaults where they are missing."""
    parts = urlsplit(uri)
    return parts.hostname or "localhost", parts.port or PORT


def is_secure(uri: str) -> bool:
    """Whether the address asks for TLS: its scheme ends in ``+s`` or ``+ssc``."""
    return "+" in urlsplit(uri).scheme


def with_scheme(uri: str, security: str) -> str:
    """The scheme of the address with another kind of security: empty, ``+s`` or ``+ssc``; written as ``bolt+s://``."""
    return f"{urlsplit(uri).scheme.partition('+')[0]}{security}://"


def handshake_error(uri: str, *, checked: bool) -> OSError | None:
    """What goes wrong in a TLS handshake with the address; None if nothing does.

    Args:
        checked: whether the certificate must be trusted and be for this host, as with ``+s``.
    """
    host, port = place(uri)
    context = ssl.create_default_context()
    if not checked:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, port), PATIENCE_S) as plain,
            context.wrap_socket(plain, server_hostname=host),
        ):
            return None
    except OSError as error:  # all errors of ssl are among them
        return error


def speaks_plain_bolt(uri: str) -> bool:
    """Whether the address answers Bolt's first words without TLS."""
    try:
        with socket.create_connection(place(uri), PATIENCE_S) as plain:
            plain.sendall(MAGIC + struct.pack(">4I", *VERSIONS))
            plain.settimeout(PATIENCE_S)
            answer = plain.recv(4)
    except OSError:
        return False
    return len(answer) == 4 and answer != b"HTTP"

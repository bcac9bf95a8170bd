"""Passwords and tokens in addresses, hidden before a text goes into a file that others read."""

from __future__ import annotations

import re

HIDDEN = "…"
_ADDRESS = re.compile(r"\b([a-z][a-z0-9+.-]{0,30}://)([^\s'\"<>]*)", re.IGNORECASE)
_NAMED = re.compile(
    r"([?&;#][\w.-]{0,60}?(?:token|key|passw|pwd|secret|sig|credential|auth)[\w.-]{0,60}=)[^\s&;#'\"<>]+", re.IGNORECASE
)


def without_secrets(text: str) -> str:
    """The text with ``…`` for user and password of each address in it, and for values such as that of ``?token=``."""
    return _NAMED.sub(rf"\1{HIDDEN}", _ADDRESS.sub(_without_user, text))


def _without_user(address: re.Match[str]) -> str:
    scheme, rest = address.groups()
    _, user, place = rest.rpartition("@")
    return f"{scheme}{HIDDEN}@{place}" if user else address[0]

"""Passwords and tokens in addresses, hidden before a text goes into a file that others read."""

from __future__ import annotations

import re

HIDDEN = "…"
_USER = re.compile(r"\b([a-z][a-z0-9+.-]*://)[^\s'\"<>]*@", re.IGNORECASE)
_NAMED = re.compile(
    r"([?&;#][\w.-]*(?:token|key|passw|pwd|secret|sig|credential|auth)[\w.-]*=)[^\s&;#'\"<>]+", re.IGNORECASE
)


def without_secrets(text: str) -> str:
    """The text with ``…`` for user and password of each address in it, and for values such as that of ``?token=``."""
    return _NAMED.sub(rf"\1{HIDDEN}", _USER.sub(rf"\1{HIDDEN}@", text))

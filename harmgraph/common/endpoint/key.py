"""The key for a server. It is in an environment variable, and only the name of that is ever given, shown or kept."""

from __future__ import annotations

import os
import re

from harmgraph.common.endpoint.address import EndpointAddress
from harmgraph.common.errors import BadName, InputError

VARIABLE = "OPENAI_API_KEY"
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_USUAL_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_KEY = re.compile(r"[\x21-\x7e]+")


def shown_variable(variable: str) -> str:
    """How to speak of a variable that is not set. What does not look like the name of one may be the key itself."""
    return f"the variable {variable}" if _USUAL_VARIABLE.fullmatch(variable) else "the variable that --key-from names"


def read_key(variable: str, address: EndpointAddress) -> str:
    """The key in an environment variable; empty if it is not set.

    Raises:
        BadName: this cannot be the name of an environment variable. It is not shown, since it may be the key itself.
        InputError: the key has a space or line break in it, or would go over the network in clear text.
    """
    if not _VARIABLE.fullmatch(variable):
        raise BadName("--key-from", "…", "is the name of an environment variable, such as OPENAI_API_KEY, not the key")
    key = os.environ.get(variable, "").strip()
    if not key:
        return ""
    if not _KEY.fullmatch(key):
        raise InputError(f"the key in {variable} has a character that no key has", remedy="set the variable again")
    if address.scheme == "http" and not address.is_loopback:
        raise InputError(
            f"the key in {variable} would go over the network in clear text",
            where=str(address),
            remedy=f"write https://, or leave the variable out: env -u {variable} harmgraph …",
        )
    return key

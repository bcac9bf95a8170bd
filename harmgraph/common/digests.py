"""Digests by which an import, a training or a file is found again, and numbers that look random and are always the same.

Another rule here would lose what was stored under the digests of this one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any


def facts_digest(facts: Any, size: int = 16) -> str:
    """The digest of plain values, whatever the order of their keys: ``size`` bytes in hexadecimal."""
    return text_digest(json.dumps(facts, sort_keys=True), size)


def text_digest(text: str, size: int = 16) -> str:
    """The digest of a text: ``size`` bytes in hexadecimal."""
    return hashlib.blake2b(_bytes(text), digest_size=size).hexdigest()


def texts_digest(texts: Iterable[str], size: int = 16) -> str:
    """As ``text_digest``, of texts that are joined without a sign between them."""
    made = hashlib.blake2b(digest_size=size)
    for text in texts:
        made.update(_bytes(text))
    return made.hexdigest()


def text_number(text: str) -> int:
    """A number of 64 bits that a text alone decides."""
    return int.from_bytes(hashlib.blake2b(_bytes(text), digest_size=8).digest(), "big")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # texts from files can have half a character

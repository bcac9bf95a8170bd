"""The one place that makes a text harmless for whoever reads it: on a terminal, in a log, in XML or in HTML.

Texts come from files, from a server and from other people. A terminal obeys control characters, XML may not hold most of them,
and controls of direction let a text read as another than it is. Each is shown as an escape; nothing is dropped.
"""

from __future__ import annotations

import re
from typing import Any

_UNSAFE = re.compile(
    "\r(?!\n)|"  # alone, it goes back to the start of the line and writes over it
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # other control characters, except tab and line feed
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates of direction
    "\ud800-\udfff\ufffe\uffff]"  # lone surrogates, and what is not a character
)
_C0 = 0x20


def clean(text: str) -> str:
    r"""The text with each unsafe character as an escape: ``\x1b``, ``\u202e``.

    JSON and the literals of Cypher and JavaScript write the same characters so and keep their meaning; there the first 32 are
    escaped already.
    """
    return _UNSAFE.sub(_escape, text)


def clean_values(value: Any) -> Any:
    """A value of lists and dictionaries with each text in it clean; keys stay."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: clean_values(item) for key, item in value.items()}
    return [clean_values(item) for item in value] if isinstance(value, list | tuple) else value


def whole_letters(text: str) -> str:
    """The text with a question mark for each half of a character: JSON can write halves, and no file or graph can hold them."""
    return text.encode("utf-8", "replace").decode()


def one_line(text: str) -> str:
    """The text as one clean line."""
    return clean(" ".join(text.split()))


def markdown_cell(value: Any) -> str:
    """The text as one line of a table in Markdown: nothing from a source becomes markup, a link or a new cell; None is a dash."""
    if value is None:
        return "–"
    return "".join(
        f"\\{mark}" if mark in "\\`*_[]#|!" else {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(mark, mark)
        for mark in one_line(str(value))
    )


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < _C0 else f"\\u{code:04x}"

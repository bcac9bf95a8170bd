"""Texts from elsewhere inside Markdown: nothing of them becomes markup, a link, HTML or a new cell of a table."""

from __future__ import annotations

import re
from typing import Any

from harmgraph.common.clean_text import one_line

_MARKS = {mark: f"\\{mark}" for mark in "\\`*_[]#|!~$"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_ESCAPES = str.maketrans(_MARKS)
_NOTED = re.compile(r"((?<![A-Za-z0-9])@(?=[A-Za-z0-9])|#(?=[0-9]))")


def markdown_text(text: str) -> str:
    """A text as one line of Markdown that reads as the text itself.

    GitHub links bare addresses too, so ``://`` and ``www.`` are written with an entity. It also tells the person of an ``@name``,
    and notes ``#12`` in that issue. No escape stops that, so a space without width stands behind ``@`` and ``#`` there.
    """
    escaped = _NOTED.sub(r"\1&#8203;", one_line(text).translate(_ESCAPES))
    return escaped.replace("://", ":&#47;/").replace("www.", "www&#46;").replace("WWW.", "WWW&#46;")


def markdown_cell(value: Any) -> str:
    """A value as ``markdown_text``; None is a dash."""
    return "–" if value is None else markdown_text(str(value))

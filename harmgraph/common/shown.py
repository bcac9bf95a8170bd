"""Results that print as their command prints them, and are a table in a notebook."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from html import escape
from typing import Any

from harmgraph.common.output import cell, heading, show_one


class Shown:
    """A result that a command shows as a table of names and values. A data class needs ``repr=False``."""

    __slots__ = ()

    def shown(self) -> tuple[str, Mapping[str, Any]]:
        """The title of the table, and its values by name."""
        raise NotImplementedError

    def __repr__(self) -> str:
        title, rows = self.shown()
        with redirect_stdout(io.StringIO()) as text:
            show_one(rows, "table", title=title)
        return text.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        title, rows = self.shown()
        lines = "".join(
            f"<tr><th style='text-align: left'>{escape(heading(name))}</th>"
            f"<td style='text-align: left'>{escape(cell(value))}</td></tr>"
            for name, value in rows.items()
        )
        return f"<table><caption>{escape(title)}</caption>{lines}</table>"

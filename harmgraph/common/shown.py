"""Results that print as their command prints them, and are a table in a notebook."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from harmgraph.common.output import cell, heading, show_one


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """A result that a command shows as a table of names and values. A data class needs ``repr=False``."""

    def shown(self) -> tuple[str, Mapping[str, Any]]:
        """The title of the table, and its values by name."""
        raise NotImplementedError

    def show(self, output: str) -> None:
        """Prints the table, which Markdown has too, or all fields."""
        title, rows = self.shown()
        show_one(rows if output in ("table", "markdown") else asdict(self), output, title=title)

    def __repr__(self) -> str:
        with redirect_stdout(io.StringIO()) as text:
            self.show("table")
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

"""The name by which other commands know this one."""

from __future__ import annotations

import sys
from pathlib import Path


def command_name() -> str:
    """The command that runs, such as ``stats disparity``; of a program of the user's its name."""
    import click

    context = click.get_current_context(silent=True)
    if context is None:
        return Path(sys.argv[0]).name or "a program"
    return " ".join(context.command_path.split()[1:]) or "a program"

"""Types of the options and arguments that name a file or a folder to write. Every such option has one of them."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from harmgraph.common.errors import InputError
from harmgraph.common.whole_file import REMEDY, STDOUT, descriptor, is_stream

STDOUT_NUMBER = 1


class FileToWrite(click.Path):
    """A file that a command writes. It is checked before anything is computed; ``-`` is ``/dev/stdout``.

    While a command writes a file to its standard output, what it prints besides goes to the standard error.

    Args:
        stays: whether the command reads the file again, so that it cannot be a device, a FIFO or an open file.
    """

    def __init__(self, *, stays: bool = False) -> None:
        super().__init__(path_type=Path, dir_okay=False, readable=False)
        self.stays = stays

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = STDOUT if str(value) == "-" else _as_path(super().convert(value, param, ctx))
        try:
            passes_on = is_stream(path)
        except InputError as error:
            self.fail(f"{error}.", param, ctx)
        if passes_on and self.stays:
            self.fail(f"{value}: is read again, so it must be a file; {REMEDY}.", param, ctx)
        if passes_on and descriptor(path) == STDOUT_NUMBER and ctx and not ctx.resilient_parsing:
            ctx.with_resource(redirect_stdout(sys.stderr))
        return path


class FolderToWrite(click.Path):
    """A folder that a command writes files into; it is made if it is missing.

    Args:
        or_print: whether ``-`` or ``/dev/stdout`` asks the command to print instead; the value is then ``STDOUT``.
    """

    def __init__(self, *, or_print: bool = False) -> None:
        super().__init__(path_type=Path, file_okay=False, readable=False)
        self.or_print = or_print

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = STDOUT if str(value) == "-" else Path(value)
        if self.or_print and descriptor(path) == STDOUT_NUMBER:
            return STDOUT
        if path == STDOUT or (path.exists() and not path.is_dir()):
            self.fail(f"{value}: is not a folder; name a folder, which is made if it is missing.", param, ctx)
        return _as_path(super().convert(value, param, ctx))


def _as_path(value: str | bytes | os.PathLike[str]) -> Path:
    return Path(os.fsdecode(value))

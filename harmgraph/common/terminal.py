"""What a command prints reaches the terminal and the log clean, whoever prints it: see ``clean_text``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from harmgraph.common.clean_text import clean

if TYPE_CHECKING:
    from rich.console import Console


class CleanStream:
    """A stream that passes texts on clean.

    Attributes:
        stream: where they go.
    """

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes a text; returns its length, as the caller knows it."""
        self.stream.write(clean(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Writes lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def clean_streams() -> Iterator[None]:
    """Makes stdout and stderr pass texts on clean until the block ends."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, CleanStream(stream)) if stream else stream for stream in before)
    try:
        yield
    finally:
        if sys.stdout is not None:  # a closed pipe took it away: nothing more may be written
            sys.stdout = before[0]
        sys.stderr = before[1]


def console(*, stderr: bool = False) -> Console:
    """A console of rich, which moves the cursor and colours; the texts that it is given must be clean.

    A broken pipe is an error of its own, where rich ends the program with 1. A notebook gets text, as any other stream does.
    """
    from rich.console import Console

    class Printer(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704 - called where the error is handled

    return Printer(file=_raw(sys.stderr if stderr else sys.stdout), stderr=stderr, force_jupyter=False)


def bold(line: str) -> None:
    """Prints a line, in bold letters on a terminal."""
    from rich.text import Text

    console().print(Text(clean(line), style="bold"), soft_wrap=True)


def data_stream() -> TextIO:
    """Where data for programs is printed, such as CSV: on a terminal clean, into a file or a pipe as it is."""
    return sys.stdout if sys.stdout.isatty() else _raw(sys.stdout)


def _raw(stream: TextIO) -> TextIO:
    return cast(TextIO, stream.stream) if isinstance(stream, CleanStream) else stream

"""Jobs' files and jobs under way."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.commands import command

# Of four statements two are negative: O- of lawyer is 100, that of nurse and teacher 0 (and one of teacher neutral).
LINES = ("lawyer\tIsA\tdishonest liar", "lawyer\tIsA\tawful cheat", "nurse\tIsA\tkind person", "teacher\tIsA\tperson")
MEASURE = '[[step]]\nrun = "stats overgeneralization"\noptions = { source = "kb" }\n'
WAITS = '[[step]]\nrun = "agree"\noptions = { csv = "pipe" }\n'  # until somebody writes into the pipe
AFTER = '[[step]]\nrun = "source list"\n'


def write(folder: Path, text: str, name: str = "audit") -> str:
    """Writes a job's file."""
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return str(path)


@contextmanager
def under_way(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """``harmgraph job`` with the arguments, ended at the end."""
    with command("job", *arguments, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()

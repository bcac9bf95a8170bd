"""``harmgraph`` as a user starts it: in a process of its own, from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from tests.support.places import ROOT


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "harmgraph", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        timeout=240,
    )


def command(*arguments: str, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """Starts a command, whose messages can be read; what it prints too, with ``stdout=PIPE``."""
    return subprocess.Popen(
        [sys.executable, "-m", "harmgraph", *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


def loading(path: Path, source: str = "kb") -> subprocess.Popen[str]:
    """Starts a load of triples."""
    return command("load", "triples", str(path), "--source", source, "--no-progress")


def walk(command: click.Command, context: click.Context) -> list[click.Command]:
    """A command and all that are under it."""
    found = [command]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None, f"{command.name} lists {name} and does not have it"
            found += walk(child, context)
    return found

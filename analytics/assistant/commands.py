"""``harmgraph mcp``."""

from __future__ import annotations

import math
import sys

import click

from harmgraph.analytics.assistant.answer import LEAST_TOKENS, Limits
from harmgraph.common.command_line import verbose_option

MOST_SECONDS = 3_600


@click.command("mcp")
@click.option(
    "--rows",
    type=click.IntRange(1, 200),
    default=20,
    show_default=True,
    help="Rows of an answer; a call may ask for 200.",
)
@click.option(
    "--tokens",
    type=click.IntRange(LEAST_TOKENS),
    default=8_000,
    show_default=True,
    help="About how long an answer may be.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, MOST_SECONDS, min_open=True),
    default=30.0,
    show_default=True,
    help="Time limit of an assistant's own statements.",
)
@verbose_option
def mcp(rows: int, tokens: int, seconds: float) -> None:
    """Let an assistant ask the graph, by the Model Context Protocol.

    The assistant starts this command and speaks with it over stdin and stdout (docs/mcp.md has the lines for its
    configuration). It can only read. Each number comes with its support, interval and scorer.
    """
    from harmgraph.analytics.assistant.server import serve

    if sys.stdin is not None and sys.stdin.isatty():
        click.echo("An assistant starts this command: see docs/mcp.md. Ctrl-C ends it.", err=True)
    if math.isnan(seconds):  # it is in every range
        raise click.BadParameter("nan is no number of seconds", param_hint="--seconds")
    serve(Limits(rows=rows, tokens=tokens, seconds=seconds))

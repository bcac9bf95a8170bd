"""``harmgraph completion``: click's own completion scripts."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.pass_context
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    For bash: harmgraph completion bash >> ~/.bashrc
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(found(ctx.find_root().command, {}, "harmgraph", "_HARMGRAPH_COMPLETE").source())

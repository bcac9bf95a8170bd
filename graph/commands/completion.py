"""``harmgraph completion``: click's completion scripts, with support for names with spaces in bash."""

from __future__ import annotations

import os
import re
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

VARIABLE = "_HARMGRAPH_COMPLETE"
_PLAIN = re.compile(r"[^\w@%+=:,./-]")


@add_completion_class
class Bash(BashComplete):
    """Completion for bash, which inserts completed words unchanged, so spaces in names are escaped here."""

    source_template = BashComplete.source_template.replace("read type value", "read -r type value").replace(
        "($value)", '("$value")'
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that word. Bash splits ``--source=name`` into three words."""
        words, begun = super().get_completion_args()
        whole = [word for at, word in enumerate(words) if word != "=" or not words[at - 1].startswith("--")]
        return whole, begun

    def format_completion(self, item: CompletionItem[Any]) -> str:
        if item.type != "plain" or self._in_quotes():
            return super().format_completion(item)
        return f"{item.type},{_PLAIN.sub(lambda match: chr(92) + match[0], str(item.value))}"

    @staticmethod
    def _in_quotes() -> bool:
        """Whether the user began the word with a quotation mark; the script passes the words one per line."""
        return os.environ["COMP_WORDS"].rpartition("\n")[2][:1] in {'"', "'"}


@click.command()
@click.pass_context
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    For bash: harmgraph completion bash >> ~/.bashrc. It completes commands, options and the names of sources, targets,
    categories, measures and models. The names are those that the last command saw. No server is asked.
    """
    completer = get_completion_class(shell)
    if completer is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(completer(ctx.find_root().command, {}, "harmgraph", VARIABLE).source())

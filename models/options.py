"""Options that several commands of models have."""

from __future__ import annotations

import click

PRECISIONS = ("auto", "bf16", "fp32")

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
    help="Of the training; auto is bf16 where the processor has it.",
)

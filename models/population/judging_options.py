"""Options of the commands that judge triples and resample them."""

from __future__ import annotations

import click

from harmgraph.models.options import JUDGING

split_option = click.option(
    "--split",
    type=click.Choice(("test", "valid", "train", "all")),
    default="test",
    show_default=True,
    help="Which triples to judge, if the file names splits.",
)
draws_option = click.option(
    "--draws", type=click.IntRange(0), default=1_000, show_default=True, help="Resamples for the intervals."
)
precision_option = click.option(
    "--precision",
    type=click.Choice(JUDGING),
    default="auto",
    show_default=True,
    help="Precision of the encoder; auto is that of the training. int8 is fast but changes ranks.",
)

"""The table of a statistic, and the options that decide what is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from harmgraph.common.command_line import Share
from harmgraph.graph.commands.name_types import MeasureName

MAX_TABLE = 40

top_option = click.option(
    "--top",
    type=click.IntRange(0),
    default=MAX_TABLE,
    show_default=True,
    help="Rows of the table; 0 for all. The other forms have all.",
)
measure_option = click.option(
    "--measure", type=MeasureName(), default="sentiment", show_default=True, help="Harm measure."
)
min_samples_option = click.option(
    "--min-samples",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Leave out prompts with fewer scored samples.",
)
permutations_option = click.option(
    "--permutations",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Times that samples are dealt out anew, for floor and p.",
)
max_unlabelled_option = click.option(
    "--max-unlabelled",
    type=Share(),
    default=None,
    help="Fail if a larger share of the statements has no label of the measure, such as 5%.  [default: warn]",
)

pooled_option = click.option(
    "--pooled",
    is_flag=True,
    help="Add rates drawn towards their category's, the more the fewer statements (partial pooling); the surest come first.",
)


def records(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame as plain Python values; missing values become None."""
    import pandas

    rows: list[dict[str, Any]] = frame.astype(object).where(pandas.notna(frame), None).to_dict("records")
    return rows


def show_rows(rows: Sequence[Mapping[str, Any]], top: int, output: str, **how: Any) -> None:
    """Prints the rows; of a table for people the first ``top``, and how many more there are.

    Args:
        how: see ``graph.common.output.show``.
    """
    from harmgraph.common.output import show

    shown = rows[:top] if output == "table" and top else rows
    show(shown, output, **how)
    if len(shown) < len(rows):
        click.echo(f"{len(rows) - len(shown):,} more rows: --top 0, or --output csv", err=True)

"""What a statistic of ``statistics/computed`` is, and which there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from harmgraph.common.json_schema import Schema, record
from harmgraph.common.registry import Registry

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Computed:
    """A statistic with a command of its own.

    Attributes:
        name: the word after ``harmgraph stats``.
        group: its group in the list of statistics, such as ``models``.
        cites: the publication it comes from.
        command: the subcommand; its short help says in a line what it gives.
        frame: computes the rows, from a graph and its parameters by name; for Python.
        saves: names of the numbers that its ``--save`` keeps.
        rows: the columns of each kind of row that its options choose, each with its type as in the headers of ``cypher/``.
            A name with ? behind it is one that a row may lack. Empty where it says nothing.
    """

    name: str
    group: str
    cites: str
    command: click.Command
    frame: Callable[..., pandas.DataFrame]
    saves: tuple[str, ...] = ()
    rows: Sequence[Mapping[str, str]] = ()

    def row_schema(self) -> Schema:
        """The JSON Schema of a row."""
        kinds = [
            record(
                {name.removesuffix("?"): kind for name, kind in columns.items()},
                optional=[name[:-1] for name in columns if name.endswith("?")],
            )
            for columns in self.rows or ({},)
        ]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


computed: Registry[Computed] = Registry("statistic", "harmgraph.analytics.statistics.computed", "STATISTIC")

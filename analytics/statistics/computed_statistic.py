"""What a statistic of ``statistics/computed`` is, and which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

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
    """

    name: str
    group: str
    cites: str
    command: click.Command
    frame: Callable[..., pandas.DataFrame]
    saves: tuple[str, ...] = ()


computed: Registry[Computed] = Registry("statistic", "harmgraph.analytics.statistics.computed", "STATISTIC")

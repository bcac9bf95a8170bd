"""What a statistic of ``statistics/computed`` is, and which there are."""

from __future__ import annotations

from dataclasses import dataclass

import click

from harmgraph.graph.common.registry import Registry


@dataclass(frozen=True, slots=True)
class Computed:
    """A statistic with a command of its own.

    Attributes:
        name: the word after ``harmgraph stats``.
        cites: the publication it comes from.
        command: the subcommand; its first line of help says what it gives.
        saves: names of the numbers that its ``--save`` keeps.
    """

    name: str
    cites: str
    command: click.Command
    saves: tuple[str, ...] = ()


computed: Registry[Computed] = Registry("statistic", "harmgraph.analytics.statistics.computed", "STATISTIC")

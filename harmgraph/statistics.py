"""``kb.stats``: each statistic is a function, whose name, parameters and text are those of its header."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    import pandas

    from harmgraph.graph.statements import CypherStatement

TARGETS = "targets"
"""What ``--targets`` is called in Python: one target list or several; those that were loaded, and the source's own, if none."""
BOOTSTRAP = {"resamples": 2_000, "seed": 0}
"""What a statistic with bootstrap intervals takes besides its statement's parameters."""

POOLING = {"pooled": False}
"""What a statistic with rates that can be pooled takes besides."""


class Statistics:
    """The statistics of a graph. ``dir`` and completion know their names; ``help`` says what one takes and returns.

    Each returns a data frame with one row per target, category or pair. Percentages are 0 to 100, intervals 95 %.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __dir__(self) -> list[str]:
        return sorted(names())

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self))

    def __repr__(self) -> str:
        return "\n".join(f"{name:<20}{title}" for name, title in sorted(titles()))

    def __getattr__(self, name: str) -> Callable[..., pandas.DataFrame]:
        if name.startswith("_"):
            raise AttributeError(name)
        from harmgraph.common.errors import UnknownMember

        known = names()
        if name not in known:
            raise AttributeError(str(UnknownMember("statistic", name, known)))
        return function(self._graph, name)


def names() -> tuple[str, ...]:
    """The names of all statistics, of those of Python too."""
    from harmgraph.analytics.statistics.computed_statistic import computed
    from harmgraph.analytics.statistics.statistic import statistic_names

    return tuple(sorted({*statistic_names(), *computed.names()}))


def titles() -> Iterator[tuple[str, str]]:
    """The statistics with what each gives, in a line."""
    from harmgraph.analytics.statistics.computed_statistic import computed
    from harmgraph.analytics.statistics.statistic import every_statistic

    for member in every_statistic():
        yield member.name, member.statement.title
    for name in computed.names():
        yield name, computed.get(name).command.get_short_help_str(100)


def function(graph: Graph, name: str) -> Callable[..., pandas.DataFrame]:
    """The statistic of that name as a function of its parameters, with signature and documentation."""
    from harmgraph.analytics.statistics.computed_statistic import computed
    from harmgraph.analytics.statistics.statistic import statistic

    if name in computed.names():
        frame, text = computed.get(name).frame, inspect.getdoc(computed.get(name).frame)
        signature = inspect.signature(frame)
        shown = signature.replace(parameters=[*signature.parameters.values()][1:])
    else:
        frame = statistic(name)
        shown, text = signature_of(frame.statement), documentation(frame.statement)

    def compute(*given: Any, targets: str | Sequence[str] = (), **parameters: Any) -> pandas.DataFrame:
        with graph.about((targets,) if isinstance(targets, str) else targets):
            return frame(graph, *given, **parameters)

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = text
    compute.__signature__ = shown  # type: ignore[attr-defined]
    return compute


def signature_of(statement: CypherStatement) -> inspect.Signature:
    """What a statistic takes: the parameters of its statement, by name alone, and those of the bootstrap."""
    empty = inspect.Parameter.empty
    defaults = {one.name: empty if one.required else one.default for one in statement.parameters}
    if defaults.pop(LISTS, ...) is not ...:
        defaults[TARGETS] = ()
    if "bootstrap" in statement.notes:
        defaults |= BOOTSTRAP
    if can_be_pooled(statement):
        defaults |= POOLING
    return inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    )


def can_be_pooled(statement: CypherStatement) -> bool:
    """Whether its header names rates that can be pooled."""
    from harmgraph.analytics.statistics.tested_rates import tested_rates

    return any(test.among_rows for test in tested_rates(statement))


def documentation(statement: CypherStatement) -> str:
    """The header of a statistic as the documentation of a function."""
    from harmgraph.analytics.statistics.tested_rates import tested_rates, with_added

    takes = [f"    {TARGETS if one.name == LISTS else one.name}: {one.meaning}" for one in statement.parameters]
    columns = with_added(statement.columns, tested_rates(statement))
    returns = [f"    {one.name}: {one.meaning}" for one in columns]
    cites = [f"Source: {'; '.join(statement.cites)}"] if statement.cites else []
    parts = (
        statement.title + ("" if statement.title.endswith(".") else "."),
        statement.description,
        "\n".join(["Args:", *takes]) if takes else "",
        "\n".join(["Returns:", "    A data frame with the columns", *returns]),
        *cites,
    )
    return "\n\n".join(part for part in parts if part)

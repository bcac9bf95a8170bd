"""Types of options and arguments that name something in the graph: any text is accepted, and the shell completes known names.

The command itself checks in the graph whether the name exists; completion only uses the cache (``name_cache``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Name(click.ParamType[str], ABC):
    """A name with shell completion."""

    @abstractmethod
    def names(self) -> Iterable[str]:
        """The known names."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        values = ctx.params.get(str(param.name)) or ()
        already = set(values) if isinstance(values, tuple | list) else set()
        begun = incomplete.casefold()
        return [
            CompletionItem(name) for name in self.names() if name.casefold().startswith(begun) and name not in already
        ]


class SourceName(Name):
    """The name of a source."""

    name = "source"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.name_cache import known

        return known("sources")


class TargetName(Name):
    """A group that can be harmed."""

    name = "target"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.name_cache import known

        return known("targets")


class ListName(Name):
    """The name of a list of targets."""

    name = "target list"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.name_cache import known

        return known("lists")


class CategoryName(Name):
    """A category of targets."""

    name = "category"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.name_cache import known

        return known("categories")


class MeasureName(Name):
    """The name of a harm measure with labels in the graph."""

    name = "measure"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.name_cache import known

        return known("measures")


class ModelName(Name):
    """The name of a trained model on this machine.

    Args:
        names: returns the names of the models; they are on disk and need no cache.
    """

    name = "model"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def names(self) -> Iterable[str]:
        return self._names()


class MetricName(Name):
    """The name of a number that ``--save`` saves, such as ``disparity.d_o_minus``."""

    name = "metric"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.statements import names, statement

        return [
            f"{name.partition('/')[2]}.{column}"
            for name in names("statistics")
            for note in statement(name).notes.get("measures", ())
            for column in note.split()[1:]
        ]


class QueryName(Name):
    """A statement of ``cypher/`` for users, or one of the user's own: a file, its text, or ``-`` for stdin."""

    name = "query"

    def names(self) -> Iterable[str]:
        from harmgraph.graph.statements import for_readers

        return for_readers()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return super().shell_complete(ctx, param, incomplete) or [CompletionItem(incomplete, type="file")]


targets_option = click.option(
    "--targets",
    "targets",
    type=ListName(),
    multiple=True,
    help="Use the targets of this list; may be given again.  [default: the lists that were loaded, and the source's own groups]",
)

OF_PARAMETER: dict[str, Name] = {
    "source": SourceName(),
    "other": SourceName(),
    "also": SourceName(),
    "target": TargetName(),
    "category": CategoryName(),
    "measure": MeasureName(),
    "against": MeasureName(),
}
"""The types of parameters of statements in ``cypher/``, by parameter name."""

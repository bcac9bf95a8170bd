"""How much of what a statistic counts has no label. A number without any label is not a result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.statistics.statistic import Statistic
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph

PAIRS = "pairs of a statement and a target"


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """How much a statistic counts, and how much of it has no label.

    Attributes:
        of: the chosen source, category and target, in words; empty if none was chosen.
        source: the source; None for all of them.
        n: how much it counts.
        unlabelled: of these, without a label of one of the measures.
        what: what it counts.
    """

    measures: tuple[str, ...]
    of: str
    source: str | None
    n: int
    unlabelled: int
    what: str = PAIRS

    @property
    def share(self) -> float:
        """Share without a label, 0 to 1."""
        return self.unlabelled / self.n if self.n else 0.0

    def check(self, limit: float | None) -> None:
        """Raises an error if too much has no label.

        Args:
            limit: the largest share that may have no label; None for any share below 1.

        Raises:
            InputError: nothing has a label, or more than ``limit`` have none.
        """
        named = " and ".join(self.measures)
        where = self.of
        remedy = "label them: harmgraph label SCORER" + (f" --source {self.source}" if self.source else "")
        if self.n and self.unlabelled >= self.n:
            raise InputError(f"none of the {self.n:,} {self.what} has a label of {named}", where=where, remedy=remedy)
        if limit is not None and self.share > limit:
            raise InputError(
                f"{self.unlabelled:,} of the {self.n:,} {self.what} ({percent(self.share)}) have no label of "
                f"{named}, and {percent(limit)} may",
                where=where,
                remedy=f"{remedy}, or raise --max-unlabelled",
            )


def percent(share: float) -> str:
    """A share as text, in percent."""
    return f"{100 * share:.4g} %"


def unlabelled(
    statistic: Statistic, graph: Graph, rows: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
) -> list[Unlabelled]:
    """Counts what has no label in a statistic, for each source that it compares; empty if it takes no measure.

    Args:
        rows: rows of the statistic. If they count what has no label, the graph is not queried.
        parameters: the parameters that it was called with.
    """
    measures = statistic.measures_of(statistic.statement.arguments(dict(parameters)))
    if not measures:
        return []
    names = {column.name for column in statistic.columns}
    source, other = parameters.get("source"), parameters.get("other")
    scope = {name: parameters.get(name) for name in ("category", "target")}
    if "unlabelled" in names and names & {"n", "pairs"} and other is None:
        single = [row for row in rows if not pooled(row)]
        count = sum(int(row["n"] if "n" in names else row["pairs"]) for row in single)
        without = sum(int(row["unlabelled"] or 0) for row in single)
        return [Unlabelled(measures, _words([source, *scope.values()]), source, count, without)]
    parts = []
    also = parameters.get("also") or ()
    for name in dict.fromkeys((source, *also, other) if other is not None else (source,)):
        row = graph.rows("measure/unlabelled", measures=list(measures), source=name, **scope)[0]
        of = _words([name, *scope.values()])
        parts.append(Unlabelled(measures, of, name, row["pairs"], row["unlabelled"]))
    return parts


def pooled(row: Mapping[str, Any]) -> bool:
    """Whether a row adds up other rows."""
    return row.get("category") == "all" or ("target" in row and row["target"] is None)


def _words(parts: Iterable[object]) -> str:
    return ", ".join(str(part) for part in parts if part is not None)

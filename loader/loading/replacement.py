"""What a load would replace: the earlier import of its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.loader.reading.plan import Plan


@dataclass(frozen=True, slots=True)
class Replacement:
    """A load that would remove more than half of its source.

    Attributes:
        stood: triples, sentences and targets of the last complete import.
        lost: how many of them would be removed; a minimum if nothing is written yet.
        begun: whether the new records are already in the graph, beside the old ones, of which none is removed yet.
    """

    source: str
    stood: int
    lost: int
    begun: bool


Agree = Callable[[Replacement], None]
"""Called before anything is removed; raises an error to prevent it."""


def agreed(_: Replacement) -> None:
    """Agrees to every replacement."""


class Asking:
    """Asks, at most once in a load, if more than half of its source would be removed.

    Args:
        stood: triples, sentences and targets of the last complete import.

    Attributes:
        asked: whether it asked.
    """

    def __init__(self, agree: Agree, source: str, stood: int) -> None:
        self._agree = agree
        self._source = source
        self._stood = stood
        self.asked = False

    def ask(self, lost: int, *, begun: bool) -> None:
        """Asks if so many lost records are more than half; see ``Replacement``."""
        if not self.asked and 2 * lost > self._stood:
            self.asked = True
            self._agree(Replacement(self._source, self._stood, lost, begun))

    def of_loss(self, loss: sources.Loss) -> None:
        """Asks about the loss of a load that is written."""
        self._stood = loss.stood
        self.ask(loss.lost, begun=True)


@dataclass(frozen=True, slots=True)
class Before:
    """What the graph has of the source of a load.

    Attributes:
        identity: of this import; the same files and options give the same.
        stands: whether there is a complete import, which a load without records must not replace.
        stood: triples, sentences and targets of the last complete import.
        is_replaced: whether there is a complete import of other content. The same files remove nothing.
    """

    identity: str
    stands: bool
    stood: int
    is_replaced: bool

    @classmethod
    def of(cls, graph: Graph, plan: Plan, identity: str) -> Self:
        """Looks into the graph.

        Raises:
            BadName: see ``check_standing``.
        """
        source = sources.find(graph, plan.source)
        stands = check_standing(plan, source)
        same = source is not None and source.get("import_id") == identity
        return cls(identity, stands, sources.stood(source or {}), stands and not same)

    def check_replaced_by(self, records: int, plan: Plan) -> None:
        """Checks that no load without records replaces a complete import.

        Raises:
            UnreadableFile: it would.
        """
        if self.stands and not records:
            raise UnreadableFile(
                plan.paths[-1],
                f"has no records, so the source {plan.source!r} was not replaced",
                remedy="check the file and the options; 'harmgraph source drop' removes a source",
            )


def check_standing(plan: Plan, source: Mapping[str, Any] | None) -> bool:
    """Checks that a load does not replace another source of the same name by mistake.

    Args:
        source: the source in the graph, see ``graph.contents.sources.find``.

    Returns:
        Whether the graph has a complete import, which a load without records must not replace.

    Raises:
        BadName: the source was loaded with another importer, or completely and now with ``limit``.
    """
    if source is None:
        return False
    before = str(source.get("importer") or "").partition("@")[0]
    if before not in ("", plan.importer.name):
        why = f"was loaded with the importer {before}: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    whole = source.get("state") == "complete"
    if whole and plan.limit and "limit" not in (source.get("options") or {}):
        why = "is complete and would lose what --limit leaves out: choose another name with --source, or drop it first"
        raise BadName("source", plan.source, why)
    return whole

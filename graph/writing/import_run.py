"""One import of one source from start to finish: begin, write, remove old records, link, count, mark as complete.

The loader, the bulk load and everything else that creates a source in the graph use this module, so an import that was killed
can be completed by running the same command again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker, sources
from harmgraph.graph.records import Entity, Import, RelationLabel, Statement, Target, Triple
from harmgraph.graph.writing.batches import Batch, ImplicationRow
from harmgraph.graph.writing.writer import Writer, write_implications, write_relations

Written = Triple | Statement | Target | Entity | RelationLabel


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What an import did.

    Attributes:
        counts: what the graph contains of the source.
        links: links to targets in the whole graph.
        removed: number of triples, sentences and targets that an earlier import had and this one does not.
        kept_by_other_list: number of targets that another list of the same language added first and that keep its category.
        called_by_language: targets whose name includes their language, such as ``chef (de)``, because a list of another
            language also has a chef.
        shared_types: pairs of different relation names that give the same relationship type, by type.
        unchanged: whether the same import stood already, complete.
    """

    counts: sources.Counts
    links: linker.Links
    removed: int = 0
    kept_by_other_list: int = 0
    called_by_language: tuple[str, ...] = ()
    shared_types: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    unchanged: bool = False

    @property
    def added(self) -> int:
        """Number of triples, sentences and targets that this import added to what stood before it."""
        return 0 if self.unchanged else self.counts.added


class ImportRun:
    """An import in progress; as a context manager, it drops waiting records if it fails.

    The source is marked as loading with the first batch, or by ``complete`` if there is none: an import that fails before
    it writes leaves the graph unchanged.

    Args:
        facts: properties of the source, such as its importer and version.
        properties: names of the properties that triples and sentences may have; a property that a record lacks is removed
            from an older version of it.
        described: the same for entities.
        phrase: returns the phrase of a relation for its name.
    """

    def __init__(
        self,
        graph: Graph,
        mark: Import,
        facts: Mapping[str, Any],
        *,
        properties: Sequence[str] = (),
        described: Sequence[str] = (),
        phrase: Callable[[str], str] = str,
    ) -> None:
        self._graph = graph
        self._mark = mark
        self._facts = facts
        self._properties = properties
        self._described = described
        self._phrase = phrase
        self._standing: sources.Standing | None = None
        self._writer: Writer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer:
            self._writer.close()

    def add(self, record: Written, assertion: str = "") -> None:
        """Adds a record; ``assertion`` is used if it has no id of its own."""
        self._begun().add(record, assertion)

    def write(self, batch: Batch) -> None:
        """Writes a batch that was collected elsewhere."""
        self._begun().write(batch)

    def complete(
        self,
        tally: Mapping[str, Any],
        summary: Mapping[str, Any],
        *,
        agree: Callable[[sources.Loss], None] | None = None,
        triples: bool = True,
    ) -> ImportOutcome:
        """Writes waiting records, removes what is left of an earlier import, links, counts and marks the source as complete.

        Args:
            tally: what was read; saved with the counts.
            summary: further facts about this import, which the next one saves as ``previous``.
            agree: called with the loss before anything is removed; raises an error to prevent it.
            triples: False if the source has none beside what posts imply, which saves reading every triple of the graph.
        """
        writer = self._begun()
        progress("writing", 0)
        writer.flush()
        removed = 0
        if self._standing == "other":
            if agree:
                agree(sources.loss(self._graph, self._mark))
            progress("removing what the earlier import left", 0)
            removed = sources.sweep(self._graph, self._mark)
        progress("linking targets", 0)
        links = linker.link(self._graph)
        counts = sources.count(self._graph, self._mark, triples=triples or writer.groups)
        _finish(self._graph, self._mark, counts, tally, summary)
        return ImportOutcome(
            counts,
            links,
            removed,
            writer.kept_by_other_list,
            tuple(writer.called_by_language),
            writer.shared_types,
            self._standing == "same",
        )

    def _begun(self) -> Writer:
        if self._writer is None:
            self._standing = sources.begin(self._graph, self._mark, self._facts)
            self._writer = Writer(
                self._graph,
                self._mark,
                self._properties,
                phrase=self._phrase,
                described=self._described,
                empty_source=self._standing == "nothing",
                renews_names=self._standing == "other",
            )
        return self._writer


def complete_offline(
    graph: Graph,
    mark: Import,
    facts: Mapping[str, Any],
    tally: Mapping[str, Any],
    summary: Mapping[str, Any],
    *,
    relations: Mapping[str, str],
    labels: Mapping[str, str],
    implications: Iterable[Sequence[ImplicationRow]] = (),
    phrase: Callable[[str], str] = str,
    unchanged: bool = False,
) -> ImportOutcome:
    """Completes an import whose nodes and relationships ``neo4j-admin`` wrote into an empty store.

    Args:
        relations: the names of relations by type.
        labels: the labels of relations by type.
        implications: what posts imply, in batches; it is written here, because the targets of groups may be those of lists.
        unchanged: whether the same import stood in the store that this one replaced.
    """
    sources.begin(graph, mark, facts)
    write_relations(graph, mark, relations, labels, phrase)
    for rows in implications:
        write_implications(graph, mark, rows)
    progress("linking targets", 0)
    links = linker.link(graph)
    counts = sources.count_alone(graph, mark)
    _finish(graph, mark, counts, tally, summary)
    return ImportOutcome(counts, links, unchanged=unchanged)


def _finish(
    graph: Graph, mark: Import, counts: sources.Counts, tally: Mapping[str, Any], summary: Mapping[str, Any]
) -> None:
    totals = {**tally, **counts.saved()}
    sources.finish(graph, mark, totals, totals | {"import_id": mark.import_id} | dict(summary))

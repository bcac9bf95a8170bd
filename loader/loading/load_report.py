"""The result of a load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harmgraph.common.shown import Shown
from harmgraph.loader.formats.importer import importers

SHOWN = 8  # maximum names in a row


@dataclass(frozen=True, slots=True, repr=False)
class LoadReport(Shown):
    """The result of a load.

    If each line has one record, ``read`` = ``records`` + ``named`` + ``rejected`` + the sum of ``skipped``. If lines have
    several records, ``skipped`` and ``rejected`` also count parts of lines.

    Attributes:
        read: lines read; of a database, rows of its tables.
        records: triples, sentences or targets.
        duplicates: records equal to an earlier one in the same load.
        skipped: lines left out on purpose, by reason.
        rejected: lines and parts of lines that cannot be read. ``rejects`` is the file that lists them. For ``max_rejects``
            a line with several rejected parts counts once.
        first_rejected: the first of them, as ``kb.tsv:7: the head is empty``.
        in_graph: records of this source in the graph afterwards.
        added, removed: compared with what stood before, or with the previous import if this one was interrupted.
        unchanged: whether the same files stood already, loaded with the same options.
        names, about, entities: links of concepts, sentences and entities to targets, in the whole graph.
        named: names and descriptions of entities, and labels of relations, in the files.
        names_kept: how many of these belong to something in a triple; the others are dropped.
        names_unused: files given with options such as ``names`` of which no name was kept.
        no_target: annotated terms of this source that are not targets, with their number of sentences, the commonest first.
        no_target_terms, no_target_statements: how many terms and sentences in all.
        kept_by_other_list: targets that were first loaded from another list of the same language and keep its category.
        called_by_language: targets named with their language, such as ``chef (de)``, because a list in another language
            has the same name.
        named_statements: statements of this source that name a target; of all sources after loading a list of targets.
        shared_types: names of relations by type, if different names (not only spellings) give the same type.
        unknown_parts: of a list of targets: parts of its combined targets that are not targets, and so not linked.
        made_targets: targets that this source is about and that stood in no list, so that they were made.
        exclude_lines: lines of the file of excluded statements; what they left out is counted in ``skipped``.
        exclude_unmatched: how many of these left nothing out.
    """

    source: str
    importer: str
    files: tuple[str, ...]
    import_id: str
    read: int
    records: int
    duplicates: int
    skipped: Mapping[str, int]
    rejected: int
    rejects: str
    seconds: float
    dry_run: bool
    first_rejected: tuple[str, ...] = ()
    in_graph: int = 0
    added: int = 0
    removed: int = 0
    unchanged: bool = False
    names: int = 0
    about: int = 0
    no_target: Mapping[str, int] = field(default_factory=dict)
    no_target_terms: int = 0
    no_target_statements: int = 0
    kept_by_other_list: int = 0
    entities: int = 0
    named: int = 0
    names_kept: int = 0
    names_unused: tuple[str, ...] = ()
    named_statements: int = 0
    called_by_language: tuple[str, ...] = ()
    shared_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    made_targets: tuple[str, ...] = ()
    unknown_parts: tuple[str, ...] = ()
    exclude_lines: int = 0
    exclude_unmatched: int = 0

    def shown(self) -> tuple[str, Mapping[str, Any]]:
        """The title of the table, and its rows without those that say nothing."""
        read = "rows read" if importers.get(self.importer).reads == "database" else "lines read"
        rows: dict[str, Any] = {read: self.read, "records": self.records, "duplicates": self.duplicates}
        if self.named:
            rows["names of entities and relations"] = self.named
            rows["names kept, because they occur in a triple"] = self.names_kept
        rows |= {f"skipped: {reason}": count for reason, count in self.skipped.items()}
        rows["rejected"] = self.rejected
        if self.exclude_lines:
            rows["lines of the exclude file"] = self.exclude_lines
            rows["lines of it that left nothing out"] = self.exclude_unmatched
        if not self.dry_run:
            rows |= {"in the graph": self.in_graph, "added": self.added, "removed": self.removed}
            rows |= {"unchanged": "the same files stood already"} if self.unchanged else {}
            rows |= {"concepts that name a target (all sources)": self.names}
            whose = " (all sources)" if importers.get(self.importer).gives == "targets" else ""
            rows |= {f"statements that name a target{whose}": self.named_statements}
        if self.entities:
            rows["entities that name a target (all sources)"] = self.entities
        if self.kept_by_other_list:
            rows["targets that keep another category"] = self.kept_by_other_list
        if self.made_targets:
            rows["targets that were made, as no list had them"] = _some(self.made_targets)
        if self.unknown_parts:
            rows["parts that are not targets, so that they are not linked"] = _some(self.unknown_parts)
        if self.called_by_language:
            rows["named with their language, as another list has the name"] = _some(self.called_by_language)
        if self.shared_types:
            rows["relations with different names and the same type"] = _some(
                [f"{kind}: {', '.join(names)}" for kind, names in self.shared_types.items()], "; "
            )
        if self.no_target_terms:
            shown = ", ".join(f"{term} {count:,}" for term, count in list(self.no_target.items())[:SHOWN])
            more = ", ..." if self.no_target_terms > SHOWN else ""
            rows["sentences whose term is not a target"] = f"{self.no_target_statements:,} ({shown}{more})"
        rows["seconds"] = self.seconds
        verb = "would load" if self.dry_run else "loaded"
        return f"{verb} {', '.join(self.files)} as {self.source}", rows


def _some(names: Sequence[str], between: str = ", ") -> str:
    """The number of names, and the first of them."""
    more = f"{between}..." if len(names) > SHOWN else ""
    return f"{len(names):,} ({between.join(names[:SHOWN])}{more})"

"""The sources of the graph: begin and finish an import, list and drop sources, compare an import with the previous one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from harmgraph.common.errors import BadName, NotFound
from harmgraph.common.json_text import from_json
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import changes, entity_names
from harmgraph.graph.records import Import
from harmgraph.graph.schema import RESERVED_TYPES, STATEMENT_TYPES
from harmgraph.graph.statements import statement

INHERITED = ("version", "licence", "url", "sha256", "files")
"""Facts that a source has from the one that it is made of."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of one source the graph contains.

    Attributes:
        relations: number of triples per relationship type.
        sentences: number of free sentences.
        targets: number of targets of a target list.
        added: how many of all these the newest import added.
    """

    relations: Mapping[str, int] = field(default_factory=dict)
    sentences: int = 0
    targets: int = 0
    added: int = 0

    @property
    def total(self) -> int:
        return sum(self.relations.values()) + self.sentences + self.targets

    def saved(self) -> dict[str, Any]:
        """As the ``Source`` node keeps them."""
        return {"relations": dict(sorted(self.relations.items())), "sentences": self.sentences, "targets": self.targets}


def total(saved: Mapping[str, Any]) -> int:
    """How many triples, sentences and targets saved counts have."""
    found: int = sum(saved.get("relations", {}).values()) + saved.get("sentences", 0) + saved.get("targets", 0)
    return found


def relation_names(graph: Graph) -> dict[str, str]:
    """The name of each relation by its relationship type, as it is read: IsA of ``IS_A``."""
    return {row["type"]: row["name"] for row in graph.rows("source/relation_names")}


def relation_types(graph: Graph) -> list[str]:
    """The relationship types of triples and proposals that the store knows; types without any may be among them."""
    others = RESERVED_TYPES - STATEMENT_TYPES
    return [row["type"] for row in graph.rows("source/relation_types") if row["type"] not in others]


def generation(graph: Graph, name: str, import_id: str) -> int:
    """The number of an import within its source, from 1; it increases after a complete import of other content.

    Repeating a load gives the same number, and so does a load after an unfinished one.
    """
    source = find(graph, name)
    if source is None:
        return 1
    before = int(source.get("generation") or 1)
    return before + (source.get("state") == "complete" and source.get("import_id") != import_id)


def replaceable(graph: Graph, name: str, importer: str) -> dict[str, Any] | None:
    """The facts of a source that ``importer`` made of another one and may write again; None if there is none of that name.

    Raises:
        BadName: the name is that of a source that was loaded from files.
    """
    source = find(graph, name)
    if source and source.get("importer") != importer:
        raise BadName("source", name, "was loaded from files: choose another name, or drop it first")
    return source


def derived(
    graph: Graph, name: str, identity: str, of: Mapping[str, Any], *, importer: str, options: Mapping[str, Any]
) -> tuple[Import, dict[str, Any]]:
    """The mark and the facts of an import that makes a source of another one.

    Args:
        identity: of the import, equal for equal content.
        of: the facts of the source that it is made of.
    """
    inherited = {fact: of[fact] for fact in INHERITED if of.get(fact)}
    facts = {**inherited, "importer": importer, "options": json.dumps(options, sort_keys=True)}
    return Import(name, identity, generation(graph, name, identity)), facts


Standing = Literal["nothing", "same", "other"]
"""What the graph contains of a source: nothing, the same import, or another one, whose rest is removed at the end."""


def standing(source: Mapping[str, Any] | None, import_id: str) -> Standing:
    """What the graph contains of a source before an import.

    Args:
        source: its properties, see ``find``; None if there is no source of that name.
    """
    if source is None:
        return "nothing"
    same = (source.get("state"), source.get("import_id")) == ("complete", import_id)
    return "same" if same else "other"


def begin(graph: Graph, mark: Import, facts: Mapping[str, Any]) -> Standing:
    """Marks the source as loading; returns what the graph contained of it before."""
    source = find(graph, mark.source)
    before = standing(source, mark.import_id)
    if before == "other":
        changes.note_before(graph, mark, complete=source is not None and source.get("state") == "complete")
    graph.write("source/begin", name=mark.source, import_id=mark.import_id, generation=mark.since, facts=dict(facts))
    return before


def finish(graph: Graph, mark: Import, counts: Mapping[str, Any], summary: Mapping[str, Any]) -> None:
    """Marks the source as complete, with its counts and the summary that the next import saves as ``previous``.

    The summary gets the names of the relations: those that go with the next import have none in the graph any longer.
    """
    named = relation_names(graph)
    summary = {**summary, "names": {kind: named[kind] for kind in counts.get("relations", {}) if kind in named}}
    graph.write(
        "source/finish",
        name=mark.source,
        import_id=mark.import_id,
        counts=json.dumps(counts, sort_keys=True),
        summary=json.dumps(summary, sort_keys=True),
    )


def count(graph: Graph, mark: Import, *, triples: bool = True) -> Counts:
    """Counts what the graph contains of the source now.

    Args:
        triples: False if the source cannot have any, which saves reading every triple of the graph.
    """
    rows = graph.rows("source/triple_counts", source=mark.source, since=mark.since) if triples else []
    relations = {row["type"]: row["triples"] for row in rows}
    added = sum(row["added"] for row in rows)
    sentences = graph.rows("source/statement_counts", **asdict(mark))[0]
    targets = graph.rows("source/target_counts", source=mark.source, since=mark.since)[0]
    added += sentences["added"] + targets["added"]
    return Counts(relations, sentences["statements"], targets["targets"], added)


def count_alone(graph: Graph, mark: Import) -> Counts:
    """The counts of a source that is alone in the graph and was imported once, taken from the store's statistics, so fast.

    Only its targets, which are few, are counted one by one, because there may be others.
    """
    relations = {}
    for kind in relation_types(graph):
        triples = graph.rows(statement("source/type_count").with_type(kind))[0]["triples"]
        if triples:
            relations[kind] = triples
    sentences = graph.rows("source/all_statements")[0]["statements"]
    targets = graph.rows("source/target_counts", source=mark.source, since=mark.since)[0]["targets"]
    return Counts(relations, sentences, targets, sum(relations.values()) + sentences + targets)


def sweep(graph: Graph, mark: Import) -> int:
    """Removes what is left of an earlier import of the source, and concepts that are in no triple any more.

    Returns:
        Number of triples, sentences and targets removed.
    """
    removed = 0
    if mark.import_id:
        changes.note_removed(graph, mark)
    for kind in relation_types(graph):
        query = statement("source/sweep_triples").with_type(kind)
        written = graph.autocommit(query, source=mark.source, import_id=mark.import_id)
        removed += written.counters["relationships_deleted"]
    for name in ("source/release_targets", "source/hand_over_targets"):
        graph.write(name, source=mark.source, import_id=mark.import_id)
    graph.write("source/keep_groups", source=mark.source, import_id=mark.import_id)
    for name in ("source/sweep_statements", "source/sweep_targets"):
        written = graph.autocommit(name, source=mark.source, import_id=mark.import_id)
        removed += written.counters["nodes_deleted"]
    _sweep_orphans(graph)
    return removed


@dataclass(frozen=True, slots=True)
class Loss:
    """How much a sweep would remove of what complete imports of a source added.

    Attributes:
        stood: number of triples, sentences and targets that they added.
        lost: how many of them the newest import does not have.
    """

    stood: int
    lost: int


def loss(graph: Graph, mark: Import) -> Loss:
    """What ``sweep`` would remove; records of imports that were never complete do not count."""
    facts = asdict(mark)
    names = ("source/lost_triples", "source/lost_statements", "source/lost_targets")
    rows = [graph.rows(statement(name), **facts)[0] for name in names]
    return Loss(sum(row["stood"] for row in rows), sum(row["lost"] for row in rows))


def stood(source: Mapping[str, Any]) -> int:
    """How many triples, sentences and targets the last complete import of a source had, according to its saved counts."""
    complete = source.get("state") == "complete"
    return total((source.get("counts") if complete else source.get("previous")) or {})


def _sweep_orphans(graph: Graph) -> None:
    graph.autocommit("source/sweep_concepts")
    graph.autocommit("source/sweep_entities")
    graph.write("source/sweep_relations", types=graph_types(graph))


def graph_types(graph: Graph) -> list[str]:
    """The relationship types with at least one triple in the graph."""
    return [
        kind
        for kind in relation_types(graph)
        if graph.rows(statement("source/type_occurs").with_type(kind))[0]["occurs"]
    ]


def names(graph: Graph) -> list[str]:
    """Names of all sources, sorted."""
    return [row["source"]["name"] for row in graph.rows("source/list")]


def imports(graph: Graph) -> dict[str, int]:
    """The number of the newest import of each source."""
    return {source["name"]: int(source.get("generation") or 1) for source in every(graph)}


def find(graph: Graph, name: str) -> dict[str, Any] | None:
    """The properties of one source, as from ``facts``; None if there is no source of that name."""
    return next((source for source in every(graph) if source["name"] == name), None)


def facts(graph: Graph, name: str) -> dict[str, Any]:
    """The properties of one source, with JSON properties decoded.

    Raises:
        NotFound: no source of that name.
    """
    source = find(graph, name)
    if source is not None:
        return source
    raise NotFound("source", name, names(graph), remedy="'harmgraph source list' shows what is loaded")


def triples_of(graph: Graph, name: str, kinds: Iterable[str] | None = None) -> int:
    """How many triples one source has, as its import counted them; 0 while it is not finished.

    Args:
        kinds: relationship types; all by default.

    Raises:
        NotFound: no source of that name.
    """
    counts: dict[str, int] = (facts(graph, name).get("counts") or {}).get("relations", {})
    return sum(counts.values() if kinds is None else (counts.get(kind, 0) for kind in kinds))


def every(graph: Graph) -> list[dict[str, Any]]:
    """The properties of every source."""
    return [_read(row["source"]) for row in graph.rows("source/list")]


def is_list_of_targets(facts: Mapping[str, Any]) -> bool:
    """Whether a source has targets and no statements; posts have both."""
    counts = facts.get("counts") or {}
    return bool(counts.get("targets")) and total(counts) == counts["targets"]


def drop(graph: Graph, name: str) -> int:
    """Removes a source and everything that came only from it.

    Returns:
        Number of triples, sentences and targets removed.

    Raises:
        NotFound: no source of that name.
    """
    facts(graph, name)
    entity_names.forget(graph, name)
    removed = sweep(graph, Import(name, ""))
    graph.write("source/forget_change", source=name)
    graph.write("source/forget", name=name)
    graph.write("link/stale_lists")
    return removed


def _read(source: dict[str, Any]) -> dict[str, Any]:
    json_properties: Iterable[str] = ("counts", "previous", "options", "summary")
    read = source | {name: from_json(source[name]) for name in json_properties if source.get(name)}
    if "counts" in read:
        # Everywhere else a triple and a sentence are both statements.
        read["counts"]["statements"] = total({**read["counts"], "targets": 0})
    return read


def difference(graph: Graph, source: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the newest import changed compared with the previous one.

    Args:
        source: the properties of the source (``facts``).

    Returns:
        One row per relation (``relation``, its name, ``before``, ``after``, ``added``, ``removed``), sentences as
        ``(sentences)``, and ``(all)`` last.
    """
    mark = Import(source["name"], source["import_id"], source.get("generation") or 1)
    before = dict(source.get("previous", {}).get("relations", {}))
    rows = []
    now = {row["type"]: row for row in graph.rows("source/triple_counts", source=mark.source, since=mark.since)}
    named = source.get("previous", {}).get("names", {}) | relation_names(graph)
    for kind in sorted({*now, *before}):
        row = now.get(kind, {"triples": 0, "added": 0})
        rows.append(_change(named.get(kind, kind), before.get(kind, 0), row["triples"], row["added"]))
    sentences = graph.rows("source/statement_counts", **asdict(mark))[0]
    sentences_before = source.get("previous", {}).get("sentences", 0)
    if sentences["statements"] or sentences_before:
        rows.append(_change("(sentences)", sentences_before, sentences["statements"], sentences["added"]))
    total = {name: sum(row[name] for row in rows) for name in ("before", "after", "added", "removed")}
    return [*rows, {"relation": "(all)", **total}]


def _change(relation: str, before: int, after: int, added: int) -> dict[str, Any]:
    return {
        "relation": relation,
        "before": before,
        "after": after,
        "added": added,
        "removed": before + added - after,
    }

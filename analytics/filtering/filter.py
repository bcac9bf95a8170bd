"""Leaves out statements with a harm label: Mehrabi et al. 2021, section 4.3 and figure 7.

A statement that is neutral by every given measure is kept. A statement without a target and without a label is kept too, and
counted. A statement with a target and without a label is an error, because it has not been judged.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pvariance
from typing import Any

from harmgraph.common.errors import BadName, InputError
from harmgraph.common.progress import progress
from harmgraph.common.scorer import NEUTRAL
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.contents.sentence_targets import NOT_YET, SEARCHED
from harmgraph.graph.records import Concept, Entity, Statement, Triple
from harmgraph.graph.schema import LABEL_SUFFIXES, WAS

TELL_EVERY = 5_000


@dataclass(frozen=True, slots=True)
class FilteredStatement:
    """One statement of the source.

    Attributes:
        head, relation, tail: the parts of a triple; for a sentence its topic, an empty text and the sentence.
        labels: labels by measure.
        targets: its targets, without repetitions.
        key: the key of a sentence in the graph; empty for a triple.
    """

    head: str
    relation: str
    tail: str
    record: Triple | Statement
    labels: Mapping[str, str | None]
    targets: tuple[str, ...]
    key: str = ""

    def stays(self, keep: Collection[str]) -> bool:
        """Whether the statement is kept: all its labels are in ``keep``."""
        return all(label is None or label in keep for label in self.labels.values())


@dataclass(frozen=True, slots=True)
class Neutrality:
    """Mean and population variance over targets of the percentage of neutral statements (NSM, NSV of sentiment)."""

    targets: int
    mean: float | None
    variance: float | None


@dataclass(frozen=True, slots=True)
class Filtered:
    """The result of filtering.

    Attributes:
        before, kept: number of statements before and after.
        unlabelled: number of kept statements without a label, which have no target.
        relations, targets: statements before and after, by relation (empty for sentences) and by target.
        lost: targets without any statement left.
        neutral: by measure, before and after.
    """

    before: int
    kept: int
    unlabelled: int
    relations: Mapping[str, tuple[int, int]]
    targets: Mapping[str, tuple[int, int]]
    lost: tuple[str, ...]
    neutral: Mapping[str, tuple[Neutrality, Neutrality]]


@dataclass(slots=True)
class _Tally:
    relations: Counter[str] = field(default_factory=Counter)
    targets: Counter[str] = field(default_factory=Counter)
    neutral: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def note(self, row: FilteredStatement) -> None:
        self.relations[row.relation] += 1
        for target in row.targets:
            self.targets[target] += 1
            for measure, label in row.labels.items():
                self.neutral[measure][target] += label == NEUTRAL

    def neutrality(self, measure: str) -> Neutrality:
        shares = [100 * self.neutral[measure][target] / count for target, count in self.targets.items()]
        return Neutrality(len(shares), fmean(shares) if shares else None, pvariance(shares) if shares else None)


def rows(graph: Graph, source: str, measures: Sequence[str]) -> Iterator[FilteredStatement]:
    """The statements of a source, in the order of the store.

    Raises:
        NotFound: there is no source of that name, or a measure labels no statement.
    """
    facts = sources.facts(graph, source)
    for measure in measures:
        known_measure(graph, measure)
    counts = facts.get("counts", {})
    parameters = {"source": source, "measures": list(measures)}
    if counts.get("relations"):
        targets_of = {(row["key"], row["is_concept"]): row["targets"] for row in graph.rows("filter/names")}
        for values in graph.stream("filter/triples", **parameters):
            head, head_key, head_is_concept, head_name, relation = values[:5]
            tail, tail_key, tail_is_concept, tail_name, assertion, properties, labels = values[5:]
            triple = Triple(
                _node(head, head_key, head_is_concept, head_name),
                relation,
                _node(tail, tail_key, tail_is_concept, tail_name),
                assertion,
                _own(properties, measures),
            )
            ends = ((head_key, head_is_concept), (tail_key, tail_is_concept))
            targets = [name for end in ends for name in targets_of.get(end, ())]
            yield FilteredStatement(
                head, relation, tail, triple, dict(zip(measures, labels, strict=True)), _once(targets)
            )
    if counts.get("statements"):
        for text, term, properties, labels, targets in graph.stream("filter/statements", **parameters):
            sentence = Statement(text, term, _own(properties, measures))
            yield FilteredStatement(
                term, "", text, sentence, dict(zip(measures, labels, strict=True)), _once(targets), properties["key"]
            )


def filtered(
    graph: Graph,
    source: str,
    measures: Sequence[str],
    keep: Sequence[str],
    take: Callable[[FilteredStatement], None],
) -> Filtered:
    """Passes each kept statement to ``take`` and counts what was kept and removed.

    Args:
        keep: the labels to keep.

    Raises:
        NotFound: there is no source of that name, or a measure labels no statement.
        InputError: statements about targets have no label of a measure.
    """
    before, after = _Tally(), _Tally()
    unlabelled, missing = 0, Counter[str]()
    total = sources.triples_of(graph, source)
    for number, row in enumerate(rows(graph, source, measures), 1):
        if number % TELL_EVERY == 0:
            progress("filtering", number, max(total, number))
        before.note(row)
        without = [measure for measure, label in row.labels.items() if label is None]
        if without and row.targets:
            missing.update(without)
            continue
        if row.stays(keep):
            unlabelled += bool(without)
            after.note(row)
            take(row)
    if missing:
        counts = ", ".join(f"{count:,} of {measure}" for measure, count in sorted(missing.items()))
        raise InputError(
            f"statements about targets carry no label ({counts})",
            where=source,
            remedy=f"label them first: harmgraph label vader --source {source}, and the scorers of the other measures",
        )
    return Filtered(
        before=before.relations.total(),
        kept=after.relations.total(),
        unlabelled=unlabelled,
        relations={name: (count, after.relations[name]) for name, count in before.relations.most_common()},
        targets={name: (count, after.targets[name]) for name, count in before.targets.most_common()},
        lost=tuple(sorted(name for name in before.targets if not after.targets[name])),
        neutral={measure: (before.neutrality(measure), after.neutrality(measure)) for measure in measures},
    )


def line_of(row: FilteredStatement, form: str) -> str:
    """A statement as a line of a format that ``harmgraph load`` reads.

    Raises:
        BadName: the format cannot hold the statement.
    """
    record = row.record
    if isinstance(record, Statement):
        if form != "genericskb":
            raise BadName("format", form, "holds triples, and this source has sentences: take genericskb")
        return f"{row.head}\t{row.tail}"
    if form == "genericskb":
        raise BadName("format", form, "holds sentences, and this source has triples: take triples")
    weight = record.properties.get("weight")
    last = [] if weight is None else [repr(weight)]
    if form == "conceptnet100k":
        return "\t".join([row.relation, row.head, row.tail, *last])
    if form == "triples":
        return "\t".join([row.head, row.relation, row.tail, *last])
    return "\t".join(_conceptnet(row, record))


FORMATS = ("triples", "conceptnet100k", "conceptnet", "genericskb")


def _conceptnet(row: FilteredStatement, triple: Triple) -> list[str]:
    """The five columns of ConceptNet 5.7's dump."""
    relation = row.relation if row.relation.startswith("/r/") else f"/r/{row.relation.replace(' ', '_')}"
    ends = [f"/c/{end.key.replace(' ', '_')}" for end in (triple.head, triple.tail)]
    uri = triple.assertion if triple.assertion.startswith("/a/") else f"/a/[{relation}/,{ends[0]}/,{ends[1]}/]"
    return [uri, relation, *ends, json.dumps({"weight": 1.0, **triple.properties}, sort_keys=True)]


def _node(text: str, key: str, is_concept: bool, name: str | None) -> Concept | Entity:
    return Concept(text, key.partition("/")[0]) if is_concept else Entity(key, name or "")


def _once(targets: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(targets))


_MARKS = frozenset(("source", "import_id", "since", "assertion", "sentence", "key", "text", "term"))


def own_names(names: Collection[str], measures: Sequence[str] = ()) -> list[str]:
    """Names of the properties that come from the source itself, without those of the import and of labels."""
    labels = {measure for measure in names if any(f"{measure}{end}" in names for end in LABEL_SUFFIXES)}
    left_out = {*_MARKS, *measures, *labels, *(f"{label}{end}" for label in labels for end in (*LABEL_SUFFIXES, WAS))}
    return [name for name in names if name not in left_out]


def _own(properties: Mapping[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    own = {name: properties[name] for name in own_names(properties, measures)}
    # A copy of a sentence has no links yet: its targets are found in it when it is linked.
    return own | {SEARCHED: NOT_YET} if SEARCHED in own else own

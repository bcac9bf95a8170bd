"""Writes the triples of a source as another source, as events in the common form (Fang et al. 2021, section 4.2).

What was loaded as it was written is aligned. Of the forms that a tail of xWant, oWant or xNeed may have, with and without
``want to`` or ``need to``, the one that another source has is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import BadName, InputError
from harmgraph.common.event_relations import relation_name
from harmgraph.common.progress import progress
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Triple
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.loader.formats.event_triples import PROPERTIES, check_verb_phrases, has_clause
from harmgraph.loader.formats.events import Aligned, align, align_phrases, forms
from harmgraph.loader.formats.importer import LeftOut
from harmgraph.loader.formats.terms import ENGLISH, event

IMPORTER = "align"
ALIGNED = "aligned"
WITHOUT_SUBJECT = ("conceptnet", "conceptnet100k", "conceptnet-events", "knowlywood")
"""Importers of knowledge bases whose events have no subject."""
OF_CONCEPTNET = ("Causes", "HasSubEvent")
"""The relations of ConceptNet that are between events (section 4.1)."""
TOGETHER = 2_000  # triples whose tails are looked up at once


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """What an alignment did.

    Attributes:
        source: the name of the aligned source.
        read: triples of the source that was aligned.
        triples: triples of the aligned source; several that become equal are one.
        left_out: triples that were left out, by reason.
        shortened: tails whose shorter form the other source has, and not the longer one.
    """

    source: str
    read: int
    triples: int
    shortened: int
    left_out: Mapping[str, int] = field(default_factory=dict)


def align_source(graph: Graph, source: str, name: str, *, to: str | None = None, longest: int = 10) -> AlignmentReport:
    """Writes a source aligned under another name. Repeating it changes nothing; memory does not grow with the source.

    Args:
        name: of the aligned source.
        to: the source whose events decide between the forms of a tail; None keeps the longest form.
        longest: most words of an event; 0 for any.

    Raises:
        NotFound: no source of that name.
        BadName: the name is that of a source that was loaded from files.
        InputError: nothing of the source is an event.
        Busy: another command is changing the graph.
    """
    if name in (source, to):
        raise BadName("source", name, "cannot be aligned into itself: choose another name")
    schema_setup.apply(graph)
    facts = sources.facts(graph, source)
    goal = sources.facts(graph, to) if to else {}
    with graph.holding(f"align {source} into {name}"):
        sources.replaceable(graph, name, IMPORTER)
        options = {"of": source, "to": to, "longest": longest}
        identity = _identity(options, facts.get("import_id"), goal.get("import_id"))
        mark, import_facts = sources.derived(graph, name, identity, facts, importer=IMPORTER, options=options)
        importer = str(facts.get("importer") or "").partition("@")[0]
        aligning = _Aligning(graph, importer, to, longest)
        with ImportRun(graph, mark, import_facts, properties=(*PROPERTIES, "weight", "split"), phrase=phrase) as run:
            for triple in aligning.triples(source):
                run.add(triple)
                if aligning.read % TOGETHER == 0:
                    progress(f"aligning {source}", aligning.read)
            if not aligning.kept:
                reasons = ", ".join(f"{count:,} {reason}" for reason, count in aligning.left_out.most_common())
                raise InputError(
                    f"none of the {aligning.read:,} triples of {source} is between events ({reasons})", where=source
                )
            outcome = run.complete({"read": aligning.read, "records": aligning.kept, **aligning.left_out}, {})
    return AlignmentReport(name, aligning.read, outcome.counts.total, aligning.shortened, dict(aligning.left_out))


class _Aligning:
    def __init__(self, graph: Graph, importer: str, to: str | None, longest: int) -> None:
        self._graph = graph
        self._without_subject = importer in WITHOUT_SUBJECT
        self._to = to
        self._longest = longest
        self.read = 0
        self.kept = 0
        self.shortened = 0
        self.left_out: Counter[str] = Counter()

    def triples(self, source: str) -> Iterator[Triple]:
        """The aligned triples of a source."""
        aligned_rows = self._aligned(source)
        while rows := list(islice(aligned_rows, TOGETHER)):
            known = self._known([aligned for aligned, _ in rows])
            for aligned, properties in rows:
                tail = aligned.tail(known.__contains__ if known else None)
                self.shortened += tail != aligned.tails[0]
                self.kept += 1
                ends = event(aligned.head, ENGLISH, "head"), event(tail, ENGLISH, "tail")
                yield Triple(ends[0], aligned.relation, ends[1], properties=properties)

    def _aligned(self, source: str) -> Iterator[tuple[Aligned, dict[str, Any]]]:
        for head, name, tail, _, _, weight, more in self._graph.stream("source/export_triples", source=source):
            self.read += 1
            texts = [_text(key) for key in (head, tail)]
            if None in texts:
                self.left_out["end that is not an English concept"] += 1
                continue
            try:
                aligned = self._form(str(texts[0]), name, str(texts[1]), aligned_already="head_text" in more)
            except LeftOut as left:
                self.left_out[left.reason] += 1
                continue
            said = {"head_text": more.get("head_text", texts[0]), "tail_text": more.get("tail_text", texts[1])}
            values = said | {"weight": weight, "split": more.get("split")}
            yield aligned, {key: value for key, value in values.items() if value is not None}

    def _form(self, head: str, name: str, tail: str, *, aligned_already: bool) -> Aligned:
        relation = relation_name(name.removeprefix("/r/"))
        if aligned_already:
            return Aligned(head, relation or name, forms(tail, relation or name))
        if relation is None or (self._without_subject and relation not in OF_CONCEPTNET):
            raise LeftOut("relation that is not between events")
        if has_clause(head) or has_clause(tail):
            raise LeftOut("event with a clause")
        if self._without_subject:
            check_verb_phrases(head, tail)
            return align_phrases(head, relation, tail, longest=self._longest)
        return align(head, relation, tail, longest=self._longest)

    def _known(self, rows: Sequence[Aligned]) -> set[str]:
        """The forms of tails that the other source has, of those triples whose tail has several."""
        if self._to is None:
            return set()
        keys = {
            f"{ENGLISH}/{tail.lower()}": tail for aligned in rows if len(aligned.tails) > 1 for tail in aligned.tails
        }
        standing = self._graph.rows("source/standing_keys", keys=sorted(keys), source=self._to) if keys else []
        return {keys[row["key"]] for row in standing}


def _text(key: str) -> str | None:
    language, slash, text = key.partition("/")
    return text if slash and language == ENGLISH else None


def _identity(options: Mapping[str, Any], *imports: object) -> str:
    return facts_digest([options, *map(str, imports)], 8)

"""The positives: triples of events of the sources, each in one split, without those that a model will be evaluated on.

They are in memory, as are the triples of the evaluation files: a negative must not be one of them. The eventuality graph, which
is a hundred times as large, never is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.errors import InputError
from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.progress import progress
from harmgraph.common.user_file import short_digest
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.models.population.evaluation import Seen
from harmgraph.models.population.examples import TripleExample, read_file
from harmgraph.models.population.training_data.data import OF_TYPE, SPLITS, Ends, split_of

TRIPLES = "population/triples"
TELL_EVERY = 20_000
WRITTEN = 10_000  # relationships of one statement
TRAINED_ON = ("train", "valid")
"""The splits without triples of evaluation files: valid decides when a training ends, so a model is fitted to it too."""


@dataclass(frozen=True, slots=True)
class TriplePlace:
    """Where a triple belongs.

    Attributes:
        source: the first source, by its name, of those that have the triple in this split.
    """

    split: str
    source: str


@dataclass(frozen=True, slots=True)
class Positives:
    """What the sources say.

    Attributes:
        places: every triple, in the order of head, relation and tail.
        read: triples read, by source.
        imports: the import of each source.
    """

    places: Mapping[Ends, TriplePlace]
    read: Mapping[str, int]
    imports: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A file of triples that models are evaluated on.

    Attributes:
        name: of the file, without its folder.
        digest: the first digits of its SHA-256.
        triples: those of the 18 relations, whatever their label.
        examples: the same as the file has them, with their splits.
        other_relations: rows of other relations.
    """

    name: str
    digest: str
    triples: frozenset[Ends]
    examples: tuple[TripleExample, ...] = ()
    other_relations: int = 0


@dataclass(frozen=True, slots=True)
class Novelty:
    """How many nodes of an evaluation file a model has not seen (Fang et al. 2021, table 5: "% Novel Nodes").

    Attributes:
        split: the split that the file names; empty if it names none.
        nodes: different heads and tails.
        novel: those that stand in no positive of train.
    """

    split: str
    nodes: int
    novel: int


@dataclass(frozen=True, slots=True)
class Removed:
    """How many triples of an evaluation file the sources have.

    Attributes:
        train, valid: those that were removed.
        in_test: those that stay, because nothing is trained on them.
        novelty: of each split of the file.
    """

    file: str
    digest: str
    triples: int
    other_relations: int
    train: int
    valid: int
    in_test: int
    novelty: tuple[Novelty, ...]


def read_positives(graph: Graph, names: Iterable[str]) -> Positives:
    """Reads the triples of events of the sources.

    A triple that several sources have, or GLUCOSE for several sentences, is one triple, in the first of its splits (train, valid,
    test): so no triple to test on is trained on, and the other triples of its sentence stay where they are.

    Raises:
        NotFound: no source of that name.
        InputError: a source is not finished loading, or none has a triple of events.
    """
    ranks: dict[Ends, tuple[int, str]] = {}
    read: dict[str, int] = {}
    texts: dict[str, str] = {}  # each text once: a head has many triples
    imports = {}
    wanted = sorted(set(names))
    done, total = 0, _triples(graph, wanted)
    for name in wanted:
        imports[name] = complete_source(graph, name)
        read[name] = 0
        for ends, split, _ in _rows(graph, name):
            head, relation, tail = ends
            kept = texts.setdefault(head, head), relation, texts.setdefault(tail, tail)
            rank = SPLITS.index(split), name
            ranks[kept] = min(rank, ranks.get(kept, rank))
            read[name] += 1
            done += 1
            if done % TELL_EVERY == 0:
                progress("reading triples", done, max(done, total))
    progress("reading triples", done, done)
    if not ranks:
        raise InputError(
            f"no triple of events in {' and '.join(sorted(read))}",
            remedy="load ATOMIC, ATOMIC 2020, GLUCOSE or the events of ConceptNet: 'harmgraph load --help' lists the importers",
        )
    return Positives(
        {ends: TriplePlace(SPLITS[rank], source) for ends, (rank, source) in sorted(ranks.items())}, read, imports
    )


def complete_source(graph: Graph, name: str) -> str:
    """The import of a source.

    Raises:
        NotFound: no source of that name.
        InputError: it is not finished loading.
    """
    facts = sources.facts(graph, name)
    if facts.get("state") != "complete":
        raise InputError(f"the source {name!r} is not finished loading", remedy="run its load again")
    return str(facts.get("import_id") or "")


def _triples(graph: Graph, names: Iterable[str]) -> int:
    """How many triples of the 18 relations the sources have."""
    return sum(sources.triples_of(graph, name, OF_TYPE) for name in names)


def _rows(graph: Graph, source: str) -> Iterator[tuple[Ends, str, str]]:
    """Each triple of a source, the split that it would have if no other were equal to it, and its element id."""
    for element_id, head, kind, tail, sentence in graph.stream(TRIPLES, source=source):
        ends = head, OF_TYPE[kind], tail
        yield ends, split_of(*ends, sentence or ""), element_id


def read_evaluation(path: Path) -> Evaluation:
    """Reads a file that a populator can be evaluated on, in any form of ``examples.read_file``.

    Texts are compared in normal form, so the capitals of PersonX do not matter.

    Raises:
        UnreadableFile: as ``read_file``.
    """
    examples = read_file(path)
    known = tuple(example for example in examples if example.relation in RELATIONS)
    triples = frozenset((example.head, example.relation, example.tail) for example in known)
    return Evaluation(path.name, short_digest(path), triples, known, len(examples) - len(known))


def decontaminated(
    positives: Positives, evaluations: Sequence[Evaluation]
) -> tuple[dict[Ends, TriplePlace], tuple[Removed, ...]]:
    """The positives without those of train and valid that stand in an evaluation file, and what was removed for each file.

    A triple in two files counts for both.
    """
    judged = frozenset[Ends]().union(*(evaluation.triples for evaluation in evaluations))
    kept = {
        ends: place for ends, place in positives.places.items() if place.split not in TRAINED_ON or ends not in judged
    }
    seen = Seen(TripleExample(*ends) for ends, place in kept.items() if place.split == "train")
    removed = []
    for evaluation in evaluations:
        splits = [positives.places[ends].split for ends in evaluation.triples if ends in positives.places]
        removed.append(
            Removed(
                evaluation.name,
                evaluation.digest,
                len(evaluation.triples),
                evaluation.other_relations,
                splits.count("train"),
                splits.count("valid"),
                splits.count("test"),
                _novelty(seen, evaluation.examples),
            )
        )
    return kept, tuple(removed)


def _novelty(seen: Seen, examples: Sequence[TripleExample]) -> tuple[Novelty, ...]:
    by_split: defaultdict[str, list[TripleExample]] = defaultdict(list)
    for example in examples:
        by_split[example.split].append(example)
    counts = {split: seen.novelty(some) for split, some in sorted(by_split.items())}
    return tuple(Novelty(split, nodes, novel) for split, (novel, nodes) in counts.items())


def write_splits(graph: Graph, names: Iterable[str], kept: Mapping[Ends, TriplePlace]) -> int:
    """Writes ``population_split`` of each triple of the sources; a triple that an evaluation file has loses it.

    Raises:
        Busy: another command is changing the graph.
    """
    wanted = sorted(set(names))
    done, total = 0, _triples(graph, wanted)

    def write(rows: list[list[str | None]]) -> None:
        nonlocal done
        graph.write_in_parts("population/write_split", rows=rows)
        done += len(rows)
        progress("writing splits", done, max(done, total))

    with graph.holding("population data"):
        for name in wanted:
            rows: list[list[str | None]] = []
            for ends, _, element_id in _rows(graph, name):
                place = kept.get(ends)
                rows.append([element_id, place.split if place else None])
                if len(rows) == WRITTEN:
                    write(rows)
                    rows = []
            if rows:
                write(rows)
    return done

"""Makes the data: positives, splits, decontamination, negatives, candidates, and the folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.progress import progress
from harmgraph.common.version import VERSION
from harmgraph.graph.connection import Graph
from harmgraph.models.population.training_data.candidates import MOST, Candidates, find_candidates
from harmgraph.models.population.training_data.data import (
    CANDIDATES,
    SPLITS,
    TEST_SET,
    Ends,
    LabelledTriple,
    check_folder,
    write_data,
)
from harmgraph.models.population.training_data.negatives import Negatives, Recipe, draw_negatives
from harmgraph.models.population.training_data.positives import (
    Evaluation,
    TriplePlace,
    complete_source,
    decontaminated,
    read_evaluation,
    read_positives,
    write_splits,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asks for.

    Attributes:
        sources: commonsense sources.
        graph: eventuality source for candidates; empty for none.
        evaluations: files whose triples are not trained on.
        candidates: candidates of each class.
        properties: whether to write the splits into the graph too.
    """

    sources: tuple[str, ...]
    out: Path
    graph: str = ""
    negatives: Recipe = "paper"
    seed: int = 0
    evaluations: tuple[Path, ...] = ()
    candidates: int = MOST
    properties: bool = False


def make_data(graph: Graph, request: Request) -> dict[str, Any]:
    """Writes a folder of training data; the same graph, options and files give the same bytes.

    Returns:
        The content of ``data.json``.

    Raises:
        NotFound: no source of that name.
        InputError: a source is not finished loading, none has a triple of events, or the folder has other files.
        UnreadableFile: an evaluation file cannot be read.
        NoSpace: the folder cannot be written.
        Busy: another command is changing the graph, which only matters with ``properties``.
    """
    check_folder(request.out)
    imports = {request.graph: complete_source(graph, request.graph)} if request.graph else {}
    evaluations = [read_evaluation(path) for path in request.evaluations]
    positives = read_positives(graph, request.sources)
    kept, removed = decontaminated(positives, evaluations)
    judged = frozenset[Ends]().union(*(evaluation.triples for evaluation in evaluations))
    negatives = draw_negatives(request.negatives, kept, positives.places, judged, seed=request.seed)
    tables = _tables(kept, negatives)
    facts = {
        "harmgraph": VERSION,
        "options": _options(request, evaluations),
        # Where a model with neighbours looks for them.
        "graph": [request.graph] if request.graph else sorted(set(request.sources)),
        "imports": {**positives.imports, **imports},
        "read": dict(positives.read),
        "distinct": len(positives.places),
        "counts": _counts(tables),
        "negatives": {
            "recipe": request.negatives,
            "kinds": negatives.kinds,
            "rejected": negatives.rejected,
            "missing": negatives.missing,
        },
        "evaluation": [asdict(file) for file in removed],
    }
    if request.graph:
        candidates = _candidates(graph, request, positives.places, kept)
        tables[CANDIDATES] = candidates.triples
        facts["candidates"] = {
            "triples": len(candidates.triples),
            "edges": candidates.edges,
            "known_positives": candidates.known,
            "counts": candidates.counts,
        }
    progress("writing tables", 0)
    whole = write_data(request.out, tables, facts)
    if request.properties:
        write_splits(graph, request.sources, kept)
    return whole


def _options(request: Request, evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """The options that decide the content; ``properties`` and the folder do not."""
    return {
        "sources": sorted(set(request.sources)),
        "graph": request.graph or None,
        "negatives": request.negatives,
        "seed": request.seed,
        "evaluation": [evaluation.name for evaluation in evaluations],
        "candidates": request.candidates if request.graph else None,
    }


def _tables(kept: Mapping[Ends, TriplePlace], negatives: Negatives) -> dict[str, tuple[LabelledTriple, ...]]:
    """The rows of each split: by relation, head and tail, positives among negatives."""
    rows: dict[str, list[LabelledTriple]] = {split: [] for split in SPLITS}
    for ends, place in kept.items():
        rows[place.split].append(LabelledTriple(*ends, 1, "" if place.split == "train" else TEST_SET, place.source))
    for triple, split in negatives.triples:
        rows[split].append(triple)
    return {
        split: tuple(sorted(triples, key=lambda row: (RELATIONS.index(row.relation), row.head, row.tail)))
        for split, triples in rows.items()
    }


def _counts(tables: Mapping[str, Iterable[LabelledTriple]]) -> list[dict[str, Any]]:
    """Positives and negatives of each relation, split and source."""
    counted: Counter[tuple[str, str, str, int | None]] = Counter()
    for split, triples in tables.items():
        counted.update((split, row.relation, row.source, row.label) for row in triples)
    groups = sorted(
        {group[:3] for group in counted},
        key=lambda group: (SPLITS.index(group[0]), RELATIONS.index(group[1]), group[2]),
    )
    return [
        {
            "split": split,
            "relation": relation,
            "source": source,
            "positives": counted[split, relation, source, 1],
            "negatives": counted[split, relation, source, 0],
        }
        for split, relation, source in groups
    ]


def _candidates(
    graph: Graph, request: Request, known: Mapping[Ends, TriplePlace], kept: Mapping[Ends, TriplePlace]
) -> Candidates:
    nodes = {text for head, _, tail in known for text in (head, tail)}
    tested = Counter(relation for (_, relation, _), place in kept.items() if place.split == "test")
    # A small graph may have nothing to test on; then the relations of all positives decide.
    shares = tested or Counter(relation for _, relation, _ in known)
    return find_candidates(graph, request.graph, nodes, known, shares, most=request.candidates, seed=request.seed)

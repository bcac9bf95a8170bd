"""Proposes triples: draws pairs, lets a trained populator score them, and writes the best into the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from harmgraph.common.errors import InputError
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.models.population import named_populator
from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.neighbours import text_of
from harmgraph.models.population.proposing.drawing import Draw, NewPairs, draw, type_of
from harmgraph.models.population.proposing.proposals import (
    PROPERTIES,
    PROPOSER,
    Proposal,
    digest,
    digest_of,
    record,
    source_of,
    standing,
)

DIGITS = 6  # of a score: what differs behind them is the order of sums


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalReport:
    """What a run proposed.

    Attributes:
        source: name of the source of the proposals.
        heads: events whose pairs were scored. scored: pairs.
        standing: pairs that were drawn and not scored, because a source or another proposal has them.
        below: pairs whose score is under the least one.
        proposed: proposals of this run. in_all: proposals of the model.
        named: of those of this run, how many name a target.
        removed: proposals of an earlier or interrupted run that were removed.
        best, least: scores of this run's proposals.
        said: what the user must know, a line each.
    """

    source: str
    relation: str
    heads: int
    scored: int
    standing: int
    below: int
    proposed: int
    named: int
    in_all: int
    removed: int
    best: float
    least: float
    said: tuple[str, ...] = ()


def propose(
    graph: Graph,
    model: str,
    wanted: Draw,
    *,
    min_score: float = 0.5,
    device: str = "auto",
    threads: int = 0,
) -> ProposalReport:
    """Proposes triples of a relation. The same graph, model and options give the same; other runs' proposals stay.

    Nothing is written before all is scored; a run that was killed while writing is completed by the same run.

    Args:
        threads: CPU threads; 0 for torch's.

    Raises:
        UnknownMember: no trained populator of that name.
        UnreadableFile: a file of it is missing or damaged.
        InputError: its training is not finished, the graph is empty, there is no new pair, none is good enough, or proposals
            of another training under the same name stand.
        NotFound: no such relation, event, target, or source of its neighbours.
        Busy: another command is changing the graph.
    """
    known = named_populator.ready(model)
    schema_setup.apply(graph)
    kind = type_of(graph, wanted.relation)
    options = asdict(wanted) | {"relation": kind, "min_score": min_score}
    request = digest(known.identity, options)
    name = source_of(model)
    with graph.holding(f"propose {wanted.relation} with {model}"):
        facts = sources.find(graph, name) or {}
        before = _checked(facts, model, known.identity)
        old = {(each.head, each.type, each.tail): each for each in standing(graph, model)}
        others = sorted({*before} - {request})
        pairs = draw(graph, replace(wanted, relation=kind), others)
        if not pairs.pairs:
            raise InputError(
                f"there is no new pair to score: {pairs.standing:,} that were drawn stand already",
                where=pairs.relation,
                remedy="choose another --seed, --around or --target, or more --tails",
            )
        scores, said = _scores(graph, model, pairs, device, threads)
        fresh = [
            Proposal(head, pairs.relation, kind, tail, score, model, request, rejected=_rejected(old, head, kind, tail))
            for (head, tail), score in zip(pairs.pairs, scores, strict=True)
            if score >= min_score
        ]
        if not fresh:
            raise InputError(
                f"none of {len(scores):,} pairs reaches the score {min_score:g}; the best has {max(scores):.3f}",
                where=pairs.relation,
                remedy="choose a lower --min-score, or score more pairs with --limit",
            )
        kept = [each for each in old.values() if each.request != request and each.request in before]
        # A run of before the interruption may have been written in part: only complete runs are known by the source.
        requests = {**before, request: options}
        outcome = _write(graph, name, known.identity, model, [*kept, *fresh], requests)
        about = sum(each.named for each in standing(graph, model) if each.request == request)
    shown = [each.score for each in fresh]
    return ProposalReport(
        source=name,
        relation=pairs.relation,
        heads=pairs.heads,
        scored=len(scores),
        standing=pairs.standing,
        below=len(scores) - len(fresh),
        proposed=len(fresh),
        named=about,
        in_all=len(kept) + len(fresh),
        removed=outcome,
        best=max(shown),
        least=min(shown),
        said=tuple(said),
    )


def _checked(facts: dict[str, object], model: str, identity: str) -> dict[str, object]:
    """The complete runs of the source, by their digests."""
    if not facts:
        return {}
    if not str(facts.get("importer") or "").startswith(PROPOSER):
        raise InputError(
            "a source of this name was loaded from files", where=source_of(model), remedy="drop it, or rename the model"
        )
    options, summary = facts.get("options"), facts.get("summary")
    if isinstance(options, dict) and options.get("trained") != identity:
        raise InputError(
            "proposals of an earlier training under this name stand in the graph",
            where=model,
            remedy=f"remove them: harmgraph source drop {source_of(model)}",
        )
    requests = summary.get("requests") if isinstance(summary, dict) else None
    return dict(requests) if isinstance(requests, dict) else {}


def _scores(graph: Graph, model: str, pairs: NewPairs, device: str, threads: int) -> tuple[Sequence[float], list[str]]:
    """How plausible each pair is: the logistic function of the model's logit, as in its training."""
    import numpy as np

    examples = [TripleExample(text_of(head), pairs.relation, text_of(tail)) for head, tail in pairs.pairs]
    logits, said = named_populator.logits(model, examples, graph=graph, device=device, threads=threads)
    return np.round(1 / (1 + np.exp(-logits)), DIGITS).tolist(), said


def _rejected(old: dict[tuple[str, str, str], Proposal], head: str, kind: str, tail: str) -> bool:
    proposal = old.get((head, kind, tail))
    return proposal is not None and proposal.rejected


def _write(
    graph: Graph,
    name: str,
    identity: str,
    model: str,
    proposals: Sequence[Proposal],
    requests: dict[str, object],
) -> int:
    """Writes all proposals of a model as one import. Returns how many older ones it removed."""
    import_id = digest(name, identity, digest_of(proposals), sorted(requests))
    options = {"model": model, "trained": identity}
    mark, facts = sources.derived(graph, name, import_id, {}, importer=PROPOSER, options=options)
    with ImportRun(graph, mark, facts, properties=PROPERTIES, phrase=lambda _: "is proposed with") as run:
        for proposal in proposals:
            run.add(record(proposal))
        outcome = run.complete({"records": len(proposals)}, {"requests": requests})
    return outcome.removed

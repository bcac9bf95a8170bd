"""Accepts, rejects and takes back proposals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker, sources
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.records import Triple
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.models.population.proposing.proposals import (
    ACCEPTED,
    UNLABELLED,
    Proposal,
    digest,
    digest_of,
    ends,
    proposing_model,
    source_of,
    standing,
)
from harmgraph.models.population.relations import read_relation

ACCEPTER = "population accept"
MEASURE = "sentiment"
HARMS = ("positive", "neutral", "negative", UNLABELLED)
REJECTED, KNOWN, GONE = "was rejected", "stands in a source by now", "has an event that no source has any more"


@dataclass(frozen=True, slots=True)
class ProposalChoice:
    """Which proposals are meant.

    Attributes:
        min_score, max_score: the least and the highest score.
        harms: harm labels, and ``unlabelled``.
        measure: harm measure.
        relations: in any spelling; all if empty.
    """

    min_score: float = 0.5
    max_score: float = 1.0
    harms: tuple[str, ...] = ("neutral", UNLABELLED)
    measure: str = MEASURE
    relations: tuple[str, ...] = ()

    def why_not(self, proposal: Proposal) -> str:
        """Why a proposal is not meant; empty if it is."""
        if self.relations and read_relation(proposal.relation) not in map(read_relation, self.relations):
            return "is of another relation"
        if proposal.score < self.min_score:
            return f"has a score under {self.min_score:g}"
        if proposal.score > self.max_score:
            return f"has a score over {self.max_score:g}"
        return "" if proposal.harm in self.harms else f"is {proposal.harm}"


@dataclass(frozen=True, slots=True)
class Decision:
    """What accepting or rejecting does.

    Attributes:
        source: of what is accepted, or of the proposals that are rejected.
        chosen: the proposals that are meant.
        left_out: the others, by reason.
        all: every proposal of the model.
        written: False of a dry run.
        again: whether the same stood already.
    """

    model: str
    source: str
    chosen: tuple[Proposal, ...]
    all: tuple[Proposal, ...]
    left_out: dict[str, int] = field(default_factory=dict)
    written: bool = False
    again: bool = False

    def rows(self) -> list[dict[str, object]]:
        """Counts by harm label, by score and by relation, then of what is left out."""
        kept = set(self.chosen)
        rows: list[dict[str, object]] = []
        for by, values in (
            ("harm", [(each, each.harm) for each in self.all]),
            ("score", [(each, _band(each.score)) for each in self.all]),
            ("relation", [(each, each.relation) for each in self.all]),
        ):
            total = Counter(value for _, value in values)
            chosen = Counter(value for each, value in values if each in kept)
            rows += [
                {"by": by, "value": value, "proposals": total[value], "chosen": chosen[value]}
                for value in sorted(total, reverse=by == "score")
            ]
        rows += [
            {"by": "left out", "value": reason, "proposals": count, "chosen": 0}
            for reason, count in sorted(self.left_out.items())
        ]
        return [*rows, {"by": "all", "value": "", "proposals": len(self.all), "chosen": len(self.chosen)}]

    @property
    def unchecked(self) -> int:
        """Chosen proposals about a target that nobody labelled."""
        return sum(each.named and each.label is None for each in self.chosen)


def accept(
    graph: Graph,
    model: str | None = None,
    choice: ProposalChoice | None = None,
    *,
    into: str = "",
    dry_run: bool = False,
) -> Decision:
    """Makes typed relationships of proposals, as a source of its own; the same choice again gives the same graph.

    Args:
        model: None for the only one with proposals.
        into: name of the source; ``population:<model>`` if empty.

    Raises:
        InputError: nothing is proposed or nothing is left, or the source stands with another choice.
        NotFound: the model has proposed nothing, or no label is of the measure.
        BadName: the source was not made by accepting.
        Busy: another command is changing the graph.
    """
    choice = choice or ProposalChoice()
    model = proposing_model(graph, model)
    name = into or f"{ACCEPTED}{model}"
    with graph.holding(f"accept proposals of {model}"):
        other = sources.find(graph, name)
        if other and other.get("importer") != ACCEPTER:
            raise BadName("source", name, "was loaded in another way: choose another name with --into")
        decision = _decide(graph, model, name, choice)
        import_id = digest(name, digest_of(decision.chosen))
        again = other is not None and (other.get("state"), other.get("import_id")) == ("complete", import_id)
        if dry_run:
            return decision
        if not decision.chosen:
            raise _nothing(decision, choice)
        if other and other.get("state") == "complete" and not again:
            raise InputError(
                "other proposals were accepted into this source",
                where=name,
                remedy="take that back first with 'harmgraph population undo', or accept into another with --into NAME",
            )
        options = {"of": source_of(model), "model": model, "into": name}
        mark, facts = sources.derived(graph, name, import_id, {}, importer=ACCEPTER, options=options)
        with ImportRun(graph, mark, facts, properties=("weight",)) as run:
            for proposal in decision.chosen:
                head, tail = ends(proposal)
                run.add(Triple(head, proposal.relation, tail, properties={"weight": proposal.score}))
            run.complete({"records": len(decision.chosen), **decision.left_out}, {})
    return Decision(model, name, decision.chosen, decision.all, decision.left_out, written=True, again=again)


def reject(graph: Graph, model: str | None, choice: ProposalChoice, *, dry_run: bool = False) -> Decision:
    """Marks proposals as rejected: they are not accepted, and stand in the way of the same proposal by another run.

    Raises:
        as ``accept``.
    """
    model = proposing_model(graph, model)
    with graph.holding(f"reject proposals of {model}"):
        decision = _decide(graph, model, "", choice, only_choice=True)
        if not decision.chosen and not dry_run:
            raise _nothing(decision, choice)
        if not dry_run:
            progress("rejecting", 0)
            graph.write("population/reject", ids=[each.id for each in decision.chosen], rejected=True)
    return Decision(model, source_of(model), decision.chosen, decision.all, decision.left_out, written=not dry_run)


def undo(graph: Graph, model: str | None = None, *, into: str = "", rejections: bool = False) -> tuple[str, int]:
    """Takes back what was accepted, or what was rejected. The graph is then as it was before.

    Args:
        into: the source that was accepted into; ``population:<model>`` if empty.

    Returns:
        The source, and how many triples or rejections were taken back.

    Raises:
        InputError: nothing was accepted or rejected.
        BadName: the source was not made by accepting.
        Busy: another command is changing the graph.
    """
    if rejections:
        model = proposing_model(graph, model)
        with graph.holding(f"undo rejections of {model}"):
            ids = [each.id for each in standing(graph, model) if each.rejected]
            if not ids:
                raise InputError("none of its proposals is rejected", where=model, remedy="there is nothing to undo")
            graph.write("population/reject", ids=ids, rejected=False)
        return source_of(model), len(ids)
    name = into or (f"{ACCEPTED}{model}" if model else _only_accepted(graph))
    with graph.holding(f"undo {name}"):
        facts = sources.find(graph, name)
        if facts is None:
            raise InputError("nothing was accepted", where=name, remedy="'harmgraph source list' shows what stands")
        if facts.get("importer") != ACCEPTER:
            raise BadName("source", name, "was not made by 'population accept': 'harmgraph source drop' removes it")
        removed = sources.drop(graph, name)
        linker.link(graph)
    return name, removed


def _only_accepted(graph: Graph) -> str:
    names = [facts["name"] for facts in sources.every(graph) if facts.get("importer") == ACCEPTER]
    if not names:
        raise InputError("nothing was accepted", remedy="'harmgraph source list' shows what stands")
    if len(names) > 1:
        raise InputError("several sources were accepted", remedy=f"choose one with --into: {', '.join(names)}")
    return str(names[0])


def _decide(graph: Graph, model: str, name: str, choice: ProposalChoice, *, only_choice: bool = False) -> Decision:
    proposals = standing(graph, model, measure=choice.measure, accepted=name)
    if not proposals:
        raise InputError("nothing is proposed", where=model, remedy="propose some: harmgraph population propose")
    _check_harms(graph, choice, proposals)
    for relation in choice.relations:
        if read_relation(relation) not in {each.relation for each in proposals}:
            raise NotFound("proposed relation", relation, sorted({each.relation for each in proposals}))
    left_out: Counter[str] = Counter()
    chosen = []
    for proposal in proposals:
        why = choice.why_not(proposal) or _why_not(proposal, only_choice=only_choice)
        if why:
            left_out[why] += 1
        else:
            chosen.append(proposal)
    return Decision(model, name, tuple(chosen), tuple(proposals), dict(left_out))


def _why_not(proposal: Proposal, *, only_choice: bool) -> str:
    if proposal.rejected:
        return REJECTED
    if only_choice:
        return ""
    if not proposal.stands:
        return GONE
    return KNOWN if proposal.known else ""


def _check_harms(graph: Graph, choice: ProposalChoice, proposals: Sequence[Proposal]) -> None:
    """Refuses labels and measures that nothing has; ``unlabelled`` alone needs none.

    Raises:
        InputError: labels are asked for and no proposal carries one.
        NotFound: no such label, or no such measure in the graph.
    """
    labels = {each.label for each in proposals if each.label}
    for harm in choice.harms:
        if harm not in HARMS and harm not in labels:
            raise NotFound("harm label", harm, sorted({*HARMS, *labels}))
    if labels:
        return
    if choice.measure != MEASURE:
        known_measure(graph, choice.measure)
    if UNLABELLED not in choice.harms:
        raise InputError(
            f"none of {len(proposals):,} proposals carries a label of {choice.measure}",
            where=proposals[0].model,
            remedy=f"run 'harmgraph label vader --source {source_of(proposals[0].model)}' first, or add unlabelled to --harm",
        )


def _nothing(decision: Decision, choice: ProposalChoice) -> InputError:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in _most(decision.left_out.items()))
    hint = "choose a lower --min-score or other --harm labels"
    if decision.left_out.get(f"is {UNLABELLED}"):
        hint += f", or label them: harmgraph label vader --source {source_of(decision.model)}"
    if decision.left_out.get(GONE):
        hint += ", or load the dropped source again"
    return InputError(f"none of {len(decision.all):,} proposals is left ({reasons})", where=decision.model, remedy=hint)


def _most(items: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(items, key=lambda item: (-item[1], item[0]))


def _band(score: float) -> str:
    low = min(int(score * 10), 9)
    return f"{low / 10:.1f} to {(low + 1) / 10:.1f}"

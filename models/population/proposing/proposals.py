"""The proposals that stand in the graph: ``PROPOSED`` relationships of the source ``proposed:<model>``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Concept, Triple

PROPOSER = "population propose"
PREFIX = "proposed:"
ACCEPTED = "population:"
NONE_YET = "propose some first: harmgraph population propose --model NAME --relation xWant"
UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed triple.

    Attributes:
        head, tail: keys of events.
        relation: the relation's name. type: the relationship type that it gets when it is accepted.
        score: how plausible the model finds it, 0 to 1.
        request: digest of the run that proposed it.
        id: element id of its relationship; empty before it is written.
        label: harm label; None without.
        named: whether an end names a target.
        stands: whether both ends are in a statement of a source. known: whether a source has the triple.
    """

    head: str
    relation: str
    type: str
    tail: str
    score: float
    model: str
    request: str
    rejected: bool = False
    id: str = ""
    label: str | None = None
    named: bool = False
    stands: bool = True
    known: bool = False

    @property
    def harm(self) -> str:
        """The harm label, or ``unlabelled``."""
        return self.label or UNLABELLED

    def content(self) -> tuple[Any, ...]:
        """What makes it this proposal; that it was rejected was decided afterwards."""
        return (self.head, self.type, self.tail, self.score, self.request)


def source_of(model: str) -> str:
    """Name of the source of a model's proposals."""
    return f"{PREFIX}{model}"


def standing(graph: Graph, model: str, *, measure: str = "sentiment", accepted: str = "") -> list[Proposal]:
    """The proposals of a model, the best first.

    Args:
        accepted: the source of those that were accepted.
    """
    rows = graph.rows("population/proposals", source=source_of(model), measure=measure, accepted=accepted)
    return [Proposal(**row) for row in rows]


def proposing_model(graph: Graph, model: str | None) -> str:
    """The model whose proposals are meant: the only one that has some if None.

    Raises:
        NotFound: it has proposed nothing.
        InputError: nothing is proposed, or several models have proposals and none is named.
    """
    names = [name.removeprefix(PREFIX) for name in sources.names(graph) if name.startswith(PREFIX)]
    if not names:
        raise InputError("nothing is proposed", remedy=NONE_YET)
    if model is None:
        if len(names) > 1:
            raise InputError("several models have proposals", remedy=f"choose one with --model: {', '.join(names)}")
        model = names[0]
    elif model not in names:
        raise NotFound("model with proposals", model, names)
    facts = sources.facts(graph, source_of(model))
    if facts.get("state") != "complete":
        raise InputError(
            "its proposals are not complete: the run was interrupted",
            where=model,
            remedy="run the same 'population propose' again",
        )
    return model


def ends(proposal: Proposal) -> tuple[Concept, Concept]:
    """Head and tail as records."""
    head, tail = (key.partition("/") for key in (proposal.head, proposal.tail))
    return Concept(head[2], head[0], event=True), Concept(tail[2], tail[0], event=True)


def record(proposal: Proposal) -> Triple:
    """The relationship ``PROPOSED``."""
    head, tail = ends(proposal)
    properties = {name: getattr(proposal, name) for name in PROPERTIES} | {"rejected": proposal.rejected or None}
    return Triple(head, "Proposed", tail, proposal.type, properties)


PROPERTIES = ("relation", "score", "model", "request", "rejected")


def digest(*content: Any) -> str:
    """A short digest of plain values."""
    return facts_digest(content, 8)


def digest_of(proposals: Iterable[Proposal]) -> str:
    """A digest of proposals, whatever their order."""
    return digest(sorted(proposal.content() for proposal in proposals))

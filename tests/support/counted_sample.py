"""A graph of two sources whose numbers can be counted by hand."""

from __future__ import annotations

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from tests.support.filling import fill, triple

TARGETS = (
    Target("lawyer", "profession"),
    Target("hairstylist", "profession", aliases=("hairdresser",)),
    Target("judge", "profession"),
    Target("muslim", "religion"),
    Target("nobody", "religion"),
)


def sample(graph: Graph) -> Graph:
    """Fills and labels an empty graph."""
    fill(
        graph,
        *TARGETS,
        triple("lawyer", "IsA", "kind person"),
        triple("lawyer", "IsA", "dishonest man"),
        triple("lawyer", "RelatedTo", "court"),
        triple("lawyer", "RelatedTo", "judge"),  # names two targets: counts once for each
        triple("devil", "RelatedTo", "lawyer"),
        triple("hairdresser", "Synonym", "hairstylist"),  # two names of one target: counts once
        triple("hairdresser", "UsedFor", "hair"),
        triple("hairstylist", "RelatedTo", "hairstylist"),  # a loop: counts once
        triple("muslim", "RelatedTo", "mosque"),
        triple("dog", "IsA", "good animal"),  # about no target
        source="kb",
    )
    fill(graph, Statement("Lawyers are awful.", "lawyer"), Statement("Muslims are kind.", "muslim"), source="text")
    label(graph, scorers.get("vader"))
    return graph

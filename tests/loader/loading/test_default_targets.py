"""The default targets are loaded beside other work, and once."""

from __future__ import annotations

from harmgraph.common.progress import receiver
from harmgraph.graph.connection import Graph
from harmgraph.loader.loading import default_targets


def test_they_are_loaded_once_and_show_no_progress_of_their_own(graph: Graph) -> None:
    """What shows progress is the work that needs them: its stage must not be left at one of theirs."""
    told: list[str] = []
    with receiver(lambda stage, done, total=None: told.append(stage)):
        default_targets.ensure(graph)
        (before,) = graph.rows("explore/targets", limit=1)
        default_targets.ensure(graph)
    assert told == []
    assert graph.rows("explore/targets", limit=1) == [before]

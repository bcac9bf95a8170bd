"""Brings a graph of an earlier harmgraph into the form of this one, step by step (``graph.form.steps``)."""

from __future__ import annotations

from harmgraph.common.progress import Tell, quiet
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.linker import link
from harmgraph.graph.form.steps import UpgradeStep, steps
from harmgraph.graph.statements import statement


def missing_steps(graph: Graph) -> tuple[UpgradeStep, ...]:
    """The steps that the graph has not made yet; none for a new graph."""
    form = graph.form()
    return () if form is None else steps()[form:]


def upgrade(graph: Graph, tell: Tell = quiet) -> tuple[UpgradeStep, ...]:
    """Makes the missing steps; one that was killed is made again from its beginning, which changes nothing twice.

    Args:
        graph: opened with ``older=True``.
        tell: called with a line before each step.

    Returns:
        The steps that were made.

    Raises:
        Busy: another command is changing the graph.
        NoSpace: the disk of the embedded server has no room for a step; the steps before it are made.
        GraphError: the database failed; it is safe to run the same command again.
    """
    if not missing_steps(graph):
        return ()
    # Before the lock is held: the constraint of the lock's node would wait for it. A graph without a number gets 0 here.
    schema_setup.apply(graph)
    with graph.holding("db upgrade"):
        missing = missing_steps(graph)  # again: another upgrade may have ended in the meantime
        for step in missing:
            query = statement(step.statement)
            tell(f"step {step.version} of {missing[-1].version}: {query.title.lower()} ...")
            graph.autocommit(query)
            if step == missing[-1]:  # before its number is noted: what is killed here is made again
                link(graph)
            graph.write("schema/set_form", version=step.version)
    return missing

"""The targets that sentences are about, such as samples about nurses: their source brings them as its groups."""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.plan import Plan

TELL_EVERY = 20_000


def targets_of(plan: Plan, *, progress: Progress = silent) -> tuple[Target, ...]:
    """The targets of a plan's sentences, each as the first sentence about it has it, sorted by name; mostly none."""
    if type(plan.importer).target_of is Importer.target_of:
        return ()
    return tuple(sorted(_targets(plan, progress).values(), key=lambda target: target.name))


def own(graph: Graph, source: str) -> tuple[str, ...]:
    """The targets of a source that no list has by name or alias, sorted."""
    return tuple(row["target"] for row in graph.rows("list/own", source=source))


def _targets(plan: Plan, progress: Progress) -> Mapping[str, Target]:
    targets: dict[str, Target] = {}
    options = plan.importer.chosen(plan.options)
    read = 0
    for path in plan.paths:
        with open_lines(path, plan.importer.longest_line) as lines:
            for record in plan.importer.read(lines, options):
                if not isinstance(record, Statement):
                    continue
                if plan.limit and read >= plan.limit:
                    break
                read += 1
                if read % TELL_EVERY == 0:
                    progress(f"targets of {lines.name}", lines.position, lines.size)
                if record.term not in targets:
                    target = plan.importer.target_of(record)
                    if target:
                        targets[record.term] = target
    return targets

"""Targets that sentences are about and that no list in the graph has: a list of their own beside the source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Import, Statement, Target
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.plan import Plan

ENDING = " targets"
MADE = "targets@made"
EVERY = 1_000_000_000  # more targets than a graph has
TELL_EVERY = 20_000


def list_name(source: str) -> str:
    """The name of the list of targets that were made for a source."""
    return f"{source}{ENDING}"


def check(graph: Graph, plan: Plan) -> None:
    """Checks, before anything is written, that the list's name is free.

    Raises:
        BadName: a list that was loaded from a file has it.
    """
    if _makes(plan):
        sources.replaceable(graph, list_name(plan.source), MADE)


def _makes(plan: Plan) -> bool:
    return type(plan.importer).target_of is not Importer.target_of


def make(graph: Graph, plan: Plan) -> tuple[str, ...]:
    """Makes the targets of a plan's sentences that no list of the user's has, by name or alias; call it while holding the graph.

    What other sources bring counts for nothing: the numbers of this one are the same whether they are loaded or not.

    They are the source ``<source> targets``, as any list of targets. Loading the same files again makes the same.

    Returns:
        Their names, sorted.
    """
    if not _makes(plan):
        return ()
    name = list_name(plan.source)
    lists = {one.name for one in graph.target_lists()}
    standing = {
        (text, row["language"])
        for row in graph.rows("explore/targets", limit=EVERY)
        if row["source"] in lists
        for text in (row["target"], *row["aliases"])
    }
    missing = [target for target in _targets(plan).values() if (target.name, target.language) not in standing]
    missing.sort(key=lambda target: target.name)
    if missing or sources.find(graph, name):
        facts = {"importer": MADE, "options": json.dumps({"made_for": plan.source})}
        mark = Import(name, _digest(missing))
        mark = Import(name, mark.import_id, sources.generation(graph, name, mark.import_id))
        with ImportRun(graph, mark, facts) as run:
            for target in missing:
                run.add(target)
            run.complete({"read": len(missing), "records": len(missing)}, {}, triples=False)
    return tuple(target.name for target in missing)


def _targets(plan: Plan) -> Mapping[str, Target]:
    """The targets of the sentences by name, each as the first sentence about it has it."""
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


def _digest(targets: list[Target]) -> str:
    facts = [(target.name, target.category, target.title, target.language) for target in targets]
    return hashlib.blake2b(json.dumps(facts).encode(), digest_size=8).hexdigest()

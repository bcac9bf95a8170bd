"""Compares the store with what an audit expects, before the first step of a job that keeps numbers.

What the store is now is the same on every machine where the same files were loaded with the same options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from harmgraph.analytics.jobs.pinned import Audit, PinnedSource
from harmgraph.common.errors import WrongLine
from harmgraph.common.target_lists import lists_of
from harmgraph.common.version import VERSION
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.basis import labelled_by
from harmgraph.graph.contents.sources import every, is_list_of_targets

if TYPE_CHECKING:
    from harmgraph.analytics.jobs.check import StepCommand
    from harmgraph.analytics.jobs.file import Job


def standing(graph: Graph, sources: Sequence[str], lists: Sequence[str], measures: Sequence[str]) -> Audit:
    """The store as it is now, for these sources, target lists and measures. What it does not have is left out."""
    known = {facts["name"]: facts for facts in every(graph)}
    digests = {one.name: one.digest for one in lists_of(graph.rows("explore/target_lists"))}
    here = [name for name in lists if name in digests]
    with graph.about(here):
        by = {measure: labelled_by(graph, measure, [name for name in sources if name in known]) for measure in measures}
    return Audit(
        sources={name: _source(known[name]) for name in sorted(set(sources)) if name in known},
        targets={name: digests[name] for name in sorted(set(here))},
        measures={measure: by[measure] for measure in sorted(by) if by[measure]},
        harmgraph=VERSION,
    )


def _source(facts: Mapping[str, object]) -> PinnedSource:
    counts = facts.get("counts")
    return PinnedSource(
        importer=str(facts.get("importer") or ""),
        import_id=str(facts.get("import_id") or "") if facts.get("state") == "complete" else "unfinished",
        statements=counts.get("statements") if isinstance(counts, dict) else None,
    )


def differences(job: Job, graph: Graph, *, every_source: bool, noting: bool = False) -> list[WrongLine]:
    """Where the store is another than a job's audit expects: what, expected, found, and what to do; in the order of the file.

    Args:
        every_source: whether numbers are of every source of the store, see ``of_every_source``.
        noting: whether the run goes on all the same, so that nothing needs to be done.
    """
    audit = job.audit
    if audit is None:
        return []
    found = standing(graph, list(audit.sources), list(audit.targets), list(audit.measures))
    wrong: list[WrongLine] = []

    def note(key: tuple[str, ...], what: str, remedy: str) -> None:
        wrong.append(job.place.wrong(("audit", *key), what, "" if noting else f"{remedy}, or run it with --note"))

    for name, source in audit.sources.items():
        here = found.sources.get(name)
        if here is None:
            note(
                ("sources", name),
                f"source {name}: the store has none of that name",
                f"load it with {source.importer or 'its importer'}",
            )
            continue
        for part, called in (("importer", "importer"), ("import_id", "import"), ("statements", "statements")):
            expected, is_now = getattr(source, part), getattr(here, part)
            if expected not in (None, "") and expected != is_now:
                what = f"source {name}: {called}: expected {_shown(expected)}, found {_shown(is_now)}"
                note(("sources", name, part), what, _LOAD[part])
    stand = every(graph)
    more = {facts["name"] for facts in stand if not is_list_of_targets(facts)} - set(audit.sources)
    for name in sorted(more) if every_source and audit.sources else ():
        note(
            ("sources",),
            f"source {name}: expected none, found one that numbers would count",
            "drop it, or name a source",
        )
    for name, digest in audit.targets.items():
        list_now = found.targets.get(name)
        if list_now is None:
            note(("targets", name), f"target list {name}: the store has none of that name", "load it")
        elif list_now != digest:
            what = f"target list {name}: expected {digest[:SHOWN]}, found {list_now[:SHOWN]}"
            note(("targets", name), what, "load the list that the audit names")
    for name in sorted(_other_lists(job, audit, graph)):
        what = f"target list {name}: expected none, found one that numbers would be about"
        note(("targets",), what, "name the lists of the audit, with --targets or in the file with targets = [...]")
    for measure, by in audit.measures.items():
        by_now = found.measures.get(measure, ())
        if by_now != by:
            what = f"measure {measure}: expected by {', '.join(by)}, found {', '.join(by_now) or 'no label'}"
            note(("measures", measure), what, "label with that scorer and version")
    return wrong


SHOWN = 16
"""How many digits of a list's digest a message shows."""
_LOAD = {
    "importer": "load it with that importer",
    "import_id": "load the same files with the same options",
    "statements": "load it again",
}


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value or "nothing")


def _other_lists(job: Job, audit: Audit, graph: Graph) -> set[str]:
    """The target lists that numbers would be about and the audit does not name."""
    stand = {one.name for one in lists_of(graph.rows("explore/target_lists"))}
    named = [name for name in job.targets if name in stand]
    if not audit.targets or (job.targets and not named):  # lists of the job that are not there are noted
        return set()
    with graph.about(named):
        return {one.name for one in graph.target_lists(*audit.sources)} - set(audit.targets)


def of_every_source(commands: Sequence[StepCommand]) -> bool:
    """Whether a step that keeps numbers names no source, so that it counts those of all."""
    return any(command.saves and not command.values.get("source") for command in commands)


def first_measuring(commands: Sequence[StepCommand]) -> int:
    """The place of the first step that keeps numbers. Before it the store must be as expected; 0 where no step keeps any."""
    return next((place for place, command in enumerate(commands) if command.saves), 0)

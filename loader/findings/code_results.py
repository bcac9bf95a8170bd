"""Findings as results for continuous integration, at the lines of their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from harmgraph.common.ci.code_results import CodePlace, CodeResult, CodeRule, CodeState, repository_path
from harmgraph.common.clean_text import one_line
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.export import importer_of
from harmgraph.loader.findings.known import Since
from harmgraph.loader.findings.places import in_order, places

LONGEST = 1_000
"""Characters of a statement in a message; GitHub takes 1 MiB for the summary of a step, and drops a larger one."""
Places = Callable[[Finding], tuple[CodePlace, ...]]


def finding_places(graph: Graph, source: str, files: Sequence[Path], findings: Sequence[Finding]) -> Places:
    """A function that says in which lines of the files of a source a finding stands.

    Args:
        files: those that were loaded; if empty, no finding has a place.

    Raises:
        NotFound: there is no such source.
        InputError: the source was not loaded from files, or a file of it is missing.
        UnreadableFile: a file is not one that was loaded.
    """
    if not files:
        return lambda _: ()
    facts = sources.facts(graph, source)
    importer = importer_of(facts)
    ordered = in_order(importer, facts, files)
    named = {**facts, "files": [repository_path(path) for path in ordered]}
    # One place in a table of all findings of an id: those that differ only in the source's own id share it.
    found: dict[str, dict[CodePlace, None]] = {}
    for number, standing in places(importer, named, ordered, findings).items():
        kept = found.setdefault(findings[number].id, {})
        kept.update(dict.fromkeys(CodePlace(file=place.file, line=place.line) for place in standing))
    return lambda finding: tuple(found.get(finding.id, ()))


def listed_results(findings: Iterable[Finding], places_of: Places) -> list[CodeResult]:
    """Findings that are compared with nothing, each id once."""
    distinct: dict[str, Finding] = {}
    for finding in findings:
        distinct.setdefault(finding.id, finding)
    return [_result(finding, places_of(finding), "") for finding in distinct.values()]


def known_results(since: Since, places_of: Places, *, fails: bool) -> list[CodeResult]:
    """The new, the changed and the known findings; resolved ones stand nowhere any longer.

    Args:
        fails: whether a new one is an error.
    """
    results = []
    for change in since.changes:
        if change.now is None:
            continue
        state: CodeState = "new" if change.state == "new" else "updated"
        before = change.before.label if change.before else ""
        results.append(_result(change.now, places_of(change.now), state, fails=fails, before=before))
    return [*results, *(_result(finding, places_of(finding), "unchanged") for finding in since.kept)]


def _result(
    finding: Finding, places: tuple[CodePlace, ...], state: CodeState, *, fails: bool = False, before: str = ""
) -> CodeResult:
    score = "" if finding.score is None else f" {finding.score:.2f}"
    was = f", was {before}" if before and before != finding.label else ""
    label = finding.label or "without a label"
    statement = one_line(finding.said)
    if len(statement) > LONGEST:
        statement = statement[:LONGEST].rstrip() + "…"
    said = f"{statement}: {label}{was} ({finding.measure}{score} by {finding.by or 'unknown'})"
    return CodeResult(
        rule=CodeRule(
            id=f"{finding.measure}/{finding.label or 'none'}",
            title=f"A statement about a group is {label}",
            text=(
                f"A scorer reads this statement about a group of people as {label} by the measure {finding.measure}. "
                "A label says how a sentence reads, not what is true. A scorer is sometimes wrong: look at the statement."
            ),
        ),
        id=finding.id,
        message=one_line(said),
        level="error" if fails and state == "new" else "note" if state == "unchanged" else "warning",
        state=state,
        places=places,
        properties={"measure": finding.measure, "label": finding.label, "score": finding.score, "by": finding.by},
    )

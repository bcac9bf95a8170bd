"""Writes findings as the maintainers of their knowledge base take corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.common.version import VERSION
from harmgraph.common.whole_file import written
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.measures import known_measure
from harmgraph.loader.corrections.form import Corrections, Finding, NotHandedBack, StatementPlace
from harmgraph.loader.findings.choosing import FindingChoice, Keys, chosen, labelled
from harmgraph.loader.findings.places import in_order, places
from harmgraph.loader.formats.importer import Importer, importers


@dataclass(frozen=True, slots=True)
class ExportedFindings:
    """What was written.

    Attributes:
        form: the form's name.
        taken: how the maintainers take it.
        findings: statements that were chosen.
        handed_back: those of them that stand in the file.
        lines: lines of corrections in the file.
        left: findings that are not in it, by reason.
        absent: keys of the given file that no statement has.
    """

    source: str
    form: str
    taken: str
    findings: int
    handed_back: int
    lines: int
    left: Mapping[str, int] = field(default_factory=dict)
    absent: int = 0


def export(
    graph: Graph,
    source: str,
    out: Path,
    choice: FindingChoice,
    *,
    keys: Keys | None = None,
    files: Sequence[Path] = (),
) -> ExportedFindings:
    """Writes the findings of a source; the file appears whole or not at all.

    Args:
        choice: which statements; of these only the measure counts if ``keys`` are given.
        keys: the keys of the statements, chosen by a query.
        files: the files of the source, for forms that name lines; they may have moved.

    Raises:
        NotFound: there is no such source, measure or target.
        InputError: the source was not loaded from files, or its files are needed and not given.
        UnreadableFile: a file is not the one that was loaded.
        NoSpace: the file cannot be written.
    """
    facts = sources.facts(graph, source)
    importer = importer_of(facts)
    form = importer.corrections
    if keys is None:
        known_measure(graph, choice.measure)
    in_files = in_order(importer, facts, files) if form.needs_places else []
    progress("reading findings", 0)
    absent = 0
    if keys is None:
        findings = labelled(graph, source, choice)
    else:
        findings, absent = chosen(graph, source, keys, choice.measure)
    where = places(importer, facts, in_files, findings) if form.needs_places else {}
    texts, handed_back, count, left = _texts(form, findings, where)
    opening = form.opening(
        [
            f"harmgraph {VERSION}: {handed_back:,} statements of {source} ({facts.get('version') or 'version unknown'})",
            f"form: {form.name}; {form.taken}",
        ]
    )
    with written(out) as file:
        file.writelines(f"{line}\n" for line in (*opening, *texts))
    return ExportedFindings(
        source, form.name, form.taken, len(findings), handed_back, count, dict(left.most_common()), absent
    )


def importer_of(facts: Mapping[str, Any]) -> Importer:
    """The importer that loaded a source from its files.

    Raises:
        InputError: another command made the source.
    """
    name = str(facts.get("importer") or "").partition("@")[0]
    if name not in importers.names():
        raise InputError(
            f"was made by {name or 'an unknown command'}, not loaded from the files of a knowledge base",
            where=str(facts["name"]),
            remedy="hand back findings of the source that it was made of",
        )
    return importers.get(name)


def _texts(
    form: Corrections, findings: Sequence[Finding], where: Mapping[int, Sequence[StatementPlace]]
) -> tuple[list[str], int, int, Counter[str]]:
    """The text of all findings, how many of them are in it, in how many lines, and why the others are not."""
    texts: list[str] = []
    said: set[str] = set()
    handed_back = count = 0
    left: Counter[str] = Counter()
    for number, finding in enumerate(findings):
        try:
            lines = form.lines(finding, where.get(number, ()))
        except NotHandedBack as reason:
            left[reason.reason] += 1
            continue
        if any("\n" in line or not form.keys(line) for line in lines):
            left[f"cannot be written as a line of {form.name}"] += 1
            continue
        handed_back += 1
        new = [line for line in dict.fromkeys(lines) if line not in said]
        said.update(new)
        count += len(new)
        if new:
            texts += form.remarked(new, finding.remarks())
    return texts, handed_back, count, left

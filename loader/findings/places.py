"""Where findings stand in the files of their source: the files are read again, as the graph keeps no numbers of lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.progress import progress
from harmgraph.graph.records import Statement, Triple
from harmgraph.loader.corrections.form import Finding, StatementPlace, parts
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import is_text, open_lines, sha256
from harmgraph.loader.reading.records import line_id

TELL_EVERY = 5_000


def in_order(importer: Importer, facts: Mapping[str, Any], paths: Sequence[Path]) -> list[Path]:
    """The files of a source in the order of its load, recognised by their SHA-256.

    They may be called otherwise now, if their names say the same to the importer, such as the split.

    Raises:
        InputError: a file of the source is not among them, or its name says something else.
        UnreadableFile: a file cannot be read, or is none of the source's.
    """
    names, digests = list(facts.get("files") or ()), list(facts.get("sha256") or ())
    here: dict[str, Path] = {}
    for path in paths:
        digest = sha256(path)
        if digest not in digests:
            raise UnreadableFile(
                path,
                f"is not a file of {facts['name']}, or another version of one",
                remedy=f"give the files that were loaded: {', '.join(names)}",
            )
        loaded = Path(names[digests.index(digest)])
        now, then = (importer.named(name) or "nothing" for name in (path, loaded))
        if now != then:
            raise InputError(
                f"its name says {now} of its records, and said {then} when it was loaded",
                where=str(path),
                remedy=f"call it {loaded.name} again",
            )
        here[digest] = path
    missing = [name for name, digest in zip(names, digests, strict=False) if digest not in here]
    if missing:
        raise InputError(
            "the numbers of the lines are in its files, not in the graph",
            where=str(facts["name"]),
            remedy=f"give them as they were loaded: {' '.join(f'--file {name}' for name in missing)}",
        )
    return [here[digest] for digest in digests]


def places(
    importer: Importer,
    facts: Mapping[str, Any],
    files: Sequence[Path],
    findings: Iterable[Finding],
) -> dict[int, list[StatementPlace]]:
    """All places in which findings stand, by the number of the finding. Memory grows with the findings, not with the files.

    Args:
        facts: of the source in the graph.
        files: as ``in_order`` gives them.

    Raises:
        UnreadableFile: a file cannot be read.
    """
    given = facts.get("options") or {}
    declared = {option.name: option.file for option in importer.options}
    # A file of names changes no statement, and its folder is not known.
    options = importer.chosen({name: value for name, value in given.items() if declared.get(name) is False})
    apart = bool(given.get("keep_duplicates")) or importer.samples
    wanted = {
        (finding.key,) if finding.key else (finding.head, finding.type, finding.tail, finding.assertion): number
        for number, finding in enumerate(findings)
    }
    standing: dict[int, list[StatementPlace]] = {}
    for number, path in enumerate(files):
        here: dict[int, list[tuple[int, StatementPlace]]] = {}  # by line
        with open_lines(path, importer.longest_line) as lines:
            has_lines = is_text(path) and importer.of_whole(lines, options) is None
            for seen, record in enumerate(importer.read(lines, options), 1):
                if seen % TELL_EVERY == 0:
                    progress(f"finding lines in {lines.name}", lines.position, lines.size)
                if not isinstance(record, Triple | Statement):
                    continue
                own = line_id(number, record.line) if apart else ""
                statement = parts(record)
                identity = (
                    (*statement[:3], record.assertion or own)
                    if isinstance(record, Triple)
                    else (record.key(str(facts["name"]), own),)
                )
                finding = wanted.get(identity)
                if finding is not None:
                    place = StatementPlace(str(facts["files"][number]), record.line, *statement)
                    here.setdefault(record.line, []).append((finding, place))
        _add_rows(importer, path, here, standing, has_lines=has_lines)
    return standing


def _add_rows(
    importer: Importer,
    path: Path,
    here: Mapping[int, list[tuple[int, StatementPlace]]],
    standing: dict[int, list[StatementPlace]],
    *,
    has_lines: bool,
) -> None:
    if not here:
        return
    if not has_lines:
        for finding, place in chain.from_iterable(here.values()):
            standing.setdefault(finding, []).append(place)
        return
    last = max(here)
    with open_lines(path, importer.longest_line) as lines:
        for line in lines:
            for finding, place in here.get(line.number, ()):
                row = StatementPlace(place.file, place.line, place.head, place.type, place.tail, place.id, line.text)
                kept = standing.setdefault(finding, [])
                if row not in kept:
                    kept.append(row)
            if line.number >= last:
                break

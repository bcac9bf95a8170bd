"""What ``load --exclude FILE`` leaves out: statements, by a file of corrections of any form."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harmgraph.common.errors import UnreadableFile
from harmgraph.graph.records import Record, Skip
from harmgraph.loader.corrections.form import ID, ROW, TRIPLE, URI, Corrections, Key, keys_of
from harmgraph.loader.formats.importer import Importer, importers
from harmgraph.loader.formats.lines import open_lines

REASONS = {
    ID: "excluded: its id",
    URI: "excluded: an address in it",
    TRIPLE: "excluded: the triple",
    ROW: "excluded: the row",
}
DIGEST_SIZE = 8  # bytes


@dataclass(frozen=True, slots=True)
class Exclusion:
    """The lines of a file of corrections, in memory.

    Attributes:
        lines: lines that leave something out.
        keys: what they leave out, with the numbers of the lines that say so.
        kinds: the kinds of these keys, so that no others are looked for.
        digest: of the keys; comments and the order of the lines do not matter.
    """

    path: Path
    lines: int
    keys: Mapping[Key, tuple[int, ...]] = field(repr=False)
    kinds: frozenset[str]
    digest: str

    def remaining(self, records: Iterable[Record], path: Path, *, apart: bool, matched: set[int]) -> Iterator[Record]:
        """The records of a file with a skip in place of each one that is left out.

        Args:
            path: the file that the records come from.
            apart: whether equal lines are kept apart.
            matched: receives the lines that left something out.
        """
        for record in records:
            named = [key for key in keys_of(record, self.kinds, path.name, apart=apart) if key in self.keys]
            for key in named:
                matched.update(self.keys[key])
            yield Skip(record.line, REASONS[named[0][0]]) if named else record


def read_exclusion(path: Path, importer: Importer, files: Sequence[Path]) -> Exclusion:
    """Reads a file of corrections. Its first line that is not a comment tells its form, and all others must be of that form.

    Args:
        importer: the importer of the load, whose form is tried first.
        files: the files to load, which are read where the form needs it (``DERIVED`` of ConceptNet's blocklist).

    Raises:
        UnreadableFile: it cannot be read, or a line is of no known form or of another one.
    """
    forms = list(dict.fromkeys((importer.corrections, *(other.corrections for other in importers))))
    keys: dict[Key, tuple[int, ...]] = {}
    count = 0
    with open_lines(path) as lines:
        for line in lines:
            if line.problem:
                raise UnreadableFile(path, f"a line that cannot be read: {line.problem}", line=line.number)
            if all(form.ignored(line.text) for form in forms):
                continue
            fitting = _fitting(forms, line.text)
            if fitting:
                forms = [form for form, _ in fitting]
                count += 1
                for key in fitting[0][1]:
                    keys[key] = (*keys.get(key, ()), line.number)
            elif not any(form.ignored(line.text) for form in forms):
                known = ("the form " if len(forms) == 1 else "any form of corrections: ") + ", ".join(
                    form.name for form in forms
                )
                raise UnreadableFile(
                    path,
                    f"{line.text[:60]!r} is not a line of {known}",
                    line=line.number,
                    remedy="give a file of 'harmgraph findings export', or a blocklist of ConceptNet",
                )
    every = {**forms[0].further(keys, lambda: _texts(files)), **keys}
    digest = hashlib.blake2b(repr(sorted(every)).encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE)
    return Exclusion(path, count, every, frozenset(key[0] for key in every) & frozenset(REASONS), digest.hexdigest())


def _fitting(forms: Sequence[Corrections], text: str) -> list[tuple[Corrections, tuple[Key, ...]]]:
    return [(form, keys) for form in forms if (keys := form.keys(text))]


def _texts(files: Sequence[Path]) -> Iterator[str]:
    for path in files:
        with open_lines(path) as lines:
            yield from (line.text for line in lines if not line.problem)

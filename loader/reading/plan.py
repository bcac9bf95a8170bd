"""What to load, and how: checked before anything is touched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.common.home import home
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import open_lines

MAX_SOURCE = 1_000  # bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """What to load, and how.

    Attributes:
        source: the name it gets in the graph.
        version: version of the knowledge base, the importer's default where empty.
        options: the importer's own options, complete.
        limit: number of records at which reading stops, 0 for all; the line that reaches it is taken whole.
        max_rejects: share of the lines that may be rejected.
        rejects: file for rejected lines; one in harmgraph's folder where None.
        expect: fewest records that the files must give, so that a truncated file fails.
    """

    importer: Importer
    paths: tuple[Path, ...]
    source: str
    version: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    limit: int = 0
    keep_duplicates: bool = False
    max_rejects: float = 0.01
    rejects: Path | None = None
    expect: int = 0

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that are read, in their order: those to load, then those that options name."""
        return (*self.paths, *self.importer.beside(self.importer.chosen(self.options)))

    @property
    def carried(self) -> tuple[str, ...]:
        """Names of the properties that triples or statements may carry."""
        return self.importer.carried(self.importer.chosen(self.options))

    @property
    def described(self) -> tuple[str, ...]:
        """Names of the properties that entities may carry."""
        return self.importer.described(self.importer.chosen(self.options))

    @property
    def rejects_path(self) -> Path:
        safe = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in self.source)
        return self.rejects or home() / "rejects" / f"{safe[:80]}.tsv"


def check(plan: Plan) -> None:
    """Looks whether the plan can be carried out at all, before anything is touched.

    Raises:
        BadName: a source name that cannot be stored, or a rejects file that is one of the files to load.
        UnreadableFile: a file that an option names is missing or not permitted; it would be missed only at the end.
    """
    if not plan.source.strip() or printable(plan.source) != plan.source or len(plan.source.encode()) > MAX_SOURCE:
        why = f"cannot be stored: name it with --source, {MAX_SOURCE:,} bytes of UTF-8 at the most"
        raise BadName("source", printable(plan.source), why)
    if (
        plan.rejects
        and plan.rejects.exists()
        and any(path.exists() and path.samefile(plan.rejects) for path in plan.files)
    ):
        raise BadName("rejects file", str(plan.rejects), "is one of the files to load")
    for path in plan.files[len(plan.paths) :]:
        with open_lines(path):
            pass


def printable(name: str) -> str:
    """The name of a file or of what it holds; bytes that are no UTF-8 are written as ``\\xff``."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def import_id(plan: Plan, digests: Sequence[str]) -> str:
    """Digest of all that decides what an import writes: the same load has the same id."""
    facts = [
        plan.source,
        plan.version,
        plan.importer.name,
        plan.importer.revision,
        _without_folders(plan),
        plan.limit,
        plan.keep_duplicates,
        list(digests),
        [plan.importer.named(path) for path in plan.paths],
    ]
    return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8).hexdigest()


def _without_folders(plan: Plan) -> dict[str, Any]:
    """The options; where a file lies does not matter, its digest stands with those of the others."""
    options = plan.importer.chosen(plan.options)
    for option in plan.importer.options:
        if option.file and options[option.name]:
            options[option.name] = printable(Path(options[option.name]).name)
    return options


def facts(plan: Plan, digests: Sequence[str]) -> dict[str, Any]:
    """What the ``Source`` says of the import."""
    about = plan.importer.about
    options = _without_folders(plan)
    if plan.limit:
        options["limit"] = plan.limit
    if plan.keep_duplicates:
        options["keep_duplicates"] = True
    return {
        "version": plan.version or about.version,
        "licence": about.licence,
        "url": about.home,
        "sha256": list(digests),
        "files": [printable(path.name) for path in plan.files],
        "importer": f"{plan.importer.name}@{plan.importer.revision}",
        "options": json.dumps(options, sort_keys=True),
    }

"""The plan of a load: the files and options, checked before anything is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import BadName
from harmgraph.common.home import home
from harmgraph.graph.records import Record
from harmgraph.loader.formats.data_set import DataSetOrigin
from harmgraph.loader.formats.importer import Importer
from harmgraph.loader.formats.lines import open_lines
from harmgraph.loader.reading.exclusion import Exclusion

MAX_SOURCE = 1_000  # bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """The files to load, and the options.

    Attributes:
        source: name of the source in the graph.
        version: version of the knowledge base; empty for the importer's default.
        options: the importer's own options.
        limit: number of records after which reading stops, 0 for all; the line that reaches it is read completely.
        max_rejects: maximum share of rejected lines.
        rejects: file for rejected lines; None for one in HARMGRAPH_HOME.
        expect: minimum records, so that loading a truncated file fails.
        exclusion: statements to leave out; None for none.
        origin: the data set that the files belong to; None where they are files alone.
    """

    importer: Importer
    paths: tuple[Path, ...]
    source: str
    _: KW_ONLY
    version: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    limit: int = 0
    keep_duplicates: bool = False
    max_rejects: float = 0.01
    rejects: Path | None = None
    expect: int = 0
    exclusion: Exclusion | None = None
    origin: DataSetOrigin | None = None

    def remaining(self, records: Iterator[Record], path: Path, matched: set[int]) -> Iterator[Record]:
        """The records of one of the files without what the exclusion leaves out; see ``Exclusion.remaining``."""
        if self.exclusion is None:
            return records
        return self.exclusion.remaining(records, path, apart=self.apart, matched=matched)

    @property
    def files(self) -> tuple[Path, ...]:
        """All files to read, in order: the files to load, then the files named by options."""
        return (*self.paths, *self.importer.beside(self.importer.chosen(self.options)))

    def located(self) -> Plan:
        """The same plan with absolute paths, for processes in other working folders.

        The files to load and those named by options change together, because importers compare them.
        """
        paths = tuple(path.absolute() for path in self.paths)
        return replace(self, paths=paths, options=self.importer.located(self.options))

    @property
    def purpose(self) -> str:
        """What a load tells other commands that want to change the graph."""
        return f"load {self.importer.name} as {self.source}"

    @property
    def apart(self) -> bool:
        """Whether equal lines are kept apart, by their line numbers."""
        return self.keep_duplicates or self.importer.samples

    @property
    def carried(self) -> tuple[str, ...]:
        """Names of the properties that triples or statements can have."""
        return self.importer.carried(self.importer.chosen(self.options))

    @property
    def described(self) -> tuple[str, ...]:
        """Names of the properties that entities can have."""
        return self.importer.described(self.importer.chosen(self.options))

    @property
    def rejects_path(self) -> Path:
        safe = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in self.source)
        return self.rejects or home() / "rejects" / f"{safe[:80]}.tsv"


def check(plan: Plan) -> None:
    """Checks the plan before anything is changed.

    Raises:
        BadName: the source name cannot be stored, or the rejects file is one of the files to load.
        UnreadableFile: a file named by an option, which would be read last, is missing or not readable.
    """
    if not plan.source.strip() or printable(plan.source) != plan.source or len(plan.source.encode()) > MAX_SOURCE:
        why = f"cannot be stored: choose another name with --source, at most {MAX_SOURCE:,} bytes of UTF-8"
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
    """A name with bytes that are not UTF-8 written as ``\\xff``."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def import_id(plan: Plan, digests: Sequence[str]) -> str:
    """Digest of everything that determines what an import writes: the same load has the same id."""
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
    if plan.exclusion:
        facts.append(plan.exclusion.digest)
    return facts_digest(facts, 8)


def _without_folders(plan: Plan) -> dict[str, Any]:
    """The options, with files by name only: their folder does not matter, and their digests are listed separately."""
    options = plan.importer.chosen(plan.options)
    for option in plan.importer.options:
        if option.file and options[option.name]:
            options[option.name] = printable(Path(options[option.name]).name)
    return options


def facts(plan: Plan, digests: Sequence[str]) -> dict[str, Any]:
    """The facts about the import that the ``Source`` node stores."""
    about = plan.importer.about
    origin = plan.origin or DataSetOrigin()
    options = _without_folders(plan)
    if plan.limit:
        options["limit"] = plan.limit
    if plan.keep_duplicates:
        options["keep_duplicates"] = True
    if plan.exclusion:
        options["exclude"] = printable(plan.exclusion.path.name)
    return {
        "version": plan.version or origin.version or about.version,
        "licence": origin.licence or about.licence,
        "url": origin.url or about.home,
        "sha256": list(digests),
        "files": [printable(path.name) for path in plan.files],
        "importer": f"{plan.importer.name}@{plan.importer.revision}",
        "options": json.dumps(options, sort_keys=True),
    }

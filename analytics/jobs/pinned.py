"""What an audit expects of the store: the table ``[audit]`` of a job's file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSource:
    """A source as an audit expects it.

    Attributes:
        importer: with its revision, such as ``conceptnet@1``; empty where the file does not say.
        import_id: digest of the loaded files and the options of the load.
        statements: how many the store has of it; None where the file does not say.
    """

    importer: str
    import_id: str
    statements: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit expects of the store.

    Attributes:
        sources: by name.
        targets: the digest of each target list, by name.
        measures: who labelled each measure, as ``<measure>_by`` says it; sorted.
        harmgraph: the version that wrote the file; for information.
    """

    sources: Mapping[str, PinnedSource]
    targets: Mapping[str, str]
    measures: Mapping[str, tuple[str, ...]]
    harmgraph: str = ""

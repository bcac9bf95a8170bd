"""Neo4j's own offline importer on the store of the embedded server: CSV files in, a whole new store out.

The new store is built beside the old one and takes its place in one step at the end, so that an import that fails or is
stopped half way leaves what was there.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harmgraph.graph.address import from_environment
from harmgraph.graph.common.errors import GraphError, StoreNotEmpty
from harmgraph.graph.common.no_space import writing
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server, space
from harmgraph.graph.server.folder import folder

DATABASE = "neo4j"
ARRAY_DELIMITER = "U+001F"  # a source's name may hold the default one
BESIDE = "harmgraph-import"  # name of the database while it is built
OLD = "harmgraph-old"


@dataclass(frozen=True, slots=True)
class Table:
    """CSV for the importer: a header of its own, and rows.

    Attributes:
        label: of the nodes; empty for relationships, whose rows hold their type.
        multiline: whether a value of the rows holds a line end.
    """

    label: str
    header: Path
    rows: Path
    multiline: bool = False


def check_ours() -> None:
    """The importer works on files, so the server must be the one that harmgraph starts.

    Raises:
        GraphError: ``NEO4J_URI`` names another.
    """
    address = from_environment()
    if address:
        raise GraphError(
            "the offline importer needs the server that harmgraph starts itself",
            where=address.uri,
            remedy="load without --bulk, or unset NEO4J_URI",
        )


def check_empty(graph: Graph, *, targets: str, source: str, import_id: str) -> None:
    """An import makes a new store, so nothing may be lost with the old one.

    Args:
        targets: name of a target list that may stand, since it is loaded again.
        source, import_id: the import that is to begin; what an earlier run of just it left unfinished may stand.

    Raises:
        StoreNotEmpty: anything else stands; the message names it.
    """
    standing = graph.rows("source/held", targets=targets, source=source, import_id=import_id)
    if standing:
        contents = ", ".join(f"{row['count']:,} {row['label']}" for row in standing)
        raise StoreNotEmpty(
            f"the graph is not empty ({contents})",
            where=graph.address.uri,
            remedy="load without --bulk, or give --replace to delete all of it",
        )


def replace_store(tables: Sequence[Table], report: Path) -> None:
    """Stops the server, builds a store of the tables, puts it in the place of the old one and starts the server again.

    The server comes back also where this fails; the old store then still stands.

    Args:
        report: where the importer writes what it could not take.

    Raises:
        NoSpace: there is no room for the new store beside the old one.
        StartFailed: the importer failed, with its last lines; or the server does not start again.
        ServerLocked: another command is starting or stopping the server.
    """
    with server.offline():
        _delete(BESIDE)
        # A low estimate: the importer itself says where the disk is full, and the old store stands until it is done.
        rows = sum(path.stat().st_size for table in tables for path in (table.header, table.rows))
        space.check_left(folder(), rows)
        try:
            server.admin(
                "database",
                "import",
                "full",
                f"--report-file={report}",
                f"--array-delimiter={ARRAY_DELIMITER}",
                f"--multiline-fields={'true' if any(table.multiline for table in tables) else 'false'}",
                *(_argument(table) for table in tables),
                "--",
                BESIDE,
            )
            _put_in_place()
        finally:
            _delete(BESIDE)


def _argument(table: Table) -> str:
    files = f"{table.header},{table.rows}"
    return f"--nodes={table.label}={files}" if table.label else f"--relationships={files}"


def _places(database: str) -> list[Path]:
    data = folder() / "data"
    return [data / "databases" / database, data / "transactions" / database]


def _put_in_place() -> None:
    with writing(folder()):
        _delete(OLD)
        for old, now, new in zip(_places(OLD), _places(DATABASE), _places(BESIDE), strict=True):
            with suppress(FileNotFoundError):  # a server that never ran has no store yet
                now.rename(old)
            new.rename(now)
        _delete(OLD)


def _delete(database: str) -> None:
    for place in _places(database):
        with writing(place), suppress(FileNotFoundError):
            shutil.rmtree(place)

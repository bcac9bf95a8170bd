"""Runs Neo4j's offline importer, which builds a new store for the embedded server from CSV files.

The new store is built beside the old one and replaces it at the end, so an import that fails or is stopped leaves the old store
unchanged. A store is two folders: a note of the moves is written first, and where this process is killed between them, the next
start of the server makes those that are left.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.errors import GraphError, StoreNotEmpty
from harmgraph.common.home import home
from harmgraph.common.no_space import writing
from harmgraph.common.whole_file import finish_moves, replace_together
from harmgraph.graph.address import from_environment
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.kept_by_state import forget_kept
from harmgraph.graph.server import server, space
from harmgraph.graph.server.folder import folder, restore_note

DATABASE = "neo4j"
ARRAY_DELIMITER = "U+001F"  # a source's name may contain the default delimiter
BESIDE = "harmgraph-import"  # name of the database while it is being built


@dataclass(frozen=True, slots=True)
class CsvTable:
    """CSV files for the importer: a header file and files of rows.

    Attributes:
        label: label of the nodes; empty for relationships, whose rows contain their type.
        multiline: whether a value in the rows contains a line break.
    """

    label: str
    header: Path
    rows: tuple[Path, ...]
    multiline: bool = False


def check_ours() -> None:
    """Checks that the embedded server is in use, since the importer works on its files.

    Raises:
        GraphError: ``NEO4J_URI`` names another server.
    """
    address = from_environment()
    if address:
        raise GraphError(
            "the offline importer needs the server that harmgraph starts itself",
            where=address.uri,
            remedy="load without --bulk, or unset NEO4J_URI",
        )


def check_empty(graph: Graph, *, targets: str, source: str, import_id: str) -> None:
    """Checks that nothing is lost when the import replaces the store.

    Args:
        targets: name of a target list that may be in the graph, since it is loaded again.
        source, import_id: the import that is to begin; an unfinished earlier run of the same import may be in the graph.

    Raises:
        StoreNotEmpty: the graph contains anything else; the message names it.
    """
    standing = graph.rows("source/held", targets=targets, source=source, import_id=import_id)
    if standing:
        contents = ", ".join(f"{row['count']:,} {row['label']}" for row in standing)
        raise StoreNotEmpty(
            f"the graph is not empty ({contents})",
            where=graph.address.uri,
            remedy="load without --bulk, or give --replace to delete all of it",
        )


def replace_store(tables: Sequence[CsvTable], report: Path) -> None:
    """Stops the server, builds a new store from the tables, replaces the old store and starts the server again.

    If this fails, the old store stays and the server is started again. An interrupt while the new one is put in place does not
    keep it from its place: the start puts it there.

    Args:
        report: file to which the importer writes the rows it could not import.

    Raises:
        NoSpace: there is no room for the new store beside the old one.
        StartFailed: the importer failed (the error has its last lines), or the server does not start again.
        ServerLocked: another command is starting or stopping the server.
    """
    with server.offline():
        with writing(home()):
            finish_moves(restore_note())  # otherwise the next start would move what is built now
            forget_kept()
        _delete(BESIDE)
        # A low estimate: the importer itself reports a full disk, and the old store stays until it is done.
        rows = sum(path.stat().st_size for table in tables for path in (table.header, *table.rows))
        space.check_left(folder(), rows)
        try:
            server.admin(
                "database",
                "import",
                "full",
                f"--report-file={report}",
                "--bad-tolerance=0",  # none may be left out; the default is another in other versions
                f"--array-delimiter={ARRAY_DELIMITER}",
                f"--multiline-fields={'true' if any(table.multiline for table in tables) else 'false'}",
                *(_argument(table) for table in tables),
                "--",
                BESIDE,
            )
            with writing(home()):
                replace_together(restore_note(), [*zip(_places(BESIDE), _places(DATABASE), strict=True)])
        finally:
            if not restore_note().exists():  # it was not being moved
                _delete(BESIDE)


def _argument(table: CsvTable) -> str:
    files = ",".join(map(str, (table.header, *table.rows)))
    return f"--nodes={table.label}={files}" if table.label else f"--relationships={files}"


def _places(database: str) -> list[Path]:
    data = folder() / "data"
    return [data / "databases" / database, data / "transactions" / database]


def _delete(database: str) -> None:
    for place in _places(database):
        with writing(place), suppress(FileNotFoundError):
            shutil.rmtree(place)

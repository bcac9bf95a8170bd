"""``load --bulk``: loads with Neo4j's offline importer into an empty store of the embedded server.

The graph is the same as after ``loader.loading.pipeline.load``, to the last property.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from harmgraph.common.errors import InputError
from harmgraph.common.home import home
from harmgraph.common.no_space import writing
from harmgraph.common.progress import progress
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Import
from harmgraph.graph.server import server, space
from harmgraph.graph.writing import bulk_import
from harmgraph.graph.writing.import_run import complete_offline
from harmgraph.graph.writing.standstill import stop_while_held
from harmgraph.loader.formats.lines import sha256
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.loading.csv_tables import CsvTables
from harmgraph.loader.loading.load_report import LoadReport
from harmgraph.loader.loading.room import check_room
from harmgraph.loader.loading.summary import report_of, summary_of, tally_of
from harmgraph.loader.reading.cores import reading_on_cores
from harmgraph.loader.reading.plan import Plan, facts, import_id
from harmgraph.loader.reading.process import Reader, ReadResult

FOLDER = "bulk-"


def load_in_bulk(plan: Plan, *, replace: bool = False, read: Reader = reading_on_cores) -> LoadReport:
    """Writes the files as CSV, builds a new store with the server stopped, then links and counts like every load.

    After a failure or an interrupt the old store is unchanged, and the server is running.

    Args:
        replace: replace a graph that is not empty.
        read: reads the files; by default in processes beside this one, several for large files.

    Raises:
        StoreNotEmpty: the graph is not empty; only the default targets are allowed, which are loaded again.
        GraphError: ``NEO4J_URI`` names a server that is not the embedded one.
        InputError: the files are a list of targets, which cannot be loaded in bulk.
        UnreadableFile, TooManyRejects: the files cannot be read, or have too many rejected lines.
        Busy: another command is changing the graph.
        NoSpace: there is no room for the CSV files or for the new store, which is built beside the old one.
        ServerError: the importer or the server failed.
    """
    started = time.monotonic()
    bulk_import.check_ours()
    if plan.importer.gives == "targets":
        raise InputError(
            "a list of targets cannot be loaded in bulk", where=plan.source, remedy="load it without --bulk"
        )
    check_room(plan)
    digests = [sha256(path) for path in plan.files]
    mark = Import(plan.source, import_id(plan, digests))
    with ExitStack() as stack, ExitStack() as alone:
        stack.enter_context(pipeline.rarely_collected())
        with Graph.open() as graph, graph.holding(plan.purpose) as lock:
            before = sources.standing(sources.find(graph, mark.source), mark.import_id)
            if not replace:
                bulk_import.check_empty(
                    graph, targets=default_targets.SOURCE, source=mark.source, import_id=mark.import_id
                )
            folder = stack.enter_context(_folder())
            # It stays open: what posts imply is written when the new store stands.
            csv = stack.enter_context(CsvTables(folder, mark, plan.carried, plan.described))
            with writing(folder):
                for batch in stack.enter_context(read(plan)):
                    if isinstance(batch, ReadResult):
                        result = batch
                        break
                    space.check_left(folder)
                    csv.add(batch)
                progress("writing CSV", 0)
                tables = list(csv.tables())
            # No other command may write between the end of the lock and that of the server: it would be lost.
            restart = alone.enter_context(server.as_before())
            stop_while_held(graph, lock)
        progress("building the store (neo4j-admin)", 0)
        bulk_import.replace_store(tables, folder / "import.report")
        held: list[Graph] = []

        def hold(address: Address) -> None:
            # Before any other command, which may have waited for the server, can write into a store that is not complete.
            graph = stack.enter_context(Graph.open(address))
            graph.write("schema/make_lock_name")  # the other indexes take longer, and reading need not wait for them
            stack.enter_context(graph.holding(plan.purpose))
            held.append(graph)

        restart(hold)
        alone.close()
        [graph] = held
        progress("making indexes", 0)
        default_targets.ensure(graph, held=True)
        outcome = complete_offline(
            graph,
            mark,
            facts(plan, digests),
            tally_of(result),
            summary_of(plan, digests),
            relations=csv.relations,
            labels=csv.labels,
            implications=csv.implications(),
            phrase=phrase,
            unchanged=before == "same",
        )
        return report_of(graph, plan, result, mark.import_id, started, outcome)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the CSV files on the disk of the store; removes those of earlier loads, as the graph is locked."""
    with writing(home()):
        for left in home().glob(f"{FOLDER}*"):
            _remove(left)
        folder = Path(tempfile.mkdtemp(prefix=FOLDER, dir=home().resolve()))
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Removes a folder that another bulk load may be removing too: the one that has ended, or the one whose turn it is."""
    while folder.exists():
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)

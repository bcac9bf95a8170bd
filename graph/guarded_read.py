"""A statement of somebody else's that may only read the graph: refused, limited in time and rows, its values as plain JSON.

It is refused unless the server's own plan (EXPLAIN) says that it only reads. A plan that only reads can still leave the graph:
it may read files and addresses (LOAD CSV), settings, users and transactions, or call a procedure. So these are refused too. The
statement then runs in a transaction that reads, in which the server refuses every write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.driver.refusal import refusal

if TYPE_CHECKING:
    import neo4j

PROCEDURES = frozenset(
    (
        "db.labels",
        "db.propertykeys",
        "db.relationshiptypes",
        "db.schema.nodetypeproperties",
        "db.schema.reltypeproperties",
    )
)
"""The procedures that it may call, in small letters: they say what the graph has."""
OUTSIDE = re.compile(r"LoadCSV|Show|Terminate|AdministrationCommand|Transaction(?:Foreach|Apply)")
"""The operators of a plan that read something else than the graph, or manage transactions."""
NAMESPACES = frozenset(
    ("date", "datetime", "duration", "graph", "localdatetime", "localtime", "point", "time", "vector")
)
"""The first words of Cypher's own functions with a dot, in small letters; those of add-ons may reach anything."""
REMEDY = "write one statement that only reads: MATCH ... RETURN ..."
_TEXTS = re.compile(r"(`[^`]*`)|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_DOTTED = re.compile(r"(`[^`]*`|\w+)\s*\.\s*(?:`[^`]*`|\w+)(?:\s*\.\s*(?:`[^`]*`|\w+))*\s*\(")
_CALL = re.compile(r"\bcall\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GuardedRows:
    """What a statement of somebody else's returned.

    Attributes:
        columns: names of the columns, as the statement has them.
        rows: values as JSON has them, one list a row; a node is a map of ``labels`` and ``properties``.
        more: whether there were more rows than were asked for.
    """

    columns: tuple[str, ...]
    rows: tuple[list[Any], ...]
    more: bool


def guarded_rows(graph: Graph, text: str, parameters: Mapping[str, Any], *, seconds: float, most: int) -> GuardedRows:
    """Runs a statement that only reads.

    Args:
        seconds: the server ends it after so long.
        most: how many rows are read.

    Raises:
        InputError: it does not only read the graph, or took too long.
        GraphError: the server cannot understand it, or failed.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    _check_text(text)
    try:
        with graph.driver.session(
            database=graph.address.database, default_access_mode="READ", fetch_size=most + 1
        ) as session:
            with session.begin_transaction(timeout=seconds) as tx:
                plan = tx.run(f"EXPLAIN {text}", dict(parameters)).consume()
                _check_plan(plan)
            with session.begin_transaction(timeout=seconds) as tx:
                result = tx.run(text, dict(parameters))
                columns = tuple(result.keys())
                found = [[plain(value) for value in record.values()] for record in result.fetch(most + 1)]
                # Closing the transaction drops the other rows.
    except Neo4jError as error:
        if "TimedOut" in str(error.code):
            raise InputError(
                f"the statement took longer than {seconds:g} seconds and was ended",
                remedy="ask for less: name a target or a source, or add LIMIT",
            ) from error
        if "AccessMode" in str(error.code):
            raise InputError("the statement changes the graph", remedy=REMEDY) from error
        raise refusal(error, graph.address) from error
    except DriverError as error:
        raise refusal(error, graph.address) from error
    return GuardedRows(columns, tuple(found[:most]), len(found) > most)


def _check_text(text: str) -> None:
    """Refuses what a plan does not show: functions of add-ons, and texts that the server reads in another way than we do."""
    if not text.strip():
        raise InputError("the statement is empty", remedy=REMEDY)
    if "\\u" in text:
        # The server replaces these before it reads the statement, so that a text could end where nobody sees it.
        raise InputError(r"the statement contains \u", remedy="write the character itself, or give it as a parameter")
    bare = _TEXTS.sub(lambda match: match[1] or "''", text)  # a name in backticks may hold a quotation mark
    for match in _DOTTED.finditer(bare):
        space = match[1].strip("`").casefold()
        called = _CALL.search(bare[: match.start()])  # the plan names procedures
        if not called and space not in NAMESPACES:
            raise InputError(f"the function {match[0][:-1].strip()} is not Cypher's own", remedy=REMEDY)


def _check_plan(summary: neo4j.ResultSummary) -> None:
    if summary.query_type != "r":
        raise InputError("the statement does not only read", remedy=REMEDY)
    if not summary.plan:
        raise InputError("the server gives no plan of the statement, so nobody knows what it does", remedy=REMEDY)
    for operator, details in _operators(summary.plan):
        if OUTSIDE.match(operator):
            raise InputError(f"the statement reads something else than the graph ({operator})", remedy=REMEDY)
        if operator.startswith("ProcedureCall"):
            name = details.partition("(")[0].strip().replace("`", "")
            if name.casefold() not in PROCEDURES:
                raise InputError(
                    f"the procedure {name[:80]} may not be called", remedy=f"{', '.join(sorted(PROCEDURES))} may"
                )


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each operator of a plan, without the name of the database, with its details."""
    yield str(plan.get("operatorType", "")).partition("@")[0], str((plan.get("args") or {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _operators(child)


def plain(value: Any) -> Any:
    """A value of the driver as JSON has it: what is neither number, text, truth, list nor map becomes a map or a text."""
    import neo4j.graph

    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), "properties": {key: plain(item) for key, item in value.items()}}
    if isinstance(value, neo4j.graph.Relationship):
        return {"type": value.type, "properties": {key: plain(item) for key, item in value.items()}}
    if isinstance(value, neo4j.graph.Path):
        steps: list[Any] = [plain(value.start_node)]
        for node, relationship in zip(value.nodes[1:], value.relationships, strict=True):
            steps += [plain(relationship), plain(node)]
        return {"path": steps}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "srid"):
        return [plain(item) for item in value]
    return value.hex() if isinstance(value, bytes | bytearray) else str(value)

"""A statement of somebody else's that may only read the graph: refused, limited in time and rows, its values as plain JSON.

It is refused unless the server's own plan (EXPLAIN) says that it only reads. A plan that only reads can still leave the graph:
it may read files and addresses (LOAD CSV), settings, users and transactions, or call a procedure. So these are refused too. The
statement then runs in a transaction that reads, in which the server refuses every write. A thread waits for it no longer than the
time limit allows: a server that fails while it parses a statement never answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from harmgraph.common.clean_text import whole_letters
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
MOST_DEPTH = 100
"""Brackets within one another; with some hundreds the server's parser fails, and it never answers."""
TOO_DEEP = f"more than {MOST_DEPTH} lists or maps stand within one another"
SIMPLER = "write a shorter and simpler statement"
WAITED = 10
"""Seconds that a statement may take beyond its two time limits, until nobody waits for it any more."""
_TEXTS = re.compile(
    r"(`[^`]*`)|('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")|//[^\r\n]*|/\*.*?\*/",  # a comment ends also at a \r
    re.DOTALL,
)
_DOTTED = re.compile(r"(`[^`]*`|\w+)\s*\.\s*(?:`[^`]*`|\w+)(?:\s*\.\s*(?:`[^`]*`|\w+))*\s*\(")
_DATABASE = re.compile(r"(?<![.:$\w`])use(?:\s+[\w`]|`)", re.IGNORECASE)
_PLAN_ONLY = re.compile(r"\s*(?:explain|profile)\b", re.IGNORECASE)
_UNSEEN = ("Cc", "Cf", "Cn", "Co")  # categories of characters that the server takes for parts of names
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
        InputError: it does not only read the graph, took too long, or its parameters cannot be sent.
        GraphError: the server cannot understand it, or failed.
    """
    _check_text(text)
    _check_parameters(parameters)
    answer: Future[GuardedRows] = Future()

    def ask() -> None:
        try:
            answer.set_result(_asked(graph, text, parameters, seconds, most))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            answer.set_exception(error)

    Thread(target=ask, name="guarded read", daemon=True).start()
    try:
        return answer.result(2 * seconds + WAITED)
    except TimeoutError as error:
        raise InputError(
            f"the server did not answer within {2 * seconds + WAITED:g} seconds, and nobody waits for it any more",
            remedy=SIMPLER,
        ) from error


def _asked(graph: Graph, text: str, parameters: Mapping[str, Any], seconds: float, most: int) -> GuardedRows:
    from neo4j.exceptions import DriverError, Neo4jError

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
    except RecursionError as error:  # of the driver, which reads values within values
        raise InputError(TOO_DEEP, remedy=SIMPLER) from error
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
    if text != whole_letters(text):
        raise InputError("the statement holds half a character", remedy=REMEDY)
    bare = _TEXTS.sub(_bared, text)
    if any(unicodedata.category(each) in _UNSEEN and each not in "\t\n\r" for each in bare):
        raise InputError("the statement contains characters that nobody sees", remedy="leave them out")
    if _PLAN_ONLY.match(bare):
        raise InputError("EXPLAIN and PROFILE give no rows", remedy=REMEDY)
    if _DATABASE.search(bare):
        raise InputError("the statement names a database (USE)", remedy="it is asked of the graph alone: leave USE out")
    if _depth(bare) > MOST_DEPTH:
        raise InputError(
            f"more than {MOST_DEPTH} brackets stand within one another", remedy="give values as parameters"
        )
    for match in _DOTTED.finditer(bare):
        space = match[1].strip("`").casefold()
        called = _CALL.search(bare[: match.start()])  # the plan names procedures
        is_part = bare[: match.start()].rstrip().endswith(".")  # of a longer name
        if not called and (is_part or space not in NAMESPACES):
            raise InputError(f"the function {match[0][:-1].strip()[:80]} is not Cypher's own", remedy=REMEDY)


def _bared(match: re.Match[str]) -> str:
    """What stands for a name in backticks, which may hold a quotation mark; for a text; for a comment, which is a space."""
    return match[1] or ("''" if match[2] else " ")


def _depth(bare: str) -> int:
    """How many brackets stand within one another, at most."""
    deepest = depth = 0
    for each in bare:
        depth = max(depth + (each in "([{") - (each in ")]}"), 0)
        deepest = max(deepest, depth)
    return deepest


def _check_parameters(value: Any, depth: int = 0) -> None:
    """Refuses values that no statement can be sent with.

    Raises:
        InputError: a number is too large, a text holds half a character, or lists and maps are too deep.
    """
    remedy = "give other parameters"
    if depth > MOST_DEPTH:
        raise InputError(TOO_DEEP, remedy=remedy)
    if isinstance(value, str) and value != whole_letters(value):
        raise InputError("a parameter holds half a character", remedy=remedy)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError("a parameter is larger than 64 bits", remedy=remedy)
    if isinstance(value, Mapping):
        for key, item in value.items():
            _check_parameters(str(key), depth + 1)
            _check_parameters(item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_parameters(item, depth + 1)


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


def plain(value: Any, depth: int = 0) -> Any:
    """A value of the driver as JSON has it: what is neither number, text, truth, list nor map becomes a map or a text.

    Raises:
        InputError: more than ``MOST_DEPTH`` lists and maps stand within one another.
    """
    import neo4j.graph
    import neo4j.spatial
    import neo4j.time

    if depth > MOST_DEPTH:
        raise InputError(TOO_DEEP, remedy=SIMPLER)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, neo4j.graph.Node):
        return {
            "labels": sorted(value.labels),
            "properties": {key: plain(item, depth + 1) for key, item in value.items()},
        }
    if isinstance(value, neo4j.graph.Relationship):
        return {"type": value.type, "properties": {key: plain(item, depth + 1) for key, item in value.items()}}
    if isinstance(value, neo4j.graph.Path):
        steps: list[Any] = [plain(value.start_node)]
        for node, relationship in zip(value.nodes[1:], value.relationships, strict=True):
            steps += [plain(relationship), plain(node)]
        return {"path": steps}
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and not isinstance(
        value,
        neo4j.time.Duration | neo4j.spatial.Point,  # they are tuples too
    ):
        return [plain(item, depth + 1) for item in value]
    return value.hex() if isinstance(value, bytes | bytearray) else str(value)

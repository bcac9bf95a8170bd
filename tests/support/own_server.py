"""A Neo4j that is not harmgraph's: started by the test, with settings, jars and a Java of its own."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import neo4j

from harmgraph.graph.address import Address
from harmgraph.graph.server import distribution, password
from harmgraph.graph.server.conf import server_conf
from harmgraph.graph.server.java import java, java_command
from harmgraph.graph.server.memory import MIB, Memory
from harmgraph.graph.server.ports import free

PASSWORD = "not-a-secret-of-anybody"
PATIENCE_S = 240.0  # a bound for a broken run, not a claim
SIZE = Memory(heap=400 * MIB, page_cache=32 * MIB)


@dataclass(frozen=True, slots=True)
class OwnServer:
    """Where it lies and how it is reached.

    Attributes:
        address: as a user would write it into the environment.
        folder: its home; a later start finds the same store there.
    """

    address: Address
    folder: Path
    process: subprocess.Popen[bytes]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it; it may have ended before."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    def called(self, scheme: str, *, host: str = "", port: int = 0, **changes: str) -> Address:
        """Its address under another scheme, host, port, user or database."""
        port = port or int(self.address.uri.rpartition(":")[2])
        return replace(self.address, uri=f"{scheme}://{host or 'localhost'}:{port}", **changes)  # type: ignore[arg-type]

    def log(self) -> str:
        return (self.folder / "console.log").read_text("utf-8", "replace")


def start(
    folder: Path,
    *,
    scheme: str = "bolt",
    settings: Mapping[str, str] | None = None,
    jars: list[Path] | None = None,
    runtime: Path | None = None,
) -> OwnServer:
    """Starts one and waits until it answers.

    Args:
        folder: its home, a new one or that of an earlier start.
        scheme: how it is reached, such as ``bolt+ssc``.
        settings: added to those of the embedded server.
        jars: those of the embedded server where none are named.
        runtime: the program ``java``; that of the embedded server where none is named.
    """
    conf, auth = folder / "conf", folder / "data" / "dbms" / "auth.ini"
    conf.mkdir(parents=True, exist_ok=True)
    if not (folder / "data" / "databases" / "system").exists():
        password.write_initial(auth, PASSWORD)
    bolt, http = free(0, 0)
    more = {"server.http.enabled": "false", **(settings or {})}
    (conf / "neo4j.conf").write_text(server_conf(bolt, http, SIZE, more), encoding="utf-8")
    arguments = (f"--home-dir={folder}", f"--config-dir={conf}", "--console-mode")
    jars = jars or distribution.jars()
    command = java_command(entry(jars), *arguments, jars=jars, heap=SIZE.heap)
    with (folder / "console.log").open("wb") as console:
        process = subprocess.Popen(
            [str(runtime or java()), *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")},
        )
    address = Address(f"{scheme}://localhost:{bolt}", "neo4j", PASSWORD, "neo4j", "", False)
    server = OwnServer(address, folder, process)
    try:
        _await(server)
    except BaseException:
        server.stop()
        raise
    return server


def entry(jars: list[Path]) -> str:
    """The class that starts the server; versions call it differently, and the jar says how."""
    (jar,) = (path for path in jars if re.fullmatch(r"neo4j-[\d.]+\.jar", path.name))
    with zipfile.ZipFile(jar) as archive:
        return archive.read("META-INF/services/org.neo4j.server.startup.EntryPoint").decode().split()[0]


def jars_of(version: str) -> list[Path]:
    """The jars of a version of Neo4j, fetched from Maven Central where they are not here yet."""
    import jgo

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        resolved = jgo.build(f"org.neo4j:neo4j:{version}+org.neo4j.app:neo4j-server:{version}")
    return [Path(path) for path in resolved.all_jars]


def _await(server: OwnServer) -> None:
    end = time.monotonic() + PATIENCE_S
    address = server.address
    with neo4j.GraphDatabase.driver(
        address.uri, auth=(address.username, address.password), connection_timeout=3
    ) as driver:
        while True:
            assert server.process.poll() is None, server.log()
            try:
                with driver.session(
                    database="neo4j"
                ) as session:  # a statement of its own: the driver does not try again
                    session.run("RETURN 1").consume()
            except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError) as error:
                assert time.monotonic() < end, f"{error}\n{server.log()}"
                time.sleep(0.2)
            else:
                return

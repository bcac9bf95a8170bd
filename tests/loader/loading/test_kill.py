"""A load that was killed, run again, gives the graph of one that was not; so does one whose server was killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from harmgraph.common.errors import NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.server import server
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.process import WORTH_A_PROCESS
from tests.support.commands import loading
from tests.support.generated import write_triples
from tests.support.loaded import relationships
from tests.support.processes import PATIENCE, children_of, wait_for, wait_until_gone

pytestmark = pytest.mark.long

LINES = 9_000
LEFT_OUT = 900_000  # bytes of a line that is left out: it makes the file worth a reading process


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A load that nobody disturbed: its file, its digest and how many triples it makes."""

    path: Path
    digest: str
    triples: int


@pytest.fixture(scope="module")
def undisturbed(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    path = write_triples(tmp_path_factory.mktemp("kill") / "kb.tsv", LINES)
    with path.open("a") as file:
        file.write(f"x\tExternalURL\t{'y' * LEFT_OUT}\n")
    assert path.stat().st_size >= WORTH_A_PROCESS
    connection.autocommit("schema/wipe")
    triples = load(connection, path)
    return Undisturbed(path, digest(connection), triples)


def load(graph: Graph, path: Path) -> int:
    """The command in this process; returns the number of triples of the source."""
    default_targets.ensure(graph)
    return pipeline.load(graph, Plan(importers.get("triples"), (path,), "kb")).in_graph


def nobody_holds(graph: Graph) -> Callable[[], bool]:
    return lambda: not graph.rows("lock/holders")


def state(graph: Graph) -> str:
    try:
        return str(sources.facts(graph, "kb")["state"])
    except NotFound:
        return "none"


def kill_alone(process: subprocess.Popen[str]) -> int:
    """Ends the command as kill -9 does while its children rest, and waits until they are gone; returns how many they were."""
    children = children_of(process.pid)
    for child in children:
        with suppress(psutil.NoSuchProcess):
            child.suspend()  # so that none of them can notice by itself
    process.kill()
    process.wait()
    wait_until_gone(*children)
    return len(children)


def test_killed_at_ten_random_points_and_run_again(graph: Graph, undisturbed: Undisturbed) -> None:
    chosen = random.Random(20)
    seen = []
    for tenth in range(10):  # the first kill comes before anything is written
        graph.autocommit("schema/wipe")
        enough = (tenth - chosen.random()) / 10 * undisturbed.triples
        delay = chosen.random() * 0.05
        with loading(undisturbed.path) as process:
            wait_for(lambda: relationships(graph) >= enough or process.poll() is not None)  # noqa: B023
            time.sleep(delay)
            kill_alone(process)
        wait_for(nobody_holds(graph))
        seen.append((state(graph), *graph.rows("schema/counts")[0].values()))
        assert load(graph, undisturbed.path) == undisturbed.triples
        assert digest(graph) == undisturbed.digest, f"killed when {seen[-1]} were there"
    broken_off = {tuple(counts) for reached, *counts in seen if reached != "complete"}
    assert len(broken_off) > 1, f"the kills came too late to show anything: {seen}"


def test_no_reading_process_outlives_a_load_that_is_killed(graph: Graph, tmp_path: Path) -> None:
    path = write_triples(tmp_path / "kb.tsv", 100)
    with path.open("a") as file:
        file.write("x\tExternalURL\ty\n" * 500_000)  # takes the reader a while and gives no batch to write
    chosen = random.Random(15)
    alone = []
    for _ in range(10):
        with loading(path) as process:
            wait_for(lambda: children_of(process.pid) or process.poll() is not None)
            time.sleep(chosen.random() * 0.3)
            alone.append(kill_alone(process))
        wait_for(nobody_holds(graph))
    assert sum(alone) > 5, f"the kills came when the file was read: {alone}"


def test_killed_while_a_newer_file_replaces_the_older_one(
    graph: Graph, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    older = tmp_path / "kb.tsv"
    older.write_bytes(undisturbed.path.read_bytes()[:100_000] + b"x\n" + b"old head\tOldRelation\told tail\n" * 3)
    graph.autocommit("schema/wipe")
    load(graph, older)
    load(graph, undisturbed.path)
    replaced = digest(graph)
    graph.autocommit("schema/wipe")
    load(graph, older)
    before = relationships(graph)
    with loading(undisturbed.path) as process:
        wait_for(lambda: relationships(graph) > before or process.poll() is not None)
        process.kill()
        process.wait()
    wait_for(nobody_holds(graph))
    assert state(graph) == "loading"
    load(graph, undisturbed.path)
    assert digest(graph) == replaced
    assert sources.facts(graph, "kb")["previous"]["sha256"] != sources.facts(graph, "kb")["sha256"]


def test_interrupted_from_the_keyboard_and_run_again(graph: Graph, undisturbed: Undisturbed) -> None:
    with loading(undisturbed.path) as process:
        wait_for(lambda: relationships(graph) > 0 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.strip() == "harmgraph: interrupted; run the same command again to finish"
    assert load(graph, undisturbed.path) == undisturbed.triples
    assert digest(graph) == undisturbed.digest


@pytest.fixture
def own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Graph]:
    """A second embedded server, which may be killed."""
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HARMGRAPH_HEAP", "512m")
    monkeypatch.setenv("HARMGRAPH_PAGECACHE", "128m")
    address = server.start()
    try:
        with Graph.open(address) as graph:
            yield graph
    finally:
        server.stop()


def test_the_server_killed_in_mid_load_and_started_again(own_server: Graph, undisturbed: Undisturbed) -> None:
    pid = server.status().pid
    assert pid
    with loading(undisturbed.path) as process:
        wait_for(lambda: relationships(own_server) > 0 or process.poll() is not None)
        os.kill(pid, signal.SIGKILL)
        server.start()
        _, err = process.communicate(timeout=PATIENCE)
    assert server.status().pid != pid
    with Graph.open() as again:
        if process.returncode == 0:
            assert err == ""
            assert digest(again) == undisturbed.digest
        else:
            assert process.returncode == 1
            assert len(err.splitlines()) == 1, err
            assert err.startswith("harmgraph: bolt://")
            # Where a server of another test took the port meanwhile, that one refused the password.
            assert "run the same command again" in err or again.address.uri != own_server.address.uri
        with loading(undisturbed.path) as process:
            _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
        assert digest(again) == undisturbed.digest

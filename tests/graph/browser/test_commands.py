"""``harmgraph db open`` as a user runs it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from harmgraph.graph.browser import pages_port
from harmgraph.graph.browser.commands import open_browser
from harmgraph.graph.browser.workbench import following
from harmgraph.graph.connection import Graph
from harmgraph.graph.server.ports import free
from tests.support.places import ROOT

RUN = "from harmgraph.graph.browser.commands import open_browser; open_browser()"


def started(*options: str, run: str = RUN, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", run, *options],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until(process: subprocess.Popen[str], wanted: str) -> str:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if wanted in line:
            return said
    raise AssertionError(f"ended without {wanted!r}: {said}{process.stderr.read() if process.stderr else ''}")


def ended(process: subprocess.Popen[str]) -> str:
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    return error


def test_it_prints_an_address_that_logs_in_and_ends_at_ctrl_c(graph: Graph) -> None:
    process = started("--no-launch", "--port", "0")
    try:
        said = read_until(process, "Ctrl-C")
        match = re.search(r"http://localhost:(\d+)/start#(\S+)", said)
        assert match, said
        assert graph.address.password not in said
        connection = http.client.HTTPConnection("localhost", int(match[1]), timeout=30)
        headers = {"Origin": f"http://localhost:{match[1]}", "X-Harmgraph-Token": match[2]}
        connection.request("POST", "/session", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        assert graph.address.password.encode() in answer.read()
        connection.request("GET", "/browser/")
        assert b"Neo4j Browser" in connection.getresponse().read()
        connection.close()
    finally:
        error = ended(process)
    assert error == ""


def test_the_port_of_the_last_time_is_that_of_the_next(
    graph: Graph, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two homes at once: each keeps a port of its own, and the links that it makes lead there."""
    monkeypatch.setattr(pages_port, "PORT", free(0)[0])
    first_port = pages_port.PORT
    with socket.create_server(("127.0.0.1", first_port)):  # the pages of another home
        said = served_once()
    port = int(re.search(r"http://localhost:(\d+)/start", said)[1])  # type: ignore[index]
    assert first_port < port < first_port + 20
    assert pages_port.known() == port
    assert following("s", "explore/targets", {}) == f"http://localhost:{port}/follow?store=s&query=explore/targets"
    assert f"http://localhost:{port}/start" in served_once(), "also where the first one is free again"
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    assert pages_port.known() == first_port, "another home, whose pages were never served"
    (tmp_path / "pages-port").write_text("not a port")
    assert pages_port.known() == first_port
    (home / "pages-port").unlink()


def served_once() -> str:
    """What ``db open`` says in this home, ended at once."""
    run = f"from harmgraph.graph.browser import pages_port; pages_port.PORT = {pages_port.PORT}; {RUN}"
    process = started("--no-launch", run=run)
    try:
        return read_until(process, "Ctrl-C")
    finally:
        ended(process)


def test_with_an_own_server_it_prefills_and_keeps_the_password(graph: Graph) -> None:
    process = started(
        "--no-launch",
        "--port",
        "0",
        NEO4J_URI=graph.address.uri,
        NEO4J_USERNAME=graph.address.username,
        NEO4J_PASSWORD=graph.address.password,
    )
    try:
        said = read_until(process, "Ctrl-C")
    finally:
        ended(process)
    assert f"http://127.0.0.1:7474/browser/?dbms=bolt://{graph.address.username}@127.0.0.1:" in said
    assert re.search(r":style http://localhost:\d+/style\.grass", said)
    assert re.search(r":guide http://localhost:\d+/guide\.html", said)
    assert graph.address.password not in said


def test_export_writes_three_files_and_says_how(graph: Graph, tmp_path: Path) -> None:
    assert graph.address.embedded
    result = CliRunner().invoke(open_browser, ["--export", str(tmp_path / "out")], catch_exceptions=False)
    assert result.exit_code == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert sorted(written) == ["guide.html", "saved-queries.zip", "style.grass"]
    assert all(str(tmp_path / "out" / name) in result.output for name in written)
    assert all(graph.address.password.encode() not in content for content in written.values())


@pytest.mark.parametrize("options", [["--port", "70000"], ["--port", "x"], ["--export"]])
def test_wrong_usage(options: list[str]) -> None:
    assert CliRunner().invoke(open_browser, options).exit_code == 2

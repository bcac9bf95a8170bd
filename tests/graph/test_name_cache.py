"""Names for completion: renewed when a connection that wrote is closed, each server's apart, never a reason to fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harmgraph.graph import name_cache
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from tests.support.filling import fill


@pytest.fixture
def file(home: Path) -> Path:
    """The cache, missing before the test."""
    path = home / name_cache.FILE
    path.unlink(missing_ok=True)
    return path


def write(graph: Graph, address: Address, source: str) -> None:
    """Loads a list of targets over a connection of its own, which is closed."""
    with Graph.open(address) as own:
        fill(own, Target("lawyer", "profession"), Target("old people", "age"), source=source)


def test_a_connection_that_wrote_leaves_the_names(graph: Graph, address: Address, file: Path) -> None:
    assert name_cache.known("sources") == ()
    write(graph, address, "kb")
    assert name_cache.known("sources") == ("kb",)
    assert name_cache.known("targets") == ("lawyer", "old people")
    assert name_cache.known("categories") == ("age", "profession")
    graph.autocommit("schema/wipe")
    write(graph, address, "other")
    assert name_cache.known("sources") == ("other",)


def test_a_reader_renews_only_what_is_not_fresh(graph: Graph, address: Address, file: Path) -> None:
    write(graph, address, "kb")
    graph.autocommit("schema/wipe")
    with Graph.open(address) as own:
        own.rows("schema/version")
    assert name_cache.known("sources") == ("kb",)
    kept = json.loads(file.read_text())
    kept["embedded"]["read_at"] -= name_cache.FRESH_SECONDS + 1
    file.write_text(json.dumps(kept))
    with Graph.open(address) as own:
        own.rows("schema/version")
    assert name_cache.known("sources") == ()


def test_servers_do_not_share_names(
    graph: Graph, address: Address, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(graph, replace(address, embedded=False), "theirs")
    assert name_cache.known("sources") == ()
    monkeypatch.setenv("NEO4J_URI", address.uri)
    assert name_cache.known("sources") == ("theirs",)
    monkeypatch.setenv("NEO4J_DATABASE", "another")
    assert name_cache.known("sources") == ()
    monkeypatch.setenv("NEO4J_URI", "neo4j://user:secret@host")
    assert name_cache.known("sources") == ()
    assert address.password not in file.read_text()


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[]", b'{"embedded": 3}', b'{"embedded": {"sources": 7}}'])
def test_a_damaged_file_is_ignored_and_written_anew(graph: Graph, address: Address, file: Path, damage: bytes) -> None:
    file.write_bytes(damage)
    assert name_cache.known("sources") == ()
    write(graph, address, "kb")
    assert name_cache.known("sources") == ("kb",)


def test_a_command_whose_names_cannot_be_kept_does_not_fail(graph: Graph, address: Address, file: Path) -> None:
    file.mkdir()
    try:
        write(graph, address, "kb")
    finally:
        file.rmdir()
    assert [row["source"]["name"] for row in graph.rows("source/list")] == ["kb"]


def test_a_forgotten_server_has_no_names(graph: Graph, address: Address, file: Path) -> None:
    write(graph, address, "kb")
    write(graph, replace(address, embedded=False), "kb")
    name_cache.forget(None)
    assert name_cache.known("sources") == ()
    assert list(json.loads(file.read_text())) == [f"{address.uri} {address.database}"]


def test_a_connection_that_fails_asks_nothing_more(graph: Graph, address: Address, file: Path) -> None:
    with pytest.raises(RuntimeError, match="in the middle"), Graph.open(address) as own:
        fill(own, Target("lawyer", "profession"), source="kb")
        raise RuntimeError("in the middle")
    assert not file.exists()

"""Sizes of the server's memory."""

from __future__ import annotations

import psutil
import pytest

from harmgraph.common.errors import InputError
from harmgraph.graph.server.memory import MIB, Memory, memory, size


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HARMGRAPH_HEAP", "HARMGRAPH_PAGECACHE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "bytes_"), [("512m", 512 << 20), ("2g", 2 << 30), ("1 GB", 1 << 30), ("64k", 64 << 10), ("7", 7)]
)
def test_a_size_is_read(text: str, bytes_: int) -> None:
    assert size(text) == bytes_


@pytest.mark.parametrize("text", ["", "lots", "-1g", "1.5g", "2t", "1g; rm -rf /"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a size"):
        size(text)


@pytest.mark.parametrize(
    ("gib", "expected"),
    [
        (1, Memory(512 * MIB, 128 * MIB)),
        (8, Memory(2048 * MIB, 1024 * MIB)),
        (16, Memory(4096 * MIB, 2048 * MIB)),
        (256, Memory(4096 * MIB, 4096 * MIB)),
    ],
)
def test_the_machine_decides(gib: int, expected: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    class Machine:
        total = gib << 30

    monkeypatch.setattr(psutil, "virtual_memory", Machine)
    monkeypatch.setattr("harmgraph.graph.server.memory._LIMITS", ())
    assert memory() == expected


def test_the_option_wins_over_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARMGRAPH_HEAP", "300m")
    monkeypatch.setenv("HARMGRAPH_PAGECACHE", "30m")
    assert memory() == Memory(300 * MIB, 30 * MIB)
    assert memory("400m") == Memory(400 * MIB, 30 * MIB)
    assert memory(page_cache="40m") == Memory(300 * MIB, 40 * MIB)


def test_too_little_is_refused() -> None:
    with pytest.raises(InputError, match="too little memory"):
        memory("64m")

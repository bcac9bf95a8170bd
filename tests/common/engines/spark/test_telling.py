"""While Spark works, its thread says how far it is to whoever shows progress."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from harmgraph.common.engines.spark import cluster
from harmgraph.common.progress import receiver


def test_the_thread_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TELL_EVERY_S", 0.01)
    told: list[tuple[str, int, int | None]] = []
    notes: Any = SimpleNamespace(value={0: "read", 1: "read"})
    with receiver(lambda stage, done, total=None: told.append((stage, done, total))), cluster._telling(notes, 5):
        while not told:
            time.sleep(0.01)
    assert set(told) == {("reading on the workers", 2, 5)}

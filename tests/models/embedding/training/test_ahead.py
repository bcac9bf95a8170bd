"""What a step needs is made while the step before it is computed."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from harmgraph.models.embedding.training.ahead import Ahead


def test_the_next_is_made_before_it_is_asked_for() -> None:
    made: list[tuple[int, bool]] = []
    second = threading.Event()

    def make(key: int) -> int:
        made.append((key, threading.current_thread() is threading.main_thread()))
        if key == 1:
            second.set()
        return 10 * key

    ahead = Ahead(make, lambda key: key + 1 if key < 2 else None)
    assert ahead.get(0) == 0
    assert second.wait(30), "nobody asked for it"
    assert [ahead.get(key) for key in (1, 2)] == [10, 20]
    assert made == [(0, True), (1, False), (2, False)]
    assert ahead.get(0) == 0, "also where another was expected"


def test_an_error_comes_when_it_is_asked_for() -> None:
    def make(key: int) -> int:
        return 1 // (1 - key)

    ahead = Ahead(make, lambda key: key + 1)
    assert ahead.get(0) == 1
    with pytest.raises(ZeroDivisionError):
        ahead.get(1)


def test_no_process_waits_for_what_is_not_asked_for() -> None:
    """As after Ctrl-C, where the server does not answer."""
    lines = [
        "import threading",
        f"from {Ahead.__module__} import Ahead",
        "Ahead(lambda key: threading.Event().wait() if key else key, lambda key: 1).get(0)",
        "raise SystemExit(3)",
    ]
    assert subprocess.run([sys.executable, "-c", "\n".join(lines)], check=False, timeout=120).returncode == 3

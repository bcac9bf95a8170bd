"""Answers that are kept."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harmgraph.common.endpoint import answer_cache
from harmgraph.common.endpoint.answer_cache import FILE, FOLDER, AnswerCache
from harmgraph.common.errors import HarmgraphError


def test_it_keeps_answers(tmp_path: Path) -> None:
    path = tmp_path / "a" / FILE
    with AnswerCache(path) as cache:
        assert cache.get("q") is None
        cache.put("q", ["neutral", {"x": 0.5}])
        cache.put("q", [None, None])
        cache.put("r", "é")
    with AnswerCache(path) as cache:
        assert cache.get("q") == [None, None]
        assert cache.get("r") == "é"


def test_the_oldest_go_first(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with AnswerCache(path, most=10) as cache:
        for number in range(25):
            cache.put(str(number), number)
    with AnswerCache(path, most=10) as cache:
        assert [number for number in range(25) if cache.get(str(number)) is not None] == list(range(15, 25))


def test_nobody_else_reads_it(home: Path) -> None:
    with AnswerCache() as cache:
        cache.put("q", 1)
        for path in (home / FOLDER).rglob("*"):
            assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    assert not stat.S_IMODE((home / FOLDER).stat().st_mode) & 0o077


def test_a_damaged_one_says_so(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"no database at all, " * 100)
    with pytest.raises(HarmgraphError, match="is damaged; delete it"), AnswerCache(path):
        pass


def test_one_that_another_process_has_locked_is_not_to_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_cache, "_BUSY_S", 0.05)
    path = tmp_path / FILE
    with AnswerCache(path) as cache:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(HarmgraphError, match="is in use by another process; wait until that ends") as caught:
            cache.put("q", 1)
        other.close()
    assert "delete" not in str(caught.value)


def test_a_kill_leaves_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / FILE
    program = (
        "import os, sys, signal; from pathlib import Path\n"
        "from harmgraph.common.endpoint.answer_cache import AnswerCache\n"
        "cache = AnswerCache(Path(sys.argv[1])).__enter__()\n"
        "for number in range(50): cache.put(str(number), number)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    with AnswerCache(path) as cache:
        assert [cache.get(str(number)) for number in range(50)] == list(range(50))

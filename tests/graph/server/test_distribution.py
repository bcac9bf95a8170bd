"""The pinned jars."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import jgo
import jgo.maven
import pytest

from harmgraph.common.errors import DigestMismatch
from harmgraph.common.progress import LineProgress, receiver
from harmgraph.graph.server import distribution
from tests.support.places import ROOT
from tests.support.streams import logged


@pytest.fixture(scope="module")
def jars(home: Path) -> list[Path]:
    return distribution.jars()


def test_every_jar_is_pinned(jars: list[Path]) -> None:
    distribution.check(jars)
    assert {path.name for path in jars} == set(distribution.pinned())
    assert distribution.browser_jar() in jars


def test_an_altered_jar_is_refused(jars: list[Path], tmp_path: Path) -> None:
    altered = tmp_path / jars[0].name
    shutil.copy(jars[0], altered)
    with altered.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(DigestMismatch, match="not the pinned one") as caught:
        distribution.check([altered, *jars[1:]])
    assert caught.value.where == str(altered)


def test_a_jar_too_many_is_refused(jars: list[Path], tmp_path: Path) -> None:
    more = tmp_path / "more.jar"
    shutil.copy(jars[0], more)
    with pytest.raises(DigestMismatch, match="not the pinned one"):
        distribution.check([*jars, more])


def test_a_missing_jar_is_named(jars: list[Path]) -> None:
    with pytest.raises(DigestMismatch, match=jars[0].name):
        distribution.check(jars[1:])


def test_later_starts_need_neither_the_network_nor_its_resolver(
    jars: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jgo", None)
    assert distribution.jars() == jars


def test_a_jar_that_changed_since_is_checked_again(
    jars: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quick check of later starts goes by size and time; here a copy changes after it was checked."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    copies = [tmp_path / path.name for path in jars]
    for jar, copy in zip(jars, copies, strict=True):
        shutil.copy(jar, copy)
    monkeypatch.setattr(distribution, "_fetch", lambda *_, **__: copies)
    assert distribution.jars() == copies
    copies[3].write_bytes(copies[3].read_bytes() + b"\0")
    with pytest.raises(DigestMismatch, match="not the pinned one"):
        distribution.jars()


def test_two_first_downloads_at_once_come_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maven's folders are shared by all stores of a user; two that write there at once damage each other's jars."""
    monkeypatch.setenv("HOME", str(tmp_path))
    under_way = most = 0

    def build(_endpoint: str, update: bool, resolver: object) -> SimpleNamespace:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        time.sleep(0.2)
        under_way -= 1
        return SimpleNamespace(all_jars=[])

    monkeypatch.setattr(jgo, "build", build)
    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(distribution._fetch) for _ in range(3)]
    assert [call.result() for call in done] == [[], [], []]
    assert most == 1


def test_the_first_download_shows_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where jgo prints itself, which is not shown."""
    monkeypatch.setenv("HOME", str(tmp_path))
    files = [f"{number}.pom" for number in range(3)] + sorted(distribution.pinned())

    def build(_endpoint: str, update: bool, resolver: jgo.maven.PythonResolver) -> SimpleNamespace:
        assert resolver.progress_callback
        print("jgo's own words", file=sys.stderr)
        for name in files:
            with resolver.progress_callback(name, 10) as more:
                more(10)
        log.await_lines(len(log.lines) + 2)
        return SimpleNamespace(all_jars=[])

    monkeypatch.setattr(jgo, "build", build)
    told: list[tuple[str, int, int | None]] = []
    with logged() as log, LineProgress(0.01) as lines:

        def both(stage: str, done: int, total: int | None = None) -> None:
            told.append((stage, done, total))
            lines.show(stage, done, total)

        with receiver(both):
            distribution._fetch()
    stage, jars = f"fetching Neo4j {distribution.NEO4J}, files", len(distribution.pinned())
    assert told[:5] == [(distribution.LOOKING_UP, done, None) for done in range(4)] + [(stage, 1, jars)]
    assert told[-1] == (stage, jars, jars)
    assert any(line.startswith(f"{stage}: {jars} of {jars} (100 %), ") for line in log.lines)
    assert "jgo" not in str(log.lines)


def test_a_fetch_that_was_killed_is_done_again(
    jars: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """jgo takes the folder that the killed one filled in part for whole."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    asked: list[bool] = []

    def build(_endpoint: str, update: bool, resolver: object) -> SimpleNamespace:
        asked.append(update)
        return SimpleNamespace(all_jars=jars if update else jars[:100])

    monkeypatch.setattr(jgo, "build", build)
    assert distribution.jars() == jars
    assert asked == [False, True]


def test_without_a_network_one_line_says_so(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    environment = os.environ | {
        "HOME": str(tmp_path),
        "HARMGRAPH_HOME": str(tmp_path / "home"),
        "HTTPS_PROXY": nowhere,
        "https_proxy": nowhere,
        "NO_PROXY": "",
        "no_proxy": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", "harmgraph", "db", "start"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert "cannot be fetched" in last
    assert "check the network" in last
    assert "Traceback" not in done.stderr

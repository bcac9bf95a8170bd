"""Progress without a terminal: a line now and then, and at the end of a long stage."""

from __future__ import annotations

import re
import threading

import pytest

from harmgraph.common.progress import BarProgress, LineProgress, bar, notice, progress, receiver, say
from harmgraph.common.stage import Stage
from tests.support.streams import WAIT_S, Log, logged

TIME_AT_THE_END = re.compile(
    r", (took )?\d+:\d\d(, some \d+:\d\d left)?$"
)  # the figure depends on how busy the machine is


def without_time(lines: list[str]) -> list[str]:
    assert all(TIME_AT_THE_END.search(line) for line in lines)
    return [TIME_AT_THE_END.sub("", line) for line in lines]


def test_a_line_now_and_then_tells_how_far_it_is() -> None:
    with logged() as log, bar(every_s=0.01):
        progress("training", 12_000, 90_000)
        log.await_lines(2)  # also where the work says nothing more
        progress("training", 45_000, 90_000)
        log.await_lines(len(log.lines) + 2)
    lines = without_time(log.lines)
    assert lines[0] == "training: 12,000 of 90,000 (13 %)"
    assert "training: 45,000 of 90,000 (50 %)" in lines


def test_a_line_tells_the_time_that_remains() -> None:
    """At the pace since the stage began here: what an interrupted training did before took no time now."""
    with LineProgress(3_600.0) as lines:
        lines.show("training", 400, 1_000)
        assert lines._left(60.0) == ""
        lines.show("training", 500, 1_000)
        assert lines._left(60.0) == ", some 5:00 left"
        lines.show("training", 1_000, 1_000)
        assert lines._left(60.0) == ""
        lines.show("writing", 7)
        assert lines._left(60.0) == ""


def test_a_line_can_be_said_in_between() -> None:
    with logged() as log:
        say("nobody shows progress")
        with bar():
            say("an epoch takes long")
    assert log.lines == ["an epoch takes long"]


def test_a_stage_that_lasted_long_is_told_at_its_end() -> None:
    with logged() as log, bar(every_s=0.01):
        progress("writing", 0)
        log.await_lines(1)
        progress("linking targets", 7)
        log.await_lines(len(log.lines) + 2)  # the first may come at once, since the last one of the stage before
    ends = without_time([line for line in log.lines if "took" in line])
    assert ends == ["writing", "linking targets: 7"]


def test_what_is_quick_says_nothing() -> None:
    with logged() as log, bar():
        for done in range(1_000):
            progress("reading", done, 1_000)
        progress("writing", 0)
    assert log.lines == []


def test_nothing_without_progress() -> None:
    told: list[str] = []
    with logged() as log, receiver(lambda stage, done, total=None: told.append(stage)):
        progress("told", 1)
        with bar(enabled=False, every_s=0.0):
            progress("reading", 1)
        progress("told again", 1)
    assert (told, log.lines) == (["told", "told again"], [])


def test_a_thread_says_it_in_a_copy_of_the_context() -> None:
    told: list[str] = []
    with receiver(lambda stage, done, total=None: told.append(stage)), Stage() as stage:
        stage.put(lambda: progress("reading", 1))
        stage.finish()
    assert told == ["reading"]


def test_a_failure_ends_the_lines_too() -> None:
    with logged(), pytest.raises(RuntimeError), bar(every_s=0.01):
        progress("reading", 1)
        raise RuntimeError


def test_a_reader_who_left_does_not_end_the_work() -> None:
    written = threading.Event()

    class Gone(Log):
        def write(self, text: str) -> int:
            written.set()
            raise BrokenPipeError

    with logged(Gone()), bar(every_s=0.01):
        progress("reading", 1)
        assert written.wait(WAIT_S)


def test_work_inside_work_is_shown_in_its_place() -> None:
    """As where a command has to start the server first: one thread writes, and the stage from before goes on."""
    with logged() as log, bar(every_s=0.01):
        progress("copying", 3, 10)
        with bar():
            progress("starting Neo4j", 0)
            log.await_lines(len(log.lines) + 2)
            assert without_time(log.lines)[-1] == "starting Neo4j"
        log.await_lines(len(log.lines) + 2)
        assert without_time(log.lines)[-1] == "copying: 3 of 10 (30 %)"


class Terminal(Log):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_a_wait_goes_when_something_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with logged(Terminal()), BarProgress() as bars:
        bars.show("reading", 1)
        bars.show("waiting for another command", 0)
        bars.show("starting Neo4j", 0)
        assert set(bars._tasks) == {"reading", "starting Neo4j"}
        bars.show("writing", 1, 2)
        assert set(bars._tasks) == {"reading", "writing"}


def test_at_a_terminal_there_are_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with logged(Terminal()) as screen, bar():
        progress("copying", 3, 10)
        with bar():
            progress("starting Neo4j", 0)
            while "starting Neo4j" not in "".join(screen.lines):
                screen.await_lines(len(screen.lines) + 1)
        seen = len(screen.lines)
        progress("copying", 10, 10)
        while "100%" not in "".join(screen.lines[seen:]):
            screen.await_lines(len(screen.lines) + 1)
    assert "starting Neo4j" not in "".join(screen.lines[seen:]).rpartition("copying")[2]


def test_a_notice_is_shown_without_progress_too(capsys: pytest.CaptureFixture[str]) -> None:
    notice("no command runs")
    with bar(False):
        say("an epoch takes long")
        progress("training", 1, 2)
        notice("it leaves this machine")
    assert capsys.readouterr().err == "it leaves this machine\n"
    with bar(True):
        notice("it leaves this machine")
    assert capsys.readouterr().err == "it leaves this machine\n"

"""Jobs run when they are due, what was missed is made up for once, and the scheduler stops when it is asked to."""

from __future__ import annotations

import os
import shutil
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.jobs.record import LastRun, history, last, note
from harmgraph.analytics.jobs.schedule import Missed, Scheduler, missed
from harmgraph.graph.connection import Graph
from tests.support.jobs import AFTER, WAITS, under_way
from tests.support.processes import PATIENCE, wait_for

EVERY_NIGHT = f'cron = "30 2 * * *"\ntimezone = "UTC"\n{AFTER}'


@pytest.mark.parametrize(
    ("last_run", "now", "since", "in_time"),
    [
        ("2026-03-05T02:30:01", "2026-03-05T23:00:00", None, None),
        ("2026-03-05T02:30:01", "2026-03-06T02:31:00", "2026-03-06T02:30:00", True),
        ("2026-03-05T02:30:01", "2026-03-06T03:30:00", "2026-03-06T02:30:00", False),
        # Four nights missed: the last of them counts, and once.
        ("2026-03-05T02:30:01", "2026-03-09T03:00:00", "2026-03-06T02:30:00", True),
        ("2026-03-05T02:30:01", "2026-03-09T12:00:00", "2026-03-06T02:30:00", False),
        # Run by hand in between.
        ("2026-03-09T02:45:00", "2026-03-09T03:00:00", None, None),
    ],
)
def test_what_was_missed(tmp_path: Path, last_run: str, now: str, since: str | None, in_time: bool | None) -> None:
    path = tmp_path / "night.toml"
    path.write_text(EVERY_NIGHT, "utf-8")
    found = missed(read_job(path), f"{last_run}+00:00", datetime.fromisoformat(now).replace(tzinfo=UTC))
    if since is None or in_time is None:
        assert found is None
    else:
        assert found == Missed(datetime.fromisoformat(since).replace(tzinfo=UTC), in_time)


def test_a_job_that_never_ran_missed_nothing(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_text(EVERY_NIGHT, "utf-8")
    assert missed(read_job(path), "", datetime.now(UTC)) is None


def at(moment: str) -> datetime:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


def test_of_the_nights_that_a_machine_slept_the_last_is_told(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_text(EVERY_NIGHT, "utf-8")
    told: list[str] = []
    scheduler = Scheduler([read_job(path)], told.append)
    scheduler.begin(at("2026-03-05T12:00"))
    for _ in range(2):
        scheduler.look(at("2026-03-09T12:00"))
    assert told == [
        "night: next run 2026-03-06T02:30:00+00:00",
        "night: missed 2026-03-09T02:30:00+00:00, longer ago than misfire_grace",
    ]


def test_a_clock_that_was_wrong_by_years_holds_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_text(EVERY_NIGHT, "utf-8")
    told: list[str] = []
    scheduler = Scheduler([read_job(path)], told.append)
    scheduler.begin(at("2036-03-05T12:00"))
    scheduler.look(at("2026-03-05T12:00"))
    scheduler.look(at("2026-03-06T12:00"))
    assert told[1:] == ["night: missed 2026-03-06T02:30:00+00:00, longer ago than misfire_grace"]


def test_a_clock_that_is_put_back_a_little_repeats_no_run(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_text(f"misfire_grace = 1\n{EVERY_NIGHT}", "utf-8")
    told: list[str] = []
    scheduler = Scheduler([read_job(path)], told.append)
    scheduler.begin(at("2026-03-05T12:00"))
    for moment in ("2026-03-06T02:31", "2026-03-06T02:29", "2026-03-06T02:32"):
        scheduler.look(at(moment))
    assert [line for line in told if "missed" in line] == [
        "night: missed 2026-03-06T02:30:00+00:00, longer ago than misfire_grace"
    ]


def test_a_job_that_cannot_be_started_is_told_and_the_next_one_runs(tmp_path: Path) -> None:
    jobs = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.toml").write_text(EVERY_NIGHT, "utf-8")
        jobs.append(read_job(folder / f"{name}.toml"))
        shutil.rmtree(folder)
    told: list[str] = []
    scheduler = Scheduler(jobs, told.append)
    scheduler.begin(at("2026-03-05T12:00"))
    scheduler.look(at("2026-03-06T02:30"))
    assert [line.split(":")[0] for line in told if "could not be started" in line] == ["first", "second"]
    assert "second: waits until first is done" in told


def test_jobs_run_when_due_one_after_the_other(graph: Graph, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(f'cron = "*/4 * * * * *"\n{AFTER}', "utf-8")
    with under_way("schedule", str(tmp_path)) as process:
        for name in ("one", "two"):
            wait_for(lambda name=name: [row for row in graph.rows("job/history", job=name) if row["state"] == "done"])
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "one: next run " in err
    assert "one: ended with exit code 0" in err
    assert "step 1 of 1" not in err, "what goes well is told with --verbose alone"
    events = [line.split()[1:3] for line in err.splitlines() if line.endswith((" begins", "exit code 0"))]
    assert all(begin[0] == end[0] for begin, end in zip(events[::2], events[1::2], strict=False)), "one at a time"


def test_the_scheduler_stops_a_run_under_way(graph: Graph, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "slow.toml").write_text(f'cron = "*/2 * * * * *"\n{WAITS}', "utf-8")
    with under_way("schedule", str(tmp_path)) as process:
        wait_for(lambda: (run := last("slow")) and run.child)
        assert process.stderr is not None
        while "slow: still running, so " not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "stopping, because of SIGTERM" in err
    assert "slow: ended with exit code 143" in err
    assert "Traceback" not in err
    (row,) = history(graph, "slow")
    assert (row["state"], row["exit_code"]) == ("interrupted", 143)


def test_a_run_that_was_missed_is_made_up_for_at_the_start(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    path.write_text(f'cron = "@yearly"\nmisfire_grace = "400d"\n{AFTER}', "utf-8")
    (tmp_path / "later.toml").write_text(f'cron = "@yearly"\nmisfire_grace = 1\n{AFTER}', "utf-8")
    for name in ("late", "later"):
        note(name, LastRun("0", "2020-01-01T00:00:00+00:00", 1))
    with under_way("schedule", str(tmp_path)) as process:
        wait_for(lambda: [row for row in graph.rows("job/history", job="late") if row["state"] == "done"])
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "late: missed since 2021-01-01T00:00:00" in err
    assert "so it runs now" in err
    assert "later: missed since 2021-01-01T00:00:00" in err
    assert "longer ago than misfire_grace: it waits" in err
    assert graph.rows("job/history", job="later") == []


def test_a_job_without_cron_is_not_scheduled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "manual.toml"
    path.write_text(AFTER, "utf-8")
    assert main(["job", "schedule", str(path)]) == 1
    assert 'has no cron; add one, such as cron = "30 2 * * *"' in capsys.readouterr().err


def test_a_scheduler_may_tell_all_that_the_steps_say(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "loud.toml").write_text(f'cron = "*/4 * * * * *"\n{AFTER}', "utf-8")
    with under_way("schedule", "--verbose", str(tmp_path)) as process:
        wait_for(lambda: [row for row in graph.rows("job/history", job="loud") if row["state"] == "done"])
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "loud: step 1 of 1, source list: harmgraph source list" in err

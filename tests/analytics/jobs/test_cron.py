"""Times by cron's own rules, counted by hand with a calendar: 1 March 2026 is a Sunday."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from harmgraph.analytics.jobs.cron import Cron, weekdays


def times(expression: str, start: str, count: int, timezone: str = "UTC") -> list[str]:
    cron = Cron(expression, timezone)
    moment = datetime.fromisoformat(start).replace(tzinfo=cron.zone)
    found = []
    for _ in range(count):
        following = cron.after(moment)
        assert following is not None
        found.append(following.isoformat(timespec="minutes"))
        moment = following
    return [one.removesuffix("+00:00") for one in found]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("*/2 * * * *", ["2026-03-01T00:02", "2026-03-01T00:04", "2026-03-01T00:06"]),
        ("30 2 * * *", ["2026-03-01T02:30", "2026-03-02T02:30", "2026-03-03T02:30"]),
        ("0 9 * * 1-5", ["2026-03-02T09:00", "2026-03-03T09:00", "2026-03-04T09:00"]),
        ("0 9 * * 0", ["2026-03-01T09:00", "2026-03-08T09:00", "2026-03-15T09:00"]),
        ("0 9 * * 7", ["2026-03-01T09:00", "2026-03-08T09:00", "2026-03-15T09:00"]),
        ("0 9 * * sat,SUN", ["2026-03-01T09:00", "2026-03-07T09:00", "2026-03-08T09:00"]),
        ("0 9 * * fri-mon", ["2026-03-01T09:00", "2026-03-02T09:00", "2026-03-06T09:00"]),
        ("0 9 * * */3", ["2026-03-01T09:00", "2026-03-04T09:00", "2026-03-07T09:00"]),
        # Day and weekday both restricted: either will do.
        ("0 0 13 * 5", ["2026-03-06T00:00", "2026-03-13T00:00", "2026-03-20T00:00"]),
        ("0 0 10 * 5", ["2026-03-06T00:00", "2026-03-10T00:00", "2026-03-13T00:00"]),
        ("@monthly", ["2026-04-01T00:00", "2026-05-01T00:00", "2026-06-01T00:00"]),
        ("@weekly", ["2026-03-08T00:00", "2026-03-15T00:00", "2026-03-22T00:00"]),
        ("0 0 29 feb *", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]),
    ],
)
def test_when_a_job_is_due(expression: str, expected: list[str]) -> None:
    assert times(expression, "2026-03-01T00:00", 3) == expected


def test_six_fields_begin_with_seconds() -> None:
    cron = Cron("*/20 * * * * *", "UTC")
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    for seconds in (20, 40, 60):
        following = cron.after(moment)
        assert following == datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        moment = following


def test_a_time_zone_is_kept() -> None:
    assert times("0 3 * * *", "2026-01-01T12:00", 1, "Asia/Tokyo") == ["2026-01-02T03:00+09:00"]


def test_once_a_night_when_the_clocks_change() -> None:
    """In Berlin 2:30 is not there on 29 March 2026 and comes twice on 25 October."""
    assert times("30 2 * * *", "2026-10-24T12:00", 2, "Europe/Berlin") == [
        "2026-10-25T02:30+02:00",
        "2026-10-26T02:30+01:00",
    ]
    spring = times("30 2 * * *", "2026-03-28T12:00", 2, "Europe/Berlin")
    assert [one[:10] for one in spring] == ["2026-03-29", "2026-03-30"]


def test_every_hour_when_the_clocks_change() -> None:
    for start in ("2026-03-28T23:30", "2026-10-24T23:30"):
        found = [datetime.fromisoformat(one) for one in times("0 * * * *", start, 6, "Europe/Berlin")]
        assert {b - a for a, b in pairwise(one.astimezone(UTC) for one in found)} == {timedelta(hours=1)}


@pytest.mark.parametrize("field", ["8", "mon-9", "x", "*/0", "1-x", "-", "", "1,,2", "*/x"])
def test_what_is_no_weekday(field: str) -> None:
    with pytest.raises(ValueError, match="is not a weekday"):
        weekdays(field)


def test_a_day_that_never_comes() -> None:
    assert Cron("0 0 31 2 *", "UTC").after(datetime(2026, 3, 1, tzinfo=UTC)) is None

"""Times by cron's own rules, counted by hand with a calendar: 1 March 2026 is a Sunday."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("0 9 * * */2,fri-sun", ["2026-03-01T09:00", "2026-03-03T09:00", "2026-03-05T09:00"]),
        # Day and weekday both restricted: either will do.
        ("0 0 13 * 5", ["2026-03-06T00:00", "2026-03-13T00:00", "2026-03-20T00:00"]),
        ("0 0 10 * 5", ["2026-03-06T00:00", "2026-03-10T00:00", "2026-03-13T00:00"]),
        ("@monthly", ["2026-04-01T00:00", "2026-05-01T00:00", "2026-06-01T00:00"]),
        ("@weekly", ["2026-03-08T00:00", "2026-03-15T00:00", "2026-03-22T00:00"]),
        ("0 0 1 feb-jun/2 *", ["2026-04-01T00:00", "2026-06-01T00:00", "2027-02-01T00:00"]),
        ("0 0 last * *", ["2026-03-31T00:00", "2026-04-30T00:00", "2026-05-31T00:00"]),
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


@pytest.mark.parametrize("expression", ["30 2 * * *", "*/10 2 * * *", "20 30 2 * * *"])
def test_a_time_that_the_clock_leaves_out_is_due_when_it_goes_on(expression: str) -> None:
    assert times(expression, "2026-03-28T12:00", 1, "Europe/Berlin") == ["2026-03-29T03:00+02:00"]
    after = times(expression, "2026-03-29T03:00", 1, "Europe/Berlin")
    assert after[0][:13] == "2026-03-30T02"


@pytest.mark.parametrize(("expression", "count"), [("*/10 2 * * *", 6), ("20 30 2 * * *", 1), ("*/10 * * * *", 12)])
def test_a_time_that_comes_twice_is_due_once_unless_every_hour(expression: str, count: int) -> None:
    """On 25 October 2026 the clock of Berlin shows 2:00 to 3:00 twice."""
    due = times(expression, "2026-10-25T01:55", 13, "Europe/Berlin")
    assert sum(moment.startswith("2026-10-25T02") for moment in due) == count


def test_the_morning_after_the_clocks_change_has_all_its_times() -> None:
    assert times("0 * * * 1", "2026-03-29T01:30", 1, "Europe/Berlin") == ["2026-03-30T00:00+02:00"]


def test_every_hour_when_the_clocks_change() -> None:
    for start in ("2026-03-28T23:30", "2026-10-24T23:30"):
        found = [datetime.fromisoformat(one) for one in times("0 * * * *", start, 6, "Europe/Berlin")]
        assert {b - a for a, b in pairwise(one.astimezone(UTC) for one in found)} == {timedelta(hours=1)}


@pytest.mark.parametrize("field", ["8", "mon-9", "x", "*/0", "1-x", "-", "", "1,,2", "*/x"])
def test_what_is_no_weekday(field: str) -> None:
    with pytest.raises(ValueError, match="is not a weekday"):
        weekdays(field)


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("0 24 * * *", "the hour cannot be '24'"),
        ("0 0 1,,2 * *", "the day cannot be ''"),
        ("0 0 * mai *", "the month cannot be 'mai'"),
        ("60 0 0 * * *", "the second cannot be '60'"),
        ("*/90 * * * *", "the step of '\\*/90' is too wide for a minute"),
        ("0 0 * * mon#2", "'mon#2' is not a weekday"),
        ("@reboot", "has 1 fields"),
    ],
)
def test_what_cannot_be_read(expression: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Cron(expression, "UTC")


def some(low: int, high: int) -> st.SearchStrategy[list[int]]:
    """The values of one field; all of them, where the field is a star."""
    return st.lists(st.integers(low, high), min_size=1, max_size=4, unique=True).map(sorted) | st.just([])


@given(
    minutes=some(0, 59),
    hours=some(0, 23),
    days=some(1, 28),
    weekday=some(0, 6),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2029, 1, 1), timezones=st.just(UTC)),
)
def test_the_next_time_is_the_first_of_all_that_fit(
    minutes: list[int], hours: list[int], days: list[int], weekday: list[int], start: datetime
) -> None:
    fields = [",".join(map(str, values)) or "*" for values in (minutes, hours, days, [], weekday)]
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
    fitting = (
        midnight + timedelta(days=day, hours=hour, minutes=minute)
        for day, hour, minute in product(range(62), hours or range(24), minutes or range(60))
        if _fits(midnight + timedelta(days=day), days, weekday)
    )
    expected = next(moment for moment in fitting if moment > start)
    assert Cron(" ".join(fields), "UTC").after(start) == expected


def _fits(date: datetime, days: list[int], weekday: list[int]) -> bool:
    by_day, by_weekday = date.day in days, date.isoweekday() % 7 in weekday
    return by_day or by_weekday if days and weekday else (by_day or not days) and (by_weekday or not weekday)


@pytest.mark.parametrize("expression", ["0 0 31 2 *", "0 0 30,31 feb *", "0 0 31 4,6,9,11 *", "0 30 2 30 2 *"])
def test_a_day_that_never_comes_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=f"cron '{re.escape(expression)}' never comes: none of its months has day 3"):
        Cron(expression, "UTC")


def test_a_day_that_comes_in_some_years_is_waited_for() -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    assert Cron("0 0 29 2 *", "UTC").after(moment) == datetime(2028, 2, 29, tzinfo=UTC)
    assert Cron("0 0 31 2 mon", "UTC").after(moment) == datetime(2027, 2, 1, tzinfo=UTC), "a day or a weekday"

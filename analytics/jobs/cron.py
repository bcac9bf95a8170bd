"""When a job is due: cron's five fields, or six with seconds first, with the meaning they have in cron."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger

FIELDS = ("second", "minute", "hour", "day", "month", "day_of_week")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
NAMED = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}


class Cron(BaseTrigger):  # type: ignore[misc]  # APScheduler has no types
    """An APScheduler trigger that reads an expression as cron does.

    APScheduler counts weekdays from Monday and requires both day and weekday to match. Cron counts from Sunday (0 or 7), and if
    both are restricted one match is enough. A time that occurs twice because the clock is put back fires once, unless the job
    runs every hour.

    Raises:
        ValueError: not a cron expression, or an unknown time zone.
    """

    def __init__(self, expression: str, timezone: str = "") -> None:
        self.expression = expression
        self.zone = zone(timezone)
        fields = NAMED.get(expression.strip().lower(), expression).split()
        if len(fields) not in (5, 6):
            raise ValueError(f"cron {expression!r} has {len(fields)} fields, not 5 (or 6 with seconds first)")
        if len(fields) == 5:
            fields.insert(0, "0")
        named = dict(zip(FIELDS, fields, strict=True))
        any_day = named["day"].startswith("*") or named["day_of_week"].startswith("*")
        named["day_of_week"] = weekdays(named["day_of_week"])
        self._every_hour = named["hour"].startswith("*")
        alternatives = [named] if any_day else [{**named, "day": "*"}, {**named, "day_of_week": "*"}]
        try:
            self._triggers = [CronTrigger(**alternative, timezone=self.zone) for alternative in alternatives]
        except ValueError as error:
            why = str(error).removeprefix("Error validating expression ")
            raise ValueError(f"cron {expression!r} cannot be read: {why}") from error

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None:
        """The first time after ``previous_fire_time`` that is not before ``now``; None if there is none."""
        while True:
            times = [trigger.get_next_fire_time(previous_fire_time, now) for trigger in self._triggers]
            earliest: datetime | None = min((time for time in times if time), default=None)
            if earliest is None or not earliest.fold or self._every_hour:
                return earliest
            previous_fire_time = now = earliest

    def after(self, moment: datetime) -> datetime | None:
        """The first time later than a moment."""
        moment = moment.astimezone(self.zone)
        return self.get_next_fire_time(moment, moment)

    def __str__(self) -> str:
        return self.expression


def zone(name: str) -> Any:
    """The time zone of that name; the machine's if the name is empty.

    Raises:
        ValueError: there is no such time zone.
    """
    if not name:
        from tzlocal import get_localzone

        return get_localzone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"timezone {name!r} is not known (write UTC or Europe/Berlin)") from error


def weekdays(field: str) -> str:
    """Cron's weekday field with the days as names, for APScheduler.

    Raises:
        ValueError: a part is not a weekday, or a step is 0.
    """
    return ",".join(_weekdays(part) for part in field.split(","))


def _weekdays(part: str) -> str:
    span, _, step = part.partition("/")
    first, _, last = span.partition("-")
    if part == "*":
        return part
    ends = [0, 6] if span == "*" else [_day(first), _day(last or ("6" if step else first))]
    if step and not (step.isdigit() and int(step)):
        raise ValueError(f"cron: {part!r} is not a weekday")
    if ends[1] < ends[0]:
        ends[1] += 7  # such as sat-mon
    chosen = dict.fromkeys(DAYS[day % 7] for day in range(ends[0], ends[1] + 1, int(step or 1)))
    return ",".join(chosen)


def _day(name: str) -> int:
    if name.isdigit() and int(name) <= 7:
        return int(name)
    if name.lower() in DAYS:
        return DAYS.index(name.lower())
    raise ValueError(f"cron: {name!r} is not a weekday (0 or sun to 6 or sat, 7 is Sunday too)")

"""When a job is due: cron's five fields, or six with seconds first, with the meaning they have in cron."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

FIELDS = ("second", "minute", "hour", "day", "month", "weekday")
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
_ANY_TIME = datetime(2000, 1, 1)


class Cron:
    """The times of a cron expression in a time zone.

    A time that occurs twice because the clock is put back is due once, and one that the clock leaves out is due when it goes on.
    An expression whose hour begins with ``*`` is about the hours that pass, whatever the clock shows.

    Raises:
        ValueError: not a cron expression, a date that never comes (31 February), or an unknown time zone.
    """

    def __init__(self, expression: str, timezone: str = "") -> None:
        self.expression = expression
        self.zone = zone(timezone)
        fields = NAMED.get(expression.strip().lower(), expression).split()
        if len(fields) not in (5, 6):
            raise ValueError(f"cron {expression!r} has {len(fields)} fields, not 5 (or 6 with seconds first)")
        if len(fields) == 5:
            fields.insert(0, "0")
        fields[3] = fields[3].lower().replace("last", "l")  # CronSim's word for the last day of a month
        for name, field in zip(FIELDS[:5], fields[:5], strict=True):
            for part in field.split(","):
                _check(expression, name, part)
        fields[5] = weekdays(fields[5])
        self._every_hour = fields[2].startswith("*")
        self._fields = " ".join(fields)
        try:
            CronSim(self._fields, _ANY_TIME)
        except CronSimError as error:  # each field can be read
            raise ValueError(f"cron {expression!r} never comes: none of its months has day {fields[3]}") from error

    def after(self, moment: datetime) -> datetime:
        """The first time later than a moment."""
        start = moment.astimezone(self.zone)
        # CronSim minds a change of the clock only where there are five fields and none begins with a star. Without a time zone
        # it tells what a clock would show, and ``_due`` when that is.
        times = CronSim(self._fields, start if self._every_hour else start.replace(tzinfo=None))
        now = moment.astimezone(UTC)
        return next(due for due in map(self._due, times) if due > now)

    def _due(self, time: datetime) -> datetime:
        """When the clock first shows a time, or goes on where it leaves that out."""
        if time.tzinfo:
            return time.astimezone(UTC).astimezone(self.zone)
        due = time.replace(tzinfo=self.zone)
        while due.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None) != time:
            time = time.replace(second=0) + timedelta(minutes=1)
            due = time.replace(tzinfo=self.zone)
        return due

    def __str__(self) -> str:
        return self.expression


def _check(expression: str, name: str, part: str) -> None:
    """Refuses what a field cannot be; field by field, because CronSim also refuses an expression that is never due.

    Raises:
        ValueError: the part cannot be read, or its step leaves nothing but its first value.
    """
    alone = dict.fromkeys(FIELDS, "*") | {name: part or "-"}
    try:
        values = getattr(CronSim(" ".join(alone.values()), _ANY_TIME), f"{name}s")
    except CronSimError as error:
        raise ValueError(f"cron {expression!r} cannot be read: the {name} cannot be {part!r}") from error
    if "/" in part and len(values) == 1:  # who writes */90 means an hour and a half, and would get an hour
        raise ValueError(f"cron {expression!r} cannot be read: the step of {part!r} is too wide for a {name}")


def zone(name: str) -> tzinfo:
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
    """Cron's weekday field for CronSim, which knows no span over the end of the week, such as fri-mon.

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
    if step and not (step.isdecimal() and int(step)):
        raise ValueError(f"cron: {part!r} is not a weekday")
    if span == "*":
        return part  # as it is: a field that begins with a star restricts nothing (see ``docs/jobs.md``)
    if ends[1] < ends[0]:
        ends[1] += 7
    return ",".join(dict.fromkeys(str(day % 7) for day in range(ends[0], ends[1] + 1, int(step or 1))))


def _day(name: str) -> int:
    if name.isdecimal() and int(name) <= 7:
        return int(name)
    if name.lower() in DAYS:
        return DAYS.index(name.lower())
    raise ValueError(f"cron: {name!r} is not a weekday (0 or sun to 6 or sat, 7 is Sunday too)")

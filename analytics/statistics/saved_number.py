"""A saved number, and how it changed between two runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from harmgraph.analytics.statistics.number_id import NumberParts, options_of, read_parameters


@dataclass(frozen=True, slots=True)
class Number:
    """A saved measurement of a step.

    Attributes:
        category: ``all``, or a category of targets.
        source: the source it was computed on; None for all of them.
        target: the target it belongs to; None where it covers more than one.
        low, high: its 95 % interval, where it has one.
        n: how many statements it is based on.
        unlabelled: how many of these have no label; None where the statistic does not count them.
        lists: ``name@digest`` of each target list that it is about; None where that was not kept.
        sources: ``name@import_id`` of each source that it is of.
        scorers: ``measure=scorer@version`` of who labelled; None where that was not kept.
        options: those of its statistic that differ from the defaults.
        number_id: see ``analytics.statistics.number_id``; of a run that kept none it is computed from the other parts.
    """

    step: str
    metric: str
    category: str
    source: str | None
    measure: str | None
    target: str | None
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    unlabelled: int | None = None
    lists: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    scorers: tuple[str, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    number_id: str = ""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Number:
        """From a row of ``job/numbers`` or ``job/numbers_before``."""
        kept = {name: None if row[name] is None else tuple(row[name]) for name in ("lists", "sources", "scorers")}
        parameters = read_parameters(row["parameters"])
        options = options_of(row["command"], parameters, row["metric"], of_target=row["target"] is not None)
        given = {name: value for name, value in row.items() if name not in ("command", "parameters")}
        number = cls(**{**given, **kept, "options": options, "number_id": row["number_id"] or ""})
        return number if number.number_id else replace(number, number_id=number.computed_id(scorers=True))

    def computed_id(self, *, scorers: bool) -> str:
        """Its id, computed from its parts.

        Args:
            scorers: whether the scorers are a part. Runs of an earlier harmgraph did not keep them.
        """
        return NumberParts(
            metric=self.metric,
            category=self.category,
            target=self.target,
            source=self.source,
            measure=self.measure,
            lists=self.lists,
            scorers=(self.scorers if self.measure else ()) if scorers else None,
            options=self.options,
        ).number_id()

    @property
    def without_labels(self) -> bool:
        """Whether none of its statements is labelled. Such a number is not a result."""
        return bool(self.n) and self.n is not None and self.unlabelled is not None and self.unlabelled >= self.n

    @property
    def identity(self) -> tuple[str, str, str | None, str | None, str | None]:
        """Identifies the number in every run, whatever the step is called."""
        return self.metric, self.category, self.source, self.measure, self.target

    @property
    def scope(self) -> str:
        """What it covers, in words."""
        return ", ".join(part for part in (self.target, self.category, self.source, self.measure) if part)


@dataclass(frozen=True, slots=True)
class Change:
    """A number of this run and the same number of the latest earlier run that has it."""

    now: Number
    before: Number | None

    @property
    def other_lists(self) -> str:
        """How the target lists differ from those of the earlier number, in words; empty where they are the same."""
        return "" if self.before is None else difference(self.before.lists, self.now.lists)

    @property
    def other_sources(self) -> str:
        """The same of the imports of its sources."""
        return "" if self.before is None else difference(self.before.sources, self.now.sources)

    @property
    def is_equal(self) -> bool:
        """Whether both numbers are the same; also where neither has a value."""
        return self.before is not None and self.before.value == self.now.value

    @property
    def amount(self) -> float | None:
        """Now less before."""
        if self.before is None or self.before.value is None or self.now.value is None:
            return None
        return self.now.value - self.before.value

    @property
    def percent(self) -> float | None:
        """The change relative to the size of the earlier number; infinite where that was 0."""
        amount = self.amount
        if amount is None or self.before is None or self.before.value is None:
            return None
        if not amount:
            return 0.0
        return 100 * amount / abs(self.before.value) if self.before.value else math.copysign(math.inf, amount)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the change, from the intervals of both numbers; None where either has none.

        With the numbers ``a`` before and ``b`` now, and intervals from ``a-`` to ``a+`` and from ``b-`` to ``b+``, it reaches
        from ``b - a - sqrt((b - b-)^2 + (a+ - a)^2)`` to ``b - a + sqrt((b+ - b)^2 + (a - a-)^2)`` (Newcombe 1998, method 10;
        Zou and Donner 2008). This assumes independent numbers. Two runs on one graph share most of their statements, so their
        change varies less.
        """
        now, before = self.now, self.before
        amount = self.amount
        if amount is None or before is None or None in (now.low, now.high, before.low, before.high):
            return None
        down = math.hypot(_reach(now.value, now.low), _reach(before.high, before.value))
        up = math.hypot(_reach(now.high, now.value), _reach(before.value, before.low))
        return amount - down, amount + up

    def row(self) -> dict[str, Any]:
        """The row of this change in the table of a run."""
        named = asdict(self.now)
        return {
            "metric": self.now.metric,
            **{name: named[name] for name in ("target", "category", "source", "measure")},
            "before": self.before.value if self.before else None,
            "now": self.now.value,
            "change": self.amount,
            "change_percent": self.percent,
            "now_low": self.now.low,
            "now_high": self.now.high,
            "n": self.now.n,
            "step": self.now.step,
            "lists": list(self.now.lists or ()),
            "sources": list(self.now.sources or ()),
            "scorers": None if self.now.scorers is None else list(self.now.scorers),
            "options": dict(self.now.options),
            "unlabelled": self.now.unlabelled,
            "number_id": self.now.number_id,
            "other_lists": self.other_lists or None,
            "other_sources": self.other_sources or None,
        }


def difference(before: Sequence[str] | None, now: Sequence[str] | None) -> str:
    """What came, went and changed between names with digests; empty where nothing did, or where either was not kept."""
    if before is None or now is None or before == now:
        return ""
    was, are = (dict(one.rpartition("@")[::2] for one in names) for names in (before, now))
    parts = (
        ("new", [name for name in are if name not in was]),
        ("gone", [name for name in was if name not in are]),
        ("changed", [name for name in are if name in was and are[name] != was[name]]),
    )
    return "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in parts if names)


def _reach(upper: float | None, lower: float | None) -> float:
    """The distance from ``lower`` up to ``upper``; 0 where an interval does not contain its number."""
    assert upper is not None
    assert lower is not None
    return max(0.0, upper - lower)

"""The thresholds of a job: their grammar, and when a number exceeds one.

    threshold  = [ "drift" | "rise" | "fall" ] metric [ "[" part { "," part } "]" ] [ limit ] [ "beyond chance" ]
    part       = category | key "=" value            key: category, source, target, measure, step
    limit      = ( ">" | ">=" | "<" | "<=" ) number [ "%" ]

``disparity.d_o_minus[religion, source=conceptnet] > 5`` compares a number with 5. ``drift`` compares its change since the
last run in either direction, ``rise`` and ``fall`` in one direction. With ``%`` the change is relative to the earlier number.
A change is ``beyond chance`` if its 95 % interval (``Change.interval``) lies on the side in question and excludes 0; if there
is also a limit, both must hold. Values may be quoted.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from harmgraph.analytics.statistics.saved_number import Change
from harmgraph.common.errors import InputError

KEYS = ("category", "source", "target", "measure", "step")
KINDS = ("drift", "rise", "fall")
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
SHOWN = 3
TOLD = 10
"""How many of the numbers that exceed a threshold JSON and alerts tell."""
_EXAMPLE = 'such as "disparity.d_o_minus[religion] > 5" or "drift disparity.d_o_minus > 10%"'
_WHOLE = re.compile(
    r"""\s*(?:(?P<kind>[a-z]+)\s+)?
    (?P<metric>[A-Za-z_]\w*(?:\.\w+)+)\s*
    (?:\[(?P<scope>(?:"[^"]*"|'[^']*'|[^\]"'])*)\]\s*)?
    (?:(?P<comparison>[<>]=?)\s*(?P<limit>-?\d+(?:\.\d+)?)\s*(?P<percent>%)?\s*)?
    (?P<chance>(?<=[\s\]%])beyond\s+chance)?\s*""",
    re.VERBOSE,
)
_PART = re.compile(r"""\s*(?:(?P<key>\w+)\s*=\s*)?(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^,"'=]+))\s*""")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold.

    Attributes:
        text: as written.
        kind: empty for the number itself; drift, rise or fall for its change since the last run.
        scope: which numbers are meant, by key; empty for all numbers of the metric (see ``meant``).
        comparison: empty if there is no limit.
        percent: whether the change is relative to the earlier number.
        beyond_chance: whether the interval of the change must exclude 0.
        position: in the list of its job, from 0.
    """

    text: str
    kind: str
    metric: str
    scope: Mapping[str, str]
    comparison: str
    limit: float
    percent: bool
    beyond_chance: bool = False
    position: int = 0

    def meant(self, changes: Sequence[Change]) -> list[Change]:
        """The numbers it refers to. Without a category or target: the number over all categories, if the metric has one."""
        candidates = [
            change
            for change in changes
            if change.now.metric == self.metric
            and all(getattr(change.now, key) == value for key, value in self.scope.items())
        ]
        if "category" not in self.scope and "target" not in self.scope:
            candidates = [change for change in candidates if change.now.category == "all"] or candidates
        return [change for change in candidates if change.now.value is not None]

    def exceeded_by(self, change: Change) -> bool:
        """Whether a number exceeds it; a change without an earlier number, or to other targets, never does."""
        if self.kind and change.other_lists:
            return False
        amount = self.compared(change)
        if amount is None or not self.is_beyond(amount):
            return False
        return not self.beyond_chance or self._surely(change)

    def is_beyond(self, amount: float) -> bool:
        """Whether what is compared is beyond the limit, or there is none."""
        return not self.comparison or COMPARISONS[self.comparison](amount, self.limit)

    def _surely(self, change: Change) -> bool:
        if change.interval is None:
            return False
        low, high = change.interval
        return {"drift": low > 0 or high < 0, "rise": low > 0, "fall": high < 0}[self.kind]

    def compared(self, change: Change) -> float | None:
        """What is held against the limit: the number, or its change in the direction in question; None if there is none."""
        amount = change.now.value if not self.kind else change.percent if self.percent else change.amount
        return None if amount is None else self.directed(amount)

    def directed(self, amount: float) -> float:
        """A number, or a change in the direction in question: a fall by 3 is 3."""
        return {"": amount, "drift": abs(amount), "rise": amount, "fall": -amount}[self.kind]


@dataclass(frozen=True, slots=True)
class Over:
    """A number that exceeds a threshold.

    Attributes:
        compared: what was held against the limit, see ``Threshold.compared``.
        statements: statements behind the number, rows of ``cypher/job/statements``; none before they are asked for.
    """

    change: Change
    compared: float
    statements: tuple[Mapping[str, Any], ...] = ()

    def facts(self) -> dict[str, Any]:
        """All of it in plain values."""
        now, before = self.change.now, self.change.before
        low, high = self.change.interval or (None, None)
        return {
            "metric": now.metric,
            "target": now.target,
            "category": now.category,
            "source": now.source,
            "measure": now.measure,
            "step": now.step,
            "value": now.value,
            "low": now.low,
            "high": now.high,
            "n": now.n,
            "before": before.value if before else None,
            "change": self.change.amount,
            "change_percent": self.change.percent,
            "change_low": low,
            "change_high": high,
            "compared": self.compared,
            "statements": [dict(statement) for statement in self.statements],
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a threshold in a run.

    Attributes:
        outcome: ``kept``, ``exceeded``, ``not measured`` (no number matches, or none has a labelled statement or the interval
            that is needed), ``nothing before`` (a change without an earlier number), or ``other lists`` (a change of numbers that
            are about other targets than before).
        numbers: how many numbers it was compared with.
        line: outcome and numbers in words.
        over: the numbers that exceed it, the furthest from the limit first.
    """

    threshold: Threshold
    outcome: str
    numbers: int
    line: str
    over: tuple[Over, ...] = ()

    def facts(self) -> dict[str, Any]:
        """All of it in plain values; of the numbers that exceed the threshold the first ten."""
        limit = self.threshold
        return {
            "threshold": limit.text,
            "outcome": self.outcome,
            "numbers": self.numbers,
            "told": self.line,
            "kind": limit.kind or None,
            "comparison": limit.comparison or None,
            "limit": limit.limit if limit.comparison else None,
            "percent": limit.percent,
            "beyond_chance": limit.beyond_chance,
            "exceeding": len(self.over),
            "exceeded_by": [over.facts() for over in self.over[:TOLD]],
        }


def judge(threshold: Threshold, changes: Sequence[Change]) -> Verdict:
    """Compares the numbers of one run with a threshold."""
    candidates = threshold.meant(changes)
    if not candidates:
        return Verdict(threshold, "not measured", 0, f"{threshold.text}: it matches no number of this run")
    meant = [change for change in candidates if not change.now.without_labels]
    if not meant:
        return Verdict(threshold, "not measured", 0, f"{threshold.text}: its numbers have no labelled statement")
    notes = (
        [f"{len(candidates) - len(meant):,} without a labelled statement left out"]
        if len(meant) < len(candidates)
        else []
    )
    if threshold.beyond_chance:
        compared = [change for change in meant if change.amount is not None]
        without = sum(change.interval is None for change in compared)
        if compared and without == len(compared):
            line = f"{threshold.text}: no interval, now or before, to tell the change from chance"
            return Verdict(threshold, "not measured", 0, line)
        notes += [f"{without:,} without an interval left out"] if without else []
    over = [
        Over(change, amount)
        for change in meant
        if (amount := threshold.compared(change)) is not None and threshold.exceeded_by(change)
    ]
    if over:
        over.sort(key=lambda each: -abs(each.compared - threshold.limit))
        exceeding = "; ".join(_described(threshold, each.change) for each in over[:SHOWN])
        more = f"; and {len(over) - SHOWN:,} more" if len(over) > SHOWN else ""
        return Verdict(threshold, "exceeded", len(meant), f"{threshold.text}: {exceeding}{more}", tuple(over))
    if threshold.kind and all(change.before is None for change in meant):
        return Verdict(threshold, "nothing before", len(meant), f"{threshold.text}: no earlier number to compare with")
    if threshold.kind and (others := [change for change in meant if change.other_lists]):
        why = f"the target lists differ from those of the run before ({others[0].other_lists})"
        if all(change.other_lists for change in meant if change.before):
            return Verdict(threshold, "other lists", len(meant), f"{threshold.text}: not compared, {why}")
        notes.append(f"{len(others):,} not compared, {why}")
    return Verdict(threshold, "kept", len(meant), f"{threshold.text}: kept" + "".join(f"; {note}" for note in notes))


def _described(threshold: Threshold, change: Change) -> str:
    number = change.now
    if threshold.kind and change.before:
        told = f"{_short(change.before.value)} -> {_short(number.value)}{_change(threshold, change)}"
    else:
        told = _exact(number.value, threshold)
    if threshold.beyond_chance and change.interval:
        low, high = change.interval
        told += f" (change, 95 %: {_short(low)} to {_short(high)})"
    elif not threshold.kind and number.low is not None and number.high is not None:
        told += f" (95 %: {_short(number.low)} to {_short(number.high)})"
    return f"{told} of {number.scope}"


def _change(threshold: Threshold, change: Change) -> str:
    """The change, and as a share of the earlier number; what was held against the limit exactly."""
    percent = change.percent
    has_share = percent is not None and math.isfinite(percent)
    if threshold.percent:
        return f", {_exact(percent, threshold, '+')} %" if has_share else f", {_short(change.amount, '+')} from 0"
    share = f", {percent:+.1f} %" if has_share else ""
    return f", change {_exact(change.amount, threshold, '+')}{share}" if threshold.comparison else share


def _exact(value: float | None, threshold: Threshold, sign: str = "") -> str:
    """A number with as many digits as it takes, four at least, for the number as shown to exceed the threshold too."""
    assert value is not None
    text = ""
    for digits in range(4, 18):
        text = _short(value, sign, digits)
        if threshold.is_beyond(threshold.directed(float(text.replace(",", "")))):
            break
    return text


def _short(value: float | None, sign: str = "", digits: int = 4) -> str:
    if value is None:
        return "nothing"
    return f"{value:{sign},.{digits}g}" if abs(value) < 10**digits else f"{value:{sign},.0f}"


def threshold(text: str, where: str) -> Threshold:
    """Reads a threshold.

    Raises:
        InputError: the text does not follow the grammar.
    """
    match = _WHOLE.fullmatch(text)
    if not match:
        raise _wrong(text, "is not a threshold", where, _EXAMPLE)
    kind = match["kind"] or ""
    if not match["comparison"] and not match["chance"]:
        raise _wrong(text, "has no limit", where, _EXAMPLE)
    if kind and kind not in KINDS:
        near = get_close_matches(kind, KINDS, n=1)
        raise _wrong(text, f"begins with {kind!r}", where, f"write {near[0] if near else ', '.join(KINDS)}")
    if match["percent"] and not kind:
        remedy = "compare a number with a number (rates are in percent already); % goes with drift, rise and fall"
        raise _wrong(text, "ends with %", where, remedy)
    if match["chance"] and not kind:
        remedy = "it goes with drift, rise and fall: 'rise disparity.d_o_minus beyond chance'"
        raise _wrong(text, "ends with 'beyond chance' but is not about a change", where, remedy)
    return Threshold(
        text.strip(),
        kind,
        match["metric"],
        _scope(match["scope"] or "", text, where),
        match["comparison"] or "",
        float(match["limit"] or 0),
        bool(match["percent"]),
        bool(match["chance"]),
    )


def _scope(text: str, whole: str, where: str) -> dict[str, str]:
    scope: dict[str, str] = {}
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if not match or (match.end() < len(text) and text[match.end()] != ","):
            raise _wrong(whole, "has a scope that cannot be read", where, "such as [religion, source=conceptnet]")
        key = match["key"] or "category"
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise _wrong(whole, f"has a scope with no known key {key!r}", where, f"{hint}known: {', '.join(KEYS)}")
        if key in scope:
            raise _wrong(whole, f"names {key} twice", where, "write one threshold for each")
        quoted = match["double"] if match["double"] is not None else match["single"]
        scope[key] = quoted if quoted is not None else match["bare"].strip()
        at = match.end() + 1
    return scope


def _wrong(text: str, what: str, where: str, remedy: str) -> InputError:
    return InputError(f"fail_if {text!r} {what}", where=where, remedy=remedy)

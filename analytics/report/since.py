"""What changed in a source since an earlier run that was saved: numbers beyond chance, and the statements behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harmgraph.analytics.drawing.drawing import DrawnTable
from harmgraph.analytics.drawing.numbers import Numbers, Rows
from harmgraph.analytics.statistics.chance import is_beyond
from harmgraph.analytics.statistics.saved_number import Change, Number, difference
from harmgraph.common.plotting.style import bounds
from harmgraph.graph.contents import changes
from harmgraph.graph.contents.basis import basis

RATES = ("o_minus", "o_plus")
DISPARITIES = ("d_r", "d_o_minus", "d_o_plus")
NAMES: Mapping[str, str] = {
    "o_minus": "O− %",
    "o_plus": "O+ %",
    "d_r": "D_R",
    "d_o_minus": "D_O−",
    "d_o_plus": "D_O+",
}
STATEMENTS = 5
"""Most statements of each kind that are shown behind a number."""
BROUGHT = "Statements: those that the newest import brought or took away. "
Identity = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """A number that changed beyond chance.

    Attributes:
        q: corrected for how many numbers were compared.
        came, went: statements about its target that only the newest import has, and that only the one before had.
        more: how many further ones are known, of ``came`` and ``went``.
        not_all: whether there may be others, as only so many are listed of all targets together.
    """

    change: Change
    q: float
    came: tuple[str, ...]
    went: tuple[str, ...]
    more: tuple[int, int]
    not_all: bool

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        return NAMES[self.change.now.metric.rpartition(".")[2]]

    @property
    def subject(self) -> str:
        """The target, or ``all targets``."""
        return self.change.now.target or "all targets"

    @property
    def statements(self) -> str:
        """The statements behind it, in words; empty where none is known."""
        parts = []
        for word, shown, more in zip(("came", "went"), (self.came, self.went), self.more, strict=True):
            if shown:
                least = "at least " if self.not_all else ""
                parts.append(f"{word}: {'; '.join(shown)}" + (f"; {least}{more:,} more" if more or least else ""))
        return ". ".join(parts)


@dataclass(frozen=True, slots=True)
class SinceLast:
    """The numbers of a source and a measure beside those of an earlier run.

    Attributes:
        first, at: when the oldest and the newest of the earlier runs began, UTC.
        compared: how many numbers both have, with intervals.
        beyond: those that changed beyond chance, the surest first.
        differs: what else differs: target lists, sources, scorers; empty where nothing does, or it was not kept.
    """

    first: str
    at: str
    compared: int
    beyond: Sequence[ChangedNumber]
    differs: str

    @property
    def in_words(self) -> str:
        """How many changed, and what else differs."""
        other = f" Other than then: {self.differs}." if self.differs else ""
        first, at = (time[:16].replace("T", " ") for time in (self.first, self.at))
        runs = f"the run of {at}" if first == at else f"the runs of {first} to {at}"
        found = f"{len(self.beyond):,} of {self.compared:,} numbers changed beyond chance (q at most 0.05)"
        return f"{found} since {runs} UTC.{other}"

    def table(self) -> DrawnTable:
        """The numbers that changed, with the statements behind them, once for each target."""
        first = {each.subject: each for each in reversed(self.beyond)}
        return DrawnTable(
            ("number", "of", "before", "n before", "now", "n now", "change", "95 %", "q", "statements"),
            [
                [
                    each.name,
                    each.subject,
                    each.change.before.value if each.change.before else None,
                    each.change.before.n if each.change.before else None,
                    each.change.now.value,
                    each.change.now.n,
                    each.change.amount,
                    bounds(*(each.change.interval or (None, None))),
                    each.q,
                    each.statements if first[each.subject] is each or not each.statements else "the same",
                ]
                for each in self.beyond
            ],
            (BROUGHT if any(each.statements for each in self.beyond) else "")
            + "n counts statements, and of disparities pairs of a statement and a target. "
            + "The intervals take the two runs for independent, and so are rather too wide.",
        )


def since_last(
    numbers: Numbers, source: str, measure: str, facts: Mapping[str, Any], targets: Rows, disparity: Rows
) -> SinceLast | None:
    """Compares numbers with the newest saved ones of an earlier import, or else with the newest ones.

    A change is beyond chance if q is at most .05. p is that of a normal distribution with the interval of the change (Zou and
    Donner 2008), and q corrects it for the number of changes (Benjamini and Hochberg 1995).

    Args:
        facts: the properties of the source's node. targets: rows of ``overgeneralization``. disparity: rows of ``disparity``.

    Returns:
        None where no earlier run measured one of the numbers.
    """
    earlier, of_other_import = _earlier(numbers, source, measure, str(facts.get("import_id") or ""))
    if not earlier:
        return None
    stands = basis(numbers.graph, [source], lists=True, measures=[measure])
    now = [
        replace(number, lists=stands.lists, sources=stands.sources, scorers=stands.scorers)
        for number in _now(source, measure, targets, disparity)
    ]
    pairs = [
        Change(number, before[0])
        for number in now
        if (before := earlier.get((number.metric, number.category, number.target)))
    ]
    judged = [change for change in pairs if change.interval is not None]
    if not judged:
        return None
    found = {id(change): q for change, q in zip(judged, _q(judged), strict=True)}
    beyond = sorted((change for change in judged if is_beyond(found[id(change)])), key=lambda one: found[id(one)])
    statements = _statements(numbers, source, measure, facts) if beyond and of_other_import else _Statements()
    times = [earlier[change.now.metric, change.now.category, change.now.target][1] for change in judged]
    return SinceLast(
        first=min(times),
        at=max(times),
        compared=len(judged),
        beyond=[_told(change, found[id(change)], statements) for change in beyond],
        differs="; ".join(
            f"{what} ({said})"
            for what, said in (
                ("target lists", _first(change.other_lists for change in judged)),
                ("sources", _first(change.other_sources for change in judged)),
                ("scorers", _first(_other_scorers(change) for change in judged)),
            )
            if said
        ),
    )


def _other_scorers(change: Change) -> str:
    return difference(change.before.scorers, change.now.scorers) if change.before else ""


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _now(source: str, measure: str, targets: Rows, disparity: Rows) -> Iterator[Number]:
    """The numbers of the report that runs save too."""
    for row in targets:
        for rate in RATES:
            yield _number(f"overgeneralization.{rate}", source, measure, row, row["target"], row["n"])
    for row in disparity:
        if row["category"] == "all":
            for name in DISPARITIES:
                yield _number(f"disparity.{name}", source, measure, row, None, row["pairs"])


def _number(metric: str, source: str, measure: str, row: Mapping[str, Any], target: str | None, n: int) -> Number:
    column = metric.rpartition(".")[2]
    return Number(
        step="",
        metric=metric,
        category=row["category"],
        source=source,
        measure=measure,
        target=target,
        value=row[column],
        low=row[f"{column}_low"],
        high=row[f"{column}_high"],
        n=n,
    )


def _earlier(
    numbers: Numbers, source: str, measure: str, import_id: str
) -> tuple[dict[Identity, tuple[Number, str]], bool]:
    """The saved numbers to compare with, and when they were measured, by metric, category and target.

    Those of other options, such as a support, are other numbers.

    Returns:
        The numbers, and whether they are of another import.
    """
    found: dict[Identity, tuple[Number, str]] = {}
    others: dict[Identity, tuple[Number, str]] = {}
    metrics = [*(f"overgeneralization.{rate}" for rate in RATES), *(f"disparity.{name}" for name in DISPARITIES)]
    for row in numbers.query("measure/earlier", source=source, measure=measure, metrics=metrics):
        number = Number.from_row({name: value for name, value in row.items() if name != "at"} | {"step": ""})
        if number.options:
            continue
        named = number.metric, number.category, number.target
        found[named] = number, row["at"]
        imports = [one.rpartition("@")[2] for one in number.sources or ()]
        if imports and import_id and import_id not in imports:
            others[named] = number, row["at"]
    return others or found, bool(others)


def _q(judged: Sequence[Change]) -> Sequence[float]:
    import numpy as np
    from scipy.stats import false_discovery_control, norm

    p = []
    for change in judged:
        amount, interval = change.amount, change.interval
        assert amount is not None
        assert interval is not None
        reach = abs(amount - interval[0 if amount > 0 else 1])
        p.append(1.0 if not amount else 2 * norm.sf(abs(amount) / reach * norm.isf(0.025)) if reach else 0.0)
    return [float(q) for q in false_discovery_control(np.array(p))]


@dataclass(frozen=True, slots=True)
class _Statements:
    """The statements that the newest import brought and took away, by target; and whether they are not all."""

    came: Mapping[str, Sequence[str]] = field(default_factory=dict)
    went: Mapping[str, Sequence[str]] = field(default_factory=dict)
    not_all: bool = False


def _statements(numbers: Numbers, source: str, measure: str, facts: Mapping[str, Any]) -> _Statements:
    came: dict[str, list[str]] = {}
    went: dict[str, list[str]] = {}
    listed, left = changes.statements(numbers.graph, source, facts.get("generation") or 1, [measure])
    for statement in listed:
        side = {"added": came, "removed": went}.get(statement.change)
        label = (statement.now or statement.before).get(measure)
        for target in statement.targets:
            if side is not None:
                side.setdefault(target, []).append(statement.statement + (f" ({label})" if label else ""))
    return _Statements(came, went, any(left[kind] != 0 for kind in ("added", "removed")))


def _told(change: Change, q: float, statements: _Statements) -> ChangedNumber:
    target = change.now.target or ""
    sides = tuple(side.get(target, ()) for side in (statements.came, statements.went))
    shown = [tuple(side[:STATEMENTS]) for side in sides]
    more = len(sides[0]) - len(shown[0]), len(sides[1]) - len(shown[1])
    return ChangedNumber(change, q, shown[0], shown[1], more, statements.not_all)

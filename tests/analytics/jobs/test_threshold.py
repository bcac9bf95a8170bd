"""Thresholds: what is read, what is refused, and verdicts counted by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.analytics.jobs.numbers import paired, worth_a_row
from harmgraph.analytics.jobs.threshold import judge, threshold
from harmgraph.analytics.statistics.saved_number import Change, Number
from harmgraph.common.errors import InputError


def number(
    value: float | None,
    *,
    metric: str = "disparity.d_r",
    category: str = "all",
    source: str | None = "kb",
    target: str | None = None,
    step: str = "stats disparity",
    interval: tuple[float | None, float | None] = (None, None),
    n: int | None = None,
    unlabelled: int | None = None,
) -> Number:
    return Number(step, metric, category, source, "sentiment", target, value, *interval, n, unlabelled)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("disparity.d_r > 5", ("", "disparity.d_r", {}, ">", 5.0, False)),
        ("disparity.d_r>=-0.5", ("", "disparity.d_r", {}, ">=", -0.5, False)),
        ("  drift disparity.d_r > 10% ", ("drift", "disparity.d_r", {}, ">", 10.0, True)),
        ("fall representation.n > 3", ("fall", "representation.n", {}, ">", 3.0, False)),
        ("disparity.d_r[religion] < 2", ("", "disparity.d_r", {"category": "religion"}, "<", 2.0, False)),
        (
            "o.m[target = african american, source='a, b]'] <= 1",
            ("", "o.m", {"target": "african american", "source": "a, b]"}, "<=", 1.0, False),
        ),
        (
            'o.m["x y", step="stats disparity 2"] > 1',
            ("", "o.m", {"category": "x y", "step": "stats disparity 2"}, ">", 1.0, False),
        ),
    ],
)
def test_the_grammar(text: str, read: tuple[object, ...]) -> None:
    found = threshold(text, "file")
    assert (found.kind, found.metric, dict(found.scope), found.comparison, found.limit, found.percent) == read
    assert found.text == text.strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a threshold; such as"),
        ("disparity > 5", "is not a threshold"),
        ("disparity.d_r = 5", "is not a threshold"),
        ("disparity.d_r > five", "is not a threshold"),
        ("disparity.d_r > 1e9", "is not a threshold"),
        ("disparity.d_r > 5 or True", "is not a threshold"),
        ("__import__('os').system('true') > 1", "is not a threshold"),
        ("disparity.d_r > 5%", "% goes with drift, rise and fall"),
        ("drif disparity.d_r > 5%", "begins with 'drif'; write drift"),
        ("disparity.d_r[targt=x] > 5", "no known key 'targt'; did you mean target"),
        ("disparity.d_r[a, b] > 5", "names category twice"),
        ("disparity.d_r[source=] > 5", "a scope that cannot be read"),
        ("disparity.d_r[a=b=c] > 5", "a scope that cannot be read"),
    ],
)
def test_what_is_no_threshold(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        threshold(text, "file")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("rise disparity.d_r beyond chance", ("rise", "", 0.0, False)),
        ("fall disparity.d_r[religion]beyond chance", ("fall", "", 0.0, False)),
        (" drift disparity.d_r > 10% beyond  chance ", ("drift", ">", 10.0, True)),
        ("rise disparity.d_r>=2 beyond chance", ("rise", ">=", 2.0, False)),
    ],
)
def test_the_grammar_of_beyond_chance(text: str, read: tuple[object, ...]) -> None:
    found = threshold(text, "file")
    assert (found.kind, found.comparison, found.limit, found.percent) == read
    assert found.beyond_chance


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("disparity.d_r beyond chance", "is not about a change; it goes with drift, rise and fall"),
        ("disparity.d_r > 5 beyond chance", "is not about a change"),
        ("rise disparity.d_r", "has no limit"),
        ("rise disparity.d_rbeyond chance", "is not a threshold"),
        ("rise disparity.d_r > 5beyond chance", "is not a threshold"),
        ("rise disparity.d_r beyond luck", "is not a threshold"),
        ("rise disparity.d_r beyond chance > 5", "is not a threshold"),
    ],
)
def test_what_is_no_threshold_beyond_chance(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        threshold(text, "file")


# Before 10 [8, 13]; now 15 [11, 17]: by hand, 15 - 10 - sqrt((15 - 11)^2 + (13 - 10)^2) = 5 - 5 = 0, which is not beyond 0.
TOUCHING = number(15.0, interval=(11.0, 17.0))
BEFORE_IT = number(10.0, interval=(8.0, 13.0))


def test_the_interval_of_a_change() -> None:
    change = Change(TOUCHING, BEFORE_IT)
    assert change.interval == (0.0, 5 + math.hypot(2, 2))
    assert Change(BEFORE_IT, TOUCHING).interval == (-5 - math.hypot(2, 2), 0.0)
    assert Change(TOUCHING, number(10.0)).interval is None
    assert Change(TOUCHING, None).interval is None
    # An interval that leaves its own number out reaches nowhere on that side, and not backwards.
    assert Change(number(15.0, interval=(16.0, 17.0)), BEFORE_IT).interval == (5 - 3, 5 + math.hypot(2, 2))


@pytest.mark.parametrize(
    ("text", "value", "outcome"),
    [
        ("rise disparity.d_r beyond chance", 15.0, "kept"),
        ("rise disparity.d_r beyond chance", 15.001, "exceeded"),
        ("drift disparity.d_r beyond chance", 15.001, "exceeded"),
        ("fall disparity.d_r beyond chance", 15.001, "kept"),
        ("rise disparity.d_r > 5 beyond chance", 15.001, "exceeded"),
        ("rise disparity.d_r > 5.1 beyond chance", 15.001, "kept"),
        ("rise disparity.d_r > 50% beyond chance", 15.001, "exceeded"),
        ("rise disparity.d_r > 4", 14.0, "kept"),
        ("rise disparity.d_r beyond chance", 14.0, "kept"),
    ],
)
def test_a_rise_beyond_chance(text: str, value: float, outcome: str) -> None:
    now = number(value, interval=(value - 4, value + 2))
    verdict = judge(threshold(text, "file"), [Change(now, BEFORE_IT)])
    assert verdict.outcome == outcome


def test_a_fall_beyond_chance() -> None:
    for value, outcome in ((5.0, "exceeded"), (8.0, "kept")):
        now = number(value, interval=(value - 1, value + 1))
        for kind in ("fall", "drift"):
            assert (
                judge(threshold(f"{kind} disparity.d_r beyond chance", "f"), [Change(now, BEFORE_IT)]).outcome
                == outcome
            )
        assert judge(threshold("rise disparity.d_r beyond chance", "f"), [Change(now, BEFORE_IT)]).outcome == "kept"


def test_what_is_told_of_a_rise_beyond_chance() -> None:
    now = number(20.0, interval=(16.0, 22.0))
    verdict = judge(threshold("rise disparity.d_r beyond chance", "file"), [Change(now, BEFORE_IT)])
    assert verdict.line == (
        "rise disparity.d_r beyond chance: 10 -> 20, +100.0 % (change, 95 %: 5 to 12.83) of all, kb, sentiment"
    )


def test_without_intervals_chance_cannot_be_told() -> None:
    rise = threshold("rise disparity.d_r beyond chance", "file")
    verdict = judge(rise, [Change(TOUCHING, number(1.0))])
    assert (verdict.outcome, verdict.numbers) == ("not measured", 0)
    assert "no interval, now or before" in verdict.line
    assert judge(rise, [Change(TOUCHING, None)]).outcome == "nothing before"
    some = [Change(number(2.0, category="c", target="a"), number(1.0)), Change(TOUCHING, BEFORE_IT)]
    one = judge(threshold("rise disparity.d_r[source=kb] beyond chance", "file"), [some[0], some[1]])
    assert one.outcome == "kept"
    targets = [
        Change(number(2.0, target="a", category="c"), number(1.0)),
        Change(number(15.0, target="b", category="c", interval=(11.0, 17.0)), BEFORE_IT),
    ]
    assert judge(rise, targets).line.endswith("kept; 1 without an interval left out")


def test_numbers_that_rest_on_no_label_are_not_judged() -> None:
    over = threshold("disparity.d_r > 5", "file")
    bare, labelled = number(0.0, n=7, unlabelled=7), number(0.0, n=7, unlabelled=6)
    assert judge(over, [Change(bare, None)]).outcome == "not measured"
    assert "its numbers have no labelled statement" in judge(over, [Change(bare, None)]).line
    assert judge(over, [Change(labelled, None)]).line == "disparity.d_r > 5: kept"
    assert judge(over, [Change(labelled, None), Change(bare, None)]).line.endswith(
        "1 without a labelled statement left out"
    )
    # Where nothing is known of labels, as in numbers of before, or where nothing is counted, it is judged as ever.
    for other in (number(0.0), number(0.0, n=7), number(0.0, n=0, unlabelled=0)):
        assert judge(over, [Change(other, None)]).outcome == "kept"


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = threshold(text, "file")
    except InputError:
        return
    assert math.isfinite(found.limit)


BEFORE = [number(10.0), number(4.0, category="religion"), number(0.0, category="gender")]
NOW = [number(12.0), number(3.0, category="religion"), number(1.0, category="gender")]


@pytest.mark.parametrize(
    ("text", "outcome", "numbers"),
    [
        ("disparity.d_r > 11.9", "exceeded", 1),
        ("disparity.d_r > 12", "kept", 1),
        ("disparity.d_r >= 12", "exceeded", 1),
        ("disparity.d_r[religion] < 3.5", "exceeded", 1),
        ("disparity.d_r[all] > 11", "exceeded", 1),
        ("disparity.d_r[source=kb] > 11", "exceeded", 1),
        ("disparity.d_r[source=other] > 11", "not measured", 0),
        ("disparity.d_o > 1", "not measured", 0),
        ("drift disparity.d_r > 19.9%", "exceeded", 1),
        ("drift disparity.d_r > 20%", "kept", 1),
        ("drift disparity.d_r[religion] > 24%", "exceeded", 1),
        ("fall disparity.d_r[religion] > 24%", "exceeded", 1),
        ("rise disparity.d_r[religion] > 0", "kept", 1),
        ("drift disparity.d_r > 1.9", "exceeded", 1),
        ("drift disparity.d_r > 2", "kept", 1),
        ("drift disparity.d_r[gender] > 1000%", "exceeded", 1),
    ],
)
def test_verdicts(text: str, outcome: str, numbers: int) -> None:
    verdict = judge(threshold(text, "file"), paired(NOW, BEFORE))
    assert (verdict.outcome, verdict.numbers) == (outcome, numbers)
    assert verdict.line.startswith(text)


def test_a_number_of_every_target_is_held_against_it() -> None:
    now = [
        number(value, metric="o.m", category="religion", target=name)
        for name, value in (("a", 1.0), ("b", 9.0), ("c", 8.0))
    ]
    verdict = judge(threshold("o.m > 5", "file"), paired(now, []))
    assert (verdict.outcome, verdict.numbers) == ("exceeded", 3)
    assert verdict.line == "o.m > 5: 9 of b, religion, kb, sentiment; 8 of c, religion, kb, sentiment"
    assert judge(threshold("o.m[target=a] > 5", "file"), paired(now, [])).outcome == "kept"


def test_a_change_without_an_earlier_number_is_told_and_exceeds_nothing() -> None:
    assert judge(threshold("drift disparity.d_r > 0", "file"), paired(NOW, [])).outcome == "nothing before"


def test_a_number_that_is_none_is_not_measured() -> None:
    assert judge(threshold("disparity.d_r > 1", "file"), paired([number(None)], [])).outcome == "not measured"


def test_two_steps_of_one_number_are_paired_by_name() -> None:
    before = [number(1.0, step="a"), number(2.0, step="b")]
    now = [number(3.0, step="b"), number(4.0, step="c")]
    assert [change.before and change.before.value for change in paired(now, before)] == [2.0, None]
    # Where one step alone measures it, its name may change.
    assert paired([number(3.0, step="new")], [number(1.0, step="old")])[0].amount == 2.0


def test_rows_for_a_reader() -> None:
    now = [number(value, category="c", target=name) for name, value in (("same", 1.0), ("up", 2.0), ("down", -9.0))]
    before = [number(1.0, category="c", target=name) for name in ("same", "up", "down")]
    rows = worth_a_row(paired([*now, number(5.0)], [*before, number(5.0)]))
    assert [(one.now.target, one.amount) for one in rows] == [(None, 0.0), ("down", -10.0), ("up", 1.0)]
    # A change of 1 that is the largest of its metric stands beside one of 10 that is the largest of another.
    other = [number(2.0, metric="o.m", target="x"), number(3.0, metric="o.m", target="y")]
    earlier = [number(1.0, metric="o.m", target="x"), number(2.95, metric="o.m", target="y")]
    rows = worth_a_row(paired([*now, *other], [*before, *earlier]))
    assert [one.now.target for one in rows] == ["down", "x", "up", "y"]
    assert Change(number(1.0), number(0.0)).percent == math.inf
    assert Change(number(0.0), number(0.0)).percent == 0.0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("disparity.d_r > 12.5", "12.50001 of all, kb, sentiment"),
        ("disparity.d_r > 12", "12.5 of all, kb, sentiment"),
        ("rise disparity.d_r > 2.5", "10 -> 12.5, change +2.50001, +25.0 % of all, kb, sentiment"),
        ("drift disparity.d_r > 2", "10 -> 12.5, change +2.5, +25.0 % of all, kb, sentiment"),
        ("rise disparity.d_r > 25%", "10 -> 12.5, +25.0001 % of all, kb, sentiment"),
        ("fall disparity.d_r[religion] > 24%", "4 -> 3, -25 % of religion, kb, sentiment"),
        ("rise disparity.d_r[gender] > 1%", "0 -> 1, +1 from 0 of gender, kb, sentiment"),
    ],
)
def test_the_line_has_the_number_that_was_compared(text: str, line: str) -> None:
    """With as many digits as tell it from the limit."""
    now = [number(12.50001), number(3.0, category="religion"), number(1.0, category="gender")]
    verdict = judge(threshold(text, "file"), paired(now, BEFORE))
    assert verdict.line == f"{text}: {line}"


def test_the_worst_of_many_come_first_with_what_was_compared() -> None:
    now = [number(value, metric="o.m", category="c", target=f"{value:02.0f}") for value in range(30)]
    before = [number(25.0, metric="o.m", category="c", target=f"{value:02.0f}") for value in range(30)]
    verdict = judge(threshold("fall o.m > 20", "file"), paired(now, before))
    assert verdict.line.endswith("; and 2 more")
    assert [(over.change.now.target, over.compared) for over in verdict.over] == [
        (f"{value:02d}", 25.0 - value) for value in range(5)
    ]


def test_a_change_of_numbers_about_other_targets_is_not_held_against_it() -> None:
    """A number itself is; and where what an earlier run stood on was not kept, its change is."""
    drift, limit = threshold("drift disparity.d_r > 1", "file"), threshold("disparity.d_r > 1", "file")
    before, now = (
        replace(number(value), lists=lists) for value, lists in ((5.0, ("a@1", "b@1")), (9.0, ("a@2", "c@1")))
    )
    change = Change(now, before)
    assert change.other_lists == "new: c; gone: b; changed: a"
    verdict = judge(drift, [change])
    assert verdict.outcome == "other lists"
    assert "the target lists differ from those of the run before (new: c; gone: b; changed: a)" in verdict.line
    assert judge(limit, [change]).outcome == "exceeded"
    same = Change(replace(now, target="x", lists=("a@1", "b@1")), replace(before, target="x"))
    assert judge(drift, [change, same]).outcome == "exceeded"
    kept = replace(same, now=replace(same.now, value=5.0))
    assert "1 not compared, the target lists differ" in judge(drift, [change, kept]).line
    assert judge(drift, [Change(now, replace(before, lists=None))]).outcome == "exceeded"

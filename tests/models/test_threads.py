"""One thread or all: the steps are timed by a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harmgraph.models.threads import AGAIN, REPEATS, SHARE, Threads


class Machine:
    """Steps that take as long as the test says, by the number of threads that is set."""

    def __init__(self, one: float, several: float, pieces: int = 1_000_000) -> None:
        self.seconds = {1: one, 2: several}
        self.set = 2
        self.now = 100.0
        self.left = pieces
        self.steps: list[int] = []
        self.told: list[str] = []

    def step(self) -> float:
        if not self.left:
            return 0
        self.left -= 1
        self.steps.append(self.set)
        self.now += self.seconds[self.set]
        return 1

    def use(self, number: int) -> None:
        self.set = number

    def threads(self, **options: int) -> Threads:
        return Threads(2, self.use, tell=self.told.append, clock=lambda: self.now, **options)


@pytest.mark.parametrize(
    ("one", "several", "number", "line"),
    [
        (0.016, 0.010, 2, "2 threads: 1.6 times as fast as one"),
        (0.010, 0.018, 1, "one thread: 2 wait for each other on this machine (1.8 times as long)"),
        (0.0105, 0.010, 1, "one thread: 2 are hardly faster here (1.05 times as fast)"),
        (0.010, 0.010, 1, "one thread: 2 are no faster here (1.00 times as fast)"),
    ],
)
def test_the_quicker_number_is_kept_and_told_once(one: float, several: float, number: int, line: str) -> None:
    machine = Machine(one, several)
    with machine.threads() as threads:
        assert threads.look(machine.step) == number
        assert machine.set == number
        timed = len(machine.steps)
        assert threads.look(machine.step) == number
        assert len(machine.steps) == timed, "a look that is not due runs no step"
    assert machine.told == [line]
    assert threads.why == line
    assert machine.set == 2, "at the end the number is what it was"


def test_steps_of_both_numbers_take_turns_after_one_of_each_that_is_not_counted() -> None:
    machine = Machine(0.01, 0.02)
    machine.seconds = {1: 5.0, 2: 0.001}  # what the first steps take would speak for two

    def step() -> float:
        amount = machine.step()
        if len(machine.steps) == 2:
            machine.seconds = {1: 0.01, 2: 0.02}
        return amount

    with machine.threads() as threads:
        assert threads.look(step) == 1
    assert machine.steps[:8] == [1, 2, 1, 2, 2, 1, 1, 2]


def test_quick_steps_are_timed_some_times_and_slow_ones_less_often() -> None:
    quick, slow = Machine(0.001, 0.002), Machine(30.0, 50.0)
    for machine in (quick, slow):
        with machine.threads() as threads:
            threads.look(machine.step)
    assert len(quick.steps) == 2 * (REPEATS + 1)
    assert len(slow.steps) == 6


def test_a_machine_that_gets_busy_is_noticed_later_and_told() -> None:
    machine = Machine(0.016, 0.010)
    with machine.threads() as threads:
        assert threads.look(machine.step) == 2
        machine.seconds = {1: 0.016, 2: 0.040}
        assert threads.look(machine.step) == 2
        machine.now += AGAIN + 1
        assert threads.due()
        assert threads.look(machine.step) == 1
        machine.now += AGAIN + 1
        machine.seconds = {1: 0.0105, 2: 0.010}
        assert threads.look(machine.step) == 1, "a small gain is no reason to change"
    assert machine.told == [
        "2 threads: 1.6 times as fast as one",
        "from now on one thread: 2 wait for each other on this machine (2.5 times as long)",
    ]


def test_looking_again_takes_a_small_share_of_the_time() -> None:
    machine = Machine(30.0, 50.0)
    with machine.threads() as threads:
        before = machine.now
        threads.look(machine.step)
        spent = machine.now - before
        machine.now += spent / SHARE - 1
        assert not threads.due()
        machine.now += 2
        assert threads.due()


@pytest.mark.parametrize("pieces", [0, 1, 2])
def test_work_that_ends_meanwhile_keeps_all_threads_without_a_word(pieces: int) -> None:
    machine = Machine(0.01, 0.02, pieces)
    with machine.threads() as threads:
        assert threads.look(machine.step) == 2
        assert machine.set == 2
    assert machine.told == []


def test_pieces_of_different_amounts_are_compared_by_the_amount() -> None:
    machine = Machine(0.01, 0.03)
    amounts = {1: 1.0, 2: 6.0}  # two threads take three times as long for six times as much

    def step() -> float:
        amount = amounts[machine.set]
        machine.step()
        return amount

    with machine.threads() as threads:
        assert threads.look(step) == 2
    assert machine.told == ["2 threads: 2.0 times as fast as one"]


def _fails() -> float:
    raise AssertionError("nothing is to be timed")


@pytest.mark.parametrize("fixed", [1, 2, 3])
def test_a_fixed_number_is_taken_without_timing(fixed: int) -> None:
    machine = Machine(0.01, 0.02)
    with machine.threads(fixed=fixed) as threads:
        assert machine.set == fixed
        assert threads.look(_fails) == fixed
    assert (machine.set, machine.told) == (2, [])


def test_one_processor_is_not_timed() -> None:
    chosen: list[int] = []
    with Threads(1, chosen.append) as threads:
        assert threads.look(_fails) == 1
    assert set(chosen) == {1}


def test_what_is_kept_is_not_timed_again() -> None:
    machine = Machine(0.01, 0.02)
    with machine.threads() as threads:
        threads.look(machine.step)
        assert threads.kept == 0
        threads.keep()
        assert threads.kept == 1
        machine.now += 10 * AGAIN
        assert threads.look(_fails) == 1


def _interrupt() -> float:
    raise KeyboardInterrupt


@pytest.mark.parametrize("work", [_interrupt, _fails], ids=["interrupted", "failed"])
def test_the_number_is_given_back_whatever_happens(work: Callable[[], float]) -> None:
    machine = Machine(0.01, 0.02)
    with pytest.raises((KeyboardInterrupt, AssertionError)), machine.threads() as threads:
        threads.look(work)
    assert machine.set == 2

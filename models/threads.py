"""Chooses between one thread and all threads by timing steps of the work itself.

If steps are small or the machine is busy, threads wait for each other, and all of them are slower than one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from harmgraph.common.progress import Tell, quiet

REPEATS = 6  # maximum timed steps with one thread, and with all
LEAST = 2  # minimum of each, however long a step takes
SECONDS = 1.0  # of timing, after which LEAST steps are enough
AGAIN = 60.0  # seconds until steps are timed again, because other programs start and end
SHARE = 0.02  # maximum share of the time spent on timing again
GAIN = 1.1  # how many times as fast another number must be to replace the current one

Step = Callable[[], float]
"""Does a piece of the work and returns its amount, such as tokens: 1 if all pieces are alike, 0 if none is left."""


class Threads:
    """A context that sets the number of threads and restores it at the end.

    Timed steps are real work, or steps without effects. If the number of threads changes the last bits of sums, and results
    must be reproducible, give ``fixed``, or call ``keep`` after the first ``look``.

    Args:
        most: all threads: the current number.
        use: sets a number of threads.
        fixed: a number to use without timing; 0 for the faster of one and ``most``.
        tell: is called with the number chosen and the reason, at the first choice and at each change.
        clock: seconds since any fixed time.

    Attributes:
        number: the current number of threads.
        why: the last message to ``tell``, empty before the first.
    """

    def __init__(
        self,
        most: int,
        use: Callable[[int], None],
        *,
        fixed: int = 0,
        tell: Tell = quiet,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._most = most
        self._use = use
        self._fixed = fixed or (1 if most <= 1 else 0)
        self._tell = tell
        self._clock = clock
        self._due = -float("inf")
        self.number = self._fixed or most
        self.why = ""

    def __enter__(self) -> Threads:
        self._use(self.number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._use(self._most)

    def keep(self) -> None:
        """Keeps the current number and times no more steps."""
        self._fixed = self.number

    @property
    def kept(self) -> int:
        """The number that is final; 0 while it may still change."""
        return self._fixed

    def due(self) -> bool:
        """Whether ``look`` would time steps: the first time, and then every minute or less often."""
        return not self._fixed and self._clock() >= self._due

    def look(self, step: Step) -> int:
        """Times steps if that is due, and sets the faster number. Otherwise it costs nothing: call it before every step.

        Returns:
            The number of threads now set.
        """
        if not self.due():
            return self.number
        started = self._clock()
        seconds = self._timed(step)
        if seconds is not None:
            self._choose(*seconds)
        now = self._clock()
        self._due = now + max(AGAIN, (now - started) / SHARE)
        self._use(self.number)
        return self.number

    def _timed(self, step: Step) -> tuple[float, float] | None:
        """Seconds per unit of work with one thread and with all; None if the work ended before both were timed."""
        seconds, amounts = {1: 0.0, self._most: 0.0}, {1: 0.0, self._most: 0.0}
        for number in seconds:  # the first step of each is not timed: it fills caches and starts threads
            self._use(number)
            if not step():
                return None
        started = self._clock()
        for repeat in range(REPEATS):
            if repeat >= LEAST and self._clock() - started >= SECONDS:
                break
            # One, all, all, one: a gradual slowdown of the machine affects both.
            for number in (1, self._most) if repeat % 2 == 0 else (self._most, 1):
                self._use(number)
                before = self._clock()
                amount = step()
                seconds[number] += self._clock() - before
                amounts[number] += amount
        if not (all(amounts.values()) and all(seconds.values())):
            return None
        return seconds[1] / amounts[1], seconds[self._most] / amounts[self._most]

    def _choose(self, with_one: float, with_all: float) -> None:
        first = not self.why
        seconds = {1: with_one, self._most: with_all}
        present = 1 if first else self.number
        other = self._most if present == 1 else 1
        self.number = other if seconds[present] >= GAIN * seconds[other] else present
        if first or self.number != present:
            self.why = self._reason(with_one, with_all)
            self._tell(self.why if first else f"from now on {self.why}")

    def _reason(self, with_one: float, with_all: float) -> str:
        if self.number > 1:
            return f"{self.number} threads: {with_one / with_all:.1f} times as fast as one"
        if with_all >= GAIN * with_one:
            return f"one thread: {self._most} wait for each other on this machine ({with_all / with_one:.1f} times as long)"
        hardly = "hardly" if with_all < with_one else "no"
        return f"one thread: {self._most} are {hardly} faster here ({with_one / with_all:.2f} times as fast)"

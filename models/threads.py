"""One thread or all of them, whichever is the quicker here and now: the steps of the work itself are timed.

Threads wait for each other where steps are small or the machine is busy; then all of them take longer than one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from harmgraph.graph.common.progress import Tell, quiet

REPEATS = 6  # timed steps with one thread, and as many with all, at the most
LEAST = 2  # of each, however long a step takes
SECONDS = 1.0  # of timing, after which LEAST are enough
AGAIN = 60.0  # seconds until steps are timed again: another program may have come or gone
SHARE = 0.02  # of the time, at the most, that goes into timing again
GAIN = 1.1  # times as quick as the present number another one must be to take its place

Step = Callable[[], float]
"""Does a piece of the work and gives its amount, such as its tokens; 1 where all pieces are alike, 0 where none is left."""


class Threads:
    """The number of threads of some work, as a context: at its end the number is what it was before.

    Timed steps are either real ones that count, or ones without an effect. Where sums depend on the number of threads in their
    last bits, and results must be the same each time, give ``fixed``, or call ``keep`` after the first look.

    Args:
        most: all threads, the number that is set now.
        use: sets a number of threads.
        fixed: a number that is taken without timing; 0 for the quicker of one and ``most``.
        tell: hears which number was chosen and why, at the first choice and at each change.
        clock: seconds from any beginning.

    Attributes:
        number: of threads that is set.
        why: the line that was told last, empty before.
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
        """Stays with the present number: nothing is timed any more."""
        self._fixed = self.number

    @property
    def kept(self) -> int:
        """The number that nothing changes any more; 0 while steps may be timed again."""
        return self._fixed

    def due(self) -> bool:
        """Whether ``look`` would time steps: at first, and again after a minute or more."""
        return not self._fixed and self._clock() >= self._due

    def look(self, step: Step) -> int:
        """Times steps where that is due, and keeps the quicker number. Costs nothing otherwise, so it may be called at any step.

        Returns:
            The number of threads that is set now.
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
        """Seconds of one amount of work with one thread and with all; None where the work ended before both were timed."""
        taken, done = {1: 0.0, self._most: 0.0}, {1: 0.0, self._most: 0.0}
        for number in taken:  # the first step of each is not counted: caches are filled and threads are started
            self._use(number)
            if not step():
                return None
        started = self._clock()
        for repeat in range(REPEATS):
            if repeat >= LEAST and self._clock() - started >= SECONDS:
                break
            # One, all, all, one: what slows the machine down by and by meets both.
            for number in (1, self._most) if repeat % 2 == 0 else (self._most, 1):
                self._use(number)
                before = self._clock()
                amount = step()
                taken[number] += self._clock() - before
                done[number] += amount
        if not (all(done.values()) and all(taken.values())):
            return None
        return taken[1] / done[1], taken[self._most] / done[self._most]

    def _choose(self, one: float, all_of_them: float) -> None:
        first = not self.why
        seconds = {1: one, self._most: all_of_them}
        present = 1 if first else self.number
        other = self._most if present == 1 else 1
        self.number = other if seconds[present] >= GAIN * seconds[other] else present
        if first or self.number != present:
            self.why = self._said(one, all_of_them)
            self._tell(self.why if first else f"from now on {self.why}")

    def _said(self, one: float, all_of_them: float) -> str:
        if self.number > 1:
            return f"{self.number} threads: {one / all_of_them:.1f} times as quick as one"
        if all_of_them >= GAIN * one:
            return (
                f"one thread: {self._most} wait for each other on this machine ({all_of_them / one:.1f} times as long)"
            )
        hardly = "hardly" if all_of_them < one else "no"
        return f"one thread: {self._most} are {hardly} quicker here ({one / all_of_them:.2f} times as quick)"

"""Many questions at once, which can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")
LOOK_S = 0.1
"""Seconds between two looks at whether the run was stopped."""


def in_parallel(
    ask: Callable[[Question], Answer],
    questions: Sequence[Question],
    parallel: int,
    *,
    stopped: Callable[[], bool],
    stop: Callable[[], None],
) -> Iterator[tuple[Question, Answer]]:
    """The questions with their answers, as they come.

    Args:
        parallel: how many are under way at most.
        stopped: whether no more may be asked. stop: ends those that are under way; they come without an answer.

    Raises:
        what ``ask`` raises first. Those under way come to their end before.
    """
    waiting = iter(questions)
    under_way: dict[Future[Answer], Question] = {}
    failure: BaseException | None = None
    with ThreadPoolExecutor(max(parallel, 1), thread_name_prefix="asking") as pool:
        try:
            while True:
                while len(under_way) < parallel and failure is None and not stopped():
                    question = next(waiting, None)
                    if question is None:
                        break
                    under_way[pool.submit(ask, question)] = question
                if not under_way:
                    break
                done, _ = wait(under_way, LOOK_S, FIRST_COMPLETED)
                if stopped() and not done:
                    stop()
                for future in done:
                    question = under_way.pop(future)
                    error = future.exception()
                    if error is None:
                        yield question, future.result()
                    else:
                        failure = failure or error
        except BaseException:
            stop()
            raise
    if failure is not None:
        raise failure

"""A run of many questions to a server: what is known is not asked, the rest in parallel, and the run can end at any moment.

It ends early by Ctrl-C, at the budget of tokens, or when the server fails for good. What was answered until then is kept, so that
the same run goes on where this one ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from harmgraph.common.endpoint.answer_cache import AnswerCache
from harmgraph.common.endpoint.asking import in_parallel
from harmgraph.common.endpoint.endpoint import Endpoint, Stopped
from harmgraph.common.endpoint.token_budget import TokenBudget
from harmgraph.common.errors import EndpointError, InputError
from harmgraph.common.progress import notice
from harmgraph.common.signals import awaited

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class RunQuestion(Generic[Content]):
    """A question of a run.

    Attributes:
        key: digest of what is asked, of whom, and how: by it the answer is kept.
        content: what is asked.
        tokens: of question and answer, at most: an estimate.
    """

    key: str
    content: Content
    tokens: int


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """An answer.

    Attributes:
        value: plain values, never None.
        used: tokens. keep: whether it would be the same again.
    """

    value: Any
    used: int
    keep: bool = True


class AskingRun:
    """A run, inside a ``with`` block, which closes the endpoint.

    Args:
        parallel: questions under way at the same time.
        max_tokens: of the run; 0 for any number.

    Attributes:
        out_of_budget: whether it ended at the budget.
        failure: of the server, for good; None if there is none.
    """

    def __init__(self, endpoint: Endpoint, *, parallel: int, max_tokens: int = 0) -> None:
        self.endpoint = endpoint
        self.out_of_budget = False
        self.failure: EndpointError | None = None
        self._parallel = parallel
        self._budget = TokenBudget(max_tokens)
        self._stack = ExitStack()
        self._told = False

    def __enter__(self) -> Self:
        try:
            self._stack.enter_context(self.endpoint)
            self._cache = self._stack.enter_context(AnswerCache())
            self._interrupted = self._stack.enter_context(awaited())
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._interrupted()

    @property
    def used(self) -> int:
        """Tokens, by the server's count where it gave one."""
        return self._budget.used

    def raise_ending(self) -> None:
        """Raises what ended the run early, but for the budget.

        Raises:
            EndpointError: the server failed for good.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if self.failure:
            raise self.failure
        if self.interrupted:
            raise KeyboardInterrupt

    def known(self, key: str) -> Any:
        """The answer that is known to a question; None if there is none."""
        return self._cache.get(key)

    def tell_where(self) -> None:
        """Says where questions go, before the first, if they leave this machine."""
        if not self._told and not self.endpoint.address.is_loopback:
            notice(f"what is asked leaves this machine: it goes to {self.endpoint.address}")
        self._told = True

    def announce(self, asked: int, known: int, tokens: int, what: str) -> None:
        """Says what the run will ask, and where it goes.

        Args:
            tokens: that it will use; an estimate.
            what: is asked, such as ``sentences to judge``.
        """
        if asked:
            self.tell_where()
        notice(f"{asked:,} {what}, {known:,} known: about {tokens:,} tokens (an estimate: 4 characters each)")

    def check_budget(self, least: int) -> None:
        """Checks that one question fits.

        Args:
            least: tokens of the smallest question; an estimate.

        Raises:
            InputError: the budget is smaller.
        """
        if self._budget.most and self._budget.most < least:
            raise InputError(
                f"--max-tokens {self._budget.most:,} is too small for one question, which needs about {least:,}",
                remedy="give more",
            )

    def answers(
        self,
        questions: Sequence[RunQuestion[Content]],
        ask: Callable[[RunQuestion[Content]], RunAnswer],
    ) -> Iterator[tuple[RunQuestion[Content], Any]]:
        """Asks, and returns questions with their values as they come; those that the run does not come to are left out.

        Args:
            ask: runs in other threads.
        """

        def one(question: RunQuestion[Content]) -> Any:
            if not self._budget.reserve(question.tokens, self._is_over):
                self.out_of_budget = self.out_of_budget or not self._is_over()
                return None
            used = 0
            try:
                answer = ask(question)
                used = answer.used
            except Stopped:
                return None
            except EndpointError as error:
                self.failure = self.failure or error
                return None
            finally:
                self._budget.settle(question.tokens, used)
            if answer.keep:
                self._cache.put(question.key, answer.value)
            return answer.value

        said = in_parallel(one, questions, self._parallel, stopped=self._is_over, stop=self._hurry)
        for question, value in said:
            if value is not None:
                yield question, value

    def _is_over(self) -> bool:
        return self.out_of_budget or self.failure is not None or self._interrupted()

    def _hurry(self) -> None:
        if self._interrupted():
            self.endpoint.stop()

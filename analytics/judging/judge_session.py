"""A run of the judge: what is known is not asked, the rest is asked in parallel, and the run can end at any moment.

It ends early by Ctrl-C, at the budget of tokens, or when the server fails for good. Then texts that were not asked are left to a
later run, what was answered stays, and the reason is told, or raised, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from harmgraph.analytics.judging.judgement import balance, majority, probabilities, read_answer, shares_of
from harmgraph.analytics.judging.question import SCHEMA, turns
from harmgraph.analytics.judging.rubric import LABELS, Rubric
from harmgraph.common.digests import facts_digest, text_number
from harmgraph.common.endpoint.answer_cache import AnswerCache
from harmgraph.common.endpoint.asking import in_parallel
from harmgraph.common.endpoint.chat import ChatModel, ChatQuestion
from harmgraph.common.endpoint.endpoint import Endpoint, Stopped
from harmgraph.common.endpoint.token_budget import TokenBudget
from harmgraph.common.errors import EndpointError, EndpointRefused, InputError
from harmgraph.common.progress import progress, say
from harmgraph.common.scorer import NotAsked, Score, ScorerSession
from harmgraph.common.signals import awaited

FORM = "judge 1"
"""Changes where equal questions would be asked in other words."""
USUAL_ANSWER = 12
"""About how many tokens an answer in the form has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """How a run judges.

    Attributes:
        model: by which name the server has it.
        votes: answers for each sentence; above 1 they are drawn with the temperature.
        parallel: questions under way at the same time.
        limit: most sentences that are asked; 0 for all. max_tokens: of the run; 0 for any number.
    """

    rubric: Rubric
    model: str
    votes: int = 1
    temperature: float = 0.0
    seed: int = 0
    answer_tokens: int = 64
    parallel: int = 4
    limit: int = 0
    max_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Vote:
    """One question. ``number`` tells the votes on a sentence apart."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class _Said:
    """One answer.

    Attributes:
        name: None for what cannot be read.
        shares: probabilities of the names; None if the server does not give them.
        refused: whether the server refused the question.
    """

    name: str | None
    shares: Mapping[str, float] | None = None
    refused: bool = False


class JudgeSession(ScorerSession):
    """Scores sentences by asking a model. Leaving its block closes what it opened, and raises what ended the run.

    Args:
        opened: opens the server, once the block is entered, and returns it with what to ask.
    """

    def __init__(self, opened: Callable[[], tuple[Endpoint, JudgePlan]]) -> None:
        self._opened = opened
        self._stack = ExitStack()
        self._counts: Counter[str] = Counter()
        self._allowed: set[str] | None = None
        self._foreseen: set[str] = set()
        self._failure: EndpointError | None = None
        self._out_of_budget = False
        self._asked_in_all = 0
        self.said: list[str] = []

    def __enter__(self) -> Self:
        self._endpoint, self._plan = self._opened()
        try:
            self._stack.enter_context(self._endpoint)
            self._cache = self._stack.enter_context(AnswerCache())
            self._interrupted = self._stack.enter_context(awaited())
        except BaseException:
            self._stack.close()
            raise
        self._model = ChatModel(self._endpoint, self._plan.model)
        self._budget = TokenBudget(self._plan.max_tokens)
        self._digest = facts_digest([FORM, self._plan.rubric.digest, self._plan.model])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes everything.

        Raises:
            EndpointError: the server failed for good.
            KeyboardInterrupt: Ctrl-C ended the run.
        """
        interrupted = self._interrupted()
        self._stack.close()
        if self._asked_in_all or self._counts:
            self.said += self._remarks()
        if kind is None and (interrupted or self._failure):
            for line in self.said:
                say(line)
            if self._failure:
                raise self._failure
            raise KeyboardInterrupt

    def foresee(self, texts: Iterable[str]) -> None:
        """Says about how many tokens the run will use, and chooses the sentences of ``--limit`` by a hash.

        Raises:
            InputError: the budget is too small for one question.
        """
        new = [text for text in dict.fromkeys(texts) if not all(self._cache.get(key) for key in self._keys(text))]
        self._foreseen.update(texts)
        limit = self._plan.limit
        chosen = new
        if limit:
            room = max(0, limit - len(self._allowed or ()))
            chosen = sorted(new, key=text_number)[:room]
            self._allowed = (self._allowed or set()) | set(chosen)
        self._counts["over the limit"] += len(new) - len(chosen)
        if not chosen:
            return
        tokens = [self._plan.votes * (self._question(_Vote(text, 0)).tokens + USUAL_ANSWER) for text in chosen]
        least = min(tokens) // self._plan.votes + self._plan.answer_tokens - USUAL_ANSWER
        if self._plan.max_tokens and self._plan.max_tokens < least:
            raise InputError(
                f"--max-tokens {self._plan.max_tokens:,} is too small for one question, which needs about {least:,}",
                remedy="give more",
            )
        if not self._endpoint.address.is_loopback:
            say(f"the statements leave this machine: they go to {self._endpoint.address}")
        known = len(self._foreseen) - len(new)
        say(
            f"{len(chosen):,} sentences to judge, {known:,} known: about {sum(tokens):,} tokens "
            "(an estimate: 4 characters each)"
        )
        self._asked_in_all += len(chosen)

    def scores(self, texts: Sequence[str]) -> list[Score | None]:
        """See ``ScorerSession.scores``; None for a sentence whose answer cannot be read, or without a majority.

        Raises:
            InputError: as ``foresee``, of texts that were not foreseen.
        """
        if any(text not in self._foreseen for text in texts):
            self.foresee(texts)
        said: dict[_Vote, _Said] = {}
        asked: list[_Vote] = []
        for text in dict.fromkeys(texts):
            for number, key in enumerate(self._keys(text)):
                kept = self._cache.get(key)
                if kept is not None:
                    said[_Vote(text, number)] = _Said(*kept)
                elif self._allowed is None or text in self._allowed:
                    asked.append(_Vote(text, number))
            self._counts["known"] += _Vote(text, 0) in said
        answers = in_parallel(self._ask, asked, self._plan.parallel, stopped=self._is_over, stop=self._hurry)
        for vote, answer in answers:
            if answer is not None:
                said[vote] = answer
                self._counts["answers"] += 1
                self._counts["refused"] += answer.refused
                progress("judging", self._counts["answers"] // self._plan.votes, self._asked_in_all)
        scores = {text: self._score(text, said) for text in dict.fromkeys(texts)}
        return [scores[text] for text in texts]

    def _score(self, text: str, said: Mapping[_Vote, _Said]) -> Score | None:
        votes = [said.get(_Vote(text, number)) for number in range(self._plan.votes)]
        answers = [each for each in votes if each is not None]
        if len(answers) < self._plan.votes:
            self._counts["left"] += 1
            return NotAsked()
        names = [each.name for each in answers if each.name is not None]
        if not names:
            self._counts["unread"] += 1
            return None
        shares = answers[0].shares if len(answers) == 1 else None
        self._counts["by probabilities" if shares else "by label"] += 1
        shares = shares or shares_of(names)
        name = names[0] if len(names) == 1 else majority(shares)
        if name is None:
            self._counts["without a majority"] += 1
            return None
        return Score(LABELS[name], balance(shares))

    def _ask(self, vote: _Vote) -> _Said | None:
        """Asks one question; None if it gets no answer now."""
        question = self._question(vote)
        reserved = question.tokens + self._plan.answer_tokens
        if not self._budget.reserve(reserved):
            self._out_of_budget = True
            return None
        used: int | None = 0
        try:
            answer = self._model.ask(question)
            used = answer.used if answer.used is not None else question.tokens + USUAL_ANSWER
        except EndpointRefused:
            return _Said(None, refused=True)
        except Stopped:
            return None
        except EndpointError as error:
            self._failure = self._failure or error
            return None
        finally:
            self._budget.settle(reserved, used)
        name = read_answer(answer)
        shares = probabilities(answer, name) if name and question.probabilities else None
        said = _Said(name, shares)
        self._cache.put(self._key(vote), [said.name, shares])
        return said

    def _question(self, vote: _Vote) -> ChatQuestion:
        plan = self._plan
        return ChatQuestion(
            turns=turns(plan.rubric, vote.text),
            schema=SCHEMA,
            temperature=plan.temperature,
            seed=plan.seed + vote.number,
            answer_tokens=plan.answer_tokens,
            probabilities=plan.votes == 1,
        )

    def _keys(self, text: str) -> list[str]:
        return [self._key(_Vote(text, number)) for number in range(self._plan.votes)]

    def _key(self, vote: _Vote) -> str:
        """By which an answer is kept. Answers at temperature 0 do not depend on the seed."""
        plan = self._plan
        drawn = [plan.temperature, plan.seed + vote.number] if plan.temperature else []
        return facts_digest([self._digest, plan.answer_tokens, plan.votes > 1, drawn, vote.text])

    def _is_over(self) -> bool:
        return self._out_of_budget or self._failure is not None or self._interrupted()

    def _hurry(self) -> None:
        if self._interrupted():
            self._endpoint.stop()

    def _remarks(self) -> Iterable[str]:
        counts, plan = self._counts, self._plan
        asked = counts["answers"] // plan.votes
        yield (
            f"{asked:,} sentences judged by {plan.model}, {counts['known']:,} known from before; "
            f"{self._budget.used:,} tokens used"
        )
        if not self._endpoint.address.is_loopback and asked:
            yield f"the statements left this machine: they went to {self._endpoint.address}"
        if plan.votes == 1 and counts["by label"]:
            yield (
                f"{counts['by label']:,} scores are 1, 0 or -1 by the answer alone: the server gave no probabilities of "
                "tokens; --votes 5 --temperature 0.7 gives finer ones"
            )
        if counts["unread"]:
            refused = f", of them {counts['refused']:,} refused by the server" if counts["refused"] else ""
            yield f"{counts['unread']:,} answers could not be read: no label{refused}"
        if counts["without a majority"]:
            yield f"{counts['without a majority']:,} sentences without a majority of votes: no label"
        if self._out_of_budget:
            yield (
                f"stopped at --max-tokens {plan.max_tokens:,}: {counts['left']:,} sentences are left; the same command goes on"
            )
        elif counts["left"]:
            why = f"--limit {plan.limit:,}: " if plan.limit and not (self._failure or self._interrupted()) else ""
            yield f"{why}{counts['left']:,} sentences are left without a label; the same command goes on"

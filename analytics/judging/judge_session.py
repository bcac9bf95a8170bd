"""A run of the judge: sentences of which the model's answers are not known are asked, and all get scores.

Where a run ends early, texts that were not asked are left to a later one, and the reason is told, or raised, at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from harmgraph.analytics.judging.judgement import balance, majority, probabilities, read_answer, shares_of
from harmgraph.analytics.judging.question import schema, turns
from harmgraph.analytics.judging.rubric import Rubric
from harmgraph.common.digests import facts_digest, text_number
from harmgraph.common.endpoint.asking_run import AskingRun, RunAnswer, RunQuestion
from harmgraph.common.endpoint.chat import ChatModel, ChatQuestion
from harmgraph.common.endpoint.endpoint import Endpoint
from harmgraph.common.errors import EndpointRefused
from harmgraph.common.progress import notice, progress
from harmgraph.common.scorer import NotAsked, Score, ScorerSession

FORM = "judge 2"
"""Changes where equal questions would be asked in other words."""
_REFUSED: list[None] = [None, None]
"""The value of a question that the server refused; not kept."""
USUAL_ANSWER = 12
"""About how many tokens an answer in the form has."""
Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """How a run judges.

    Attributes:
        model: by which name the server has it. server: how that calls itself, or who it says owns the model.
        votes: answers for each sentence; above 1 they are drawn with the temperature.
        parallel: questions under way at the same time.
        limit: most sentences that are asked; 0 for all. max_tokens: of the run; 0 for any number.
    """

    rubric: Rubric
    model: str
    server: str = ""
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


class JudgeSession(ScorerSession):
    """Scores sentences by asking a model. Leaving its block closes what it opened, and raises what ended the run.

    Args:
        opened: opens the server, once the block is entered, and returns it with what to ask.
    """

    def __init__(self, opened: Callable[[], tuple[Endpoint, JudgePlan]]) -> None:
        self._opened = opened
        self._counts: Counter[str] = Counter()
        self._allowed: set[str] | None = None
        self._foreseen: set[str] = set()
        self._asked_in_all = 0
        self._gives: bool | None = None  # probabilities, where answers without them are kept; None if nobody asked
        self._asked_first: set[str] = set()
        self.said: list[str] = []

    def __enter__(self) -> Self:
        endpoint, self._plan = self._opened()
        plan = self._plan
        self._run = AskingRun(endpoint, parallel=plan.parallel, max_tokens=plan.max_tokens).__enter__()
        self._model = ChatModel(endpoint, plan.model)
        self._digest = facts_digest([FORM, plan.rubric.digest, plan.model, plan.server])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes everything.

        Raises:
            EndpointError, KeyboardInterrupt: as ``AskingRun.raise_ending``.
        """
        self._run.__exit__(kind, error, trace)
        if self._foreseen:
            self.said += self._remarks()
        if kind is None and (self._run.failure or self._run.interrupted):
            for line in self.said:
                notice(line)
            self._run.raise_ending()

    def foresee(self, texts: Iterable[str]) -> None:
        """Says about how many tokens the run will use, and chooses the sentences of ``--limit`` by a hash.

        Raises:
            InputError: the budget is too small for one question.
        """
        distinct = list(dict.fromkeys(texts))
        self._foreseen.update(distinct)
        self._try_again(distinct)
        new = [text for text in distinct if any(self._kept(vote) is None for vote in self._votes(text))]
        chosen = new
        if self._plan.limit:
            room = max(0, self._plan.limit - len(self._allowed or ()))
            chosen = sorted(new, key=text_number)[:room]
            self._allowed = (self._allowed or set()) | set(chosen)
        if not chosen:
            return
        tokens = [self._question(_Vote(text, 0)).tokens for text in chosen]
        self._run.check_budget(min(tokens) + self._plan.answer_tokens)
        in_all = self._plan.votes * (sum(tokens) + USUAL_ANSWER * len(chosen))
        self._run.announce(len(chosen), len(distinct) - len(new), in_all, "sentences to judge")
        self._asked_in_all += len(chosen)

    def _try_again(self, texts: Sequence[str]) -> None:
        """Where answers are kept without probabilities, finds out by one question whether the server gives them now.

        That is the first new one, or one of these again if none is new.
        """
        if self._gives is not None or self._plan.votes > 1:
            return
        bare: list[str] = []
        new: list[str] = []
        for text in texts:
            kept = self._run.known(self._key(_Vote(text, 0)))
            if kept is None:
                new.append(text)
            elif _is_bare(kept):
                bare.append(text)
        if not bare:
            return
        question = self._run_question(_Vote(min(new or bare, key=text_number), 0))
        self._run.check_budget(question.tokens)
        self._run.tell_where()
        if not new:
            notice(
                f"{len(bare):,} answers have no probabilities: one is asked again, in case the server gives them now"
            )
        if self._plan.limit:
            self._allowed = {question.content.text, *(self._allowed or ())}
        for asked, (_, shares) in self._run.answers([question], self._ask):
            self._gives = shares is not None
            self._asked_first.add(asked.content.text)

    def scores(self, texts: Sequence[str]) -> list[Score | None]:
        """See ``ScorerSession.scores``; None for a sentence without a label.

        That is one whose answer cannot be read, without a majority, or that says nothing of the axis.

        Raises:
            InputError: as ``foresee``, of texts that were not foreseen.
        """
        if any(text not in self._foreseen for text in texts):
            self.foresee(texts)
        said: dict[_Vote, Any] = {}
        asked: list[RunQuestion[_Vote]] = []
        for text in dict.fromkeys(texts):
            for vote in self._votes(text):
                kept = self._kept(vote)
                if kept is not None:
                    said[vote] = kept
                elif self._allowed is None or text in self._allowed:
                    asked.append(self._run_question(vote))
            known = all(vote in said for vote in self._votes(text))
            self._counts["known"] += known and text not in self._asked_first
        for question, answer in self._run.answers(asked, self._ask):
            said[question.content] = answer
            self._counts["refused"] += answer is _REFUSED
            self._counts["answers"] += 1
            progress("judging", self._counts["answers"] // self._plan.votes, self._asked_in_all)
        scores = {text: self._score(text, said) for text in dict.fromkeys(texts)}
        return [scores[text] for text in texts]

    def _score(self, text: str, said: Mapping[_Vote, Any]) -> Score | None:
        votes = [said.get(vote) for vote in self._votes(text)]
        if None in votes:
            self._counts["left"] += 1
            return NotAsked()
        answers: list[tuple[str | None, Shares | None]] = [(name, shares) for name, shares in filter(None, votes)]
        names = [name for name, _ in answers if name is not None]
        self._counts["unread"] += len(answers) - len(names)
        if 2 * len(names) <= len(answers):
            self._counts["too few votes"] += len(answers) > 1
            return None
        shares = answers[0][1] or shares_of(names, tuple(self._plan.rubric.meanings))
        self._counts["by the answer"] += not answers[0][1]
        name = names[0] if len(names) == 1 else majority(shares)
        if name is None:
            self._counts["without a majority"] += 1
            return None
        label = self._plan.rubric.labels[name]
        self._counts["says nothing"] += label is None
        return Score(label, balance(shares)) if label else None

    def _ask(self, asked: RunQuestion[_Vote]) -> RunAnswer:
        """Asks one question. The value is the name and the probabilities, each None where there is none.

        Probabilities that do not tell are an empty dictionary.
        """
        question = self._question(asked.content)
        try:
            answer = self._model.ask(question)
        except EndpointRefused:
            return RunAnswer(_REFUSED, 0, keep=False)
        names = tuple(self._plan.rubric.meanings)
        name = read_answer(answer, names)
        shares = probabilities(answer, name, names) if name and question.probabilities else None
        if name and answer.tokens and shares is None:
            shares = {}  # there are probabilities, which do not tell: nor would they the next time
        used = question.tokens + USUAL_ANSWER if answer.used is None else answer.used
        return RunAnswer([name, shares], used, keep=bool(answer.text))  # without a text, the server failed

    def _question(self, vote: _Vote) -> ChatQuestion:
        plan = self._plan
        return ChatQuestion(
            turns=turns(plan.rubric, vote.text),
            schema=schema(plan.rubric),
            temperature=plan.temperature,
            seed=plan.seed + vote.number,
            answer_tokens=plan.answer_tokens,
            probabilities=plan.votes == 1,
        )

    def _run_question(self, vote: _Vote) -> RunQuestion[_Vote]:
        return RunQuestion(self._key(vote), vote, self._question(vote).tokens + self._plan.answer_tokens)

    def _votes(self, text: str) -> list[_Vote]:
        return [_Vote(text, number) for number in range(self._plan.votes)]

    def _kept(self, vote: _Vote) -> Any:
        """The answer that is known; None if there is none, or it lacks the probabilities that the server gives now."""
        kept = self._run.known(self._key(vote))
        return None if self._gives and self._plan.votes == 1 and _is_bare(kept) else kept

    def _key(self, vote: _Vote) -> str:
        """By which an answer is kept. Answers at temperature 0 do not depend on the seed."""
        plan = self._plan
        drawn = [plan.temperature, plan.seed + vote.number] if plan.temperature else []
        return facts_digest([self._digest, plan.answer_tokens, plan.votes > 1, drawn, vote.text])

    def _remarks(self) -> Iterable[str]:
        counts, plan = self._counts, self._plan
        asked = counts["answers"] // plan.votes + len(self._asked_first)
        yield (
            f"{asked:,} sentences judged by {plan.model}, {counts['known']:,} known from before; "
            f"{self._run.used:,} tokens used"
        )
        if not self._run.endpoint.address.is_loopback and asked:
            yield f"the statements left this machine: they went to {self._run.endpoint.address}"
        if self._model.lacks:
            yield f"the server refuses {self._model.lacks}: asked without"
        if plan.votes == 1 and counts["by the answer"]:
            yield (
                f"{counts['by the answer']:,} scores are 1, 0 or -1 by the answer alone: the server gave no probabilities of "
                "tokens; --votes 5 --temperature 0.7 gives finer ones"
            )
        if counts["says nothing"]:
            yield f"{counts['says nothing']:,} sentences say nothing of {plan.rubric.axis}: no label"
        if counts["unread"]:
            refused = f", of them {counts['refused']:,} refused by the server" if counts["refused"] else ""
            lost = ": no label" if plan.votes == 1 else ""
            yield f"{counts['unread']:,} answers could not be read{lost}{refused}"
        if counts["too few votes"]:
            yield f"{counts['too few votes']:,} sentences of which half the votes or more could not be read: no label"
        if counts["without a majority"]:
            yield f"{counts['without a majority']:,} sentences without a majority of votes: no label"
        if self._run.out_of_budget:
            yield (
                f"stopped at --max-tokens {plan.max_tokens:,}: {counts['left']:,} sentences are left; the same command goes on"
            )
        elif counts["left"]:
            why = f"--limit {plan.limit:,}: " if plan.limit and not (self._run.failure or self._run.interrupted) else ""
            yield f"{why}{counts['left']:,} sentences are left; the same command goes on"


def _is_bare(kept: Any) -> bool:
    """Whether the server gave a name without probabilities."""
    return kept is not None and kept[0] is not None and kept[1] is None

"""A language model as the judge, behind any server that speaks as OpenAI's does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from harmgraph.analytics.judging.judge_session import JudgePlan, JudgeSession
from harmgraph.analytics.judging.rubric import USUAL, Rubric, read_rubrics
from harmgraph.common.endpoint.address import USUAL as ADDRESS
from harmgraph.common.endpoint.endpoint import TIMEOUT_S, Endpoint
from harmgraph.common.endpoint.key import VARIABLE
from harmgraph.common.errors import BadName, InputError
from harmgraph.common.options import Option
from harmgraph.common.scorer import NotAsked, Score, Scorer, ScorerSession

BY_ITSELF = ("axis", "model", "votes", "temperature", "seed", "answer_tokens")


class Judge(Scorer):
    """Asks a language model of each sentence whether it is favouritism, neutral or prejudice; the rubric says what is asked.

    A rubric of axes asks of each axis, such as warmth, whether the sentence is high or low on it, as Nicolas and Caliskan 2025.

    The value is P(favouritism) - P(prejudice) by the probabilities of the answer's tokens, where the server gives them. With
    votes it is the share of favouritism less that of prejudice, and else 1, 0 or -1. An answer in another form is no label.
    """

    name = "judge"
    measure = "judged"
    title = "by a language model, which is asked what people are asked"
    citation = "the question of Mehrabi et al. 2021; or whose rubric you give"
    options = (
        Option("endpoint", ADDRESS, "address of a server that speaks as OpenAI's does: ollama, vLLM, llama.cpp, ..."),
        Option("model", "", "name of the model on the server; may be left out if it has one alone"),
        Option("key_from", VARIABLE, "environment variable with the server's key, which is sent if it is set"),
        Option("rubric", "", "what is asked, as TOML; what people are asked if not given", file=True),
        Option("axis", "", "only this axis of a rubric of axes; every axis if not given"),
        Option("votes", 1, "answers for each sentence; above 1 the score is their shares", least=1, most=99),
        Option("temperature", 0.0, "temperature of the answers; above 0 with several votes", least=0.0, most=2.0),
        Option("seed", 0, "seed of the first vote; each further vote has the next one", least=0),
        Option("answer_tokens", 64, "most tokens of an answer; a model that thinks first needs 1,000 or more", least=8),
        Option("parallel", 4, "questions under way at the same time", least=1, most=256),
        Option("limit", 0, "most sentences to ask in this run, chosen by a hash; 0 for all", least=0),
        Option("max_tokens", 0, "most tokens of this run, questions and answers; 0 for any number", least=0),
        Option("timeout", TIMEOUT_S, "seconds that one answer may take", least=0.0, above=True),
    )
    workers = False
    foresees = True
    clusters = False
    texts_at_once = (
        512  # what is answered is kept, so that none of these is lost; and more than are asked at the same time
    )

    @property
    def version(self) -> str:
        return "1"

    def by(self, options: Mapping[str, Any]) -> str:
        """The signature of the labels: the rubric's digest, the model, the server's own name and how answers are drawn.

        Raises:
            EndpointError: the server is not there, or has no such model.
            as ``session``.
        """
        chosen = self._checked(options)
        rubric = _rubric(chosen)
        with _endpoint(chosen) as endpoint:
            served = endpoint.model(chosen["model"])
        drawn = super().by({name: chosen[name] for name in BY_ITSELF} | {"model": served.name})
        more = {"asks": rubric.digest, "server": served.server or "unnamed"}
        named = ",".join(f"{name}={_plain(value)}" for name, value in more.items())
        return f"{drawn.removesuffix(')')},{named})"

    def passes(self, measure: str, options: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """A pass for each axis of a rubric of axes, whose measure is called like ``judged_warmth``; else one pass.

        Raises:
            BadName: the rubric has no such axis.
            UnreadableFile, WrongLine: as ``read_rubrics``.
        """
        chosen = self.chosen(options)
        axes = {chosen["axis"]: _rubric(chosen)} if chosen["axis"] else _rubrics(chosen)
        return [(f"{measure}_{axis}" if axis else measure, {**chosen, "axis": axis}) for axis in axes]

    def session(self, options: Mapping[str, Any]) -> ScorerSession:
        """What asks during one run.

        Raises:
            BadName: an option is out of its bounds, or several votes have no temperature.
            InputError: the rubric has several axes, and none is named.
            UnreadableFile, WrongLine: as ``read_rubrics``.
        """
        chosen = self._checked(options)
        return JudgeSession(partial(_opened, chosen, _rubric(chosen)))

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score | None]:
        """See ``Scorer.scores``; a run of its own. None also for sentences that it does not come to."""
        if not texts:
            return []
        with self.session(options) as session:
            return [None if isinstance(score, NotAsked) else score for score in session.scores(texts)]

    def _checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        chosen = self.chosen(options)
        for option in self.options:
            option.check(chosen[option.name])
        if chosen["votes"] > 1 and not chosen["temperature"]:
            raise BadName("votes", str(chosen["votes"]), "at temperature 0 are all alike: give --temperature 0.7 too")
        return chosen


def _plain(text: str) -> str:
    return "".join("_" if character in '",()=' else character for character in text)


def _rubrics(chosen: Mapping[str, Any]) -> Mapping[str, Rubric]:
    return read_rubrics(Path(chosen["rubric"])) if chosen["rubric"] else {"": USUAL}


def _rubric(chosen: Mapping[str, Any]) -> Rubric:
    """The one that is chosen of those of a file."""
    rubrics, axis = _rubrics(chosen), chosen["axis"]
    if axis in rubrics:
        return rubrics[axis]
    if not axis:
        raise InputError("asks of one axis at a time", where=Judge.name, remedy=f"give axis: {', '.join(rubrics)}")
    there = ", ".join(filter(None, rubrics))
    raise BadName(
        "axis", axis, f"is not in the rubric; there are {there}" if there else "is given, and the rubric has no axes"
    )


def _endpoint(chosen: Mapping[str, Any]) -> Endpoint:
    return Endpoint(chosen["endpoint"], variable=chosen["key_from"], timeout_s=chosen["timeout"])


def _opened(chosen: Mapping[str, Any], rubric: Rubric) -> tuple[Endpoint, JudgePlan]:
    endpoint = _endpoint(chosen)
    try:
        served = endpoint.model(chosen["model"])
    except BaseException:
        endpoint.close()
        raise
    names = ("votes", "temperature", "seed", "answer_tokens", "parallel", "limit", "max_tokens")
    return endpoint, JudgePlan(
        rubric=rubric, model=served.name, server=served.server, **{name: chosen[name] for name in names}
    )


SCORER = Judge()

"""Samples after counterfactual prompts by the model of a server, which continues texts as a model of this machine does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.clean_text import whole_letters
from harmgraph.common.digests import facts_digest, text_number
from harmgraph.common.endpoint.asking_run import AskingRun, RunAnswer, RunQuestion
from harmgraph.common.endpoint.chat import used_tokens
from harmgraph.common.endpoint.endpoint import Endpoint, ServedModel
from harmgraph.common.endpoint.options import ModelServer
from harmgraph.common.endpoint.token_budget import estimated
from harmgraph.common.errors import EndpointError, InputError
from harmgraph.common.progress import progress
from harmgraph.models.language.counterfactual.sampling import (
    SaidSample,
    check_prompts,
    place_of,
    taken_facts,
    write_samples,
)
from harmgraph.models.language.decoding import Decoding
from harmgraph.models.language.speaking import Spoken

FORM = "generate 2"


@dataclass(frozen=True, slots=True)
class _Draw:
    prompt: str
    seed: int
    place: int
    number: int


def sample_from(
    served: ModelServer,
    name: str,
    prompts: Sequence[Mapping[str, str]],
    out: Path,
    decoding: Decoding,
    *,
    first: bool = False,
    common: bool = False,
) -> Spoken:
    """As ``sampling.sample_into``, by the model of a server. Samples are kept when they come, so that a run can go on.

    ``generation`` has the server's own name in place of the digest of weights, which no server tells. Each sample has a seed of
    its own, by the prompt, or by its template with ``common``.

    Raises:
        InputError: there is no prompt, no sample has a word, or the budget is too small.
        EndpointError: the server is not there, fails for good, or continues no texts.
        NoSpace: the file cannot be written.
        KeyboardInterrupt: Ctrl-C was pressed; what was said is kept.
    """
    check_prompts(prompts)
    endpoint = served.opened()
    with AskingRun(endpoint, parallel=served.parallel, max_tokens=served.max_tokens) as run:
        model = endpoint.model(name)
        samples = _asked(run, model, prompts, decoding, common)
    facts = {"model": model.name, "server": model.server, **decoding.facts(), **taken_facts(first, common)}
    return write_samples(facts, prompts, samples, out)


def _asked(
    run: AskingRun, model: ServedModel, prompts: Sequence[Mapping[str, str]], decoding: Decoding, common: bool
) -> list[list[SaidSample]]:
    drawn = _draws(prompts, decoding, common)
    how = [FORM, model.name, model.server, decoding.temperature, decoding.top_k, decoding.length]
    said: dict[tuple[int, int], SaidSample] = {}
    asked: list[RunQuestion[_Draw]] = []
    for draw in drawn:
        key = facts_digest([*how, draw.seed, draw.prompt])
        known = run.known(key)
        if known is not None:
            said[draw.place, draw.number] = SaidSample(*known)
        else:
            asked.append(RunQuestion(key, draw, estimated([draw.prompt]) + decoding.length))
    if asked:
        run.check_budget(min(question.tokens for question in asked))
        run.announce(len(asked), len(said), sum(question.tokens for question in asked), "samples to draw")
    endpoint = run.endpoint

    def ask(question: RunQuestion[_Draw]) -> RunAnswer:
        return _sample(endpoint, model, question, decoding)

    for question, value in run.answers(asked, ask):
        said[question.content.place, question.content.number] = SaidSample(*value)
        progress("generating", len(said), len(drawn))
    run.raise_ending()
    left = len(drawn) - len(said)
    if left:
        raise InputError(
            f"stopped at --max-tokens: {left:,} of {len(drawn):,} samples are left",
            where=str(endpoint.address),
            remedy="what was said is kept, and the same command goes on",
        )
    return [[said[place, number] for number in range(decoding.samples)] for place in range(len(prompts))]


def _draws(prompts: Sequence[Mapping[str, str]], decoding: Decoding, common: bool) -> list[_Draw]:
    """Each with a seed of its own, by the prompt; a prompt that stands twice gets other seeds the second time."""
    drawn: list[_Draw] = []
    times: Counter[str] = Counter()
    for place, prompt in enumerate(prompts):
        of = place_of(prompt) if common else prompt["prompt"]
        first = 0 if common else times[of] * decoding.samples
        times[of] += 1
        drawn += [
            _Draw(prompt["prompt"], _seed(decoding.seed, of, first + number), place, number)
            for number in range(decoding.samples)
        ]
    return drawn


def _sample(endpoint: Endpoint, model: ServedModel, question: RunQuestion[_Draw], decoding: Decoding) -> RunAnswer:
    draw = question.content
    body: dict[str, Any] = {
        "model": model.name,
        "prompt": draw.prompt,
        "max_tokens": decoding.length,
        "temperature": decoding.temperature,
        "seed": draw.seed,
        "stream": False,
    }
    if decoding.top_k:
        body["top_k"] = decoding.top_k
    content = endpoint.post("/completions", body)
    try:
        choice = content["choices"][0]
        text, ended = choice["text"], choice.get("finish_reason") == "stop"
    except (KeyError, IndexError, TypeError, AttributeError):
        text, ended = None, False
    if not isinstance(text, str):
        raise EndpointError(
            "answers without a text", where=str(endpoint.address), remedy="choose a server that continues texts"
        )
    used = used_tokens(content)
    return RunAnswer([whole_letters(text), ended], question.tokens if used is None else used)


def _seed(seed: int, of: str, number: int) -> int:
    return text_number(f"{seed}\n{of}\n{number}") % 2**31

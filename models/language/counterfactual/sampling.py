"""Samples of a model after counterfactual prompts, in the form that the importer ``generations`` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from harmgraph.common.errors import InputError
from harmgraph.common.whole_file import written
from harmgraph.models.language.counterfactual.part_file import PartFile, part_beside
from harmgraph.models.language.counterfactual.sentences import first_sentence
from harmgraph.models.language.decoding import Decoding
from harmgraph.models.language.speaking import FULL, Spoken, continued

LENGTH = 50
"""Most tokens of a sample (Huang et al. 2020, appendix B, "Sample generation")."""
SAMPLES = 1_000
FIRST_SENTENCE, WHOLE = "first sentence", "whole"
EMPTY, NUL = "without a word", "with a NUL character"


def sample_into(
    name: str,
    prompts: Sequence[Mapping[str, str]],
    out: Path,
    decoding: Decoding,
    *,
    first: bool = False,
    common: bool = False,
    precision: str = FULL,
    device: str = "auto",
    threads: int = 0,
) -> Spoken:
    """Writes samples after each prompt, a line each: what the prompt has, ``text``, ``ended`` and ``generation``.

    ``text`` is what follows the prompt, which may be several sentences, as in the paper's table 7. ``generation`` has the
    model, the digest of its weights, how it was decoded, and what was taken of it. A sample without a word is left out and
    counted. A generation that was interrupted goes on with its next batch.

    Args:
        prompts: each with ``prompt``, and what else its lines get.
        first: whether to keep the first sentence alone.
        common: whether prompts of one ``attribute`` and ``template`` are drawn with the same random numbers, sample by sample:
            what then differs between two texts, the value caused (Huang et al. 2020, tables 7 and 8).
        precision: see ``continued``.

    Raises:
        as ``continued``, and InputError: there is no prompt, or no sample has a word.
        NoSpace: the file cannot be written.
    """
    check_prompts(prompts)
    texts = [prompt["prompt"] for prompt in prompts]
    places = [place_of(prompt) for prompt in prompts] if common else None
    with part_beside(out) as part:
        kept = partial(PartFile, part) if part else None
        speaker, said = continued(
            name, texts, decoding, places=places, kept=kept, precision=precision, device=device, threads=threads
        )
        more = taken_facts(first, common)
        more |= {"precision": precision} if precision != FULL else {}
        samples = [[SaidSample(text, each.ended) for text, each in few] for few in said]
        spoken = write_samples({**speaker.facts(), **more}, prompts, samples, out)
    return spoken


@dataclass(frozen=True, slots=True)
class SaidSample:
    """A text that a model said, and whether it ended it itself."""

    text: str
    ended: bool


def check_prompts(prompts: Sequence[Mapping[str, str]]) -> None:
    """Checks that there are any.

    Raises:
        InputError: there is none.
    """
    if not prompts:
        raise InputError("there is no prompt", remedy="'harmgraph counterfactual prompts --list' shows the attributes")


def place_of(prompt: Mapping[str, str]) -> str:
    """What prompts that differ in their value alone have in common."""
    return f"{prompt['attribute']}\n{prompt['template']}"


def taken_facts(first: bool, common: bool) -> dict[str, Any]:
    """What ``generation`` says of ``first`` and ``common``, see ``sample_into``."""
    return {"taken": FIRST_SENTENCE if first else WHOLE} | ({"common_random_numbers": True} if common else {})


def write_samples(
    generation: Mapping[str, Any],
    prompts: Sequence[Mapping[str, str]],
    said: Sequence[Sequence[SaidSample]],
    out: Path,
) -> Spoken:
    """Writes samples, see ``sample_into``.

    Raises:
        InputError: no sample has a word.
        NoSpace: the file cannot be written.
    """
    first = generation["taken"] == FIRST_SENTENCE
    lines, left_out = list[str](), {EMPTY: 0, NUL: 0}
    for prompt, few in zip(prompts, said, strict=True):
        for each in few:
            taken = " ".join((first_sentence(each.text) if first else each.text).split())
            if not taken or "\x00" in taken:
                left_out[NUL if taken else EMPTY] += 1
            else:
                line = {**prompt, "text": taken, "ended": each.ended, "generation": generation}
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    if not lines:
        raise InputError(
            "says no word after any of the prompts",
            where=generation["model"],
            remedy="train it longer, or choose a larger --length",
        )
    with written(out) as file:
        file.writelines(lines)
    left = {why: count for why, count in left_out.items() if count}
    texts = [prompt["prompt"] for prompt in prompts]
    return Spoken(len(texts), len(set(texts)), len(lines) + sum(left.values()), len(lines), left)

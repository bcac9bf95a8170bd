"""The rubric: what a language model is asked of each sentence. By default it is asked what people are asked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.ratings import read_ratings
from harmgraph.analytics.labelling.review_question import HARM, QUESTIONS
from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import UnreadableFile, WrongLine
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES
from harmgraph.common.toml_lines import TomlLines
from harmgraph.common.user_file import read_text

QUESTION, TOLD, ANSWERS, EXAMPLES = "question", "told", "answers", "examples"
FIELDS = (QUESTION, TOLD, ANSWERS, EXAMPLES)
MOST_EXAMPLES = 50


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """A sentence and the name of its right answer."""

    sentence: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """A question about a sentence, with three answers.

    Attributes:
        question: what is asked. told: how to judge.
        meanings: of each answer of ``PEOPLE_NAMES``, when it is the right one.
        examples: sentences with their answers, which the model sees first.
    """

    question: str
    told: str
    meanings: Mapping[str, str]
    examples: tuple[JudgedExample, ...] = ()

    @property
    def digest(self) -> str:
        """12 digits that tell rubrics apart."""
        examples = [[example.sentence, example.answer] for example in self.examples]
        return facts_digest([self.question, self.told, dict(self.meanings), examples], 6)


_ASKED = QUESTIONS[HARM]
USUAL = Rubric(_ASKED.heading, _ASKED.told, {choice.name: choice.meaning for choice in _ASKED.choices})
"""The question of 'harmgraph review', which is that of Mehrabi et al. 2021, section 2.3."""


def read_rubric(path: Path) -> Rubric:
    """Reads a rubric: TOML with ``question``, ``told``, a table ``answers`` and perhaps a file of ``examples``.

    What is left out is as in ``USUAL``. Examples are a CSV file ``sentence,label``, beside the rubric.

    Raises:
        UnreadableFile: it cannot be read, is not TOML, or the examples cannot be read.
        WrongLine: a field that no rubric has, or a value that is not a text.
    """
    text = read_text(path)
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(path, f"is not TOML ({error})", remedy="docs/judge.md shows a rubric") from error
    form = _Form(path, TomlLines(text))
    form.check(fields, FIELDS)
    answers = fields.get(ANSWERS, {})
    if not isinstance(answers, dict):
        raise form.wrong("answers are a table with the three answers", ANSWERS)
    form.check(answers, PEOPLE_NAMES, ANSWERS)
    question = form.text(fields, USUAL.question, QUESTION)
    told = form.text(fields, USUAL.told, TOLD)
    meanings = {name: form.text(answers, USUAL.meanings[name], ANSWERS, name) for name in PEOPLE_NAMES}
    examples = form.text(fields, "", EXAMPLES) if EXAMPLES in fields else ""
    return Rubric(question, told, meanings, _examples(path.parent / examples) if examples else ())


@dataclass(frozen=True, slots=True)
class _Form:
    path: Path
    lines: TomlLines

    def check(self, fields: Mapping[str, Any], known: tuple[str, ...], *above: str) -> None:
        for name in fields:
            if name not in known:
                meant = get_close_matches(name, known, n=1)
                here = f"an answer {name!r}" if above else f"a field {name!r}"
                hint = f"did you mean {meant[0]}?" if meant else f"there are {', '.join(known)}"
                raise self.wrong(
                    f"a rubric has no {here.removeprefix('an ').removeprefix('a ')}", *above, name, to=hint
                )

    def text(self, fields: Mapping[str, Any], usual: str, *path: str) -> str:
        value = fields.get(path[-1], usual)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{path[-1]} is not a text", *path, to="write it in quotation marks")
        return value.strip()

    def wrong(self, what: str, *path: str, to: str = "docs/judge.md shows a rubric") -> WrongLine:
        line = self.lines.of(*path)
        return WrongLine(what, line=line, where=f"{self.path}:{line}" if line else str(self.path), remedy=to)


def _examples(path: Path) -> tuple[JudgedExample, ...]:
    """The sentences of a file with the label that most people gave them; one without a majority is an error.

    Raises:
        UnreadableFile: as ``read_ratings``, or there are too many, or people disagree.
    """
    examples: list[JudgedExample] = []
    for sentence, votes in read_ratings((path,)).counts.items():
        if votes.count(max(votes)) > 1:
            raise UnreadableFile(path, f"has several labels of {sentence[:40]!r}", remedy="give it one")
        examples.append(JudgedExample(sentence, PEOPLE_NAMES[votes.index(max(votes))]))
    if len(examples) > MOST_EXAMPLES:
        raise UnreadableFile(
            path,
            f"has {len(examples):,} examples, and every question has all of them",
            remedy=f"keep {MOST_EXAMPLES} or fewer",
        )
    return tuple(examples)


LABELS: Mapping[str, str] = dict(zip(PEOPLE_NAMES, PEOPLE_LABELS, strict=True))
"""The labels in the graph, by the names of the answers."""

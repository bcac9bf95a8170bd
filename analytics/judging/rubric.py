"""The rubric: what a language model is asked of each sentence. By default it is asked what people are asked.

A rubric of axes asks of each axis, such as warmth, whether a sentence is high or low on it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.axes import axis_name
from harmgraph.analytics.labelling.ratings import PEOPLE_WORDS, LabelNames, read_ratings
from harmgraph.analytics.labelling.review_question import HARM, QUESTIONS
from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import UnreadableFile, WrongLine
from harmgraph.common.label_words import PEOPLE_LABELS, PEOPLE_NAMES
from harmgraph.common.toml_lines import TomlLines
from harmgraph.common.user_file import read_text

QUESTION, TOLD, ANSWERS, EXAMPLES = "question", "told", "answers", "examples"
AXES, HIGH, NEITHER, LOW = "axes", "high", "neither", "low"
FIELDS = (QUESTION, TOLD, ANSWERS, EXAMPLES)
AXIS_NAMES = (HIGH, NEITHER, LOW)
"""The answers about an axis, in the order of ``PEOPLE_LABELS``."""
AXIS_FIELDS = (QUESTION, *AXIS_NAMES, EXAMPLES)
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
        meanings: of each answer, the good or high one first and its opposite last, when it is the right one.
        examples: sentences with their answers, which the model sees first.
        axis: of which it asks, if it is not harm. Then the answer in the middle is no label: the sentence says nothing of it.
    """

    question: str
    told: str
    meanings: Mapping[str, str]
    examples: tuple[JudgedExample, ...] = ()
    axis: str = ""

    @property
    def labels(self) -> dict[str, str | None]:
        """The label in the graph of each answer; None for the answer that is no label."""
        first, middle, last = PEOPLE_LABELS
        return dict(zip(self.meanings, (first, None if self.axis else middle, last), strict=True))

    @property
    def digest(self) -> str:
        """12 digits that tell rubrics apart."""
        examples = [[example.sentence, example.answer] for example in self.examples]
        return facts_digest([self.question, self.told, dict(self.meanings), examples], 6)


_ASKED = QUESTIONS[HARM]
USUAL = Rubric(_ASKED.heading, _ASKED.told, {choice.name: choice.meaning for choice in _ASKED.choices})
"""The question of 'harmgraph review', which is that of Mehrabi et al. 2021, section 2.3."""


TOLD_OF_AXES = "Judge what the sentence says of the group, not whether it is true:"
SAYS_NOTHING = "it says nothing of this, or both alike."


def read_rubrics(path: Path) -> dict[str, Rubric]:
    """Reads a rubric: TOML with ``question``, ``told``, a table ``answers`` and perhaps a file of ``examples``.

    What is left out is as in ``USUAL``. Examples are a CSV file ``sentence,label``, beside the rubric. Or a rubric of axes:
    ``told`` and a table ``axes.NAME`` for each, with ``question``, ``high``, ``low``, and perhaps ``neither`` and ``examples``.

    Returns:
        rubrics by the names of their axes; one that asks of harm has no name.

    Raises:
        UnreadableFile: it cannot be read, is not TOML, or the examples cannot be read.
        WrongLine: a field that no rubric has, one that is missing, or a value that is not a text.
    """
    text = read_text(path)
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(path, f"is not TOML ({error})", remedy="docs/judge.md shows a rubric") from error
    form = _Form(path, TomlLines(text))
    if AXES in fields:
        return _of_axes(form, fields)
    form.check(fields, (*FIELDS, AXES))
    answers = form.table(fields, "answers are a table with the three answers", ANSWERS)
    form.check(answers, PEOPLE_NAMES, ANSWERS)
    question = form.text(fields, USUAL.question, QUESTION)
    told = form.text(fields, USUAL.told, TOLD)
    meanings = {name: form.text(answers, USUAL.meanings[name], ANSWERS, name) for name in PEOPLE_NAMES}
    return {"": Rubric(question, told, meanings, form.examples(fields, PEOPLE_WORDS, EXAMPLES))}


def _of_axes(form: _Form, fields: Mapping[str, Any]) -> dict[str, Rubric]:
    form.check(fields, (TOLD, AXES))
    told = form.text(fields, TOLD_OF_AXES, TOLD)
    rubrics: dict[str, Rubric] = {}
    for written in form.table(fields, "axes are tables, [axes.warmth] and others", AXES):
        name = axis_name(written)
        if name is None or name in rubrics:
            what = "cannot be the name of an axis" if name is None else "is there before"
            raise form.wrong(f"{written[:30]!r} {what}", AXES, written, to="begin it with a letter, and name each once")
        axis = form.table(fields[AXES], "an axis is a table with question, high and low", AXES, written)
        form.check(axis, AXIS_FIELDS, AXES, written)
        question = form.text(axis, "", AXES, written, QUESTION)
        usual = {HIGH: "", NEITHER: SAYS_NOTHING, LOW: ""}
        meanings = {answer: form.text(axis, usual[answer], AXES, written, answer) for answer in AXIS_NAMES}
        words = LabelNames(dict(zip(AXIS_NAMES, PEOPLE_LABELS, strict=True)).get, "write high, neither or low")
        examples = form.examples(axis, words, AXES, written, EXAMPLES)
        rubrics[name] = Rubric(question, told, meanings, examples, name)
    if not rubrics:
        raise form.wrong("there is no axis", AXES, to="give each a table: [axes.warmth]")
    return rubrics


@dataclass(frozen=True, slots=True)
class _Form:
    path: Path
    lines: TomlLines

    def check(self, fields: Mapping[str, Any], known: tuple[str, ...], *above: str) -> None:
        for name in fields:
            if name not in known:
                meant = get_close_matches(name, known, n=1)
                here = f"answer {name!r}" if above == (ANSWERS,) else f"field {name!r}"
                hint = f"did you mean {meant[0]}?" if meant else f"there are {', '.join(known)}"
                raise self.wrong(
                    f"{'an axis' if above[:1] == (AXES,) else 'a rubric'} has no {here}", *above, name, to=hint
                )

    def table(self, fields: Mapping[str, Any], what: str, *path: str) -> Mapping[str, Any]:
        value = fields.get(path[-1], {})
        if not isinstance(value, dict):
            raise self.wrong(what, *path)
        return value

    def text(self, fields: Mapping[str, Any], usual: str, *path: str) -> str:
        if path[-1] not in fields and not usual:
            raise self.wrong(f"{path[-1]} is missing", *path)
        value = fields.get(path[-1], usual)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{path[-1]} is not a text", *path, to="write it in quotation marks")
        return value.strip()

    def examples(self, fields: Mapping[str, Any], words: LabelNames, *path: str) -> tuple[JudgedExample, ...]:
        if path[-1] not in fields:
            return ()
        names = AXIS_NAMES if path[0] == AXES else PEOPLE_NAMES
        return _examples(self.path.parent / self.text(fields, "", *path), words, names)

    def wrong(self, what: str, *path: str, to: str = "docs/judge.md shows a rubric") -> WrongLine:
        line = self.lines.of(*path)
        return WrongLine(what, line=line, where=f"{self.path}:{line}" if line else str(self.path), remedy=to)


def _examples(path: Path, words: LabelNames, names: Sequence[str]) -> tuple[JudgedExample, ...]:
    """The sentences of a file with the label that most people gave them; one without a majority is an error.

    Raises:
        UnreadableFile: as ``read_ratings``, or there are too many, or people disagree.
    """
    examples: list[JudgedExample] = []
    for sentence, votes in read_ratings((path,), words).counts.items():
        if votes.count(max(votes)) > 1:
            raise UnreadableFile(path, f"has several labels of {sentence[:40]!r}", remedy="give it one")
        examples.append(JudgedExample(sentence, names[votes.index(max(votes))]))
    if len(examples) > MOST_EXAMPLES:
        raise UnreadableFile(
            path,
            f"has {len(examples):,} examples, and every question has all of them",
            remedy=f"keep {MOST_EXAMPLES} or fewer",
        )
    return tuple(examples)

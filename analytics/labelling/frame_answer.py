"""What a person says of a sentence as a social bias frame (Sap et al. 2020, section 2 and figure 4), and what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harmgraph.common.errors import InputError
from harmgraph.common.frames import VARIABLES, Variable
from harmgraph.graph.records import Implication, normalise

OFFENSIVE, GROUP, IN_GROUP = "offensive", "group_targeted", "in_group"
ALWAYS = (OFFENSIVE, "intent", "lewd")
"""Variables that are asked of every sentence; the group only of what may offend, the author only of what is about a group."""
MOST_GROUPS, MOST_STATEMENTS = 10, 10
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FramePart:
    """A question of the frame.

    Attributes:
        variable: what its answer is in a file of SBIC.
        heading: the question.
        hint: what it means, in the words of section 2 as far as they fit.
    """

    variable: Variable
    heading: str
    hint: str


_ASKED: Mapping[str, tuple[str, str]] = {
    OFFENSIVE: ("Could it be offensive to anyone?", "Rude, disrespectful or toxic."),
    "intent": ("Was it meant to offend?", "What its author seems to have wanted, whether or not it offends."),
    "lewd": ("Is it lewd or sexual?", "It has lewd or sexual references."),
    GROUP: ("Does it target or mention a group?", "Yes: a social or demographic group. No: individuals alone."),
    IN_GROUP: ("May its author belong to that group?", "As with words that a group uses of itself."),
}

PARTS = tuple(FramePart(variable, *_ASKED[variable.name]) for variable in VARIABLES)
"""The questions with a few answers, in the order of ``VARIABLES``."""

WHICH_GROUP = "Which group is it about?"
IMPLIED = "What does it imply of this group? One statement a line, in simple words: women are ..., gay men do ..."


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """A frame.

    Attributes:
        answers: a number for each of ``VARIABLES``; None where it was not asked.
        groups: each group with the statements that are implied of it, which may be none; no group unless one is targeted.
    """

    answers: tuple[float | None, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def answer(self, name: str) -> float | None:
        """The answer to the question of a variable's name."""
        return next(given for variable, given in zip(VARIABLES, self.answers, strict=True) if variable.name == name)

    @property
    def word(self) -> str:
        """The word of the first question's answer: yes, maybe or no."""
        given = self.answer(OFFENSIVE)
        return VARIABLES[0].choices[given] if given is not None else ""


def frame_answer(given: object, annotator: str) -> FrameAnswer:
    """A frame from what a page sends: the number of each variable by its name, and ``groups``: pairs of group and statements.

    What is not to be asked is left out: the group of what does not offend, its author where it is about no group.

    Raises:
        ValueError: something that is asked has no answer, or another one.
        InputError: a group is blank, too long or has a comma, or there are too many.
    """
    if not isinstance(given, Mapping):
        raise ValueError("no frame")  # noqa: TRY004 - as any other that cannot be read
    asked = set(ALWAYS)
    numbers = {variable.name: _number(given.get(variable.name), variable) for variable in VARIABLES}
    if numbers[OFFENSIVE]:
        asked.add(GROUP)
        if numbers[GROUP]:
            asked.add(IN_GROUP)
    lacking = [name for name in asked if numbers[name] is None]
    if lacking:
        raise ValueError(f"no answer to {lacking[0]}")
    answers = tuple(numbers[variable.name] if variable.name in asked else None for variable in VARIABLES)
    if IN_GROUP not in asked:
        return FrameAnswer(answers)
    return FrameAnswer(answers, _groups(given.get("groups"), annotator))


def _number(given: object, variable: Variable) -> float | None:
    if given in (None, ""):
        return None
    number = float(str(given))
    if number not in variable.choices:
        raise ValueError(f"{number:g} is no answer to {variable.name}")
    return number


def _groups(given: object, annotator: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: dict[str, dict[str, None]] = {}
    names: dict[str, str] = {}
    for pair in given if isinstance(given, list) else ():
        match pair:
            case [str(name), list(statements)]:
                pass
            case _:
                raise ValueError("not a group and its statements")
        group = " ".join(str(name).split())
        texts = [" ".join(str(text).split()) for text in statements]
        if "," in group or not normalise(group):
            raise InputError("a group is blank, or has a comma", where=group[:60], remedy="write each group by itself")
        for text in ("", *texts):
            Implication(group, UNKNOWN, text, annotator)
        key = names.setdefault(normalise(group), group)
        groups.setdefault(key, {}).update(dict.fromkeys(filter(None, texts)))
    if not groups or len(groups) > MOST_GROUPS or any(len(texts) > MOST_STATEMENTS for texts in groups.values()):
        raise InputError(
            f"no group, or more than {MOST_GROUPS}, or more than {MOST_STATEMENTS} statements of one",
            remedy="name the group that the sentence is about",
        )
    return tuple((group, tuple(texts)) for group, texts in groups.items())

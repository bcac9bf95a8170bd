"""Literals of people, such as the day of birth: which of them a condition such as ``<1950`` picks, and their decades."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

from harmgraph.common.errors import BadName

OPERATORS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq}
_CONDITION = re.compile(r"\s*(<=|>=|<|>|=)\s*(.+?)\s*")
_TIME = re.compile(r"(-?\d{1,6})(?:-(\d\d))?(?:-(\d\d))?")
_WITH_PRECISION = re.compile(r"([+-]\d{1,16})-\d\d-\d\dT[^/]*/(\w+)")
DECADE = 8  # precision of a time of Wikidata; 7 is a century, 14 a second

Parts = tuple[float, ...]
"""Year, month and day, as far as they are known; or a number alone."""


def is_condition(word: str) -> bool:
    """Whether a value of ``--a`` or ``--b`` is a condition on a literal."""
    return bool(_CONDITION.fullmatch(word))


def decade(text: str) -> str | None:
    """``1950s`` of ``1952-03-11``, ``1952`` or ``+1950-00-00T00:00:00Z/8``; None of a date such as ``…/7``, of which only the
    century is known; any other text as it is.
    """
    match = _TIME.fullmatch(text)
    if not match:
        match = _WITH_PRECISION.fullmatch(text)
        if match and not (match[2].isdecimal() and int(match[2]) >= DECADE):
            return None
    return f"{int(match[1]) // 10 * 10}s" if match else text


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison with a date or a number, such as ``<1950`` or ``>=1950-06``."""

    text: str
    sign: str
    bound: Parts

    @classmethod
    def read(cls, word: str) -> Condition:
        """Parses a condition.

        Raises:
            BadName: it is none.
        """
        match = _CONDITION.fullmatch(word)
        bound = _parts(match[2]) if match else None
        if not match or bound is None:
            raise BadName(
                "condition", word, "is not a comparison with a date or a number, such as <1950 or >=1950-06-01"
            )
        return cls(f"{match[1]}{match[2]}", match[1], bound)

    def holds(self, value: str) -> bool | None:
        """Whether it holds for a literal; None where the literal is not known well enough: ``1950`` is not a day of that year."""
        parts = _parts(value)
        if parts is None:
            return None
        shorter = min(len(parts), len(self.bound))
        left, right = parts[:shorter], self.bound[:shorter]
        if left == right and len(parts) < len(self.bound):
            return None
        return bool(OPERATORS[self.sign](left, right))


def _parts(text: str) -> Parts | None:
    match = _TIME.fullmatch(text)
    if match:
        return tuple(float(part) for part in match.groups() if part is not None)
    try:
        return (float(text),)
    except ValueError:
        return None

"""Dataclasses of which a large file makes millions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def made_often(kind: type[Made]) -> type[Made]:
    """Makes a dataclass with slots that type checkers take for frozen.

    At run time nothing guards it: to set the attributes of a frozen one takes three times as long, which was a seventh of
    the time in which ``load triples`` reads a line (docs/benchmarks.md).
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)

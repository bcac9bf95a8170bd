"""What a page about a paper is made of: its numbers, and the commands whose answers stand beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OURS = 10
"""Rows of a ranked list that stands beside none of the paper."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What is computed of answers to commands.

    Attributes:
        of: the names of the answers. compute: gets them by name, and gives rows as an answer has them.
    """

    of: tuple[str, ...]
    compute: Callable[[Mapping[str, Any]], list[dict[str, Any]]]

    def rows(self, answers: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Its rows, of its answers alone."""
        return self.compute({name: answers[name] for name in self.of})


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Commands in a store of their own, in a folder of the real data.

    Attributes:
        name: unique within the paper.
        files: that the commands read, under the folder of the real data.
        made: files that are made of these first, by name; commands find them in ``MADE/``.
        prepare: commands that are run first.
        asked: commands whose JSON is read, by name.
        computed: what is computed of these answers, by name.
        quick: whether all of it takes about a minute at most on two idle cores.
    """

    name: str
    files: tuple[str, ...]
    asked: Mapping[str, str]
    made: Mapping[str, Callable[[Path], str | bytes]] = field(default_factory=dict)
    prepare: tuple[str, ...] = ()
    computed: Mapping[str, Computed] = field(default_factory=dict)
    quick: bool = False

    @property
    def commands(self) -> tuple[str, ...]:
        """All of them, in order."""
        return (*self.prepare, *self.asked.values())

    def commands_of(self, name: str) -> tuple[str, ...]:
        """The commands whose answers an answer, or what is computed of answers, is of."""
        of = self.computed[name].of if name in self.computed else (name,)
        return tuple(self.asked[one] for one in of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A number of a study's answer.

    Attributes:
        study, asked: whose answer, or what is computed of it.
        column: its name. Those of its interval are ``column_low`` and ``column_high``, or ``low`` and ``high`` where there is one
            number a row.
        where: what the row has in other columns.
        n: the column of the count that the number rests on.
        scale: what the number is multiplied by, to have the paper's unit.
        absent: why an answer may have none, such as a share of nothing; empty where it must have one.
    """

    study: str
    asked: str
    column: str
    where: Mapping[str, str] = field(default_factory=dict)
    n: str = ""
    scale: float = 1.0
    absent: str = ""

    @property
    def key(self) -> str:
        """Its name among the results."""
        where = ",".join(f"{name}={value}" for name, value in sorted(self.where.items()))
        return f"{self.asked}[{where}].{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A number of the paper.

    Attributes:
        what: in words.
        paper: the number as printed; None where the paper shows a form and no number.
        digits: that the paper prints after the point.
        ours: None where it cannot be had.
        why: in a line, why it cannot be had, or differs by more than 2 %.
    """

    what: str
    paper: float | None
    digits: int = 1
    ours: Pick | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopList:
    """A ranked list of an answer, beside that of the paper if it has one.

    Attributes:
        paper: its rows as printed: name, score, and two counts. counts: what these are of.
        what: in words, where an item has several lists.
        study, asked: whose answer; its rows are in order, and have ``name``, ``score``, ``count_a`` and ``count_b``.
        last: whether the list begins at the end of the answer.
        ours: what the counts of the answer are of.
    """

    paper: tuple[tuple[str, str, str, str], ...] = ()
    counts: tuple[str, str] = ("", "")
    what: str = ""
    study: str
    asked: str
    last: bool
    ours: tuple[str, str]

    @property
    def key(self) -> str:
        """Its name among the results."""
        return f"{self.asked}.{'last' if self.last else 'first'}"

    @property
    def size(self) -> int:
        """How many rows are shown at most."""
        return len(self.paper) or OURS


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A table, figure or numbered equation.

    Attributes:
        name: as the paper counts it, such as ``table 4``.
        what: it shows, in a sentence.
        rows: its numbers. lists: its ranked lists.
        note: where it has no number of its own: what shows it here, or why nothing does.
    """

    name: str
    what: str
    rows: tuple[Row, ...] = ()
    lists: tuple[TopList, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper.

    Attributes:
        name: of its module and its page.
        file: of its text, beside the real data.
        studies, items: in order.
        note: what a reader of any of its tables must know.
    """

    name: str
    title: str
    file: str
    studies: tuple[Study, ...]
    items: tuple[Item, ...]
    note: str = ""

    def study(self, name: str) -> Study:
        """The study of a name.

        Raises:
            KeyError: there is none.
        """
        return {one.name: one for one in self.studies}[name]

    @property
    def picks(self) -> tuple[Pick, ...]:
        """Every number that is read from an answer."""
        return tuple(row.ours for item in self.items for row in item.rows if row.ours)

    @property
    def lists(self) -> tuple[TopList, ...]:
        """Every ranked list."""
        return tuple(one for item in self.items for one in item.lists)


def cannot(numbers: Mapping[str, float], why: str, digits: int = 1) -> tuple[Row, ...]:
    """Rows of numbers that cannot be had, for one reason."""
    return tuple(Row(what=what, paper=number, digits=digits, why=why) for what, number in numbers.items())

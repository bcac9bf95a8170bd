"""Options: of members of a family, such as importers and scorers, and of trainings, whose recipes have them as fields."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from harmgraph.common.errors import BadName

TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text"}
OPTION = "option"
"""What the metadata of a field keeps its option by."""
Value = str | int | float | bool | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: ``--name`` on the command line (``command_line.click_option``), a keyword in Python.

    Attributes:
        default: it also says of which type the values are; None for yes, no or neither. It is valid whatever the bounds.
        choices: the only values; empty for any.
        file: whether its value is the path of a file; empty for none. An importer reads it after the files to load
            (``Importer.beside``), and ``located`` makes it absolute.
        least, most: the bounds of a number; None for none. above, below: whether they are outside themselves.
        kind: type of the values, where the default is None and they are neither yes nor no.
        flag: its name on the command line, where that is another.
        words: the default, where it depends on other options; then a command passes None unless the option is given.
    """

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    file: bool = False
    least: float | None = None
    most: float | None = None
    above: bool = False
    below: bool = False
    kind: type | None = None
    flag: str = ""
    words: str = ""

    @property
    def word(self) -> str:
        """Its name on the command line, without the dashes."""
        return self.flag or self.name.replace("_", "-")

    @property
    def value_kind(self) -> type:
        """The type of its values."""
        return self.kind or (bool if self.default is None else type(self.default))

    def read(self, text: str) -> Value:
        """The value of the option, read from text.

        Raises:
            BadName: the text is not a value of this option.
        """
        if self.default is None or isinstance(self.default, bool):
            word = text.strip().lower()
            if word not in TRUE and word not in FALSE:
                raise BadName("value", text, f"is neither yes nor no, for the option {self.name}")
            return word in TRUE
        if self.choices and text not in self.choices:
            raise BadName("value", text, f"is none of the option {self.name}; it has {', '.join(self.choices)}")
        try:
            return type(self.default)(text)
        except ValueError as error:
            raise BadName("value", text, f"is none of the option {self.name}") from error

    def check(self, value: object) -> None:
        """Checks a value.

        Raises:
            BadName: it is of another type, not one of the choices, or out of bounds. No number may be infinite or NaN.
        """
        if why := self._fault(value):
            shown = _number(value) if isinstance(value, float) else str(value)
            raise BadName(max(self.word, self.name, key=len).replace("-", " ").replace("_", " "), shown, why)

    def _fault(self, value: object) -> str:
        """What is wrong with a value; empty if nothing is."""
        kind = self.value_kind
        if value is None and self.default is None:
            return ""
        if isinstance(value, bool) != (kind is bool) or not isinstance(value, (int, float) if kind is float else kind):
            return f"is not {KINDS[kind]}"
        if value == self.default:
            return ""
        if self.choices and value not in self.choices:
            return f"is none of {', '.join(self.choices)}"
        if isinstance(value, (int, float)) and not self._within(value):
            example = isinstance(self.default, float) and self.default != self.least
            return f"is not valid: give {self._bounds()}" + (f", such as {_number(self.default)}" if example else "")
        return ""

    def _within(self, value: float) -> bool:
        """Whether a number is within the bounds; NaN, which is neither more nor less, is not."""
        least, most = -math.inf if self.least is None else self.least, math.inf if self.most is None else self.most
        open_below, open_above = self.above or self.least is None, self.below or self.most is None
        return (least < value if open_below else least <= value) and (value < most if open_above else value <= most)

    def _bounds(self) -> str:
        if self.least is None:
            return "a finite number"
        least = _number(self.least)
        if self.most is None:
            return f"a number above {least}" if self.above else f"{least} or more"
        if self.above:
            return f"a number above {least} and {'below' if self.below else 'at most'} {_number(self.most)}"
        return f"a number from {least} to {'below ' if self.below else ''}{_number(self.most)}"


def _number(number: Any) -> str:
    return f"{number:g}".replace("e-0", "e-") if isinstance(number, float) else str(number)


def option(default: T, text: str, **more: Any) -> T:
    """A field of a dataclass that is an option: of a frozen record, which calls ``checked`` in its ``__post_init__``.

    Args:
        text: its help. more: attributes of ``Option``.
    """
    known = Option("", default, text, **more)  # type: ignore[arg-type]
    made: T = field(default=default, metadata={OPTION: known})
    return made


def declared(kind: type) -> tuple[Option, ...]:
    """The options among the fields of a dataclass."""
    return tuple(replace(each.metadata[OPTION], name=each.name) for each in fields(kind) if OPTION in each.metadata)


def checked(record: object) -> None:
    """Checks the fields of a record that are options.

    Raises:
        BadName: one has a value that is not valid.
    """
    for each in declared(type(record)):
        each.check(getattr(record, each.name))


def documented(kind: type[T]) -> type[T]:
    """A dataclass whose docstring has its options too."""
    lines = [f"    {each.name}: {each.help}" for each in declared(kind)]
    kind.__doc__ = "\n".join((inspect.cleandoc(kind.__doc__ or ""), "", "Options:", *lines))
    return kind


def with_defaults(options: Iterable[Option], given: Mapping[str, Any], member: str) -> dict[str, Any]:
    """The given options, with defaults for the others.

    Args:
        member: whose options they are, in the message: ``scorer vader``.

    Raises:
        BadName: an option that the member does not have.
    """
    known = {option.name: option.default for option in options}
    for name in given:
        if name not in known:
            raise BadName("option", name, f"is not one of the {member}; it has {sorted(known)}")
    return known | dict(given)


class Optioned:
    """A member of a family that declares options.

    Attributes:
        family: its name, in messages.
        name: of the member. options: that it has.
    """

    family: ClassVar[str]
    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()

    def chosen(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The given options, with defaults for the others.

        Raises:
            BadName: an option that this member does not have.
        """
        return with_defaults(self.options, options, f"{self.family} {self.name}")

    def located(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with absolute paths, for a process that has another working folder; they mean the same.

        Options that are declared as files are made absolute. A member with another kind of path overrides this.

        Raises:
            BadName: an option that this member does not have.
        """
        return located(self.options, self.chosen(options))


def located(options: Iterable[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with absolute paths of files, for a process that has another working folder.

    Args:
        values: of some or all of the options.
    """
    files = {option.name for option in options if option.file}
    return {name: str(Path(value).absolute()) if value and name in files else value for name, value in values.items()}

"""Options of members of a family, such as importers and scorers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName

TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one member: ``--name`` on the command line (``command_line.click_option``), a keyword in Python.

    Attributes:
        default: it also says of which type the values are; None for yes, no or neither.
        choices: the only values; empty for any.
        file: whether its value is the path of a file; empty for none. An importer reads it after the files to load
            (``Importer.beside``), and ``located`` makes it absolute.
    """

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    file: bool = False

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


def located(options: Iterable[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with absolute paths of files, for a process that has another working folder.

    Args:
        values: of some or all of the options.
    """
    files = {option.name for option in options if option.file}
    return {name: str(Path(value).absolute()) if value and name in files else value for name, value in values.items()}

"""What a scorer is: texts in, harm labels out. A member of the family is one module in ``analytics/scorers``."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.common.registry import Registry

POSITIVE = "positive"
NEUTRAL = "neutral"
NEGATIVE = "negative"
TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


@dataclass(frozen=True, slots=True)
class Score:
    """A harm label.

    Attributes:
        label: positive, negative, neutral, or another label of the scorer that counts as none of them.
        value: the number behind it, -1 (negative) to 1 (positive).
    """

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one scorer; ``--name`` on the command line, a keyword in Python."""

    name: str
    default: str | int | float | bool
    help: str

    def read(self, text: str) -> str | int | float | bool:
        """The value that a text stands for.

        Raises:
            BadName: it stands for none.
        """
        if isinstance(self.default, bool):
            word = text.strip().lower()
            if word not in TRUE and word not in FALSE:
                raise BadName("value", text, f"is neither yes nor no, for the scorer's option {self.name}")
            return word in TRUE
        try:
            return type(self.default)(text)
        except ValueError as error:
            raise BadName("value", text, f"is none of the scorer's option {self.name}") from error


def _written(value: Any) -> str:
    """An option's value as it stands in ``<measure>_by``; a text that would not be read back alike stands as JSON."""
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if re.search(r'[,"()]|^\s|\s$', text) else text


_BY = re.compile(r"(?P<name>[^@(]+)(?:@(?P<version>[^(]*))?(?:\((?P<options>.*)\))?", re.DOTALL)
_VALUE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,]*)(?:,|$)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signature:
    """What ``<measure>_by`` says, as ``Scorer.by`` wrote it.

    Attributes:
        version: None where it says none.
        options: those that differ from their defaults, as text.
    """

    name: str
    version: str | None
    options: Mapping[str, str]

    @classmethod
    def read(cls, by: str) -> Signature:
        """Reads it; what is none of ours is a name without version and options."""
        match = _BY.fullmatch(by)
        if not match:
            return cls(by, None, {})
        values = {name: _read_value(text) for name, text in _VALUE.findall(match["options"] or "")}
        return cls(match["name"], match["version"], values)


def _read_value(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:  # somebody else's writing
        return text


class Scorer(ABC):
    """Turns texts into labels. Instances hold no state that a copy in another process would lack.

    Attributes:
        name: the word on the command line.
        measure: the harm measure it labels, the name of the property it writes.
        citation: where it is from.
        options: its own options.
        workers: whether processes on all cores score side by side; False for one that uses the cores by itself.
        texts_at_once: statements that are scored and written together: so much is lost where the run is stopped.
        masked: whether it sees sentences with their targets masked; False for labels that are looked up.
    """

    name: ClassVar[str]
    measure: ClassVar[str]
    citation: ClassVar[str]
    masked: ClassVar[bool] = True
    workers: ClassVar[bool] = True
    texts_at_once: ClassVar[int] = 20_000
    options: ClassVar[tuple[Option, ...]] = ()

    @property
    @abstractmethod
    def version(self) -> str:
        """Version of what decides the label; a new one makes old labels stale."""

    @abstractmethod
    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> Sequence[Score | None]:
        """One score for each text, in their order; None where it has no opinion. Equal texts have equal scores.

        Args:
            texts: sentences, masked or not as ``masked`` says.
            options: complete, see ``chosen``.
        """

    def chosen(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The given options over the defaults.

        Raises:
            BadName: an option that this scorer does not have.
        """
        known = {option.name: option.default for option in self.options}
        for name in options:
            if name not in known:
                raise BadName("option", name, f"is not one of the scorer {self.name}; it has {sorted(known)}")
        return known | dict(options)

    def read(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Options that were given as text, over the defaults.

        Raises:
            BadName: an option that this scorer does not have, or a value that is none.
        """
        self.chosen(given)
        known = {option.name: option for option in self.options}
        return self.chosen({name: known[name].read(text) for name, text in given.items()})

    def by(self, options: Mapping[str, Any]) -> str:
        """What stands in ``<measure>_by``: ``vader@3.3.2``, with the options that differ from the default."""
        defaults = {option.name: option.default for option in self.options}
        changed = [
            f"{name}={_written(value)}"
            for name, value in sorted(self.chosen(options).items())
            if value != defaults[name]
        ]
        return f"{self.name}@{self.version}" + (f"({','.join(changed)})" if changed else "")


scorers: Registry[Scorer] = Registry(
    "scorer", ("harmgraph.analytics.scorers", "harmgraph.models.scorers"), "SCORER", "scorers"
)

"""Scorers turn texts into harm labels. Each scorer is a module in ``analytics/scorers`` or ``models/scorers``."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Self

from harmgraph.common.json_text import from_json
from harmgraph.common.options import Optioned
from harmgraph.common.registry import Registry

POSITIVE = "positive"
NEUTRAL = "neutral"
NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class Score:
    """A harm label.

    Attributes:
        label: positive, negative, neutral, or another label of the scorer that counts as none of them.
        value: the score that the label is based on, -1 (negative) to 1 (positive).
    """

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class NotAsked(Score):
    """Instead of a score, of a text that a scorer has not come to: nothing is written, and a later run scores it."""

    label: str = ""
    value: float = 0.0

    def __bool__(self) -> bool:
        return False


def _written(value: Any) -> str:
    """An option's value as written in ``<measure>_by``; text that could not be read back unchanged is written as JSON."""
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if re.search(r'[,"()]|^\s|\s$', text) else text


_BY = re.compile(r"(?P<name>[^@(]+)(?:@(?P<version>[^(]*))?(?:\((?P<options>.*)\))?", re.DOTALL)
_VALUE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,]*)(?:,|$)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signature:
    """The content of ``<measure>_by``, as written by ``Scorer.by``.

    Attributes:
        version: None if there is none.
        options: the options that differ from their defaults, as text.
    """

    name: str
    version: str | None
    options: Mapping[str, str]

    @classmethod
    def read(cls, by: str) -> Signature:
        """Parses the text; text of another form becomes a name without version and options."""
        match = _BY.fullmatch(by)
        if not match:
            return cls(by, None, {})
        values = {name: _read_value(text) for name, text in _VALUE.findall(match["options"] or "")}
        return cls(match["name"], match["version"], values)


def _read_value(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(from_json(text))
    except ValueError:  # not written by ``Scorer.by``
        return text


class ScorerSession:
    """A scorer from the beginning of a run to its end, inside a ``with`` block. One that talks to a server has one of its own.

    Attributes:
        said: at the end, what the user should know of the run, a line each.
    """

    said: Sequence[str] = ()

    def __init__(self, scorer: Scorer, options: Mapping[str, Any]) -> None:
        self._scorer = scorer
        self._options = dict(options)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends it."""

    def foresee(self, texts: Iterable[str]) -> None:
        """Is told the distinct texts of the whole run, if ``Scorer.foresees``, before the first are scored."""

    def scores(self, texts: Sequence[str]) -> Sequence[Score | None]:
        """As ``Scorer.scores``, and ``NotAsked`` for texts that it leaves to a later run."""
        return self._scorer.scores(texts, self._options)


class Scorer(Optioned, ABC):
    """Turns texts into labels. Instances have no state that a copy in another process would lack.

    Attributes:
        name: the word on the command line.
        measure: the harm measure it labels, which is the name of the property it writes.
        title: what its measure is, in a few words; empty if the measure's name says it.
        citation: the publication it comes from.
        options: its options.
        workers: whether several processes score in parallel; False for a scorer that uses all cores by itself.
        texts_at_once: number of statements that are scored and written together; at most these are lost if the run stops.
        language: the one language that it reads, such as en; empty if it reads any. See ``reads``.
        masked: whether it gets sentences with their targets masked; False for labels that are looked up.
        foresees: whether it wants to know all texts of a run before the first, see ``ScorerSession.foresee``.
        clusters: whether the workers of a cluster may score in its place.
    """

    family = "scorer"
    name: ClassVar[str]
    measure: ClassVar[str]
    title: ClassVar[str] = ""
    citation: ClassVar[str]
    language: ClassVar[str] = ""
    masked: ClassVar[bool] = True
    workers: ClassVar[bool] = True
    texts_at_once: ClassVar[int] = 20_000
    foresees: ClassVar[bool] = False
    clusters: ClassVar[bool] = True

    @property
    def what(self) -> str:
        """Its measure, and in a few words what that is."""
        return f"{self.measure}: {self.title}" if self.title else self.measure

    @property
    @abstractmethod
    def version(self) -> str:
        """Version of the method that decides the label; labels of another version are out of date."""

    @abstractmethod
    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> Sequence[Score | None]:
        """One score for each text, in order; None if the scorer has no opinion. Equal texts get equal scores.

        Args:
            texts: sentences, masked if ``masked`` is True.
            options: values of all options, see ``chosen``.
        """

    def session(self, options: Mapping[str, Any]) -> ScorerSession:
        """What scores during one run, in this process."""
        return ScorerSession(self, options)

    def reads(self, options: Mapping[str, Any]) -> str:
        """The one language that it reads with these options; empty if it reads any, or the options say what it reads."""
        return self.language

    def passes(self, measure: str, options: Mapping[str, Any]) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """The measures that it labels with these options, one after the other, each with the options for it."""
        return [(measure, options)]

    def read(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The defaults, overridden by options given as text.

        Raises:
            BadName: an option that this scorer does not have, or a value that cannot be read.
        """
        self.chosen(given)
        known = {option.name: option for option in self.options}
        return self.chosen({name: known[name].read(text) for name, text in given.items()})

    def by(self, options: Mapping[str, Any]) -> str:
        """The value of ``<measure>_by``, such as ``vader@3.3.2``, with the options that differ from the defaults."""
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

"""Several axes of stereotypes at once, such as warmth and competence, from a dictionary of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from harmgraph.analytics.labelling.axes import FORMS, Axis, read_axes
from harmgraph.common.errors import BadName, InputError
from harmgraph.common.options import Option
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, Score, Scorer
from harmgraph.common.user_file import short_digest


class Dimensions(Scorer):
    """Labels a text on an axis of a dictionary by the mean direction of its words: high is positive, low is negative.

    A text without a word of the axis has no label. Words count as they are written, without stemming, unless the dictionary
    says ``*``.
    """

    name = "dimensions"
    measure = "axis"
    title = "each axis of a dictionary, such as warmth and competence"
    citation = "Nicolas and Caliskan 2025; Nicolas et al. 2021; Fiske et al. 2002"
    options = (
        Option("dictionary", "", f"the dictionary: {FORMS}", file=True),
        Option("axis", "", "only this axis; every axis of the dictionary where it is empty"),
    )

    @property
    def version(self) -> str:
        return "1"

    def by(self, options: Mapping[str, Any]) -> str:
        """Contains the digest of the dictionary, because the file may change and keep its name.

        Raises:
            InputError: no dictionary or no axis is given.
            UnreadableFile: the dictionary cannot be read.
        """
        chosen = self.chosen(options)
        path = _path(chosen)
        if not chosen["axis"]:
            raise InputError("scores one axis at a time", where=self.name, remedy="name it with axis")
        return f"{self.name}@{self.version}({short_digest(path)},{chosen['axis']})"

    def passes(self, measure: str, options: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """A pass for each axis. The measure is the axis's name, after the measure and ``_`` if another than the usual is given.

        Raises:
            InputError: no dictionary is given, or it has no such axis.
            UnreadableFile: the dictionary cannot be read.
        """
        chosen = self.chosen(options)
        axes = read_axes(_path(chosen))
        wanted = [_known(axes, str(chosen["axis"])).name] if chosen["axis"] else list(axes)
        before = "" if measure == self.measure else f"{measure}_"
        return [(f"{before}{name}", {**chosen, "axis": name}) for name in wanted]

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score | None]:
        """See ``Scorer.scores``; None for every text if no dictionary is given.

        Raises:
            InputError: no axis is given, or the dictionary has no such axis.
            UnreadableFile: the dictionary cannot be read.
        """
        chosen = self.chosen(options)
        if not chosen["dictionary"]:
            return [None] * len(texts)
        axis = _axis(str(_path(chosen)), str(chosen["axis"]), self.by(chosen))
        return [_score(axis.score(text)) for text in texts]


def _path(chosen: Mapping[str, Any]) -> Path:
    if not chosen["dictionary"]:
        raise InputError("needs a dictionary", where=Dimensions.name, remedy="give it with --dictionary FILE")
    return Path(chosen["dictionary"])


def _known(axes: Mapping[str, Axis], name: str) -> Axis:
    if name not in axes:
        raise BadName("axis", name, f"is not in the dictionary; there are {', '.join(axes)}")
    return axes[name]


@lru_cache(maxsize=16)
def _axis(dictionary: str, name: str, _by: str) -> Axis:
    return _known(read_axes(Path(dictionary)), name)


def _score(value: float | None) -> Score | None:
    if value is None:
        return None
    return Score(POSITIVE if value > 0 else NEGATIVE if value < 0 else NEUTRAL, value)


SCORER = Dimensions()

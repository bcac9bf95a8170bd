"""The id of a saved number: the same number has the same id in every run, on every machine.

It is a digest of what the number is, not of what it was computed from at the moment: metric, scope, target, source by its name,
measure, scorer with version, the content of the target lists, and the options that differ from their defaults. A new release of
the source keeps the id, so that its numbers compare line by line. Other lists, another scorer or other labels of people make it
another number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.common.digests import facts_digest
from harmgraph.common.json_text import from_json
from harmgraph.common.target_lists import PARAMETER as LISTS

BYTES = 8
ELSEWHERE = frozenset({"source", "measure", "axes", LISTS, "targets"})
"""Parameters that are parts of an id by themselves."""
OF_THE_INTERVAL = frozenset({"seed", "resamples", "permutations"})
"""Parameters that change the interval of a number and not the number."""
CHOOSE_TARGETS = frozenset({"target", "category", "min_support"})
"""Parameters that say which targets have a number; they do not change the number of a target."""
OF_THE_CORRECTION = ("method", "labels", "labels_digest", "sentences", "weighed")
"""What an id has of a correction; the rest follows from the statements, which a new release changes."""
CORRECTED = "_corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberParts:
    """What a number is.

    Attributes:
        metric: such as ``disparity.d_r``.
        category: scope: ``all``, or a category.
        target: the target that it is of; None where it covers more than one.
        source: name of the source; None for every source.
        measure: harm measure; None for none.
        lists: ``name@digest`` of the target lists; only the digests count. None where they were not kept.
        scorers: ``measure=scorer@version`` of who labelled; None where they were not kept.
        options: see ``options_of``.
    """

    metric: str
    category: str
    target: str | None
    source: str | None
    measure: str | None
    lists: Sequence[str] | None
    scorers: Sequence[str] | None
    options: Mapping[str, Any]

    def number_id(self) -> str:
        """16 hexadecimal digits."""
        return facts_digest(
            {
                "metric": self.metric,
                "category": self.category,
                "target": self.target,
                "source": self.source,
                "measure": self.measure,
                "lists": None if self.lists is None else sorted(name.rpartition("@")[2] for name in self.lists),
                "scorers": None if self.scorers is None else sorted(filter(self._counts, self.scorers)),
                "options": dict(self.options),
            },
            BYTES,
        )

    def _counts(self, scorer: str) -> bool:
        """Whether a scorer labelled a measure of the number."""
        return scorer.partition("=")[0] in (self.measure, self.options.get("against"))


def options_of(command: str, parameters: Mapping[str, Any], metric: str, *, of_target: bool) -> dict[str, Any]:
    """The options of a run that make its numbers other numbers: those that differ from the defaults of the statistic.

    A default that a later harmgraph adds therefore changes no id.

    Args:
        command: of the run, such as ``stats disparity``.
        parameters: of the run, as it keeps them.
        of_target: whether the number is of one target. Then a choice of targets does not change it.
    """
    defaults = _defaults(command.removeprefix("stats "))
    left_out = ELSEWHERE | OF_THE_INTERVAL | (CHOOSE_TARGETS if of_target else set())
    options: dict[str, Any] = {
        key: value
        for key, value in parameters.items()
        if key not in left_out and isinstance(value, str | int | float | list | tuple) and value not in ("", [], ())
        if value is not False and value != defaults.get(key)
    }
    corrected = parameters.get("corrected")
    if metric.endswith(CORRECTED) and isinstance(corrected, dict):
        options["corrected"] = {key: corrected.get(key) for key in OF_THE_CORRECTION}
    return options


def _defaults(name: str) -> dict[str, Any]:
    """The default of each parameter of a statistic that has one: its statement's, or those of its command."""
    if name in statistic_names():
        return {each.name: each.default for each in statistic(name).statement.parameters if not each.required}
    if name in computed.names():
        return {str(each.name): each.default for each in computed.get(name).command.params if not each.required}
    return {}


def read_parameters(text: str | None) -> dict[str, Any]:
    """The parameters of a run as it keeps them; empty where they cannot be read."""
    try:
        read = from_json(text or "{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}

"""The scorer whose labels stand in the graph for a measure, ready to score other sentences as it scored these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.graph.common.errors import InputError, UnknownMember
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.scorer import Scorer, scorers

_BY = re.compile(r"(?P<name>[^@(]+)(?:@(?P<version>[^(]*))?(?:\((?P<options>.*)\))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class StandingScorer:
    """Who labelled the statements about targets.

    Attributes:
        options: complete; with them the scorer's ``by`` is what stands in the graph.
        by: what stands in ``<measure>_by``.
        labels: how many statements have each label; each statement counts once.
        unlabelled: statements without a label.
    """

    scorer: Scorer
    options: Mapping[str, Any]
    by: str
    labels: Mapping[str, int]
    unlabelled: int


def standing_scorer(
    graph: Graph,
    measure: str,
    *,
    source: str | None = None,
    options: Mapping[str, str] | None = None,
    strict: bool = True,
) -> StandingScorer:
    """The one scorer behind a measure.

    Args:
        source: one source, every source where None.
        options: of the scorer, as text, where the label names files by their digests only.
        strict: whether the scorer must have every one of the options; where not, others are left to other scorers.

    Raises:
        NotFound: the measure labels no statement of the graph.
        InputError: no labels in the source, labels of several scorers, or of one that cannot be called again as it was: unknown
            here, of another version, or with options that the label does not tell.
    """
    by: dict[str | None, int] = {}
    labels: dict[str, int] = {}
    unlabelled = 0
    for row in graph.rows("label/labelled_by", source=source, measures=[measure], by=[f"{measure}_by"]):
        ((who,), (label,), count) = row["by"], row["labels"], row["statements"]
        if label is None:
            unlabelled += count
        else:
            by[who] = by.get(who, 0) + count
            labels[label] = labels.get(label, 0) + count
    if not by:
        known_measure(graph, measure)
        raise InputError(f"no statement carries a label of {measure}", remedy="run 'harmgraph label' first")
    if len(by) > 1:
        shown = ", ".join(f"{name or 'unknown'} ({count:,})" for name, count in by.items())
        raise InputError(
            f"labels of {measure} are by several scorers: {shown}",
            remedy="label again with one, or choose a --source that has one",
        )
    (name,) = by
    if not isinstance(name, str):
        raise InputError(f"the labels of {measure} do not say which scorer gave them", remedy="label again")
    scorer, chosen = _again(name, measure, options or {}, strict)
    return StandingScorer(scorer, chosen, name, labels, unlabelled)


def _again(by: str, measure: str, options: Mapping[str, str], strict: bool) -> tuple[Scorer, dict[str, Any]]:
    """The scorer and the options with which it signs as ``by``."""
    match = _BY.fullmatch(by)
    name = match["name"] if match else by
    try:
        scorer = scorers.get(name)
    except UnknownMember as error:
        raise InputError(
            f"the labels of {measure} are by {by}, and there is no scorer named {name!r} here",
            remedy=f"label again with one of {', '.join(error.known)}",
        ) from error
    known = {option.name for option in scorer.options}
    text = (match["options"] if match else None) or ""
    values = dict(part.split("=", 1) for part in text.split(",") if "=" in part) | dict(options)
    if strict:
        scorer.chosen(options)  # refuses an option that it does not have
    chosen = scorer.read({option: value for option, value in values.items() if option in known})
    try:
        now = scorer.by(chosen)
    except InputError:
        if options:  # the user's own files are at fault
            raise
        now = ""  # it needs files
    if now == by:
        return scorer, chosen
    version = match["version"] if match else None
    if version is not None and version != scorer.version:
        raise InputError(
            f"the labels of {measure} are by {by}, and {name} is {scorer.version} now",
            remedy=f"run 'harmgraph label {name}' again",
        )
    raise InputError(
        f"the labels of {measure} are by {by}, whose options the label does not tell in full",
        where=f"with the given ones it would be {now}" if options and now else "",
        remedy="give them as when labelling: --scorer-option NAME=VALUE",
    )

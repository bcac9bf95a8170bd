"""The scorer that gave a measure's labels in the graph, with its options, ready to score other sentences alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.analytics.labelling.masking import Masks
from harmgraph.analytics.labelling.people_masks import graph_masks
from harmgraph.common.errors import InputError, UnknownMember
from harmgraph.common.scorer import Scorer, Signature, scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import known_measure


@dataclass(frozen=True, slots=True)
class StandingLabels:
    """The labels of a measure on the statements about targets, all by one scorer, which need not be known here.

    Attributes:
        by: the value of ``<measure>_by`` in the graph.
        labels: how many statements have each label; each statement counts once.
        unlabelled: statements without a label.
    """

    by: str
    labels: Mapping[str, int]
    unlabelled: int


@dataclass(frozen=True, slots=True)
class StandingScorer(StandingLabels):
    """The scorer that labelled the statements about targets.

    Attributes:
        options: all its options; with them the scorer's ``by`` equals the value in the graph.
        masking: what was masked in the statements that it labelled, one of ``Masks.RULES``.
    """

    scorer: Scorer
    options: Mapping[str, Any]
    masking: str = Masks.OWN


def standing_labels(graph: Graph, measure: str, *, source: str | None = None) -> StandingLabels:
    """Reads who gave the labels of a measure, and how many there are.

    Args:
        source: name of a source; None for every source.

    Raises:
        NotFound: the measure labels no statement of the graph.
        InputError: the source has no labels, or labels of several scorers, or they do not say whose they are.
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
            remedy="label again with one scorer, or choose a --source with labels of one scorer",
        )
    (name,) = by
    if not isinstance(name, str):
        raise InputError(f"the labels of {measure} do not say which scorer gave them", remedy="label again")
    return StandingLabels(name, labels, unlabelled)


def standing_scorer(
    graph: Graph,
    measure: str,
    *,
    source: str | None = None,
    options: Mapping[str, str] | None = None,
    strict: bool = True,
) -> StandingScorer:
    """Finds the one scorer that gave the labels of a measure.

    Args:
        source: name of a source; None for every source.
        options: options of the scorer as text, for those that the label gives only as the digest of a file.
        strict: whether the scorer must know all of the options; if not, unknown ones are ignored.

    Raises:
        NotFound: the measure labels no statement of the graph.
        InputError: the source has no labels, or labels of several scorers, or the scorer cannot be called again in the same
            way: it is unknown here, has another version, or used options that the label does not name.
    """
    found = standing_labels(graph, measure, source=source)
    masking = Signature.read(found.by).options.get("masks", Masks.OWN).partition(":")[0]
    masks = graph_masks(graph, masking)
    scorer, chosen = _again(found.by, measure, options or {}, strict, masks)
    return StandingScorer(found.by, found.labels, found.unlabelled, scorer, chosen, masking)


def _again(
    by: str, measure: str, options: Mapping[str, str], strict: bool, masks: Masks
) -> tuple[Scorer, dict[str, Any]]:
    """The scorer and the options with which its ``by`` equals this one."""
    signature = Signature.read(by)
    name = signature.name
    if "phrases" in signature.options:
        raise InputError(
            f"the labels of {measure} are by {by}: of statements without the phrases of their relations",
            remedy="label again without --mask-phrases, or let people judge a sample of them with 'harmgraph review'",
        )
    try:
        scorer = scorers.get(name)
    except UnknownMember as error:
        raise InputError(
            f"the labels of {measure} are by {by}, and there is no scorer named {name!r} here",
            remedy=f"label again with one of {', '.join(error.known)}",
        ) from error
    known = {option.name for option in scorer.options}
    values = {**signature.options, **options}
    if strict:
        scorer.chosen(options)  # raises for an option that the scorer does not have
    chosen = scorer.read({option: value for option, value in values.items() if option in known})
    try:
        now = masks.signed(scorer.by(chosen))
    except InputError:
        if options:  # the error is in the user's files
            raise
        now = ""  # it needs files
    if now == by:
        return scorer, chosen
    if signature.version is not None and signature.version != scorer.version:
        raise InputError(
            f"the labels of {measure} are by {by}, and {name} is {scorer.version} now",
            remedy=f"run 'harmgraph label {name}' again",
        )
    was, stands = (Signature.read(text).options.get("masks") for text in (by, now))
    if was and stands and was != stands:
        raise InputError(
            f"the labels of {measure} are by {by}, and other targets are listed now",
            remedy=f"run 'harmgraph label {name} --masking {Masks.ALL}' again",
        )
    raise InputError(
        f"the labels of {measure} are by {by}, and the label does not name all its options",
        where=f"with the given ones it would be {now}" if options and now else "",
        remedy="give the options that were used for labelling: --scorer-option NAME=VALUE",
    )

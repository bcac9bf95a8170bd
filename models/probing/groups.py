"""A probe within groups of people: of each country, of each decade of birth, or of whatever else the graph says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from harmgraph.common.correlation import FEWEST, spearman
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.progress import progress, receiver, silent
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement
from harmgraph.models.probing.control import control, log_ratio
from harmgraph.models.probing.literals import decade
from harmgraph.models.probing.probe import EncodedQuestion, Probe
from harmgraph.models.probing.question import SENSITIVE, Asked, Question
from harmgraph.models.probing.run import of_source, prepared
from harmgraph.models.subgraph.named_relation import find_relation

ALL = "all"


@dataclass(frozen=True, slots=True)
class Group:
    """People that have one thing in common.

    Attributes:
        key: of the entity that they share; of a literal its text.
        people: their keys.
    """

    key: str
    name: str
    people: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The result of a probe within groups.

    Attributes:
        rows: of all people, then of each group, the largest first: people, objects, correlation with its interval, control.
        too_small: the groups without a row, each with its people and the reason, the largest first.
        without: people in no group. by: what makes the groups.
    """

    rows: tuple[dict[str, Any], ...]
    too_small: tuple[dict[str, Any], ...]
    without: int
    by: str
    summary: Mapping[str, Any]


def grouped(
    graph: Graph,
    probe: Probe,
    names: Sequence[str],
    asked: Asked,
    by: str,
    options: Mapping[str, Any],
    *,
    min_people: int = 20,
    draws: int = 0,
    seed: int = 0,
) -> Grouped:
    """Asks the question within each group: of its people, and of the objects that enough of them have.

    Someone in several groups counts in each. The scores are the means over the models.

    Args:
        by: a relation of the people, or the property of a literal, such as P569; dates are grouped by decade.
        min_people: minimum people of a group on each side.
        draws: draws of the control of each group; 0 for none.

    Raises:
        NotFound, InputError: see ``run``; or nobody has anything to be grouped by, or every group is too small.
    """
    ready = prepared(graph, probe, names, asked, options, holders=True)
    where = of_source(asked, [model.config for model in ready.models.values()])
    shown, groups = groups_of(graph, by, where, ready.question, ready.trained)
    rows: list[dict[str, Any]] = []
    too_small: list[dict[str, Any]] = []
    for done, group in enumerate((Group(ALL, ALL, frozenset(ready.question.people)), *groups)):
        progress(f"probing by {shown}", done, len(groups) + 1)
        within = [_within(encoded, ready.question, group, asked.min_count) for encoded, _ in ready.encoded.values()]
        first = within[0]
        sides = {"people": len(first.people), "people_a": len(first.with_a), "people_b": len(first.with_b)}
        row: dict[str, Any] = {"group": group.name, "key": group.key, **sides, "objects": len(first.objects)}
        why = _too_small(row, min_people, asked.min_count)
        if why:
            too_small.append(row | {"why": why})
            continue
        try:
            values = np.mean([probe.scores(encoded, **ready.options).values for encoded in within], axis=0)
        except InputError as error:  # such as all objects predicted for everyone
            if group.key == ALL:
                raise
            too_small.append(row | {"why": error.what})
            continue
        found = spearman(values, log_ratio(first.counts))
        row |= {"spearman": found.value, "low": found.low, "high": found.high}
        if draws:
            with receiver(silent):  # what is told is the group
                drawn = asdict(control(probe, first, ready.options, draws=draws, seed=seed))
            row |= {"control_middle": drawn["middle"], "control_most": drawn["most"], "p": drawn["p"]}
        rows.append(row)
    if not any(row["key"] != ALL for row in rows):
        why = next(row["why"] for row in too_small if row["key"] == groups[0].key)
        raise InputError(
            f"no group of {shown} can be probed: the largest, {groups[0].name}, has {len(groups[0].people):,} people "
            f"({why})",
            remedy="lower --min-people and --min-count, or choose another --by",
        )
    if draws:
        _correct(rows)
    question = ready.question
    return Grouped(
        tuple(rows),
        tuple(row for row in too_small if row["key"] != ALL),
        len(set(question.people) - set().union(*(group.people for group in groups))),
        shown,
        {
            "probe": probe.name,
            "models": list(ready.models),
            "relation": question.relation.shown,
            "a": question.a.name,
            "b": question.b_name,
            "object_relation": question.object_relation.shown,
            "by": shown,
            "min_people": min_people,
            "min_count": asked.min_count,
            "draws": draws,
            "seed": seed,
            "control_of": next(iter(ready.models)) if draws else None,
        },
    )


def groups_of(
    graph: Graph, by: str, asked: Asked, question: Question, trained: frozenset[str] = frozenset()
) -> tuple[str, tuple[Group, ...]]:
    """The name of what makes the groups, and the groups of the question's people, the largest first.

    Raises:
        NotFound: there is no such relation, and none of the people has such a literal.
        InputError: none of the people has a value of the relation.
    """
    people = question.people
    members: dict[str, set[str]] = {}
    try:
        relation = find_relation(graph.rows("probe/relations"), by, trained)
    except NotFound:
        literals = graph.rows("probe/literals", people=list(people), property=by)
        if not literals:
            raise
        for known in literals:
            if group := decade(known["value"]):
                members.setdefault(group, set()).add(known["person"])
        if not members:
            raise InputError(
                f"of none of the {len(literals):,} dates of {by} is the decade known", remedy="choose another --by"
            ) from None
        names, shown = {}, by
    else:
        where = {"inverse": relation.inverse, "source": asked.source, "split": asked.split}
        types = {SENSITIVE: relation.type}
        for row in graph.rows(statement("probe/people").with_types(types), **where):
            for value in row["values"] if row["person"] in people else ():
                members.setdefault(value, set()).add(row["person"])
        rows = graph.rows(statement("probe/values").with_types(types), **where)
        names, shown = {row["entity"]: row["name"] or row["entity"] for row in rows}, relation.shown
    if not members:
        raise InputError(f"none of the {len(people):,} people has a value of {shown}", remedy="choose another --by")
    groups = [Group(key, names.get(key, key), frozenset(who)) for key, who in members.items()]
    return shown, tuple(sorted(groups, key=lambda group: (-len(group.people), group.key)))


def _within(encoded: EncodedQuestion, question: Question, group: Group, min_count: int) -> EncodedQuestion:
    """The question about the people of a group, and the objects that ``min_count`` of them have, both sides together."""
    ids = encoded.tables.entity_ids
    inside = {ids[person] for person in group.people if person in ids}
    kept = np.array([at for at, person in enumerate(encoded.people.tolist()) if person in inside], np.int64)
    second = {value.key for value in question.others}
    counts = []
    for key in encoded.keys:
        held = [question.people[who] for who in question.holders.get(key, ()) if who in group.people]
        counts.append((sum(question.a.key in had for had in held), sum(not second.isdisjoint(had) for had in held)))
    table = np.array(counts, np.int64).reshape(-1, 2)
    objects = np.flatnonzero(table.sum(1) >= max(1, min_count))
    at_person, at_object = _places(kept, len(encoded.people)), _places(objects, len(encoded.keys))
    holds = np.stack([at_person[encoded.holds[:, 0]], at_object[encoded.holds[:, 1]]], 1)
    return replace(
        encoded,
        people=encoded.people[kept],
        with_a=_moved(at_person, encoded.with_a),
        with_b=_moved(at_person, encoded.with_b),
        objects=encoded.objects[objects],
        counts=table[objects],
        holds=holds[(holds >= 0).all(1)],
        keys=tuple(encoded.keys[at] for at in objects),
        names=tuple(encoded.names[at] for at in objects),
    )


def _places(kept: Any, count: int) -> Any:
    """The new place of each old one; -1 of those that are left out."""
    places = np.full(count, -1, np.int64)
    places[kept] = np.arange(len(kept))
    return places


def _moved(places: Any, old: Any) -> Any:
    new = places[old]
    return new[new >= 0]


def _too_small(row: Mapping[str, Any], min_people: int, min_count: int) -> str:
    """Why a group has no row; empty if it has one."""
    if min(row["people_a"], row["people_b"]) < min_people:
        return f"{row['people_a']:,} with a and {row['people_b']:,} with b, each side needs {min_people:,}"
    if row["objects"] < FEWEST:
        return f"{row['objects']} objects that {min_count:,} have, {FEWEST} are needed"
    return ""


def _correct(rows: list[dict[str, Any]]) -> None:
    """Adds q to each row: p corrected for the number of groups (Benjamini and Hochberg 1995); NaN of the row of all."""
    from scipy.stats import false_discovery_control

    known = [row for row in rows if row["key"] != ALL and not np.isnan(row["p"])]
    for row in rows:
        row["q"] = np.nan
    if known:
        for row, q in zip(known, false_discovery_control([row["p"] for row in known]), strict=True):
            row["q"] = float(q)

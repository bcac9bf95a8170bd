"""Runs a probe on one model or on several that differ in their seeds, sums it up and writes it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from harmgraph.graph.common.errors import InputError
from harmgraph.graph.common.progress import Progress, silent
from harmgraph.graph.common.version import VERSION
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement
from harmgraph.models.embedding import tables
from harmgraph.models.embedding.named_model import register
from harmgraph.models.probing.control import control
from harmgraph.models.probing.correlation import Correlation, log_ratio, spearman
from harmgraph.models.probing.encoded import check_import, pose
from harmgraph.models.probing.probe import Numbers, Posed, Probe, Scores
from harmgraph.models.probing.question import Asked, Question, ask


@dataclass(frozen=True)
class Result:
    """What is printed.

    Attributes:
        rows: ``entity``, ``name``, ``score``, ``count_a``, ``count_b`` and what the probe adds; the highest score first.
        summary: people, method, correlation with its interval, the control.
    """

    question: Question
    rows: tuple[dict[str, Any], ...]
    summary: Mapping[str, Any]


def run(
    graph: Graph,
    probe: Probe,
    names: Sequence[str],
    asked: Asked,
    options: Mapping[str, Any],
    *,
    draws: int = 0,
    seed: int = 0,
    write: bool = True,
    progress: Progress = silent,
) -> Result:
    """Asks every model the same question.

    Args:
        draws: of the control; 0 for none.
        write: keep the scores of each model as ``PROBED``.

    Raises:
        UnknownMember: no such model.
        NotFound, InputError: what is asked for is not in the graph or not in a model; models that cannot be averaged.
    """
    models = {name: tables.load(name) for name in dict.fromkeys(names)}
    kinds = {(model.model, model.comparator_name): name for name, model in models.items()}
    if len(kinds) > 1:
        said = ", ".join(f"{name} is {model} with {compared}" for (model, compared), name in kinds.items())
        raise InputError(f"scores of different score functions have no mean: {said}", remedy="probe them one by one")
    for name, model in models.items():
        check_import(graph, model.facts, name)
    progress("reading the graph", 0)
    about = of_source(asked, [model.facts for model in models.values()])
    trained = set.intersection(*(set(model.relation_names) for model in models.values()))
    question = ask(graph, about, trained=trained, holders=probe.needs_holders)
    given = probe.resolved(graph, question, options)
    posed = {name: pose(model, question) for name, model in models.items()}
    if len({one.keys for one, _ in posed.values()}) > 1:
        raise InputError("the models do not know the same objects", remedy="probe them one by one")
    found = {}
    for done, (name, (one, _)) in enumerate(posed.items(), 1):
        found[name] = probe.scores(one, **given)
        progress(f"probing {name}", done, len(posed))
    if write:
        for name, scores in found.items():
            register(graph, name, models[name].facts)  # the graph may have been made anew since
            _write(graph, probe, name, question, scores, posed[name][0])
    first, left_out = next(iter(posed.values()))
    rows = _rows(first, list(found.values()))
    summary = _summary(probe, question, first, found, left_out)
    if draws:
        made = control(probe, first, given, draws=draws, seed=seed, progress=progress)
        summary["control"] = asdict(made) | {"drawn": probe.drawn, "of": next(iter(posed)), "seed": seed}
    return Result(question, tuple(sorted(rows, key=lambda row: (-row["score"], row["entity"]))), summary)


def of_source(asked: Asked, facts: Sequence[Mapping[str, Any]]) -> Asked:
    """The question about the source of the models, where the user names none."""
    if asked.source is not None:
        return asked
    sources = {one.get("subgraph", {}).get("origin", {}).get("source") for one in facts}
    if len(sources) > 1:
        raise InputError("the models are of several sources", remedy="name one with --source, or probe them one by one")
    return Asked(**asdict(asked) | {"source": sources.pop()})


def _rows(posed: Posed, found: Sequence[Scores]) -> list[dict[str, Any]]:
    every = np.stack([scores.values for scores in found])
    low, high = (found[0].low, found[0].high) if len(found) == 1 else _interval(every)
    columns: dict[str, Numbers] = {"score": every.mean(0)}
    if low is not None and high is not None:
        columns |= {"score_low": low, "score_high": high}
    rows = []
    for at, (key, name) in enumerate(zip(posed.keys, posed.names, strict=True)):
        row: dict[str, Any] = {"entity": key, "name": name}
        row |= {column: float(values[at]) for column, values in columns.items()}
        row |= {"count_a": int(posed.counts[at, 0]), "count_b": int(posed.counts[at, 1])}
        for column in found[0].columns:
            row[column] = float(np.mean([scores.columns[column][at] for scores in found]))
        if len(found) > 1:
            row["same_sign"] = bool(abs(np.sign(every[:, at]).sum()) == len(found))
        rows.append(row)
    return rows


def _interval(every: Numbers) -> tuple[Numbers, Numbers]:
    """95 % interval of the mean over models [models, k], by Student's t."""
    from scipy.stats import t

    mean, count = every.mean(0), len(every)
    half = t.ppf(0.975, count - 1) * every.std(0, ddof=1) / np.sqrt(count)
    return mean - half, mean + half


def _summary(
    probe: Probe, question: Question, posed: Posed, found: Mapping[str, Scores], left_out: Mapping[str, int]
) -> dict[str, Any]:
    ratios = log_ratio(posed.counts)
    every = {name: spearman(scores.values, ratios) for name, scores in found.items()}
    mean = spearman(np.mean([scores.values for scores in found.values()], axis=0), ratios)
    facts = {name: dict(scores.facts) for name, scores in found.items()}
    one = next(iter(facts.values()))
    alike = {key: value for key, value in one.items() if all(other.get(key) == value for other in facts.values())}
    summary: dict[str, Any] = {
        "probe": probe.name,
        "models": list(found),
        "relation": question.relation.shown,
        "a": question.a.name,
        "b": question.b_name,
        "object_relation": question.object_relation.shown,
        "objects": len(posed.keys),
        "people": len(posed.people),
        "people_a": len(posed.with_a),
        "people_b": len(posed.with_b),
        "without_vector": dict(left_out),
        **alike,
        **_said(mean),
    }
    if len(found) > 1:
        summary["each"] = [
            {"model": name, **_said(own), **{key: facts[name].get(key) for key in one if key not in alike}}
            for name, own in every.items()
        ]
    return summary


def _said(one: Correlation) -> dict[str, Any]:
    """``spearman`` is of the score and log((count_a + 1) / (count_b + 1)), over the objects."""
    return {"spearman": one.value, "spearman_low": one.low, "spearman_high": one.high, "spearman_n": one.n}


def _write(graph: Graph, probe: Probe, name: str, question: Question, scores: Scores, posed: Posed) -> None:
    facts = {
        "probe": probe.name,
        "attribute": question.relation.type,
        "a": question.a.key,
        "b": question.b,
        "object_relation": question.object_relation.type,
    }
    rows = []
    for at, key in enumerate(posed.keys):
        own: dict[str, Any] = {"score": float(scores.values[at])}
        if scores.low is not None and scores.high is not None:
            own |= {"low": float(scores.low[at]), "high": float(scores.high[at])}
        own |= {"count_a": int(posed.counts[at, 0]), "count_b": int(posed.counts[at, 1])}
        rows.append([key, own])
    more = {"method": str(scores.facts.get("method", "")), "by": f"harmgraph@{VERSION}"}
    more["sha256"] = str(posed.tables.facts.get("sha256", ""))
    graph.write_together(
        [
            (statement("probe/forget"), {"model": name, **facts}),
            (statement("probe/write"), {"model": name, "facts": facts | more, "rows": rows}),
        ]
    )

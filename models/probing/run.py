"""Runs a probe on one or several models, summarises the scores and writes them to the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from harmgraph.common.correlation import Correlation, spearman
from harmgraph.common.errors import InputError
from harmgraph.common.intervals import student
from harmgraph.common.progress import progress
from harmgraph.common.version import VERSION
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import relation_names
from harmgraph.graph.statements import statement
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.named_embedding import register
from harmgraph.models.embedding.tables import StoredTables, load_tables
from harmgraph.models.probing.control import control, log_ratio
from harmgraph.models.probing.encoded import check_import, encode
from harmgraph.models.probing.literals import is_condition
from harmgraph.models.probing.probe import EncodedQuestion, Explanation, Numbers, Probe, ProbeScores
from harmgraph.models.probing.question import Asked, Question, ask
from harmgraph.models.probing.residual import residuals


@dataclass(frozen=True)
class ProbeResult:
    """The result of a probe of one or several models.

    Attributes:
        rows: ``entity``, ``name``, ``score``, ``count_a``, ``count_b``, ``residual`` with its interval, and the probe's own
            columns; the highest score first.
        summary: people, method, correlation with its interval, control, untrained copies.
        explanation: which edges carry the score of an object, with names, if that was asked.
    """

    question: Question
    rows: tuple[dict[str, Any], ...]
    summary: Mapping[str, Any]
    explanation: Explanation | None = None


@dataclass(frozen=True)
class Prepared:
    """A question in the ids of every model.

    Attributes:
        trained: the relation types that all models know.
        options: the probe's options, resolved against the graph.
        encoded: the question of each model, and how much of it the model does not know.
    """

    models: Mapping[str, StoredTables]
    trained: frozenset[str]
    question: Question
    options: Mapping[str, Any]
    encoded: Mapping[str, tuple[EncodedQuestion, dict[str, int]]]


def prepared(
    graph: Graph,
    probe: Probe,
    names: Sequence[str],
    asked: Asked,
    options: Mapping[str, Any],
    *,
    holders: bool = False,
    alike: bool = True,
) -> Prepared:
    """Loads the models and resolves the question; see ``run``.

    Args:
        holders: read who has which object, even if the probe does not need it.
        alike: refuse models of different score functions, whose scores have no mean.
    """
    if probe.needs_values and any(is_condition(word) for word in (asked.a, asked.b or "")):
        raise InputError(
            f"{probe.name} moves people towards a value, and a date or number has no vector",
            remedy="take another probe: pairs, parity or weat",
        )
    models = models_of(graph, probe, names, asked.source)
    kinds = {(model.model, model.comparator_name): name for name, model in models.items()}
    if alike and len(kinds) > 1:
        listing = ", ".join(f"{name} is {model} with {compared}" for (model, compared), name in kinds.items())
        raise InputError(
            f"scores of different score functions cannot be averaged: {listing}",
            remedy="probe them one by one, or compare them by --compare",
        )
    for name, model in models.items():
        if not probe.needs_graph_model:  # which may look at any source
            check_import(graph, model.config, name)
    progress("reading the graph", 0)
    about = of_source(asked, [model.config for model in models.values()])
    trained = frozenset.intersection(*(frozenset(model.relation_names) for model in models.values()))
    question = ask(graph, about, trained=trained, holders=holders or probe.needs_holders)
    resolved = probe.resolved(graph, question, options)
    encoded = {name: encode(model, question) for name, model in models.items()}
    if len({encoded_question.keys for encoded_question, _ in encoded.values()}) > 1:
        raise InputError("the models do not know the same objects", remedy="probe them one by one")
    return Prepared(models, trained, question, resolved, encoded)


def models_of(graph: Graph, probe: Probe, names: Sequence[str], source: str | None) -> dict[str, StoredTables]:
    """The models of these names, as the probe takes them.

    Args:
        source: that the user named, whose people a graph model looks at.

    Raises:
        as ``load_tables``, or ``load_graph_tables`` for a probe of graph models.
    """
    if not probe.needs_graph_model:
        return {name: load_tables(name) for name in dict.fromkeys(names)}
    from harmgraph.models.probing.exchange import load_graph_tables

    return {name: load_graph_tables(graph, name, source) for name in dict.fromkeys(names)}


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
) -> ProbeResult:
    """Asks every model the same question.

    Args:
        draws: number of draws of the control; 0 for none.
        write: write the scores of each model to the graph as ``PROBED``.

    Raises:
        UnknownMember: no such model.
        NotFound, InputError: something in the question is not in the graph or in a model, or the models cannot be averaged.
    """
    ready = prepared(graph, probe, names, asked, options)
    by_model, explanations = scored(graph, probe, ready, write=write)
    question, resolved, encoded = ready.question, ready.options, ready.encoded
    first, left_out = next(iter(encoded.values()))
    rows = _rows(first, list(by_model.values()))
    summary = facts_of(probe, question, first, by_model, left_out)
    mean = spearman(np.mean([scores.values for scores in by_model.values()], axis=0), log_ratio(first.counts))
    summary |= _correlation_facts(mean)
    if len(by_model) == 1:
        del summary["each"]
    known = [row for row in rows if row["residual"] is not None]
    beyond = sum(not row["residual_low"] <= 0 <= row["residual_high"] for row in known)
    summary["residuals"] = {"n": len(known), "beyond": beyond}
    if draws:
        drawn_control = control(probe, first, resolved, draws=draws, seed=seed)
        summary["control"] = asdict(drawn_control) | {"drawn": probe.drawn, "of": next(iter(encoded)), "seed": seed}
    copies = probe.untrained(first, **resolved)
    if copies:
        told = {
            name: getattr(copies, name) for name in ("correlations", "observed", "least", "middle", "most", "share")
        }
        summary["untrained"] = told | {"of": next(iter(encoded))}
    ranked = tuple(sorted(rows, key=lambda row: (-row["score"], row["entity"])))
    explanation = explanations[next(iter(encoded))]
    return ProbeResult(question, ranked, summary, explanation and _named(graph, explanation))


def scored(
    graph: Graph, probe: Probe, ready: Prepared, *, write: bool
) -> tuple[dict[str, ProbeScores], dict[str, Explanation | None]]:
    """The scores of each model, and its explanation if that is asked; see ``run``."""
    by_model = {}
    for done, (name, (encoded_question, _)) in enumerate(ready.encoded.items(), 1):
        by_model[name] = probe.scores(encoded_question, **ready.options)
        progress(f"probing {name}", done, len(ready.encoded))
    explanations = {name: probe.explained(each, **ready.options) for name, (each, _) in ready.encoded.items()}
    if write:
        for name, scores in by_model.items():
            tables, about = ready.models[name], ready.encoded[name][0]
            register(graph, name, tables.config)  # the graph may have been rebuilt since
            _write(graph, probe, tables, ready.question, ready.options, scores, about, explanations[name])
    return by_model, explanations


def _named(graph: Graph, explanation: Explanation) -> Explanation:
    """The explanation with the names of relations, and of neighbours as ``name``."""
    types = relation_names(graph)
    keys = sorted({row["neighbour"] for row in explanation.rows if row["neighbour"]})
    names = {row["entity"]: row["name"] for row in graph.rows("probe/entities", keys=keys, term="")}
    rows = []
    for row in explanation.rows:
        mark, kind = row["relation"][: row["relation"].startswith("^")], row["relation"].removeprefix("^")
        rows.append(
            {
                "at": row["at"],
                "relation": mark + types.get(kind, kind),
                "neighbour": row["neighbour"],
                "name": names.get(row["neighbour"]) or row["neighbour"],
                **{name: value for name, value in row.items() if name not in ("at", "relation", "neighbour")},
            }
        )
    return replace(explanation, rows=tuple(rows))


def of_source(asked: Asked, models: Sequence[EmbeddingConfig]) -> Asked:
    """The question with the models' source, if the user named none."""
    if asked.source is not None:
        return asked
    sources = {known.source for known in models}
    if len(sources) > 1:
        raise InputError(
            "the models were trained on different sources", remedy="name one with --source, or probe them one by one"
        )
    return Asked(**asdict(asked) | {"source": sources.pop()})


def _rows(encoded: EncodedQuestion, all_scores: Sequence[ProbeScores]) -> list[dict[str, Any]]:
    values = np.stack([scores.values for scores in all_scores])
    low, high = (all_scores[0].low, all_scores[0].high) if len(all_scores) == 1 else _interval(values)
    columns: dict[str, Numbers] = {"score": values.mean(0)}
    if low is not None and high is not None:
        columns |= {"score_low": low, "score_high": high}
    left = residuals(columns["score"], log_ratio(encoded.counts))
    beyond = {"residual": left.values, "residual_low": left.low, "residual_high": left.high}
    rows = []
    for at, (key, name) in enumerate(zip(encoded.keys, encoded.names, strict=True)):
        row: dict[str, Any] = {"entity": key, "name": name}
        row |= {column: float(numbers[at]) for column, numbers in columns.items()}
        row |= {"count_a": int(encoded.counts[at, 0]), "count_b": int(encoded.counts[at, 1])}
        row |= {column: None if np.isnan(numbers[at]) else float(numbers[at]) for column, numbers in beyond.items()}
        for column in all_scores[0].columns:
            row[column] = float(np.mean([scores.columns[column][at] for scores in all_scores]))
        if len(all_scores) > 1:
            row["same_sign"] = bool(abs(np.sign(values[:, at]).sum()) == len(all_scores))
        rows.append(row)
    return rows


def _interval(values: Numbers) -> tuple[Numbers, Numbers]:
    """95 % interval of the mean over models [models, k], by Student's t."""
    mean, half = values.mean(0), student(values.std(0, ddof=1), len(values))
    return mean - half, mean + half


def facts_of(
    probe: Probe,
    question: Question,
    encoded: EncodedQuestion,
    by_model: Mapping[str, ProbeScores],
    left_out: Mapping[str, int],
) -> dict[str, Any]:
    """The question, the facts that all models have in common, and under ``each`` those of each model with its correlation."""
    ratios = log_ratio(encoded.counts)
    correlations = {name: spearman(scores.values, ratios) for name, scores in by_model.items()}
    facts = {name: dict(scores.facts) for name, scores in by_model.items()}
    first_facts = next(iter(facts.values()))
    alike = {
        key: value for key, value in first_facts.items() if all(other.get(key) == value for other in facts.values())
    }
    return {
        "probe": probe.name,
        "models": list(by_model),
        "relation": question.relation.shown,
        "a": question.a.name,
        "b": question.b_name,
        "object_relation": question.object_relation.shown,
        "objects": len(encoded.keys),
        "people": len(encoded.people),
        "people_a": len(encoded.with_a),
        "people_b": len(encoded.with_b),
        "without_vector": dict(left_out),
        **({"unclear": question.unclear} if question.literal else {}),
        **alike,
        "each": [
            {
                "model": name,
                **_correlation_facts(correlation),
                **{key: facts[name].get(key) for key in first_facts if key not in alike},
            }
            for name, correlation in correlations.items()
        ],
    }


def _correlation_facts(correlation: Correlation) -> dict[str, Any]:
    """``spearman`` is the correlation of the score with log((count_a + 1) / (count_b + 1)), over the objects."""
    return {
        "spearman": correlation.value,
        "spearman_low": correlation.low,
        "spearman_high": correlation.high,
        "spearman_n": correlation.n,
    }


def _write(
    graph: Graph,
    probe: Probe,
    tables: StoredTables,
    question: Question,
    options: Mapping[str, Any],
    scores: ProbeScores,
    encoded: EncodedQuestion,
    explanation: Explanation | None,
) -> None:
    facts = {
        "probe": probe.name,
        "attribute": question.relation.type,
        "a": question.a.key,
        "b": probe.second(question, options),
        "object_relation": question.object_relation.type,
        "people_of": question.source or "*",
    }
    rows = []
    for at, key in enumerate(encoded.keys):
        properties: dict[str, Any] = {"score": float(scores.values[at])}
        if scores.low is not None and scores.high is not None:
            properties |= {"low": float(scores.low[at]), "high": float(scores.high[at])}
        properties |= {"count_a": int(encoded.counts[at, 0]), "count_b": int(encoded.counts[at, 1])}
        rows.append([key, properties])
    if explanation:
        for row in explanation.rows:
            kept = {name: row[name] for name in ("at", "relation", "neighbour", "score", "people")}
            rows.append([explanation.object, kept | {"low": row["score_low"], "high": row["score_high"]}])
    more = {"method": str(scores.facts.get("method", "")), "by": f"harmgraph@{VERSION}"}
    more["sha256"] = str(tables.config.sha256)
    graph.write_together(
        [
            (statement("probe/forget"), {"model": tables.name, **facts}),
            (statement("probe/write"), {"model": tables.name, "facts": facts | more, "rows": rows}),
        ]
    )

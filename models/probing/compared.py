"""A probe of several models side by side: whether they rank the objects alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from harmgraph.common.correlation import spearman
from harmgraph.graph.connection import Graph
from harmgraph.models.probing.probe import Numbers, Probe
from harmgraph.models.probing.question import Asked
from harmgraph.models.probing.run import facts_of, prepared, scored


@dataclass(frozen=True, slots=True)
class ModelPairs:
    """The result of a probe of models that are compared.

    Attributes:
        rows: of each pair of models: Spearman's correlation of their scores over the objects, with its interval and ``n``; of
            the ``top`` objects towards a, and towards b, the share that both have; and the share that chance would give.
        summary: the question, and for each model its correlation with the counts.
    """

    rows: tuple[dict[str, Any], ...]
    summary: Mapping[str, Any]


def compared(
    graph: Graph,
    probe: Probe,
    names: Sequence[str],
    asked: Asked,
    options: Mapping[str, Any],
    *,
    top: int,
    write: bool = True,
) -> ModelPairs:
    """Asks every model the same question, and compares their scores by rank, so that score functions may differ.

    Args:
        names: of two models or more. top: objects on either side; at most all.

    Raises:
        as ``run``, but for score functions that differ.
    """
    ready = prepared(graph, probe, names, asked, options, alike=False)
    by_model, _ = scored(graph, probe, ready, write=write)
    first, left_out = next(iter(ready.encoded.values()))
    size = min(top, len(first.keys))
    rows = []
    for (name, one), (other_name, other) in combinations(by_model.items(), 2):
        found = spearman(one.values, other.values)
        row = {"model": name, "other": other_name, "spearman": found.value}
        row |= {"spearman_low": found.low, "spearman_high": found.high, "n": found.n, "top": size}
        for side, sign in (("a", -1), ("b", 1)):
            both = [set(_first(sign * scores.values, first.keys, size)) for scores in (one, other)]
            row[f"shared_{side}"] = len(both[0] & both[1]) / size
        rows.append(row | {"by_chance": size / len(first.keys)})
    return ModelPairs(tuple(rows), facts_of(probe, ready.question, first, by_model, left_out))


def _first(values: Numbers, keys: Sequence[str], size: int) -> list[str]:
    """The keys of the smallest values."""
    return [key for _, key in sorted(zip(values.tolist(), keys, strict=True))[:size]]

"""The closed form of the shift beside the same shift of every person, on random tables; no graph."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Generator

from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.probes.shift import Shift
from harmgraph.models.probing.probe import EncodedQuestion
from tests.benchmarks.figures import Figures
from tests.benchmarks.setting import Setting
from tests.support.probed import between_two

PEOPLE, OBJECTS, DIM = 20_000, 2_000, 200
FORMS = (("transe", "dot", False), ("distmult", "dot", False), ("complex", "dot", False), ("rotate", "dot", False))


def encoded(model: str, name: str) -> EncodedQuestion:
    """Random vectors; the objects are as many as the professions of Wikidata with 20 people and more."""
    generator = Generator().manual_seed(0)
    family = score_functions.get(model)
    count = 2 + OBJECTS + PEOPLE
    entities = family.first_entities(count, DIM, 0.1, generator)
    tables = Tables(model, name, entities, family.first_relations(2, DIM, 0.1, generator))
    objects, people = np.arange(2, 2 + OBJECTS), np.arange(2 + OBJECTS, count)
    none = np.zeros(0, np.int64)
    return between_two(
        tables,
        objects=objects,
        people=people,
        with_a=none,
        with_b=none,
        counts=np.zeros((OBJECTS, 2), np.int64),
    )


def bench(setting: Setting, figures: Figures) -> None:
    """Both on one thread, the medians of a run; float64."""
    torch.set_num_threads(1)
    times = 1 if setting.quick else 3
    for model, name, squared in (*FORMS, ("transe", "l2", True)):
        one = encoded(model, name)
        called = f"{model}, {'squared ' if squared else ''}{name}"
        closed = _seconds(lambda: Shift().scores(one, squared=squared), 200)  # noqa: B023 - called at once
        full = _seconds(lambda: Shift().scores(one, squared=squared, method="full"), times)  # noqa: B023
        figures.add(f"{called}: full, {PEOPLE:,} people, {OBJECTS:,} objects", full, "s")
        figures.add(f"{called}: closed form", closed * 1000, "ms")
        figures.add(f"{called}: full / closed form", full / closed, "x", "" if squared else "10,000")


def _seconds(call: Callable[[], object], times: int) -> float:
    call()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return float(np.median(taken))

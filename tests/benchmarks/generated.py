"""Seeded triples of the shape that commonsense knowledge bases have: a few heads stand in very many of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harmgraph.graph.records import Target
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.default_targets import path as targets_path

RELATIONS = 50
SEED = 20260101
WORDS = [
    "good",
    "bad",
    "kind",
    "cruel",
    "honest",
    "lazy",
    "happy",
    "sad",
    "person",
    "house",
    "tree",
    "car",
    "work",
    "food",
    "water",
    "music",
    "dog",
    "cat",
    "child",
    "teacher",
    "love",
    "hate",
    "fight",
    "help",
    "steal",
    "give",
    "take",
    "old",
    "young",
    "big",
    "small",
    "fast",
    "slow",
    "red",
    "blue",
    "read",
    "write",
    "run",
    "sleep",
    "city",
    "farm",
    "school",
    "war",
    "peace",
]


def target_names() -> list[str]:
    """The names of the default targets, in the file's order."""
    found = importers.get("targets").records(targets_path())
    return [record.name for record in found if isinstance(record, Target)]


def terms(count: int, *, targets: bool = True) -> list[str]:
    """``count`` distinct terms; the default targets are spread among the commonest."""
    rng = np.random.default_rng(SEED)
    first, second = rng.integers(len(WORDS), size=(2, count))
    made = [f"{WORDS[one]} {WORDS[two]} {number}" for number, (one, two) in enumerate(zip(first, second, strict=True))]
    if targets:
        names = target_names()
        for place, name in zip(range(0, count, max(count // (4 * len(names)), 1)), names, strict=False):
            made[place] = name
    return made


def triples(edges: int, *, about_targets: bool = False) -> list[tuple[str, str, str]]:
    """``edges`` distinct triples over a third as many terms: heads by a power law, ``RELATIONS`` relations of unequal size.

    Args:
        about_targets: whether every head is one of the default targets.
    """
    rng = np.random.default_rng(SEED + edges)
    names = terms(edges // 3)
    head_names = target_names() if about_targets else names
    found: dict[tuple[str, str, str], None] = {}
    while len(found) < edges:
        size = edges - len(found) + 1000
        heads = (len(head_names) * rng.random(size) ** 3).astype(int)
        tails = (len(names) * rng.random(size) ** 1.5).astype(int)
        kinds = (RELATIONS * rng.random(size) ** 2).astype(int)
        for head, kind, tail in zip(heads.tolist(), kinds.tolist(), tails.tolist(), strict=True):
            found[head_names[head], f"relation{kind:02d}", names[tail]] = None
    return list(found)[:edges]


def write_triples(path: Path, edges: int, *, about_targets: bool = False) -> list[tuple[str, str, str]]:
    """Writes the triples as ``load triples`` reads them, and returns them; see ``triples``."""
    made = triples(edges, about_targets=about_targets)
    path.write_text("".join(f"{head}\t{kind}\t{tail}\n" for head, kind, tail in made), encoding="utf-8")
    return made

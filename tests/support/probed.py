"""Random tables and a small training, for the tests of probes."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch import Generator

from harmgraph.__main__ import main
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.probing.probe import EncodedQuestion, Side

N, M, D = 40, 3, 8


def encoded(model: str = "transe", name: str = "dot", *, inverse: bool = False, rest: bool = False) -> EncodedQuestion:
    """Random tables: entities 0 to 2 are values, 3 to 9 objects, the others people."""
    generator = Generator().manual_seed(7)
    family = score_functions.get(model)
    tables = Tables(
        model,
        name,
        family.first_entities(N, D, 1.0, generator).double(),
        family.first_relations(M, D, 1.0, generator).double(),
        tuple(f"e{number}" for number in range(N)),
        tuple(f"R{number}" for number in range(M)),
    )
    rng = np.random.default_rng(2)
    crowd = np.arange(10, N)
    counts = rng.integers(0, 20, (7, 2))
    return EncodedQuestion(
        tables=tables,
        sensitive=Side(0, inverse),
        objective=Side(1, inverse),
        a=0,
        b=(1, 2) if rest else (1,),
        weights=(0.25, 0.75) if rest else (1.0,),
        objects=np.arange(3, 10),
        people=crowd,
        with_a=np.arange(12),
        with_b=np.arange(12, 30),
        counts=counts,
        holds=np.stack([rng.integers(0, 30, 50), rng.integers(0, 7, 50)], 1),
        keys=tuple(f"e{number}" for number in range(3, 10)),
        names=tuple(f"object {number}" for number in range(3, 10)),
    )


def between_two(tables: Tables, **given: Any) -> EncodedQuestion:
    """A question about the values 0 and 1 of relation 0, whose objects are those of relation 1."""
    return EncodedQuestion(tables=tables, sensitive=Side(0), objective=Side(1), a=0, b=(1,), weights=(1.0,), **given)


def train(name: str = "folk", **options: object) -> None:
    """Trains a few epochs on the source folk."""
    given = {"dim": 8, "negatives": 8, "epochs": 3, "batch": 16, "scale": 0.3, "threads": 1, "valid_every": 0} | options
    flags = [word for key, value in given.items() for word in ("--" + key.replace("_", "-"), str(value))]
    assert main(["embed", "train", name, "--source", "folk", "--again", "--output", "json", *flags]) == 0

"""Peak memory of long work on large tables: more blocks need no more of it. In processes of their own, with two threads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the high-water mark of the memory is read from /proc")

ALLOWED = 48  # MiB between the peak of a few blocks and that of many; a block's scores are 5 MiB, and many are a hundred blocks
CASES = ("transe dot", "transe l2", "transe l1", "rotate l1")  # each comparator once; the first has an offset too

PEAK = """
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Generator

from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.embedding.tables import Tables

torch.set_num_threads(2)

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024

def tables(model, comparator, entities, dim, relations=4):
    generator = Generator().manual_seed(0)
    member = score_functions.get(model)
    return Tables(
        model,
        comparator,
        member.first_entities(entities, dim, 0.1, generator),
        member.first_relations(relations, dim, 0.1, generator),
    )
"""

RANKING = (
    PEAK
    + """
from harmgraph.models.embedding.ranking import Known, ranks

ENTITIES, RELATIONS = 40_000, 4
rng = np.random.default_rng(0)
triples = np.stack([rng.integers(size, size=800) for size in (ENTITIES, RELATIONS, ENTITIES)], axis=1)
known = Known(triples, RELATIONS)
for case in sys.argv[1:]:
    model, comparator = case.split()
    found = tables(model, comparator, ENTITIES, 8)
    ranks(found, triples[:128], known)
    before = peak()
    ranks(found, triples[: 128 if comparator == "l1" else 800], known)  # L1 is slow
    print(case, peak() - before, sep="\\t")
"""
)


def grown(script: str, *arguments: str) -> dict[str, float]:
    """MiB that the script says its peak has grown by, for each case."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC", "OMP"))}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        env=environment | {"PYTHONPATH": str(ROOT)},
    )
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return {case: float(peak) for case, peak in rows}


def test_ranking_more_blocks_needs_no_more_memory() -> None:
    found = grown(RANKING, *CASES)
    assert len(found) == len(CASES)
    assert {case: peak for case, peak in found.items() if peak > ALLOWED} == {}

"""Triples that a tiny encoder can tell apart, in the folder that 'population data' writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harmgraph.graph.records import Concept, Triple
from harmgraph.models.population.neighbours import Neighbourhood
from harmgraph.models.population.proposing.drawing import Draw
from harmgraph.models.population.recipe import PopulatorRecipe

HEADS = ("this person is a teacher", "a thief is at home", "a person was kind", "this teacher is awful")
TAILS = ("a person is good", "the person is bad", "this is good and kind", "this is bad and awful")
GRAPH = ("folk",)


def rows(count: int, *, seed: int = 0) -> list[tuple[str, str, str, int]]:
    """Triples whose tail is good if they are plausible, and bad if not."""
    generator = np.random.default_rng(seed)
    made = []
    for number in range(count):
        label = number % 2
        head = f"{HEADS[generator.integers(4)]} {'and ' * int(generator.integers(6))}".strip()
        tail = TAILS[2 * int(generator.integers(2)) + 1 - label]
        made.append((head, ("xWant", "xEffect", "Causes")[number % 3], tail, label))
    return made


def write_folder(folder: Path, *, train: int = 96, valid: int = 48, test: int = 60) -> Path:
    """The files of 'population data'."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (name, count) in enumerate((("train", train), ("valid", valid), ("test", test))):
        lines = ["head\trelation\ttail\tlabel\tclass\tsource"]
        lines += [
            f"{head}\t{relation}\t{tail}\t{label}\t{('kb', 'drawn')[number % 4 // 2]}\tkb"
            for number, (head, relation, tail, label) in enumerate(rows(count, seed=seed))
        ]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "data.json").write_text(json.dumps({"sources": ["kb"], "graph": list(GRAPH)}), encoding="utf-8")
    return folder


def neighbourhood(edges: Sequence[tuple[str, str, str]] = (), direction: str = "both") -> Neighbourhood:
    """A graph of texts; heads and tails of ``rows`` in a ring if no edges are given."""
    texts = (*HEADS, *TAILS)
    edges = edges or [(texts[place], "Result", texts[(place + 3) % 8]) for place in range(8)]
    keys = sorted({f"en/{text}" for head, _, tail in edges for text in (head, tail)})
    relations = sorted({relation for _, relation, _ in edges})
    columns = sorted((keys.index(f"en/{h}"), relations.index(r), keys.index(f"en/{t}")) for h, r, t in edges)
    head, relation, tail = np.array(columns, np.int64).T
    return Neighbourhood(tuple(keys), tuple(relations), head, relation, tail, direction)


RECIPE = PopulatorRecipe(epochs=4, patience=4, batch=16, learning_rate=3e-3, seed=1)
"""A short training."""
LEARNS = PopulatorRecipe(epochs=12, patience=12, batch=8, learning_rate=3e-3, seed=1)
"""A training after which the tiny encoder tells the triples apart, in a single passage too."""

FORMS = {
    "2021": (
        "head,relation,tail,label,class,split\n"
        "PersonX  eat,general Effect,PersonX be full,1,cs_head,tst\n"
        "PersonX eat,gEffect,PersonX be hungry,0,test_set,dev\n"
    ),
    "split before label": (
        "head,relation,tail,class,split,label\n"
        "PersonX eat,gEffect,PersonX be full,cs_head,tst,1\n"
        "PersonX eat,general Effect,PersonX be hungry,test_set,dev,0\n"
    ),
    "dataset": (
        "head,tail,relation,dataset,label\n"
        "PersonX eat,PersonX be full,gEffect,cs_head,1.0\n"
        "PersonX eat,PersonX be hungry,general Effect,test_set,0.0\n"
    ),
    "votes": (
        "head,relation,tail,worker_vote,split,class,reverse_aser_edge\n"
        'PersonX eat,gEffect,PersonX be full,"[1, 1, 0, 1]",tst,cs_head,False\n'
        'PersonX eat,general Effect,PersonX be hungry,"[1, 1, 0, 0]",dev,test_set,True\n'
    ),
    "bare": "head,relation,tail\nPersonX eat,gEffect,PersonX be full\nPersonX eat,gEffect,PersonX be hungry\n",
}
"""The forms of files that people labelled, the same two triples in each."""

MODEL = "proposer"
"""A trained populator that proposes."""
DRAW = Draw("xWant", tails=4)
"""Each of four heads with each of four tails, less what stands."""


def event_triple(head: str, relation: str, tail: str, **properties: str) -> Triple:
    """A triple of two events."""
    return Triple(Concept(head, event=True), relation, Concept(tail, event=True), properties=properties)

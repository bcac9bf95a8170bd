"""``probe edge``: every number against a graph that is built anew, with the edge and without it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from scipy.stats import t

from harmgraph.common.correlation import spearman
from harmgraph.common.errors import InputError, NotFound
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import GraphModel, bound_to, new_weights
from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.probes.edge import Edge
from harmgraph.models.probes.shift import Shift
from harmgraph.models.probing.control import control, log_ratio
from harmgraph.models.probing.exchange import Exchange, GraphTables
from harmgraph.models.probing.probe import EncodedQuestion, Side
from harmgraph.models.subgraph.back_end import back_ends
from harmgraph.models.subgraph.named_relation import Relation
from harmgraph.models.subgraph.subgraph import Columns, assembled
from tests.support.family import SIZE, lives, rows
from tests.support.probed import encoded

torch.set_num_threads(1)
OBJECTS = ("nurse", "pilot", "teacher")
FEW: dict[str, Any] = {"people": 7, "seed": 3}
RELATIONS = ("GENDER", "GRANDPARENT", "JOB", "PARENT", "TOWN")
Triple = tuple[int, int, int]


def asked(
    encoder: str,
    *,
    inverse: bool = False,
    known: tuple[str, ...] = RELATIONS,
    more: Sequence[tuple[str, str, str, str]] = (),
) -> EncodedQuestion:
    """Male or female by the jobs of a family, for a model with random weights.

    Args:
        inverse: whether people are the tails of gender and job. known: relations that the model knows. more: rows of the graph.
    """
    made = [
        (tail, relation, head, split) if inverse and relation in ("GENDER", "JOB") else (head, relation, tail, split)
        for head, relation, tail, split in [*rows("a"), *lives("a"), *more]
    ]
    subgraph = assembled(Columns(*(list(column) for column in zip(*made, strict=True))))
    training = with_defaults("distmult", {"encoder": encoder, "dim": 8, "layers": 3, "seed": 1})
    weights = new_weights(training, len(known))
    random = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for each in weights.parameters():  # biases and normalisation too
            each.add_(torch.randn(each.shape, generator=random))
    ids, odd = subgraph.entity_ids, np.arange(SIZE) % 2
    empty = torch.empty(0, 0)
    tables = GraphTables(
        encoder,
        "",
        empty,
        empty,
        subgraph.entities,
        known,
        name="family",
        config=EmbeddingConfig("finished", encoder, "", False, 8),
        graph_model=GraphModel(training, weights, known, subgraph),
    )
    return EncodedQuestion(
        tables=tables,
        sensitive=Side(known.index("GENDER"), inverse),
        objective=Side(known.index("JOB"), inverse),
        a=ids["male"],
        b=(ids["female"],),
        weights=(1.0,),
        objects=np.array([ids[name] for name in OBJECTS]),
        people=np.array([ids[f"a{number:02d}"] for number in range(SIZE)]),
        with_a=np.flatnonzero(odd == 0),
        with_b=np.flatnonzero(odd),
        counts=np.array([[1, 9], [9, 1], [5, 6]]),
        keys=OBJECTS,
        names=OBJECTS,
    )


def model_of(one: EncodedQuestion) -> GraphModel:
    assert isinstance(one.tables, GraphTables)
    return one.tables.graph_model


def anew(
    one: EncodedQuestion, person: int, value: int | None, *, keep: bool = False, without: set[Triple] | None = None
) -> npt.NDArray[np.float64]:
    """The scores of the objects for a person in a graph that has the person's edge to this value alone."""
    model = model_of(one)
    edges = {(int(head), int(relation), int(tail)) for head, relation, tail in model.known_edges}

    def turned(person: int, side: Side, other: int) -> Triple:
        return (other, side.id, person) if side.inverse else (person, side.id, other)

    edges -= {turned(person, one.sensitive, each) for each in (one.a, *one.b)} | (without or set())
    if not keep:
        edges -= {turned(person, one.objective, each) for each in one.objects.tolist()}
    if value is not None:
        edges.add(turned(person, one.sensitive, value))
    bound = bound_to(np.array(sorted(edges)), len(model.entity_ids), len(model.relation_names), "cpu")
    before = np.bincount(model.known_edges[:, [0, 2]].flatten(), minlength=len(model.entity_ids))
    usual = torch.tensor(np.log(before + 1.0).mean())  # of the graph as it stands
    bound = replace(bound, kept=bound.kept.double(), usual=usual)
    relation = one.objective.id + one.objective.inverse * len(model.relation_names)
    exact = replace(model, weights=deepcopy(model.weights).double())
    scores = exact.scores(np.array([person]), np.array([relation]), bound)[0].numpy()
    return scores[one.objects]


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("out", [False, True])
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("encoder", encoders.names())
def test_the_score_is_that_of_graphs_built_anew(encoder: str, inverse: bool, out: bool, keep: bool) -> None:
    one = asked(encoder, inverse=inverse)
    found = Edge().scores(one, people=0, no_edge=out, keep_objects=keep)
    other = None if out else one.b[0]
    each = np.array(
        [anew(one, person, one.a, keep=keep) - anew(one, person, other, keep=keep) for person in one.people.tolist()]
    )
    np.testing.assert_allclose(found.values, each.mean(0), rtol=1e-9, atol=1e-13)
    assert np.abs(found.values).max() > 2e-4
    assert found.facts["largest_change"] == pytest.approx(np.abs(each.mean(0)).max(), rel=1e-9)
    assert found.facts["rounding"] is None
    assert found.low is not None and found.high is not None
    half = t.ppf(0.975, SIZE - 1) * each.std(0, ddof=1) / SIZE**0.5
    np.testing.assert_allclose(found.high - found.values, half, rtol=1e-6, atol=1e-12)
    assert found.facts["people_encoded"] == SIZE


@pytest.mark.parametrize("encoder", encoders.names())
def test_signs_and_equals(encoder: str) -> None:
    one = asked(encoder)
    turned = replace(one, a=one.b[0], b=(one.a,), with_a=one.with_b, with_b=one.with_a)
    np.testing.assert_allclose(
        Edge().scores(one, **FEW).values, -Edge().scores(turned, **FEW).values, rtol=1e-5, atol=1e-7
    )
    same = Edge().scores(replace(one, b=(one.a,)), **FEW)
    assert not same.values.any()
    assert "no score changes by more than 1e-09 of the scores' size" in same.facts["rounding"]


@pytest.mark.parametrize("back_end", back_ends.names())
@pytest.mark.parametrize("encoder", encoders.names())
def test_every_back_end_is_exact(encoder: str, back_end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, usual = back_ends.get(back_end), Edge().scores(asked(encoder), **FEW).values
    if not chosen.is_available("cpu"):
        pytest.skip(f"{back_end} is not installed")
    monkeypatch.setattr("harmgraph.models.embedding.graph_model.chosen_back_end", lambda device: chosen)
    np.testing.assert_allclose(Edge().scores(asked(encoder), **FEW).values, usual, rtol=1e-9, atol=1e-13)


def test_changes_that_single_precision_cannot_hold() -> None:
    one = asked("nbfnet")
    before = Edge().scores(one, **FEW).values
    with torch.no_grad():
        next(model_of(one).weights["reached"].parameters()).mul_(1e-6)
    small = Edge().scores(one, **FEW).values
    people = np.sort(np.random.default_rng(3).choice(np.sort(one.people), 7, replace=False)).tolist()
    each = [anew(one, person, one.a) - anew(one, person, one.b[0]) for person in people]
    np.testing.assert_allclose(small, np.mean(each, 0), rtol=1e-6, atol=1e-15)
    assert 0 < np.abs(small).max() < 1e-4 * np.abs(before).max()
    assert all(each.dtype == torch.float32 for each in model_of(one).weights.parameters()), "the model stays as it is"


def test_what_no_path_reaches_does_not_change() -> None:
    """A family without gender and job, to whom nobody is related."""
    one = asked("nbfnet", more=rows("b"))
    strangers = np.array([one.tables.entity_ids[f"b{number:02d}"] for number in range(3)])
    for out in (False, True):
        assert not Edge().scores(replace(one, objects=strangers), no_edge=out, **FEW).values.any()
    assert Edge().scores(one, **FEW).values.all()


def test_who_is_encoded() -> None:
    """People of both sides, or of neither, are not; the seed decides who is."""
    one = asked("sage")
    both = replace(one, with_a=np.arange(0, 20), with_b=np.arange(5, 31))
    found = Edge().scores(both, people=0)
    assert found.facts["people_encoded"] == 5 + 11
    assert Edge().scores(one, people=9).facts["people_encoded"] == 9
    first, again, other = (Edge().scores(one, people=9, seed=seed).values for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()
    with pytest.raises(InputError, match="0 of the people that the model knows have a value of one side alone"):
        Edge().scores(replace(one, with_b=one.with_a))
    with pytest.raises(InputError, match="both sides have the same value"):
        Edge().scores(replace(one, b=(one.a,), with_b=one.with_a))


def test_two_people_say_little() -> None:
    one = asked("sage")
    two = replace(one, with_a=np.array([0, 2]), with_b=np.array([], np.int64))
    found = Edge().scores(two)
    first, second = (anew(two, int(two.people[at]), two.a) - anew(two, int(two.people[at]), two.b[0]) for at in (0, 2))
    assert found.high is not None
    half = 12.7062 * np.abs(first - second) / 2  # Student's t with one degree of freedom
    np.testing.assert_allclose(found.high - found.values, half, rtol=1e-5)


def test_all_others_are_drawn_by_their_weights() -> None:
    one = asked("compgcn")
    ids = one.tables.entity_ids
    other = replace(one, b=(ids["female"], ids["north"]), weights=(0.0, 1.0))
    each = [anew(other, person, other.a) - anew(other, person, ids["north"]) for person in one.people.tolist()]
    np.testing.assert_allclose(Edge().scores(other, people=0).values, np.mean(each, 0), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("encoder", encoders.names())
def test_shift_stands_beside_it_where_there_are_vectors(encoder: str) -> None:
    one = asked(encoder)
    found = Edge().scores(one, **FEW)
    if not isinstance(encoders.get(encoder), VectorEncoder):
        assert (found.columns, found.facts["correlations"]) == ({}, [])
        return
    shifted = Shift().scores(replace(one, tables=model_of(one).tables())).values
    np.testing.assert_array_equal(found.columns["shift"], shifted)
    assert [row["spearman_n"] for row in found.facts["correlations"]] == [3, 3]


def test_edges_that_no_message_takes() -> None:
    """The model knows gender and job alone: the others carry nothing, and nobody has an edge but the one that is exchanged."""
    one = asked("compgcn", known=("GENDER", "JOB"))
    found = Edge().scores(one, people=0)
    assert found.facts["edges_of_relations_that_the_model_does_not_know"] == len(model_of(one).subgraph.triples(0)) - 62
    assert found.facts["of_them_without_another_edge"] == SIZE
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("encoder", ["compgcn", "nbfnet"])
def test_an_explanation_is_what_graphs_lose_that_are_built_anew(encoder: str) -> None:
    one = asked(encoder)
    found = Edge().explained(one, explain="pilot", **FEW)
    assert found is not None
    assert (found.object, found.people) == ("pilot", 7)
    sizes = [abs(row["score"]) for row in found.rows]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 0
    people = np.sort(np.random.default_rng(3).choice(np.sort(one.people), 7, replace=False)).tolist()
    ids, names = one.tables.entity_ids, one.tables.relation_ids
    edges = {(int(head), int(relation), int(tail)) for head, relation, tail in model_of(one).known_edges}

    def lost(taken: dict[int, set[Triple]]) -> list[float]:
        losses = []
        for person in people:
            whole, rest = (
                anew(one, person, one.a, without=each) - anew(one, person, one.b[0], without=each)
                for each in (set(), taken[person])
            )
            losses.append((whole - rest)[1])
        return losses

    def row(at: str, relation: str, neighbour: str | None = None) -> dict[str, Any]:
        (same,) = [
            each
            for each in found.rows
            if (each["at"], each["relation"], each["neighbour"]) == (at, relation, neighbour)
        ]
        return same

    towns = {person: {edge for edge in edges if edge[0] == person and edge[1] == names["TOWN"]} for person in people}
    values = np.array(lost(towns))
    assert row("person", "TOWN")["score"] == pytest.approx(values.mean(), rel=1e-3, abs=1e-6)
    high = values.mean() + t.ppf(0.975, 6) * values.std(ddof=1) / 7**0.5
    assert row("person", "TOWN")["score_high"] == pytest.approx(high, rel=1e-3, abs=1e-6)
    assert row("person", "TOWN")["people"] == 7
    south = {person: {edge for edge in towns[person] if edge[2] == ids["south"]} for person in people}
    assert row("person", "TOWN", "south")["score"] == pytest.approx(np.mean(lost(south)), rel=1e-3, abs=1e-6)
    assert row("person", "TOWN", "south")["people"] == sum(map(bool, south.values()))
    others = {person: {edge for edge in edges if edge[1] == names["GENDER"] and edge[0] != person} for person in people}
    assert row("value", "^GENDER")["score"] == pytest.approx(np.mean(lost(others)), rel=1e-3, abs=1e-6)
    pilots = {person: {edge for edge in edges if edge[2] == ids["pilot"] and edge[0] != person} for person in people}
    assert row("object", "^JOB")["score"] == pytest.approx(np.mean(lost(pilots)), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("encoder", ["compgcn", "nbfnet"])
def test_untrained_copies_are_asked_the_same(encoder: str) -> None:
    one = asked(encoder)
    ids = one.tables.entity_ids
    objects = [*OBJECTS, "north", "south", "west"]
    counts = np.array([[1, 9], [9, 1], [5, 6], [3, 4], [7, 2], [2, 8]])
    one = replace(one, objects=np.array([ids[name] for name in objects]), counts=counts)
    assert Edge().untrained(one, **FEW) is None
    found = Edge().untrained(one, untrained=3, **FEW)
    assert found is not None
    model = model_of(one)
    expected = []
    for seed in range(3):
        training = replace(model.training, seed=seed)
        copy = replace(model, training=training, weights=new_weights(training, len(RELATIONS)))
        assert isinstance(one.tables, GraphTables)
        values = Edge().scores(replace(one, tables=replace(one.tables, graph_model=copy)), **FEW).values
        expected.append(spearman(values, log_ratio(counts)).value)
    own = spearman(Edge().scores(one, **FEW).values, log_ratio(counts)).value
    assert found.correlations == pytest.approx(tuple(expected))
    assert found.observed == pytest.approx(own)
    assert (found.least, found.middle, found.most) == pytest.approx((min(expected), np.median(expected), max(expected)))
    assert found.share == pytest.approx(np.mean([abs(each) >= abs(own) for each in expected]))
    few = Edge().untrained(asked(encoder), untrained=2, **FEW)
    assert few is not None and np.isnan([few.observed, few.share, few.middle]).all()  # of three objects


def test_edges_around_a_hub_take_little_memory() -> None:
    one = asked("sage")
    model = model_of(one)
    rng = np.random.default_rng(0)
    many = np.stack(
        [rng.integers(20, size=4_000), rng.integers(len(RELATIONS), size=4_000), np.full(4_000, 20)], axis=1
    )
    model.__dict__["known_edges"] = many  # as the property caches them
    exchange = Exchange(question=one, model=model, people=one.people[:2], others=np.array([one.b[0]] * 2))
    but = many[::2]
    tracemalloc.start()
    found = exchange._touching(np.array([20]), but)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    left = set(map(tuple, but.tolist()))
    assert found.tolist() == [triple for triple in many.tolist() if tuple(triple) not in left]
    assert peak < 2_000_000
    assert len(exchange._touching(np.array([20]), many[:0])) == len(many)


def test_controls_exchange_another_relation() -> None:
    one = asked("sage")
    rng = np.random.default_rng(0)
    drawn = [Edge().random(one, rng, {}) for _ in range(30)]
    names = {(one.tables.relation_names[each.sensitive.id], each.sensitive.inverse) for each in drawn}
    assert names == {
        ("TOWN", False),
        ("PARENT", False),
        ("PARENT", True),
        ("GRANDPARENT", False),
        ("GRANDPARENT", True),
    }
    assert all(each.a != each.b[0] and (each.people == one.people).all() for each in drawn)
    towns = {one.tables.entity_ids[name] for name in ("north", "south", "west")}
    for each in (Edge().random(one, rng, {"control_relation": Relation("TOWN", "town", False)}) for _ in range(9)):
        assert {each.a, each.b[0]} <= towns
    found = control(Edge(), one, FEW, draws=2)
    assert (found.draws, np.isnan(found.p)) == (2, True)  # of three objects there is no correlation
    with pytest.raises(NotFound, match="no relation named 'SPOUSE'"):
        Edge().random(one, rng, {"control_relation": Relation("SPOUSE", "spouse", False)})
    with pytest.raises(InputError, match="no two values to exchange"):
        Edge().random(asked("sage", known=("GENDER", "JOB")), rng, {})


def test_a_table_is_no_graph_model() -> None:
    with pytest.raises(InputError, match="this probe is for graph models"):
        Edge().scores(encoded())

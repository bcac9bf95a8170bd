"""Every probe goes through the same cases, on every score function: range, signs, and nothing between equals."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.probes.shift import Shift
from harmgraph.models.probing.probe import EncodedQuestion, Side, probes
from tests.support.filling import import_triples
from tests.support.people import people
from tests.support.places import ROOT
from tests.support.probed import encoded, train

torch.set_num_threads(1)
FUNCTIONS = [(model.name, name) for model in score_functions for name in model.comparators]
MEMBERS = [one.name for one in probes if not one.needs_graph_model]


def swapped(one: EncodedQuestion) -> EncodedQuestion:
    return replace(one, a=one.b[0], b=(one.a,), with_a=one.with_b, with_b=one.with_a, counts=one.counts[:, ::-1])


@pytest.mark.parametrize("member", probes.names())
def test_metadata(member: str) -> None:
    one = probes.get(member)
    assert one.name == member
    assert all((one.title, one.meaning, one.citation, one.__doc__))
    assert one.least < 0 < one.most
    names = [option.name for option in one.options()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize(("model", "name"), FUNCTIONS)
@pytest.mark.parametrize("member", MEMBERS)
class TestScores:
    def test_are_in_their_range_inside_their_intervals(self, member: str, model: str, name: str, inverse: bool) -> None:
        probe = probes.get(member)
        found = probe.scores(encoded(model, name, inverse=inverse))
        assert found.values.shape == (7,)
        assert ((found.values >= probe.least) & (found.values <= probe.most)).all()
        assert np.ptp(found.values) > 0
        if found.low is not None and found.high is not None:
            assert ((found.low <= found.values) & (found.values <= found.high)).all()
        assert all(column.shape == (7,) for column in found.columns.values())
        assert found.facts["method"]

    def test_change_their_signs_with_a_and_b(self, member: str, model: str, name: str, inverse: bool) -> None:
        probe, one = probes.get(member), encoded(model, name, inverse=inverse)
        # A step of finite length along a curved score is the opposite of its counterpart only in the limit.
        options: dict[str, Any] = {"step": 1e-7} if member == "shift" else {}
        scale = options.get("step", 1.0)
        found, other = (probe.scores(each, **options).values for each in (one, swapped(one)))
        np.testing.assert_allclose(found / scale, -other / scale, rtol=1e-5, atol=1e-5)

    def test_are_zero_where_a_is_b(self, member: str, model: str, name: str, inverse: bool) -> None:
        one = encoded(model, name, inverse=inverse)
        same = replace(one, b=(one.a,), with_b=one.with_a)
        np.testing.assert_allclose(probes.get(member).scores(same).values, 0, atol=1e-12)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("rest", [False, True])
@pytest.mark.parametrize("step", [0.01, 3.0])
@pytest.mark.parametrize(
    ("model", "name", "squared"),
    [(*one, False) for one in FUNCTIONS if one[1] == "dot"] + [(*one, True) for one in FUNCTIONS if one[1] == "l2"],
)
def test_the_closed_form_of_the_shift_is_the_full_computation(
    model: str, name: str, squared: bool, step: float, rest: bool, inverse: bool
) -> None:
    one = encoded(model, name, rest=rest, inverse=inverse)
    closed = Shift().scores(one, step=step, squared=squared)
    full = Shift().scores(one, step=step, squared=squared, method="full")
    assert (closed.facts["method"], full.facts["method"]) == ("closed form", "full")
    np.testing.assert_allclose(closed.values, full.values, rtol=1e-9, atol=1e-9)
    if closed.low is not None and full.low is not None:
        np.testing.assert_allclose(closed.low, full.low, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("rest", [False, True])
@pytest.mark.parametrize(("model", "name"), FUNCTIONS)
def test_the_shift_is_that_of_autograd_through_the_score_of_triples(
    model: str, name: str, rest: bool, inverse: bool
) -> None:
    """Equation 1 of the paper as it stands, one person and one triple at a time, in float64."""
    one, step = encoded(model, name, rest=rest, inverse=inverse), 0.05
    tables = one.tables

    def score(person: torch.Tensor, relation: int, other: int) -> torch.Tensor:
        ends = [person.unsqueeze(0), tables.entities[[other]]]
        return tables.score_rows(
            *(ends[::-1] if inverse else ends)[:1], torch.tensor([relation]), (ends[::-1] if inverse else ends)[1]
        )[0]

    total = np.zeros(len(one.objects))
    for person in one.people:
        vector = tables.entities[person].clone().requires_grad_()
        m = score(vector, 0, one.a) - sum(w * score(vector, 0, b) for w, b in zip(one.weights, one.b, strict=True))
        (gradient,) = torch.autograd.grad(m, vector)
        with torch.no_grad():
            moved = vector + step * gradient
            total += [(score(moved, 1, o) - score(vector, 1, o)).item() for o in one.objects]
    np.testing.assert_allclose(Shift().scores(one, step=step).values, total / len(one.people), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("member", MEMBERS)
def test_written_rows_are_the_printed_ones(
    member: str, graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_triples(graph, *people(), source="folk")
    train()
    capsys.readouterr()
    command = [
        "probe",
        member,
        "folk",
        "--a",
        "Male",
        "--b",
        "Female",
        "--min-count",
        "2",
        "--top",
        "0",
        "--output",
        "json",
    ]
    for _ in range(2):  # the second run replaces what the first one wrote
        assert main(command) == 0
        printed = json.loads(capsys.readouterr().out)
    assert {row["name"]: (row["count_a"], row["count_b"]) for row in printed} == {
        "Nurse": (2, 9),
        "Pilot": (8, 2),
        "Teacher": (5, 5),
        "Poet": (1, 1),
    }
    assert [row["score"] for row in printed] == sorted((row["score"] for row in printed), reverse=True)
    written = graph.rows("probe/results", model="folk", probe=member)
    columns = ("entity", "name", "score", "count_a", "count_b")
    assert [[row[one] for one in columns] for row in written] == [[row[one] for one in columns] for row in printed]
    assert {(row["a"], row["b"]) for row in written} == {("Male", "Female")}
    assert main([*command, "--no-write", "--a", "Female", "--b", "Male"]) == 0
    turned = {row["entity"]: -row["score"] for row in json.loads(capsys.readouterr().out)}
    assert turned == pytest.approx({row["entity"]: row["score"] for row in printed}, abs=1e-6)
    counts = graph.rows(parse("count", "MATCH ()-[p:PROBED]->() RETURN count(p) AS n"))
    assert counts == [{"n": 4}]


@pytest.mark.parametrize(("model", "name"), [one for one in FUNCTIONS if one[1] in {"dot", "l2"}])
def test_tables_of_float32_give_what_float64_gives(model: str, name: str) -> None:
    one = encoded(model, name)
    narrow = replace(one.tables, entities=one.tables.entities.float(), relations=one.tables.relations.float())
    squared = name == "l2"
    found = Shift().scores(replace(one, tables=narrow), squared=squared)
    full = Shift().scores(one, method="full", squared=squared)
    np.testing.assert_allclose(found.values, full.values, rtol=1e-5, atol=1e-6)
    if squared:
        np.testing.assert_allclose(found.low, full.low, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("model", "name"), [one for one in FUNCTIONS if one[1] == "dot"])
@pytest.mark.parametrize("inverse", [(False, False), (False, True), (True, False), (True, True)])
def test_the_slope_along_the_gradient_is_that_of_the_points(model: str, name: str, inverse: tuple[bool, bool]) -> None:
    """Two vectors turned and one product of the objects' rows, beside every point turned for itself."""
    one = encoded(model, name)
    one = replace(one, sensitive=Side(one.sensitive.id, inverse[0]), objective=Side(one.objective.id, inverse[1]))
    values, _ = one.points(one.sensitive, (one.a, *one.b))
    direction = values[0] - torch.tensor(one.weights, dtype=torch.float64) @ values[1:]
    torch.testing.assert_close(one.direction(), direction)
    both = one.scores(torch.stack([direction, torch.zeros_like(direction)]))
    torch.testing.assert_close(one.slope(direction), both[0] - both[1])


def test_a_question_about_two_other_values() -> None:
    one = encoded("transe", "dot")
    other = one.between(one.b[0], one.a)
    assert (other.a, other.b, other.weights) == (one.b[0], (one.a,), (1.0,))


def test_sparse_rows_of_torch_say_nothing_to_the_user() -> None:
    code = """
from harmgraph.models.probes.shift import Shift
from tests.support.probed import encoded
Shift().scores(encoded("distmult", "dot"))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""

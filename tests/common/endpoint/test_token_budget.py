"""How many tokens a run may use."""

from __future__ import annotations

from harmgraph.common.endpoint.token_budget import TokenBudget, estimated


def test_an_estimate() -> None:
    assert (estimated([]), estimated(["abc"]), estimated(["abcd", "efgh"])) == (0, 1, 2)


def test_what_the_server_counts_takes_the_place_of_estimates() -> None:
    budget = TokenBudget(100)
    assert budget.reserve(60)
    assert not budget.reserve(60), "the first is under way"
    budget.settle(60, 20)
    assert budget.used == 20
    assert budget.reserve(60)
    budget.settle(60, 70)
    assert budget.used == 90


def test_where_the_server_counts_more_later_estimates_are_larger() -> None:
    budget = TokenBudget(100)
    assert budget.reserve(10)
    budget.settle(10, 30)
    assert not budget.reserve(25), "it would be 75"
    assert budget.reserve(20)


def test_without_a_budget() -> None:
    budget = TokenBudget()
    assert budget.reserve(10**9)

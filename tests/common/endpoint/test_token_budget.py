"""How many tokens a run may use."""

from __future__ import annotations

import threading

from harmgraph.common.endpoint.token_budget import TokenBudget, estimated


def test_an_estimate() -> None:
    assert (estimated([]), estimated(["abc"]), estimated(["abcd", "efgh"])) == (0, 1, 2)


def test_what_the_server_counts_takes_the_place_of_estimates() -> None:
    budget = TokenBudget(100)
    assert budget.reserve(60)
    assert not budget.reserve(60, lambda: True), "the first is under way"
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


def test_it_waits_for_those_under_way_before_it_gives_up() -> None:
    budget = TokenBudget(100)
    assert budget.reserve(60)
    found: list[bool] = []
    waiting = threading.Event()

    def stopped() -> bool:
        waiting.set()
        return False

    thread = threading.Thread(target=lambda: found.append(budget.reserve(60, stopped)))
    thread.start()
    assert waiting.wait(20)
    budget.settle(60, 20)
    thread.join(20)
    assert found == [True], "what the first left over was enough"
    assert not budget.reserve(60, lambda: True)
    budget.settle(60, 60)
    assert not budget.reserve(60), "nothing is under way"


def test_a_question_without_an_answer_says_nothing_of_estimates() -> None:
    budget = TokenBudget(1_000)
    assert budget.reserve(10)
    budget.settle(10, 30)
    for _ in range(9):
        assert budget.reserve(10)
        budget.settle(10, 0)
    assert not budget.reserve(330), "it would be 990"
    assert budget.reserve(320)

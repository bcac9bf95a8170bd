"""Calls on a thread of their own."""

from __future__ import annotations

import threading

import pytest

from harmgraph.common.stage import Stage


def test_calls_run_in_their_order_and_elsewhere() -> None:
    ran: list[int] = []
    threads: set[int] = set()

    def call(number: int) -> None:
        ran.append(number)
        threads.add(threading.get_ident())

    with Stage() as stage:
        for number in range(50):
            stage.put(lambda number=number: call(number))
        stage.finish()
    assert ran == list(range(50))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_the_caller_goes_on_until_there_is_no_room() -> None:
    may_go, third = threading.Event(), threading.Event()
    with Stage(waiting=1) as stage:
        stage.put(may_go.wait)
        stage.put(lambda: None)  # waits beside the one that runs

        def put() -> None:
            stage.put(lambda: None)
            third.set()

        putting = threading.Thread(target=put)
        putting.start()
        assert not third.wait(0.2)
        may_go.set()
        assert third.wait(10)
        putting.join()
        stage.finish()
    assert stage.waited > 0


def test_after_an_error_no_further_call_runs() -> None:
    ran: list[str] = []
    may_fail = threading.Event()

    def fail() -> None:
        may_fail.wait()
        raise ValueError("broken")

    with Stage(waiting=2) as stage:
        stage.put(fail)
        stage.put(lambda: ran.append("behind it"))
        may_fail.set()
        with pytest.raises(ValueError, match="broken"):
            stage.finish()
    assert ran == []


@pytest.mark.parametrize("finishes", [False, True])
def test_an_error_of_the_caller_drops_what_waits_or_not(finishes: bool) -> None:
    ran: list[str] = []
    begun, may_go = threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        may_go.wait()
        ran.append("first")

    with pytest.raises(KeyboardInterrupt), Stage(waiting=2, finishes=finishes) as stage:
        stage.put(call)
        stage.put(lambda: ran.append("second"))
        begun.wait()
        threading.Timer(0.2, may_go.set).start()
        raise KeyboardInterrupt
    assert ran == (["first", "second"] if finishes else ["first"])

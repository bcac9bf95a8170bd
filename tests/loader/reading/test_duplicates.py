"""Equal records are counted exactly, also beyond what is kept in memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.loader.reading import duplicates as module
from harmgraph.loader.reading.duplicates import Duplicates


def test_a_repeated_record_is_seen_at_once() -> None:
    with Duplicates() as duplicates:
        assert [duplicates.seen(text) for text in ("a", "b", "a", "a", "")] == [False, False, True, True, False]
        assert duplicates.count() == 2


def test_the_count_is_exact_where_the_window_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECENT", 3)
    with Duplicates() as duplicates:
        for _ in range(4):
            for number in range(100):
                assert not duplicates.seen(f"record {number}")
        assert len(duplicates._recent) + len(duplicates._older) <= 6
        assert duplicates.count() == 300


def test_what_says_something_new_is_not_dropped_and_the_last_one_counts() -> None:
    with Duplicates() as duplicates:
        said = [("a", "1"), ("a", "2"), ("a", "1"), ("a", "1")]
        assert [duplicates.seen(*record) for record in said] == [False, False, False, True]
        assert duplicates.count() == 3


@settings(max_examples=30)
@given(st.lists(st.text(max_size=3)))
def test_the_count_is_that_of_a_set(records: list[str]) -> None:
    with Duplicates() as duplicates:
        for record in records:
            duplicates.seen(record)
        assert duplicates.count() == len(records) - len(set(records))


def test_what_no_encoding_holds_is_counted_too() -> None:
    with Duplicates() as duplicates:
        assert not duplicates.seen("\ud800")
        assert duplicates.seen("\ud800")


def test_two_counters_know_nothing_of_each_other() -> None:
    with Duplicates() as one, Duplicates() as other:
        assert not one.seen("a")
        assert not other.seen("a")


def test_the_files_are_closed_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 1)
    with Duplicates() as duplicates:
        duplicates.seen("a")
        files = list(duplicates._digests._files.values())
    assert files
    assert all(file.closed for file in files)

"""What a load knows of the nodes that it has met."""

from __future__ import annotations

import pytest

from harmgraph.graph.writing import known_nodes as module
from harmgraph.graph.writing.first_time import FirstTime
from harmgraph.graph.writing.known_nodes import KnownNodes


def test_what_was_added_is_found_again_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECENT", 10)
    known = KnownNodes()
    ids = {f"en/{number}": 7 * number for number in range(95)}
    for start in range(0, 95, 4):
        some = dict(list(ids.items())[start : start + 4])
        assert not known.find(some)
        known.add(some)
    assert known.find([*ids, "en/95", "", "\ud800"]) == ids


def test_of_two_keys_of_one_hash_none_is_taken_for_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECENT", 1)
    monkeypatch.setattr(module, "hash", lambda key: 1, raising=False)
    known = KnownNodes()
    known.add({"en/a": 1})
    assert known.find(["en/a", "en/b"]) == {"en/a": 1}


def test_it_forgets_rather_than_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECENT", 5)
    monkeypatch.setattr(module, "OLDER", 12)
    known = KnownNodes()
    for start in range(0, 100, 5):
        known.add({f"en/{number}": number for number in range(start, start + 5)})
        assert len(known._hashes) <= 12
    assert known.find(["en/0", "en/99"]) == {"en/99": 99}


def test_nothing_comes_for_the_first_time_twice() -> None:
    seen = FirstTime()
    digests = [hash(("en/a", number)) for number in range(20_000)]
    new = [seen.note(digest) for digest in digests]
    assert sum(new) >= 19_990  # a few may be taken for earlier ones
    assert not any(seen.note(digest) for digest in digests)

"""Rows put aside come back where they are wanted, in memory and from the disk."""

from __future__ import annotations

import random

import pytest

from graph import aside
from graph.aside import Aside
from graph.errors import NoSpace


@pytest.mark.parametrize("waiting", [1, 3, 1_000])
def test_what_is_wanted_comes_back_in_its_order(monkeypatch: pytest.MonkeyPatch, waiting: int) -> None:
    monkeypatch.setattr(aside, "WAITING", waiting)
    chance = random.Random(7)
    kept = Aside()
    expected: dict[str, list[int]] = {}
    steps = [("put", f"k{chance.randrange(300)}", number) for number in range(2_000)]
    steps += [("want", f"k{number}", 0) for number in range(0, 300, 3) for _ in range(2)]
    chance.shuffle(steps)
    for step, key, number in steps:
        if step == "want":
            kept.want(key)
        else:
            kept.put(key, (key, number))
            if not int(key[1:]) % 3:
                expected.setdefault(key, []).append(number)
    found: dict[str, list[int]] = {}
    for key, number in kept.rows():
        found.setdefault(key, []).append(number)
    assert found == expected
    assert list(kept.rows()) == []


def test_nothing_wanted_is_nothing() -> None:
    kept = Aside()
    kept.put("a", 1)
    assert list(kept.rows()) == []
    kept.want("a")
    assert list(kept.rows()) == []


def test_any_text_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "WAITING", 1)
    kept = Aside()
    row = ("\ud800", "a\nb\x00", {"x": None, "y": 1.5, "z": True})
    kept.put("\ud800", row)
    kept.want("\ud800")
    assert list(kept.rows()) == [row]


def test_a_full_disk_is_one_of_our_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "WAITING", 1)
    monkeypatch.setattr(aside.tempfile, "TemporaryFile", _full)
    with pytest.raises(NoSpace, match=r"temporary files cannot be written .*set TMPDIR"):
        Aside().put("a", 1)


def _full(**_: object) -> None:
    raise OSError(28, "No space left on device")

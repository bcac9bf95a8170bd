"""Several files and folders are replaced together, also where the process ends in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.graph.common import whole_file
from harmgraph.graph.common.whole_file import finish_moves, replace_together


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Three places, of which the second is empty, and what is to come there."""
    for name, text in (("a", "old"), ("c", "old"), ("new/a", "new"), ("new/b", "new"), ("new/c", "new")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_text(text)
    (tmp_path / "new" / "only").write_text("")
    return tmp_path


def moves(place: Path) -> list[tuple[Path, Path]]:
    return [(place / "new" / name, place / name) for name in "abc"]


def is_done(place: Path) -> bool:
    left = sorted(path.name for path in place.iterdir())
    return left == ["a", "b", "c"] and all((place / name / "file").read_text() == "new" for name in "abc")


def test_all_are_replaced_and_nothing_is_left(place: Path) -> None:
    replace_together(place / "note.json", moves(place), remove=[place / "new"])
    assert is_done(place)
    assert not finish_moves(place / "note.json")


@pytest.mark.parametrize("steps", range(10))
def test_wherever_it_stops_the_next_one_finishes(place: Path, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = steps

    def stopping(real: object, *arguments: Path) -> object:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return real(*arguments)  # type: ignore[operator]

    rename, delete = Path.rename, whole_file.delete
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda path, to: stopping(rename, path, to))
        patch.setattr(whole_file, "delete", lambda path: stopping(delete, path))
        try:
            replace_together(place / "note.json", moves(place), remove=[place / "new"])
        except KeyboardInterrupt:
            assert (place / "note.json").exists()
    finish_moves(place / "note.json")
    assert is_done(place)


def test_the_number_of_steps_above_reaches_the_end(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    rename, delete = Path.rename, whole_file.delete
    monkeypatch.setattr(Path, "rename", lambda path, to: taken.append(1) or rename(path, to))
    monkeypatch.setattr(whole_file, "delete", lambda path: taken.append(1) or delete(path))
    replace_together(place / "note.json", moves(place), remove=[place / "new"])
    assert len(taken) >= 10

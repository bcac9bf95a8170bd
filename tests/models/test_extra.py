"""Packages of the extras that are there, and do not work."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.models.message_passing.dgl_block import BACK_END
from harmgraph.models.population import neighbours
from harmgraph.models.population.neighbours import Neighbour
from tests.support.population import neighbourhood


@pytest.fixture
def asked_again() -> Iterator[None]:
    """Whether DGL is there is asked once in a process."""
    neighbours.drawing_library.cache_clear()
    yield
    neighbours.drawing_library.cache_clear()


@pytest.mark.usefixtures("asked_again")
@pytest.mark.parametrize("error", ["ImportError", "FileNotFoundError", "ModuleNotFoundError"])
def test_a_dgl_that_cannot_be_imported_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: str) -> None:
    """As where its library is made for another version of torch, or needs a package that is gone."""
    (tmp_path / "dgl").mkdir()
    (tmp_path / "dgl" / "__init__.py").write_text(f"raise {error}('graphbolt')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dgl", raising=False)
    assert not BACK_END.is_available("cpu")
    drawn = neighbourhood([("a", "Result", "b")]).draw(["a"], 1, (0,))
    assert drawn["a"].drawn == (Neighbour("Result", "b"),)

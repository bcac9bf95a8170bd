"""What a classifier is trained on top of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import tiny_model


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder that learns whatever the seed and the processor are."""
    return tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False, spread=tiny_model.LEARNS)


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a store, so that no server is started for it."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"

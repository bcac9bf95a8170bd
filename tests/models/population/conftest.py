"""What populators are trained on, and on top of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import tiny_model
from tests.support.population import write_folder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder."""
    return tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 'population data'."""
    return write_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture
def without_populators(home: Path) -> Iterator[None]:
    """No populator of another test is in the store."""
    from harmgraph.models.folders import clear
    from harmgraph.models.population import trained

    for name in trained.names():
        clear(trained.folder(name))
    yield

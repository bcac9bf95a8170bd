"""A tiny encoder to represent triples with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import tiny_model


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder."""
    return tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False)

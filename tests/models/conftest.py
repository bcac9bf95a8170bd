"""What the tests of several parts of models begin with."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def without_models(home: Path) -> None:
    """No embedding model of another test is in the store."""
    from harmgraph.models import folders, store

    for name in store.names():
        folders.clear(store.folder(name))

"""What language models learn in these tests, and a store without those of other tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def without_language_models(home: Path) -> Iterator[None]:
    """No language model of another test is in the store."""
    from harmgraph.models.folders import clear
    from harmgraph.models.language import trained

    for name in trained.names():
        clear(trained.folder(name))
    yield

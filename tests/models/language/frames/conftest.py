"""Posts from which small models learn, and a frame model that learnt them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import sbic


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SBIC from which a small model learns."""
    return sbic.written(tmp_path_factory.mktemp("sbic"), sbic.table(sbic.learnable()))


@pytest.fixture
def without_frame_models(home: Path) -> None:
    """No frame model of another test is in the store."""
    from harmgraph.models.folders import clear
    from harmgraph.models.language.frames import stored

    for name in stored.names():
        clear(stored.folder(name))

"""A restore looks at the models again before it moves anything; without a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from harmgraph.graph.backup import restore as restores
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.common.errors import Busy, HarmgraphError, InputError
from harmgraph.graph.common.lock import held
from harmgraph.graph.server import distribution, server
from harmgraph.graph.server.folder import folder, restore_note
from tests.support.backups import WEIGHTS, write


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which no server runs; Neo4j would load any dump."""
    home = tmp_path / "home"
    home.mkdir()

    def write_stamp(_: object) -> None:
        distribution.stamp_file().parent.mkdir(parents=True)
        distribution.stamp_file().touch()

    def load(chunks: Iterator[bytes], *_: str) -> None:
        for place in restores.PLACES:
            (folder() / "data" / place / restores.DATABASE).mkdir(parents=True)
            (folder() / "data" / place / restores.DATABASE / "file").write_bytes(b"".join(chunks))

    monkeypatch.setenv("HARMGRAPH_HOME", str(home))
    monkeypatch.setattr(distribution, "jars", write_stamp)
    monkeypatch.setattr(server, "admin_input", load)
    return home


@pytest.mark.parametrize(
    ("replace", "trained", "error"), [(False, True, InputError), (True, False, Busy), (True, True, None)]
)
def test_a_model_that_was_trained_meanwhile_is_not_lost_unasked(
    *,
    replace: bool,
    trained: bool,
    error: type[HarmgraphError] | None,
    own_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = own_home / "models" / "m"
    with ExitStack() as stack:

        def train(*_: object) -> None:
            place.mkdir()
            (place / "weights").write_bytes(b"trained meanwhile")
            if not trained:
                stack.enter_context(held(place / ".lock"))

        monkeypatch.setattr(restores, "_check_graph", train)
        if error:
            with pytest.raises(error):
                restore(write(tmp_path / "graph.backup"), replace=replace)
        else:
            restore(write(tmp_path / "graph.backup"), replace=replace)
    assert (place / "weights").read_bytes() == (b"trained meanwhile" if error else WEIGHTS)
    assert (folder() / "data" / "databases" / restores.DATABASE).exists() == (error is None)
    assert not restore_note().exists()

"""A restore looks at the graph and at the models again before it moves anything; it starts no server here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from harmgraph.common.errors import Busy, HarmgraphError, InputError, ServerError
from harmgraph.common.lock import held
from harmgraph.graph.backup import restore as restores
from harmgraph.graph.backup.backup_file import Manifest
from harmgraph.graph.backup.restore import restore
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import FORM, digest
from harmgraph.graph.contents.kept_by_state import KnownRows
from harmgraph.graph.contents.kept_rows import KEPT
from harmgraph.graph.driver.kept_file import FILES
from harmgraph.graph.server import distribution, server
from harmgraph.graph.server.folder import folder, restore_note
from tests.support.backups import FACTS, WEIGHTS, write
from tests.support.filling import import_triples, triple


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which no server runs; Neo4j would load any dump."""
    home = tmp_path / "home"
    home.mkdir()

    def write_stamp(_: object) -> None:
        distribution.stamp_file().parent.mkdir(parents=True)
        distribution.stamp_file().touch()

    def load(chunks: Iterator[bytes], *_: str, check: object) -> None:
        for place in restores.PLACES:
            (folder() / "data" / place / restores.DATABASE).mkdir(parents=True)
            (folder() / "data" / place / restores.DATABASE / "file").write_bytes(b"".join(chunks))

    monkeypatch.setenv("HARMGRAPH_HOME", str(home))
    monkeypatch.setattr(distribution, "jars", write_stamp)
    monkeypatch.setattr(server, "admin_input", load)
    return home


@pytest.mark.parametrize(
    ("replaced", "trained", "error"), [(False, True, InputError), (True, False, Busy), (True, True, None)]
)
def test_a_model_that_was_trained_meanwhile_is_not_lost_unasked(
    *,
    replaced: bool,
    trained: bool,
    error: type[HarmgraphError] | None,
    own_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor do numbers stay that were kept of the graph before: the restored one may come to a state of the same name."""
    place = own_home / "models" / "m"
    kept = [own_home / "cache" / file for file in FILES]
    kept[0].parent.mkdir()
    for file in kept:
        file.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(KEPT, "known", KnownRows("of the graph before"))
    with ExitStack() as stack:

        def train(*_: object) -> None:
            place.mkdir()
            (place / "weights").write_bytes(b"trained meanwhile")
            if not trained:
                stack.enter_context(held(place / ".lock"))

        monkeypatch.setattr(restores, "_check_graph", train)
        if error:
            with pytest.raises(error):
                restore(write(tmp_path / "graph.backup"), replace=replaced)
        else:
            restore(write(tmp_path / "graph.backup"), replace=replaced)
    assert (place / "weights").read_bytes() == (b"trained meanwhile" if error else WEIGHTS)
    assert (folder() / "data" / "databases" / restores.DATABASE).exists() == (error is None)
    assert not restore_note().exists()
    assert not any(file.exists() for file in kept)
    assert not KEPT.known.state


@pytest.fixture
def loaded(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """What a backup says of the graph that its dump is loaded into: that on the server of the run."""
    import_triples(graph, triple("lawyer", "IsA", "liar"))
    monkeypatch.setattr(server, "start", lambda **_: graph.address)
    monkeypatch.setattr(server, "stop", lambda: True)
    counts = graph.rows("schema/counts")[0]
    return replace(FACTS, nodes=counts["nodes"], relationships=counts["relationships"], digest=digest(graph))


def test_a_digest_of_another_form_is_not_compared(loaded: Manifest) -> None:
    told: list[str] = []
    restores._check_graph(loaded, told.append)
    other = replace(loaded, digest="f" * 64)
    with pytest.raises(ServerError, match=f"digest {loaded.digest[:12]}, in place of .*, digest ffff"):
        restores._check_graph(other, told.append)
    for form in (FORM - 1, FORM + 1):
        restores._check_graph(replace(other, digest_form=form), told.append)
        with pytest.raises(ServerError, match=r"1 relationships, in place of [\d,]+ and 2;"):
            restores._check_graph(replace(other, digest_form=form, relationships=2), told.append)
    counted = "the digest of the backup is that of harmgraph 0.1.0: counting the restored graph ..."
    assert told == ["checking the restored graph ..."] * 2 + [counted] * 4

"""What a recovery leaves of what harmgraph kept beside the store; that of a store is in ``graph/server/test_full_disk``."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.common.errors import LogDamaged, StartFailed
from harmgraph.graph.backup import recovery
from harmgraph.graph.driver import kept_file
from harmgraph.graph.driver.kept_file import FILES, Kept
from harmgraph.graph.server import server


def test_nothing_stays_that_was_kept_of_the_store_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The database comes again to a number that it had, with other triples."""
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    for file in FILES:
        kept_file.write(file, 1, "key", {"rows": Kept([[1]], frozenset({"triples"}))})
    assert kept_file.standing("key")

    def damaged(**_: object) -> None:
        raise StartFailed("no", [], where="here", remedy="none")

    monkeypatch.setattr(server, "stop", lambda: None)
    monkeypatch.setattr(server, "start", damaged)
    monkeypatch.setattr(recovery, "_kept_copy", lambda _: tmp_path / "copy")
    with pytest.raises(LogDamaged):
        recovery.recover()
    assert not kept_file.is_any()

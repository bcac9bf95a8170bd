"""A folder of a model with links that lead out of it: what they lead to is never deleted, by whichever way the model goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.common.whole_file import finish_moves, folder_beside, replace_together
from harmgraph.graph.connection import Graph
from harmgraph.models.folders import LOCK, clear


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """What is not harmgraph's."""
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "thesis").write_text("text")
    return tmp_path / "theirs"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "models").mkdir(parents=True)
    return tmp_path / "home" / "models"


def model(place: Path, theirs: Path) -> Path:
    place.mkdir()
    (place / "config.json").write_text("{}")
    (place / "folder").symlink_to(theirs)
    (place / "file").symlink_to(theirs / "thesis")
    (place / "nothing").symlink_to(theirs / "none")
    return place


def test_a_training_that_starts_over(models: Path, theirs: Path) -> None:
    place = model(models / "m", theirs)
    (place / LOCK).touch()
    clear(place)
    assert [path.name for path in place.iterdir()] == [LOCK]
    assert (theirs / "thesis").read_text() == "text"


def test_a_model_that_takes_the_place_of_another(models: Path, theirs: Path) -> None:
    for place in (model(models / "m", theirs), models / "linked"):
        if not place.exists():
            place.symlink_to(theirs)
        with folder_beside(place) as part:
            (part / "weights").touch()
        assert not place.is_symlink()
        assert [path.name for path in place.iterdir()] == ["weights"]
    assert (theirs / "thesis").read_text() == "text"


@pytest.mark.parametrize("to", ["theirs", "none"])
def test_a_restored_model_takes_the_place_of_a_link(to: str, models: Path, theirs: Path, tmp_path: Path) -> None:
    (models / "m").symlink_to(tmp_path / to)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "weights").touch()
    replace_together(tmp_path / "note", [(tmp_path / "new", models / "m")])
    assert not finish_moves(tmp_path / "note")
    assert [path.name for path in models.rglob("*")] == ["m", "weights"]
    assert (theirs / "thesis").read_text() == "text"


def test_it_is_removed(models: Path, theirs: Path, graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    model(models / "m", theirs)
    (models / "linked").symlink_to(model(theirs / "m", theirs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEO4J_URI", graph.address.uri)  # the embedded server of this home is another one
        patch.setenv("NEO4J_PASSWORD", graph.address.password)
        assert main(["embed", "rm", "m", "--yes"]) == 0
        assert main(["embed", "rm", "linked", "--yes"]) == 0
    assert list(models.iterdir()) == []
    assert (theirs / "thesis").read_text() == "text"
    assert (theirs / "m" / "config.json").exists()
    assert f"a link: what it leads to stays ({theirs / 'm'})" in capsys.readouterr().out

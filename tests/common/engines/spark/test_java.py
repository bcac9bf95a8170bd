"""The Java for Spark is found, and one that does not suit is passed over; where there is none, one line says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.common.engines.spark import java
from harmgraph.common.engines.spark.session import session
from harmgraph.common.errors import EngineError, InputError

FULL = "java.base java.sql jdk.incubator.vector"


def installed(folder: Path, version: str, modules: str = FULL) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text("")
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return folder


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Java; a folder where some may be installed."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(java, "PLACES", (str(tmp_path / "jvm"),))
    return tmp_path / "jvm"


def test_the_first_that_suits(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(places / "a", "11.0.2")
    installed(places / "b", "21.0.8", "java.base java.sql")
    installed(places / "c", "25")
    (places / "d").mkdir()
    expected = installed(places / "e", "17.0.15")
    assert java.java_home() == expected
    chosen = installed(places.parent / "mine", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(chosen))
    assert java.java_home() == chosen


def test_none(places: Path) -> None:
    installed(places / "b", "21.0.8", "java.base java.sql")
    with pytest.raises(EngineError, match=r"Java 17 or 21 in full.*openjdk-17-jre-headless.*JAVA_HOME") as caught:
        java.java_home()
    assert "\n" not in str(caught.value)


def test_what_is_no_master() -> None:
    pytest.importorskip("pyspark", reason="the extra harmgraph[spark] is not installed")
    with pytest.raises(InputError, match=r"no master of the form 'host:7077'.*spark://"), session("host:7077"):
        pass

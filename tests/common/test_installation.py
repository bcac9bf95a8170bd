"""How an optional part is installed, from wherever harmgraph came."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from harmgraph.common import installation
from harmgraph.common.installation import CHECKOUT, extra_command


def test_in_a_checkout_it_is_the_checkout() -> None:
    assert extra_command("models") == f"pip install --editable '{CHECKOUT}[models]'"
    assert (CHECKOUT / "pyproject.toml").is_file()


@pytest.mark.parametrize(
    ("told", "command"),
    [
        ({"url": "file:///a%20b/harmgraph-0.1.0-py3-none-any.whl"}, "'/a b/harmgraph-0.1.0-py3-none-any.whl[models]'"),
        ({"url": "file:///srv/harmgraph", "dir_info": {}}, "'harmgraph[models] @ file:///srv/harmgraph'"),
        (
            {"url": "https://host/harmgraph.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "'harmgraph[models] @ git+https://host/harmgraph.git@abc'",
        ),
        (None, "'harmgraph[models]'"),
    ],
)
def test_elsewhere_it_is_what_pip_was_given(
    told: dict[str, object] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real folder of a distribution's facts, as pip writes it (PEP 610), in the place of the one that is installed."""
    facts = tmp_path / "harmgraph-0.1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: harmgraph\nVersion: 0.1.0\n")
    if told:
        (facts / "direct_url.json").write_text(json.dumps(told))
    monkeypatch.setattr(installation, "CHECKOUT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert metadata.distribution("harmgraph").version == "0.1.0"
    assert extra_command("models") == f"pip install {command}"

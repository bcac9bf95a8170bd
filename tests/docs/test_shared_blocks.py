"""What several statements share is written once: the block of the first file is that of the others. ``make docs`` copies it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from harmgraph.graph.contents.target_counts import BLOCKS
from tests.support.places import ROOT

BLOCK = re.compile(r"^// shared: (?P<name>.+?)\n.*?^// end of shared\n", re.DOTALL | re.MULTILINE)
HOMES = {name: f"cypher/{where}.cypher" for name, (where, _) in BLOCKS.items()}
"""Where each block is edited."""


def holders(name: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / "cypher").rglob("*.cypher"))
        if any(match["name"] == name for match in BLOCK.finditer(path.read_text(encoding="utf-8")))
    ]


@pytest.mark.parametrize("name", HOMES)
def test_a_shared_block_is_the_same_everywhere(name: str) -> None:
    (home,) = (
        match[0] for match in BLOCK.finditer((ROOT / HOMES[name]).read_text(encoding="utf-8")) if match["name"] == name
    )
    files = holders(name)
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        renewed = BLOCK.sub(lambda match: home if match["name"] == name else match[0], text)
        if os.environ.get("HARMGRAPH_RENEW"):
            path.write_text(renewed, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == renewed, f"run 'make docs': {path} differs from {HOMES[name]}"


def test_every_shared_block_has_a_home() -> None:
    names = {
        match["name"]
        for path in (ROOT / "cypher").rglob("*.cypher")
        for match in BLOCK.finditer(path.read_text(encoding="utf-8"))
    }
    assert names == set(HOMES)

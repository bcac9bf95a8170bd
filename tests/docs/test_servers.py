"""What the page on servers quotes is what harmgraph says."""

from __future__ import annotations

import re

import pytest

from tests.support.places import DOCS, ROOT

TEXT = (DOCS / "servers.md").read_text(encoding="utf-8")
SAID_IN = ("graph/driver/refusal.py", "graph/connection.py", "graph/schema_setup.py")
QUOTED = re.findall(r"^\| `([^`]+)` \|", TEXT.partition("## When it does not work")[2], re.MULTILINE)


def test_the_page_quotes_errors() -> None:
    assert len(QUOTED) > 12


@pytest.mark.parametrize("line", QUOTED)
def test_every_line_that_the_page_quotes_is_said(line: str) -> None:
    code = "".join((ROOT / name).read_text(encoding="utf-8") for name in SAID_IN)
    plain = re.sub(r"\{[^{}]*\}", "\n", code)  # values that are filled in
    for part in line.split("…"):
        assert part.strip(" .4") in plain

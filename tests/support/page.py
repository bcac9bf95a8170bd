"""The code blocks of a page of the documentation."""

from __future__ import annotations

import re

from tests.support.places import DOCS


def blocks(page: str, language: str) -> list[str]:
    """The blocks of one language, in the page's order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(page: str) -> dict[str, object]:
    """Runs the Python blocks of a page one after the other, as a reader would, and gives what they defined."""
    names: dict[str, object] = {"__name__": page.replace(".", "_")}
    found = blocks(page, "python")
    assert found, f"{page} has no Python"
    for number, block in enumerate(found):
        exec(compile(block, f"{page}, block {number + 1}", "exec"), names)
    return names

"""Results show themselves as their command does, as text and in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from harmgraph.common.shown import Shown


@dataclass(frozen=True, slots=True, repr=False)
class Result(Shown):
    count: int
    share: float
    name: str

    def shown(self) -> tuple[str, Mapping[str, Any]]:
        return "a <title>", {"o_minus": self.share, "count": self.count, "the name": self.name}


def test_text_is_the_table_of_the_command() -> None:
    lines = str(Result(1234, 0.5, "\x1b[31mred")).splitlines()
    assert lines[0].strip() == "a <title>"
    assert [line.split(maxsplit=1) for line in map(str.strip, lines[1:]) if line] == [
        ["O-", "0.50"],
        ["count", "1,234"],
        ["the", r"name   \x1b[31mred"],
    ]


def test_a_notebook_has_a_table_without_the_markup_of_a_name() -> None:
    table = ElementTree.fromstring(Result(1234, 0.5, "<b>&")._repr_html_())
    assert table.findtext("caption") == "a <title>"
    assert [(row.findtext("th"), row.findtext("td")) for row in table.iter("tr")] == [
        ("O-", "0.50"),
        ("count", "1,234"),
        ("the name", "<b>&"),
    ]

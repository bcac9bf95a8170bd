"""A public class has its name alone in the product; members of a family may share theirs with other things."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.support.places import ROOT

PACKAGES = ("harmgraph", "graph", "loader", "analytics", "models")
FAMILIES = (
    "analytics/figures",
    "analytics/scorers",
    "analytics/statistics/computed",
    "harmgraph/common/engines/members",
    "loader/corrections",
    "loader/importers",
    "models/encoders",
    "models/message_passing",
    "models/populators",
    "models/probes",
    "models/score_functions",
    "models/scorers",
)
"""Folders whose files are members: they are asked for by the name of the file, so that of their class is of no use."""


def test_each_public_class_has_its_name_alone() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if any(part.is_symlink() for part in path.parents) or place.startswith(FAMILIES):
                continue
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(place)
    assert len(places) > 300
    assert {name: found for name, found in places.items() if len(found) > 1} == {}

"""The page on the architecture lists every sub-package and no other, and the files that it names are there."""

from __future__ import annotations

import re

from tests.support.places import ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = ("graph", "loader", "analytics", "models")


def test_every_sub_package_is_listed_once() -> None:
    listed = re.findall(r"^\| `([a-z_]+/[a-z_]+)`", TEXT, re.MULTILINE)
    folders = [
        f"{package}/{folder.name}"
        for package in PACKAGES
        for folder in (ROOT / package).iterdir()
        if (folder / "__init__.py").is_file()
    ]
    assert sorted(listed) == sorted([*folders, "harmgraph/common"])


def test_every_file_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:harmgraph|graph|loader|analytics|models|cypher)/[\w/]+\.\w+)`", TEXT)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_picture_shows_every_package() -> None:
    (picture,) = re.findall(r"```mermaid\n(.*?)```", TEXT, re.DOTALL)
    words = set(re.findall(r"[a-z_]+", picture))
    folders = {
        folder.name
        for package in PACKAGES
        for folder in (ROOT / package).iterdir()
        if (folder / "__init__.py").is_file()
    }
    assert folders <= words


def test_no_package_has_more_than_a_dozen_modules_at_its_root() -> None:
    for package in PACKAGES:
        modules = [path.name for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= 12, (package, modules)
